// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of kernels as one combination of a series wants them, as long as the object lives.
#ifndef GPUPROF_EXPLAIN_KERNEL_SETTINGS_HPP
#define GPUPROF_EXPLAIN_KERNEL_SETTINGS_HPP

#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/in_context.hpp"
#include "../hw/machine/status.hpp"
#include "series_axis.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
namespace detail {

// Puts back, last first, what the kernels had. @pre the device outlives it, and the kernels' modules
class kernel_settings {
public:
    explicit kernel_settings(device const& gpu) noexcept : gpu_{&gpu} {}
    kernel_settings(kernel_settings const&) = delete;
    kernel_settings& operator=(kernel_settings const&) = delete;
    ~kernel_settings() { static_cast<void>(try_put_back()); }

    // Errors: launch_failed with the driver's status, for a value that it refuses.
    [[nodiscard]] result<void> try_set(std::vector<axis> const& axes, parameters const& values) {
        return hw::in_context(gpu_->driver(), gpu_->context(), [&]() -> result<void> {
            for (std::size_t i = 0; i < axes.size(); ++i)
                for (abi::CUfunction const kernel : axes[i].kernels)
                    if (auto set = try_set(axes[i], kernel, values.list()[i].value); !set) return set;
            return {};
        });
    }
    [[nodiscard]] result<void> try_put_back() {
        if (set_.empty()) return {};
        return hw::in_context(gpu_->driver(), gpu_->context(), [&]() -> result<void> {
            abi::CUresult first = abi::CUDA_SUCCESS;
            for (; !set_.empty(); set_.pop_back())
                if (auto status = call(set_.back().sets, set_.back().kernel, set_.back().value);
                    first == abi::CUDA_SUCCESS)
                    first = status;
            if (first != abi::CUDA_SUCCESS) return hw::explain("putting back a kernel's settings", first);
            return {};
        });
    }

private:
    struct setting {
        kernel_setting sets = kernel_setting::nothing;
        abi::CUfunction kernel = nullptr;
        int value = 0;
    };

    [[nodiscard]] static constexpr abi::CUfunction_attribute attribute_of(kernel_setting sets) noexcept {
        return sets == kernel_setting::shared_carveout ? abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
                                                       : abi::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    }
    [[nodiscard]] abi::CUresult call(kernel_setting sets, abi::CUfunction kernel, int value) const {
        abi::driver_table const& driver = gpu_->driver();
        if (sets == kernel_setting::cache_config)
            return driver.FuncSetCacheConfig(kernel, static_cast<abi::CUfunc_cache>(value));
        return driver.FuncSetAttribute(kernel, attribute_of(sets), value);
    }
    [[nodiscard]] result<void> try_set(axis const& of, abi::CUfunction kernel, long long value) {
        if (of.sets == kernel_setting::nothing) return {};
        set_.push_back({of.sets, kernel, abi::CU_FUNC_CACHE_PREFER_NONE}); // first: it may lack memory
        auto status = of.sets == kernel_setting::cache_config
                          ? abi::CUDA_SUCCESS
                          : gpu_->driver().FuncGetAttribute(&set_.back().value, attribute_of(of.sets), kernel);
        bool const is_int = value == static_cast<int>(value);
        if (status == abi::CUDA_SUCCESS)
            status = is_int ? call(of.sets, kernel, static_cast<int>(value)) : abi::CUDA_ERROR_INVALID_VALUE;
        if (status == abi::CUDA_SUCCESS) return {};
        set_.pop_back();
        bool const config = of.sets == kernel_setting::cache_config;
        return error{errc::launch_failed, static_cast<int>(status),
                     gpuprof::detail::joined({config ? "cuFuncSetCacheConfig" : "cuFuncSetAttribute", ", ", of.name,
                                              " = ", of.text_of(value), ": ", abi::name(status), " (",
                                              std::to_string(static_cast<int>(status)), ")"}),
                     status == abi::CUDA_ERROR_INVALID_VALUE
                         ? std::string_view{"the kernel cannot have this on this device"}
                         : hw::advise(status).cause,
                     "leave the value out of the axis"};
    }

    device const* gpu_;
    std::vector<setting> set_; // what there was
};

} // namespace detail
} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_KERNEL_SETTINGS_HPP
