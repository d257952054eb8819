// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: an experiment of one pass that counts nothing. See compiled_out.hpp.
#ifndef GPUPROF_MEASURE_EXPERIMENT_COMPILED_OUT_HPP
#define GPUPROF_MEASURE_EXPERIMENT_COMPILED_OUT_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "compiled_out.hpp"
#include "experiment_status.hpp"
#include "profiler_options.hpp"

GPUPROF_NAMESPACE_BEGIN

// Every call answers ok, and a loop over the passes runs once. Values are errors.
class experiment {
public:
    [[nodiscard]] static result<experiment> try_create(device const&, profiler_options const& = {}) {
        return experiment{};
    }
#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
    explicit experiment(device const&, Metrics...) noexcept {}
    // clang-format off
    template <class... Rest>
    explicit experiment(device const&&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on
#endif
    experiment(experiment&&) noexcept {}
    experiment& operator=(experiment&&) = delete;
    constexpr ~experiment() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    experiment_status enable(metric_info const&) noexcept { return {}; }
    experiment_status enable(std::span<metric_info const>) noexcept { return {}; }
    experiment_status disable(std::string_view) noexcept { return {}; }
    experiment_status disable_all() noexcept { return {}; }
    [[nodiscard]] std::vector<metric_info> const& enabled() const noexcept {
        return detail::nothing<std::vector<metric_info>>();
    }
    experiment_status reserve_objects(std::size_t) noexcept { return {}; }
    [[nodiscard]] std::size_t reserved_objects() const noexcept { return 0; }

    experiment_status begin() noexcept { return {}; }
    [[nodiscard]] std::size_t passes() const noexcept { return 1; }
    experiment_status begin_pass(std::size_t) noexcept { return {}; }
    experiment_status begin_object(std::size_t) noexcept { return {}; }
    experiment_status end_object(std::size_t) noexcept { return {}; }
    experiment_status end_pass(std::size_t) noexcept { return {}; }
    experiment_status end() noexcept { return {}; }
    template <class Frame>
    experiment_status run(Frame&& frame) {
        frame();
        return {};
    }

    [[nodiscard]] std::vector<experiment_mistake> const& mistakes() const noexcept {
        return detail::nothing<std::vector<experiment_mistake>>();
    }
    [[nodiscard]] std::optional<error> const& refusal() const noexcept {
        return detail::nothing<std::optional<error>>();
    }
    [[nodiscard]] experiment_status readable() const noexcept { return {}; }
    [[nodiscard]] result<gpuprof::report> try_report() const { return gpuprof::report{}; }
    [[nodiscard]] result<range_view> try_object(std::size_t = 0) const { return detail::compiled_out(); }
    [[nodiscard]] result<measured_value> try_value(std::string_view, std::size_t = 0) const {
        return detail::compiled_out();
    }
    [[nodiscard]] result<double> try_cycles(std::string_view, std::size_t = 0) const { return detail::compiled_out(); }
    template <metric_like Metric>
    [[nodiscard]] result<metric_value<Metric>> try_get(Metric, std::size_t = 0) const {
        return detail::compiled_out();
    }

private:
    constexpr experiment() noexcept = default;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_EXPERIMENT_COMPILED_OUT_HPP
