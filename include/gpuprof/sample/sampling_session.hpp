// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a sampled_profiler does: scopes, bursts of samples, and the shares of scopes in them. Layer: sample.
#ifndef GPUPROF_SAMPLE_SAMPLING_SESSION_HPP
#define GPUPROF_SAMPLE_SAMPLING_SESSION_HPP

#include <atomic>   // scopes of any thread
#include <cstddef>  // std::size_t
#include <cstdint>  // numbers
#include <memory>   // the session
#include <optional> // counters or none
#include <string>   // names
#include <utility>  // std::move, std::pair
#include <vector>   // rows

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/pm/pm_session.hpp"
#include "../measure/report.hpp"
#include "../measure/scope.hpp"
#include "../metric/info.hpp"
#include "../trace/tracer.hpp"
#include "../trace/scope_log.hpp"
#include "../trace/scope_tree.hpp"
#include "burst_samples.hpp"
#include "device_clock.hpp"
#include "proration.hpp"
#include "sampled_options.hpp"
#include "sampling_losses.hpp"
#include "scope_pool.hpp"
#include "sm_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

class sampling_session;

// Scopes in one stream.
class sampled_stream final : public scope_target {
public:
    sampled_stream() noexcept : scope_target{&enter, &leave} {}
    using scope_target::arm;

    sampling_session* session = nullptr;
    abi::CUstream stream = nullptr;
    std::uint32_t number = 0;

private:
    static ticket enter(scope_target& self, scope_name name) noexcept;
    static void leave(scope_target& self, scope_name name, ticket opened) noexcept;
};

// How a column of the report comes about.
struct sampled_column {
    bool of_events = false;  // the time from a scope's first event to its last
    std::size_t counter = 0; // place among the samples' values
    sample_combination how = sample_combination::sum;
};

// Not movable: scopes know its address. Scopes are thread-safe; all else is for one thread.
class sampling_session {
public:
    GPUPROF_DECLARE [[nodiscard]] static result<std::unique_ptr<sampling_session>>
    try_create(device const& gpu, sampled_options const& options, std::vector<metric_info> metrics);
    sampling_session(sampling_session const&) = delete;
    sampling_session& operator=(sampling_session const&) = delete;

    GPUPROF_DECLARE [[nodiscard]] result<void> try_start();
    GPUPROF_DECLARE [[nodiscard]] result<void> try_stop();
    [[nodiscard]] bool is_running() const noexcept { return running_.load(); }
    // The first error of a start or a stop that had nobody to tell.
    void keep(error why) {
        if (!failure_) failure_ = std::move(why);
    }

    GPUPROF_DECLARE [[nodiscard]] scope_target& on(abi::CUstream stream) noexcept;
    [[nodiscard]] scope_target& default_stream() noexcept { return streams_[0]; }

    GPUPROF_DECLARE [[nodiscard]] report write_report() const;
    GPUPROF_DECLARE void clear() noexcept;
    [[nodiscard]] std::optional<error> const& why_no_counters() const noexcept { return held_; }
    [[nodiscard]] double time_deviation() const noexcept { return deviation_; }
    [[nodiscard]] sampling_losses const& losses() const noexcept { return lost_; }

private:
    friend class sampled_stream;
    sampling_session(device gpu, sampled_options const& options, std::vector<metric_info> metrics)
        : gpu_{std::move(gpu)},
          options_{options},
          metrics_{std::move(metrics)},
          interval_{interval_on(gpu_, options.interval)},
          sequence_{interval_} {}

    // A scope of a burst that has ended, in nanoseconds since the clock's origin.
    struct timed_scope {
        std::uint32_t slot;
        bool overlaps = false; // with a scope of another stream that is not around it
        sampled_span span;
    };
    struct row {
        std::uint64_t node;
        activity::interval time;
    };
    struct counts {
        std::size_t too_short = 0, uncovered = 0, overlapping = 0, left_open = 0, over_room = 0, refused = 0,
                    unknown = 0;
        std::size_t streams = 0, nameless = 0;
    };

    GPUPROF_DECLARE [[nodiscard]] result<void> plan();
    GPUPROF_DECLARE [[nodiscard]] result<void> open_counters();
    GPUPROF_DECLARE [[nodiscard]] result<void> await_scopes();
    GPUPROF_DECLARE void await_samples() const noexcept;
    GPUPROF_DECLARE [[nodiscard]] std::vector<timed_scope> take_times();
    GPUPROF_DECLARE void find_overlaps(std::vector<timed_scope>& scopes);
    GPUPROF_DECLARE [[nodiscard]] result<void> attribute(std::vector<timed_scope>& scopes);
    GPUPROF_DECLARE void fit_scopes(std::vector<timed_scope>& scopes);
    GPUPROF_DECLARE void add_rows(std::vector<timed_scope> const& scopes, bool counted);
    GPUPROF_DECLARE void add_row(timed_scope const& scope, bool counted);
    GPUPROF_DECLARE [[nodiscard]] std::optional<error> why_inconclusive(timed_scope const& scope, bool counted);
    GPUPROF_DECLARE void note(std::uint64_t node, std::size_t metric, error const& why);
    GPUPROF_DECLARE [[nodiscard]] std::vector<error> problems() const;
    GPUPROF_DECLARE [[nodiscard]] bool is_around(std::uint32_t outer, std::uint32_t inner);
    [[nodiscard]] double sample_length() const noexcept { return static_cast<double>(sequence_.expected()); }

    device gpu_;
    sampled_options options_;
    std::vector<metric_info> metrics_;
    sampling_interval interval_;
    std::vector<sampled_column> columns_;
    std::optional<hw::pm_group> group_;     // none: no column needs a counter, or it could not be planned
    std::optional<hw::pm_session> samples_; // none: as above, or held by another
    std::optional<error> held_;             // why there are no counters
    sample_sequence sequence_;
    std::optional<device_clock> clock_;
    std::optional<scope_pool> pool_;
    scope_tree names_{65536};
    scope_log threads_{1, false};
    std::unique_ptr<sampled_stream[]> streams_;
    std::atomic<std::size_t> stream_count_{1};
    platform::mutex adding_stream_;
    std::atomic<bool> running_{false};
    std::atomic<int> inside_{0};           // scopes that are opening or closing
    std::atomic<std::uint32_t> burst_{0};  // the number of the burst: tickets of others are void
    std::atomic<std::size_t> nameless_{0}; // scopes without memory for a name
    std::atomic<std::size_t> unserved_{0}; // streams over the room
    bool counting_ = false;                // samples are taken in this burst
    burst_samples taken_;
    double deviation_ = clock_resolution; // of the times of scopes beside samples

    std::size_t bursts_ = 0;
    std::vector<row> rows_;
    std::vector<double> values_;     // rows of metrics_.size()
    std::vector<double> deviations_; // the same
    std::vector<report_note> notes_;
    std::vector<std::pair<std::uint64_t, std::size_t>> noted_; // scopes and metrics that have a note
    counts counts_;
    sampling_losses lost_;
    std::optional<error> failure_;
    std::optional<sm_clock> sm_clock_;
    std::optional<clock_state> clocks_; // of the last burst
};

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "sampling_session.inl.hpp"
#endif

#endif // GPUPROF_SAMPLE_SAMPLING_SESSION_HPP
