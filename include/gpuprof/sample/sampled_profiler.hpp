// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts over scopes without replay, by shares of samples.
#ifndef GPUPROF_SAMPLE_SAMPLED_PROFILER_HPP
#define GPUPROF_SAMPLE_SAMPLED_PROFILER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../measure/report.hpp"
#include "../measure/scope.hpp"
#include "../metric/info.hpp"
#include "sampled_options.hpp"
#include "sampling_losses.hpp"
#include "sampling_session.hpp"

GPUPROF_NAMESPACE_BEGIN

class sampled_profiler;

// A burst of samples, from its construction to its end. Never throws: errors are in the report.
class [[nodiscard]] sampling_burst {
public:
    explicit sampling_burst(detail::sampling_session* of) noexcept;
    ~sampling_burst();
    sampling_burst(sampling_burst const&) = delete;
    sampling_burst& operator=(sampling_burst const&) = delete;

private:
    detail::sampling_session* session_; // null: the burst did not start
};

// Counts over the same scopes, and gives the same report, as gpuprof::profiler, but the program
// runs once: nothing is replayed, nothing waits. The hardware samples its counters in bursts; a
// scope records a CUDA event in its stream at its begin and at its end, and gets the share of the
// samples that lies between the two on the device.
//
//     gpuprof::sampled_profiler prof{gpu, metrics::dram_bytes_read, metric<"smsp__inst_executed.sum">};
//     {
//         auto burst = prof.sample();
//         for (int i = 0; i < 100; ++i) { gpuprof::scope step{prof, "step"}; launch(); }
//     }
//     std::cout << prof.report();
//
// A scope's stream is sampled_options::stream (the default stream), or that of prof.on(stream).
// Other work on the device is counted, too; the report names overlapping scopes of several streams.
// Each value has an estimate of its error: range_view::try_deviation(). A scope shorter than two
// samples is inconclusive: its values are errors, never 0. If another tool holds the counters,
// scopes have only their event times (range_view::times(), metric<"gpu__time_duration.sum">), and
// the report says so. One sampler or profiler a context.
//
// Counts add up over samples; percentages, rates and ratios are means over the time, which includes
// that between events and kernels. Cost of a scope: two events; it allocates only for the first of
// a name. Scopes are thread-safe; all else is for one thread. Move-only. CUPTI 12.6, PM sampling;
// guide 5.1.
class sampled_profiler {
public:
    // Errors: unavailable before CUPTI 12.6 and where the device cannot sample; unknown_metric with
    // the nearest names; invalid_argument for an empty list, for metrics that take several passes,
    // and for a .min or .max; permission.
    // @pre no other thread profiles on the context meanwhile
    [[nodiscard]] static result<sampled_profiler> try_create(device const& gpu, sampled_options const& options,
                                                             std::span<metric_info const> metrics) {
        auto session = detail::sampling_session::try_create(gpu, options, {metrics.begin(), metrics.end()});
        if (!session) return std::move(session).error();
        return sampled_profiler{*std::move(session)};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<sampled_profiler> try_create(device const& gpu, sampled_options const& options,
                                                             Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        return try_create(gpu, options, std::span<metric_info const>{list});
    }
#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit sampled_profiler(device const& gpu, Metrics... metrics)
        : sampled_profiler{try_create(gpu, sampled_options{}, metrics...).value()} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    sampled_profiler(device const& gpu, sampled_options const& options, Metrics... metrics)
        : sampled_profiler{try_create(gpu, options, metrics...).value()} {}
#endif

    // For gpuprof::scope: scopes of sampled_options::stream, or of another stream. The target lives
    // as long as the profiler; scopes on it do nothing between bursts. @pre no scope on it is open
    // when the profiler ends
    operator scope_target&() noexcept {
        return session_ != nullptr ? session_->default_stream() : detail::idle_target();
    }
    [[nodiscard]] scope_target& on(abi::CUstream stream) noexcept {
        return session_ != nullptr ? session_->on(stream) : detail::idle_target();
    }

    // Samples as long as the returned burst lives. Its end waits for the scopes' work on the
    // device, and then for their samples: 30 us each on an H200.
    [[nodiscard]] sampling_burst sample() noexcept { return sampling_burst{session_.get()}; }
    // The same in two calls. Errors: invalid_state for a second start; what CUPTI and the driver
    // say.
    [[nodiscard]] result<void> try_start() { return session_ != nullptr ? session_->try_start() : moved_from(); }
    [[nodiscard]] result<void> try_stop() { return session_ != nullptr ? session_->try_stop() : moved_from(); }

    // The report on all bursts since the last clear(). Errors: invalid_state in a burst, or after a
    // move.
    [[nodiscard]] result<gpuprof::report> try_report() const {
        if (session_ == nullptr) return moved_from().error();
        if (session_->is_running())
            return error{errc::invalid_state, 0, "a report in a burst", "its scopes have no values yet",
                         "end it first"};
        return session_->write_report();
    }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] gpuprof::report report() const { return try_report().value(); }
#endif
    void clear() noexcept {
        if (session_ != nullptr) session_->clear();
    }
    // The losses of all bursts.
    [[nodiscard]] sampling_losses losses() const noexcept {
        return session_ != nullptr ? session_->losses() : sampling_losses{};
    }
    // The error of scopes' times against samples, in nanoseconds: 32 if an activity record gave the
    // time of an event in the last burst; some thousands if another tracer has the records.
    // Deviations of values include it.
    [[nodiscard]] double time_deviation() const noexcept {
        return session_ != nullptr ? session_->time_deviation() : 0;
    }

private:
    explicit sampled_profiler(std::unique_ptr<detail::sampling_session> session) noexcept
        : session_{std::move(session)} {}
    [[nodiscard]] static result<void> moved_from() {
        return error{errc::invalid_state, 0, "a sampled profiler that was moved from", "", "use the other one"};
    }

    std::unique_ptr<detail::sampling_session> session_;
};

inline sampling_burst::sampling_burst(detail::sampling_session* of) noexcept : session_{nullptr} {
    if (of == nullptr) return;
    if (auto started = of->try_start()) session_ = of;
    else of->keep(std::move(started).error());
}
inline sampling_burst::~sampling_burst() {
    if (session_ != nullptr && session_->is_running())
        static_cast<void>(session_->try_stop()); // the session keeps the error
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_SAMPLED_PROFILER_HPP
