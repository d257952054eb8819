// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The session of a sampled_profiler: scopes, bursts of samples, and the scopes' shares in them.
#ifndef GPUPROF_SAMPLE_SAMPLING_SESSION_HPP
#define GPUPROF_SAMPLE_SAMPLING_SESSION_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/output_line.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/samplers/pm_session.hpp"
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
#include "../hw/counters/uncounted/clock_reader.hpp"
#include "device_interval.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

class sampling_session;

// The scope target of one stream.
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

// The source of a column of the report.
struct sampled_column {
    bool of_events = false;  // the time between a scope's two events
    std::size_t counter = 0; // index of the samples' values
    sample_combination how = sample_combination::sum;
};

// Not movable: scopes know its address. Scopes are thread-safe; all else is for one thread.
class sampling_session {
public:
    [[nodiscard]] static result<std::unique_ptr<sampling_session>>
    try_create(device const& gpu, sampled_options const& options, std::vector<metric_info> metrics);
    sampling_session(sampling_session const&) = delete;
    sampling_session& operator=(sampling_session const&) = delete;

    [[nodiscard]] result<void> try_start();
    [[nodiscard]] result<void> try_stop();
    [[nodiscard]] bool is_running() const noexcept { return running_.load(); }
    // Keeps the first error of a start or a stop that could not return it.
    void keep(error why) {
        if (!failure_) failure_ = std::move(why);
    }

    [[nodiscard]] scope_target& on(abi::CUstream stream) noexcept;
    [[nodiscard]] scope_target& default_stream() noexcept { return streams_[0]; }

    [[nodiscard]] report write_report() const;
    void clear() noexcept;
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

    // A scope of an ended burst, in nanoseconds since the clock's origin.
    struct timed_scope {
        std::uint32_t slot;
        bool overlaps = false; // a scope of another stream, which is not around it
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

    [[nodiscard]] result<void> begin_outputs();
    [[nodiscard]] bool is_played() const noexcept { return line_ && line_->plays(); }
    [[nodiscard]] result<void> pass_burst(std::size_t first_row);
    [[nodiscard]] result<void> play_burst();
    [[nodiscard]] result<void> plan();
    [[nodiscard]] result<void> open_counters();
    [[nodiscard]] result<void> await_scopes();
    void await_samples() const noexcept;
    [[nodiscard]] std::vector<timed_scope> take_times();
    void find_overlaps(std::vector<timed_scope>& scopes);
    [[nodiscard]] result<void> attribute(std::vector<timed_scope>& scopes);
    void fit_scopes(std::vector<timed_scope>& scopes);
    void add_rows(std::vector<timed_scope> const& scopes, bool counted);
    void add_row(timed_scope const& scope, bool counted);
    [[nodiscard]] std::optional<error> why_inconclusive(timed_scope const& scope, bool counted);
    void note(std::uint64_t node, std::size_t metric, error const& why);
    [[nodiscard]] std::vector<error> problems() const;
    [[nodiscard]] bool is_around(std::uint32_t outer, std::uint32_t inner);
    [[nodiscard]] double sample_length() const noexcept { return static_cast<double>(sequence_.expected()); }

    device gpu_;
    sampled_options options_;
    std::vector<metric_info> metrics_;
    sampling_interval interval_;
    std::vector<sampled_column> columns_;
    std::optional<hw::pm_group> group_;     // none: no column needs counters, or planning failed
    std::optional<hw::pm_session> samples_; // none: as above, or another tool holds them
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
    std::atomic<std::uint32_t> burst_{0};  // number of the burst; tickets of other bursts are void
    std::atomic<std::size_t> nameless_{0}; // scopes without memory for a name
    std::atomic<std::size_t> unserved_{0}; // streams over max_streams
    bool counting_ = false;                // samples are taken in this burst
    burst_samples taken_;
    double deviation_ = clock_resolution; // of the scopes' times against the samples'
    detail::owned<hw::output_line> line_; // null: nothing is recorded or played
    std::uint64_t names_kept_ = 0;        // scopes whose names are recorded
    std::string hardware_{"event times"}; // the kind of the report's

    std::size_t bursts_ = 0;
    std::vector<row> rows_;
    std::vector<double> values_;     // rows of metrics_.size()
    std::vector<double> deviations_; // the same
    std::vector<report_note> notes_;
    std::vector<std::pair<std::uint64_t, std::size_t>> noted_; // (scope, metric) pairs with a note
    counts counts_;
    sampling_losses lost_;
    std::optional<error> failure_;
    std::optional<hw::provided::clock_reader> clock_reader_;
    std::optional<clock_state> clocks_; // of the last burst
};

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "sampling_session.inl.hpp"
#endif

#endif // GPUPROF_SAMPLE_SAMPLING_SESSION_HPP
