// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel, compiled with several limits of registers: an axis of a series.
#ifndef GPUPROF_EXPLAIN_REGISTER_VARIANTS_HPP
#define GPUPROF_EXPLAIN_REGISTER_VARIANTS_HPP

#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/types.hpp"
#include "../hw/machine/device.hpp"
#include "series_axis.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// Compiles PTX once for each limit, as nvcc -maxrregcount does, by the driver's option CU_JIT_MAX_REGISTERS, and keeps the
// modules. A kernel with __launch_bounds__ or __maxnreg__ keeps its own limit. The work launches variants[p["registers"]].
// A program that has no PTX gives a series an axis of its own, whose values say which of its kernels is meant.
// Errors of try_load: invalid_argument for what is no PTX (machine code cannot be compiled again), for no limit, and what the
// driver says of the PTX or the kernel. Cost: a compilation a limit. Const use is thread-safe. Move-only; after a move the other
// has no kernel.
class register_variants {
public:
    // @param limits registers a thread; 0 for the compiler's own choice
    [[nodiscard]] static result<register_variants> try_load(device const& gpu, std::string const& ptx,
                                                            std::string const& kernel,
                                                            std::vector<long long> const& limits);
#if GPUPROF_EXCEPTIONS
    register_variants(device const& gpu, std::string const& ptx, std::string const& kernel,
                      std::vector<long long> const& limits)
        : register_variants{try_load(gpu, ptx, kernel, limits).value()} {}
#endif
    register_variants(register_variants&& other) noexcept
        : gpu_{std::move(other.gpu_)}, variants_{std::exchange(other.variants_, {})} {}
    register_variants& operator=(register_variants&&) = delete;
    ~register_variants();

    // The kernel of a limit; null for one that was not asked for.
    [[nodiscard]] abi::CUfunction operator[](long long limit) const noexcept {
        for (variant const& each : variants_)
            if (each.limit == limit) return each.kernel;
        return nullptr;
    }
    // All of them, for axes that set something at kernels.
    [[nodiscard]] std::vector<abi::CUfunction> kernels() const {
        std::vector<abi::CUfunction> all;
        for (variant const& each : variants_) all.push_back(each.kernel);
        return all;
    }
    // "registers"
    [[nodiscard]] axis limits() const {
        axis all{"registers", {}};
        for (variant const& each : variants_) all.values.push_back(each.limit);
        return all;
    }

private:
    struct variant {
        long long limit = 0;
        abi::CUmodule module = nullptr;
        abi::CUfunction kernel = nullptr;
    };

    explicit register_variants(device gpu) : gpu_{std::move(gpu)} {}

    device gpu_; // holds the context
    std::vector<variant> variants_{};
};

#if !GPUPROF_ENABLED
inline register_variants::~register_variants() {
} // NOLINT(modernize-use-equals-default): so that an unused one is no warning
inline result<register_variants> register_variants::try_load(device const& gpu, std::string const&, std::string const&,
                                                             std::vector<long long> const& limits) {
    register_variants none{*gpu.try_share()};
    for (long long const limit : limits) none.variants_.push_back({limit, nullptr, nullptr});
    return result<register_variants>{std::move(none)};
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "register_variants.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_REGISTER_VARIANTS_HPP
