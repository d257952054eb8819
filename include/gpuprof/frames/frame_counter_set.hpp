// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of a frame sampler: their source, their histories, and why there are none.
#ifndef GPUPROF_FRAMES_FRAME_COUNTER_SET_HPP
#define GPUPROF_FRAMES_FRAME_COUNTER_SET_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/output_line.hpp"
#include "../metric/info.hpp"
#include "frame_counters.hpp"
#include "frame_gpu_times.hpp"
#include "frame_options.hpp"
#include "frame_output.hpp"
#include "frame_series.hpp"
#include "frame_source.hpp"
#include "frame_windows.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Not movable: it refers to its sampler's parts. One thread at a time.
class frame_counter_set {
public:
    // @pre all that it is given outlives it
    frame_counter_set(device const& gpu, frame_options const& options, frame_gpu_times& times) noexcept
        : gpu_{gpu}, options_{options}, times_{times}, frame_us_{options.expected_frame_us} {}
    frame_counter_set(frame_counter_set const&) = delete;
    frame_counter_set& operator=(frame_counter_set const&) = delete;

    // ---- which counters -------------------------------------------------------------------------

    // Errors: those of what was asked for; the counters are as before then. A refusal by the
    // machine is no error but a problem().
    [[nodiscard]] result<void> try_set(std::vector<metric_info> wanted) {
        source_.reset();
        if (is_played_) {
            counters_ = std::move(wanted);
            use({});
            return {};
        }
        any_frame_source opened;
        std::optional<error> why;
        if (!wanted.empty()) {
            auto source = try_open_frame_source(gpu_, wanted, options_, frame_us_);
            if (source) opened = *std::move(source);
            else why = std::move(source).error();
        }
        bool const mistake = why && (why->code == errc::unknown_metric || why->code == errc::invalid_argument);
        if (mistake) {
            reopen();
            return *std::move(why);
        }
        counters_ = std::move(wanted);
        problem_.reset();
        use(std::move(opened));
        if (why) fail(*std::move(why));
        return {};
    }
    // A source of the user's own, whose counters cannot be changed.
    void set(std::span<metric_info const> counters, any_frame_source source) {
        counters_ = {counters.begin(), counters.end()};
        own_source_ = true;
        use(std::move(source));
    }
    // From here on values come from a recording, and no source is opened.
    void begin_play() noexcept { is_played_ = true; }
    // Gives the series the recorded values of a frame. Errors: replay_mismatch for other counters.
    [[nodiscard]] result<void> play_frame(frame_output const& recorded) {
        std::string const names = this->names();
        if (names != recorded.counters)
            return hw::unlike_recording(joined(
                {"frames with the counters \"", names, "\", where the recording has \"", recorded.counters, "\""}));
        for (frame_series_output const& each : recorded.series)
            for (frame_series& series : series_)
                if (each.of == frame_list::counters && each.name == series.name) each.play_to(series);
        played_groups_ = recorded.groups;
        group_ = recorded.group;
        if (recorded.problem && !(problem_ && problem_->what == recorded.problem->what)) fail(*recorded.problem);
        if (!recorded.problem) problem_.reset();
        return {};
    }
    // "a, b"
    [[nodiscard]] std::string names() const {
        std::string all;
        for (metric_info const& each : counters_) all += (all.empty() ? "" : ", ") + each.name;
        return all;
    }
    [[nodiscard]] result<void> try_enable(metric_info counter) {
        if (own_source_) return refused_own_source();
        std::vector<metric_info> wanted = counters_;
        for (metric_info const& enabled : wanted)
            if (enabled.name == counter.name) return {};
        wanted.push_back(std::move(counter));
        return try_set(std::move(wanted));
    }
    [[nodiscard]] result<void> try_disable(std::string_view counter) {
        if (own_source_) return refused_own_source();
        std::vector<metric_info> wanted = counters_;
        if (std::erase_if(wanted, [&](metric_info const& enabled) { return enabled.name == counter; }) == 0) return {};
        return try_set(std::move(wanted));
    }
    [[nodiscard]] result<void> try_disable_all() {
        if (own_source_) return refused_own_source();
        if (counters_.empty()) return {};
        return try_set({});
    }
    // Chooses the interval of samples for frames as long as the median of `seen`, if it has values.
    [[nodiscard]] result<void> try_tune(frame_history const& seen) {
        if (own_source_) return refused_own_source();
        if (seen.size() != 0) frame_us_ = seen.percentile(50) / 1000;
        return try_set(counters_);
    }

    // ---- in a frame -----------------------------------------------------------------------------

    // True before the first frame with a source: what was counted until then is of no frame, and
    // the source has forgotten it.
    [[nodiscard]] bool discard_stale() noexcept {
        if (!std::exchange(stale_, false)) return false;
        if (source_ && !source_.timed())
            static_cast<void>(source_.try_read(1, {[](void*, frame_reading const&) noexcept {}, nullptr}));
        return true;
    }
    // Reads the source and selects the next group. Returns the number of readings; 0 after a
    // failure.
    // @pre has_source()
    [[nodiscard]] std::size_t read(std::uint64_t frame_number) noexcept {
        frame_number_ = frame_number;
        auto const read = source_.try_read(64, {&frame_counter_set::take_reading, this});
        if (!read) {
            fail(read.error());
            return 0;
        }
        overflows_ += read->lost;
        has_read_ = true;
        if (source_.groups().size() > 1 && rotates() &&
            ++frames_in_group_ >= (options_.rotation != 0 ? options_.rotation : 1)) {
            frames_in_group_ = 0;
            group_ = group_ + 1 < source_.groups().size() ? group_ + 1 : 0;
            if (auto selected = source_.try_select(group_); !selected) {
                fail(selected.error());
                return 0;
            }
        }
        return read->readings;
    }
    // A frame's time on the GPU, for sources whose readings have times.
    void add(frame_window const& frame) noexcept {
        if (!windows_) return;
        windows_->add(frame);
        if (windows_->forgotten() >= most_forgotten) tell(late_);
    }
    // Tells that the sampler reads no more, to keep its budget.
    void tell_dropped() noexcept { tell(dropped_); }
    // Gives the series the values of frames whose readings are complete.
    void publish(std::uint64_t frame_number) noexcept {
        frame_number_ = frame_number;
        if (!windows_) return;
        oldest_unsettled_frame_ = windows_->next();
        windows_->take([this](std::size_t counter, frame_value const& value) {
            series_[counter].push(value);
            newest_frame_ = value.frame;
            has_values_ = true;
        });
        note_late_frames();
    }
    // How many frames old the newest values are; none if no values can be expected yet.
    [[nodiscard]] std::optional<std::uint64_t> lateness() const noexcept {
        if (!source_ || (source_.timed() && !has_values_)) return {};
        return frame_number_ - (source_.timed() ? oldest_unsettled_frame_ : newest_frame_);
    }

    // Makes a prepared error the problem() once, unless there is another. Allocates nothing.
    void tell(std::optional<error>& prepared) noexcept {
        if (!prepared || problem_) return;
        problem_ = std::move(*prepared);
        prepared.reset();
        problem_is_new_ = true;
    }
    // Keeps an error as the problem(). The source goes, unless it can go on.
    GPUPROF_COLD void fail(error why, bool goes_on = false) {
        if (!goes_on) source_.reset();
        problem_ = std::move(why);
        problem_is_new_ = true;
    }

    // ---- what there is --------------------------------------------------------------------------

    [[nodiscard]] bool has_source() const noexcept { return static_cast<bool>(source_); }
    [[nodiscard]] std::span<frame_series const> series() const noexcept { return series_; }
    [[nodiscard]] error const* problem() const noexcept { return problem_ ? &*problem_ : nullptr; }
    [[nodiscard]] error const* new_problem() noexcept {
        return std::exchange(problem_is_new_, false) ? problem() : nullptr;
    }
    [[nodiscard]] std::size_t groups() const noexcept { return source_ ? source_.groups().size() : played_groups_; }
    [[nodiscard]] std::size_t group() const noexcept { return group_; }
    [[nodiscard]] std::uint64_t incomplete_frames() const noexcept { return windows_ ? windows_->incomplete() : 0; }
    [[nodiscard]] std::uint64_t overflows() const noexcept {
        return overflows_ + (windows_ ? windows_->readings_lost() : 0);
    }

private:
    // Frames whose samples came too late for them, until that is a problem().
    static constexpr std::uint64_t most_forgotten = 16;
    // Frames that wait for their samples at once; in a loop that is tuned there are two or three.
    static constexpr std::size_t many_waiting = 16;
    // Frames that many others wait behind, until that is a problem().
    static constexpr std::size_t most_late = 16;

    // Frames that wait for samples although the source was read: one more for a frame that leaves
    // many waiting, one less for any other.
    void note_late_frames() noexcept {
        if (!std::exchange(has_read_, false)) return; // the budget's affair
        if (windows_->waiting() >= many_waiting) ++late_frames_;
        else if (late_frames_ != 0) --late_frames_;
        if (late_frames_ >= most_late) tell(late_);
    }

    // Opens the source of the old counters again, after a mistake in the new ones.
    void reopen() {
        if (counters_.empty()) return;
        auto source = try_open_frame_source(gpu_, counters_, options_, frame_us_);
        if (source) source_ = *std::move(source);
        else fail(std::move(source).error());
        group_ = 0;
        if (source_) prepare_source();
    }
    // Counters that stay keep their series.
    void use(any_frame_source source) {
        source_ = std::move(source);
        group_ = frames_in_group_ = 0;
        newest_frame_ = frame_number_;
        std::vector<frame_series> previous = std::exchange(series_, {});
        std::vector<aggregation> aggregations;
        for (metric_info const& counter : counters_) {
            aggregations.push_back(counter.aggregation);
            frame_series* known = nullptr;
            for (frame_series& series : previous)
                if (series.name == counter.name) known = &series;
            if (known != nullptr) series_.push_back(std::move(*known));
            else series_.emplace_back(counter.name, counter.value_unit, options_.history);
        }
        windows_.emplace(std::move(aggregations));
        if (source_) prepare_source();
    }
    // @pre there is a source
    void prepare_source() {
        stale_ = true;
        late_frames_ = 0;
        bool const tuned = options_.interval.length == 0 &&
                           interval_for(frame_us_, gpu_.source()).length == interval_for(0, gpu_.source()).length;
        late_.emplace(errc::not_collected, 0, "values of counters come late, or never",
                      "samples are much longer than these frames",
                      tuned ? "set frame_options::interval, or make several of these frames one"
                            : "call try_tune() after some frames, or set frame_options::expected_frame_us or interval");
        dropped_.emplace(errc::not_collected, 0, "counters are read no more",
                         "a read takes more than the budget of 64 frames", "raise frame_options::budget_us");
        if (source_.timed()) {
            auto ready = options_.gpu_times
                             ? times_.try_prepare(true)
                             : result<void>{error{errc::invalid_argument, 0, "samples of frames without GPU times",
                                                  "when a frame was on the GPU is not known", "set gpu_times"}};
            if (!ready) fail(std::move(ready).error());
        }
        if (source_ && source_.groups().size() > 1 && !rotates()) {
            std::size_t const left = counters_.size() - source_.groups()[0].size();
            fail({errc::not_collected, 0,
                  joined({std::to_string(left), " of ", std::to_string(counters_.size()), " counters are not read"}),
                  "the hardware has too few counters for all, and going round them takes 0.1 s each time",
                  "ask for fewer, or set frame_options::slow_rotation"},
                 true);
        }
    }
    [[nodiscard]] bool rotates() const noexcept { return source_.cheap_to_select() || options_.slow_rotation; }
    [[nodiscard]] static error refused_own_source() {
        return {errc::invalid_state, 0, "changing the counters of a source of one's own", "", "make another sampler"};
    }
    static void take_reading(void* self, frame_reading const& reading) noexcept {
        auto& set = *static_cast<frame_counter_set*>(self);
        frame_group const& places = set.source_.groups()[set.group_];
        if (set.source_.timed()) {
            if (set.windows_ && reading.begin < reading.end) set.windows_->add(reading, places);
            return;
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            double const value = reading.values[i];
            if (value != value) continue; // not collected is not zero
            bool const is_count = set.counters_[places[i]].aggregation == aggregation::sum;
            set.series_[places[i]].push({value, is_count ? value : reading.cycles, set.frame_number_, infinite});
        }
        set.newest_frame_ = set.frame_number_;
    }

    device const& gpu_;
    frame_options const& options_;
    frame_gpu_times& times_;
    double frame_us_; // the length of frames that the interval of samples is chosen for
    std::vector<metric_info> counters_{};
    std::vector<frame_series> series_{}; // by counter
    std::optional<frame_windows> windows_{};
    any_frame_source source_{};
    bool own_source_ = false;
    bool is_played_ = false;
    std::size_t played_groups_ = 0;
    std::size_t group_ = 0;
    std::size_t frames_in_group_ = 0;
    bool stale_ = true;
    bool has_read_ = false;       // in this frame
    std::size_t late_frames_ = 0; // see note_late_frames()
    bool has_values_ = false;     // of a source whose readings have times
    std::optional<error> problem_{};
    bool problem_is_new_ = false;
    std::optional<error> late_{}, dropped_{};  // prepared, since a frame allocates nothing
    std::uint64_t frame_number_ = 0;           // of the last frame that ended
    std::uint64_t newest_frame_ = 0;           // that has values
    std::uint64_t oldest_unsettled_frame_ = 0; // that readings may still come for
    std::uint64_t overflows_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_COUNTER_SET_HPP
