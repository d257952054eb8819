// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names of sampling.hpp, which sample nothing. See measure/compiled_out.hpp.
#ifndef GPUPROF_SAMPLE_COMPILED_OUT_HPP
#define GPUPROF_SAMPLE_COMPILED_OUT_HPP

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/result.hpp"
#include "../hw/activity/timestamp.hpp"
#include "../hw/samplers/pc_samples.hpp"
#include "../hw/samplers/pc_sampling_options.hpp"
#include "../measure/compiled_out.hpp"
#include "../measure/scope.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "pc_scope_report.hpp"
#include "pm_options.hpp"
#include "sampled_options.hpp"
#include "sampling_interval.hpp"
#include "sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
class sampling_session;
} // namespace detail

// No samples, of no metrics.
class pm_series {
public:
    pm_series(std::vector<metric_info>, sampling_interval interval, // NOLINT(performance-unnecessary-value-param)
              device_source) noexcept
        : interval_{interval} {}

    [[nodiscard]] std::size_t size() const noexcept { return 0; }
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept {
        return detail::nothing<std::vector<metric_info>>();
    }
    [[nodiscard]] activity::interval time(std::size_t) const noexcept { return {}; }
    [[nodiscard]] double value(std::size_t, std::size_t) const noexcept { return detail::quiet_nan; }
    [[nodiscard]] result<std::vector<double>> try_values(std::string_view) const { return detail::compiled_out(); }
    [[nodiscard]] result<measured_value> try_value(std::string_view) const { return detail::compiled_out(); }
    [[nodiscard]] pm_series during(std::span<activity::interval const>) const { return *this; }
    [[nodiscard]] std::size_t pass() const noexcept { return 0; }
    [[nodiscard]] std::size_t passes() const noexcept { return 1; }
    [[nodiscard]] std::size_t buffer_bytes() const noexcept { return 0; }
    void push(activity::interval, std::span<double const>) noexcept {}
#if GPUPROF_EXCEPTIONS
    template <metric_like Metric>
    [[nodiscard]] std::vector<metric_value<Metric>> operator[](Metric) const {
        return {};
    }
#endif
    [[nodiscard]] sampling_interval interval() const noexcept { return interval_; }
    [[nodiscard]] sampling_losses const& losses() const noexcept { return detail::nothing<sampling_losses>(); }
    [[nodiscard]] device_source source() const noexcept { return device_source::hardware; }

private:
    sampling_interval interval_;
};

// Takes no samples.
class pm_sampler {
public:
    [[nodiscard]] static result<pm_sampler> try_create(device const&, pm_options const& options,
                                                       std::span<metric_info const>) {
        return pm_sampler{options};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<pm_sampler> try_create(device const&, pm_options const& options, Metrics...) {
        return pm_sampler{options};
    }
#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit pm_sampler(device const&, Metrics...) noexcept {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    pm_sampler(device const&, pm_options const& options, Metrics...)
    noexcept : interval_{options.interval} {}
#endif

    // A loop over the passes runs once.
    [[nodiscard]] std::size_t passes() const noexcept { return 1; }
    [[nodiscard]] sampling_interval interval() const noexcept { return interval_; }
    [[nodiscard]] result<void> try_start(std::size_t = 0) { return {}; }
    [[nodiscard]] result<void> try_stop() { return {}; }
    [[nodiscard]] bool is_sampling() const noexcept { return false; }
    template <class F>
    [[nodiscard]] result<sampling_losses> try_visit(F&&) {
        return sampling_losses{};
    }
    [[nodiscard]] result<pm_series> try_take() { return pm_series{{}, interval_, device_source::hardware}; }
#if GPUPROF_EXCEPTIONS
    void start(std::size_t = 0) noexcept {}
    void stop() noexcept {}
    [[nodiscard]] pm_series take() noexcept { return {{}, interval_, device_source::hardware}; }
#endif

private:
    explicit constexpr pm_sampler(pm_options const& options) noexcept : interval_{options.interval} {}
    sampling_interval interval_{};
    detail::moved_only moves_;
};

struct pm_pass {
    pm_series series;
    activity::interval work{};
    double deviation_ns = 0;
};
struct aligned_passes {
    pm_series series;
    activity::interval work{};
    double deviation_ns = 0;
    double length_difference_ns = 0;

    [[nodiscard]] double worst_ns() const noexcept { return 0; }
};
class pm_alignment {
public:
    [[nodiscard]] static result<aligned_passes> try_align(std::span<pm_pass const>) { return detail::compiled_out(); }
};
// Runs the work once.
template <class Work>
[[nodiscard]] result<aligned_passes> try_sample_passes(pm_sampler& sampler, device const&, Work&& work,
                                                       abi::CUstream = nullptr) {
    work();
    return aligned_passes{pm_series{{}, sampler.interval(), device_source::hardware}};
}

class [[nodiscard]] sampling_burst {
public:
    explicit constexpr sampling_burst(detail::sampling_session*) noexcept {}
    constexpr ~sampling_burst() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning
    sampling_burst(sampling_burst const&) = delete;
    sampling_burst& operator=(sampling_burst const&) = delete;
};

// Takes scopes and does nothing; the report has no ranges.
class sampled_profiler {
public:
    [[nodiscard]] static result<sampled_profiler> try_create(device const&, sampled_options const&,
                                                             std::span<metric_info const>) {
        return sampled_profiler{};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<sampled_profiler> try_create(device const&, sampled_options const&, Metrics...) {
        return sampled_profiler{};
    }
#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit sampled_profiler(device const&, Metrics...) noexcept {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    sampled_profiler(device const&, sampled_options const&, Metrics...)
    noexcept {}
#endif

    operator scope_target&() noexcept { return detail::idle_target(); } // NOLINT(*-explicit-*)
    [[nodiscard]] scope_target& on(abi::CUstream) noexcept { return detail::idle_target(); }
    [[nodiscard]] sampling_burst sample() noexcept { return sampling_burst{nullptr}; }
    [[nodiscard]] result<void> try_start() { return {}; }
    [[nodiscard]] result<void> try_stop() { return {}; }
    [[nodiscard]] result<gpuprof::report> try_report() const { return gpuprof::report{}; }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] gpuprof::report report() const noexcept { return {}; }
#endif
    void clear() noexcept {}
    [[nodiscard]] sampling_losses losses() const noexcept { return {}; }
    [[nodiscard]] double time_deviation() const noexcept { return 0; }

private:
    constexpr sampled_profiler() noexcept = default;
    detail::moved_only moves_;
};

// Takes no samples.
class pc_sampler {
public:
    [[nodiscard]] static result<pc_sampler> try_open(device const&, pc_sampling_options const& = {}) {
        return pc_sampler{};
    }
    pc_sampler(pc_sampler&&) noexcept {}
    pc_sampler& operator=(pc_sampler&&) = delete;
    constexpr ~pc_sampler() {} // NOLINT(modernize-use-equals-default)

    [[nodiscard]] result<void> try_start() { return {}; }
    [[nodiscard]] result<void> try_stop() { return {}; }
    [[nodiscard]] result<pc_samples> try_take() { return pc_samples{}; }
    [[nodiscard]] result<pc_samples> try_take_at_hand() { return pc_samples{}; }
    [[nodiscard]] result<pc_samples> try_finish() { return pc_samples{}; }
    [[nodiscard]] result<pc_samples> try_finish_at_hand() { return pc_samples{}; }
    [[nodiscard]] pc_sampling_configuration const& configuration() const noexcept {
        return detail::nothing<pc_sampling_configuration>();
    }
    [[nodiscard]] std::vector<sampled_reason> const& reasons() const noexcept {
        return detail::nothing<std::vector<sampled_reason>>();
    }
    [[nodiscard]] pc_samples none() const { return {}; }

private:
    constexpr pc_sampler() noexcept = default;
};

// Takes scopes and does nothing; the report has none.
class pc_scopes : public scope_target {
public:
    [[nodiscard]] static result<pc_scopes>
    try_open(device const&, pc_sampling_options = serialized()) { // NOLINT(performance-unnecessary-value-param)
        return pc_scopes{};
    }
    [[nodiscard]] static pc_sampling_options serialized() {
        pc_sampling_options options;
        options.mode = pc_sampling_mode::kernel_serialized;
        return options;
    }
    pc_scopes(pc_scopes&&) noexcept : pc_scopes{} {}
    pc_scopes& operator=(pc_scopes&&) = delete;
    constexpr ~pc_scopes() {} // NOLINT(modernize-use-equals-default)

    [[nodiscard]] result<pc_scope_report> try_finish() { return pc_scope_report{}; }
    [[nodiscard]] pc_sampling_configuration const& configuration() const noexcept {
        return detail::nothing<pc_sampling_configuration>();
    }

private:
    // No functions: a scope calls none in this build.
    constexpr pc_scopes() noexcept : scope_target{nullptr, nullptr} {}
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_COMPILED_OUT_HPP
