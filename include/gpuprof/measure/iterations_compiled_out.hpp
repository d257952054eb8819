// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: iterations that count nothing. See compiled_out.hpp.
#ifndef GPUPROF_MEASURE_ITERATIONS_COMPILED_OUT_HPP
#define GPUPROF_MEASURE_ITERATIONS_COMPILED_OUT_HPP

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "compiled_out.hpp"
#include "iteration_value.hpp"
#include "profiler_options.hpp"

GPUPROF_NAMESPACE_BEGIN

class iterations {
public:
    [[nodiscard]] static result<iterations> try_create(device const&, profiler_options const&,
                                                       std::span<metric_info const>) {
        return iterations{};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<iterations> try_create(device const&, Metrics...) { return iterations{}; }
#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit iterations(device const&, Metrics...) noexcept {}
    // clang-format off
    template <class... Rest>
    explicit iterations(device const&&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on
#endif
    iterations(iterations&&) noexcept {}
    iterations& operator=(iterations&&) = delete;
    ~iterations() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    class [[nodiscard]] iteration {
    public:
        iteration(iteration&&) noexcept {}
        iteration& operator=(iteration&&) = delete;
        constexpr ~iteration() {} // NOLINT(modernize-use-equals-default): the same
        [[nodiscard]] bool measured() const noexcept { return false; }

    private:
        friend class iterations;
        constexpr iteration() noexcept = default;
    };
    [[nodiscard]] iteration next() noexcept { return {}; }

    [[nodiscard]] std::size_t passes_needed() const noexcept { return 1; }
    [[nodiscard]] std::size_t rounds() const noexcept { return 0; }
    [[nodiscard]] std::size_t left_out() const noexcept { return 0; }
    [[nodiscard]] std::vector<error> const& problems() const noexcept { return detail::nothing<std::vector<error>>(); }
    [[nodiscard]] profiler& counters() noexcept { return counters_; }
    [[nodiscard]] result<iteration_value> try_value(std::string_view, std::string_view = "iteration") const {
        return detail::compiled_out();
    }

private:
    iterations() noexcept = default;
    profiler counters_{};
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_ITERATIONS_COMPILED_OUT_HPP
