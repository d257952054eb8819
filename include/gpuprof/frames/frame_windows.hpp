// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assigns readings with times to frames, in fixed memory.
#ifndef GPUPROF_FRAMES_FRAME_WINDOWS_HPP
#define GPUPROF_FRAMES_FRAME_WINDOWS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../metric/metric.hpp"
#include "frame_series.hpp"
#include "frame_source.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// When a frame was on the device, in nanoseconds: from the end of the previous frame to its own.
struct frame_window {
    std::uint64_t frame = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// Frames and readings arrive independently, each in the order of time: a frame's end on the GPU is
// known later than its samples. If too many readings wait, neighbours are merged. A count is spread
// evenly over its reading; of other values a frame gets the mean over time. A frame is done when a
// reading reaches its end or goes beyond. One thread at a time; only the constructor allocates.
class frame_windows {
public:
    static constexpr std::size_t room = 64; // for frames, and for readings
    // The share of a frame that readings must cover: the hardware may leave some nanoseconds
    // between two samples.
    static constexpr double least_covered = 0.99;

    explicit frame_windows(std::vector<aggregation> counters)
        : how_{std::move(counters)}, sums_(how_.size()), windows_(room), readings_(room), values_(room * how_.size()) {}

    // If there are too many frames, the oldest is dropped and counted.
    void add(frame_window const& frame) noexcept {
        if (windows_end_ - windows_begin_ == room) next_frame(true);
        if (windows_end_ == 0) next_ = frame.frame;
        windows_[windows_end_++ % room] = frame;
    }
    // @param group indices of the reading's values among the counters. @pre reading.begin <
    // reading.end
    void add(frame_reading const& reading, std::span<std::size_t const> group) noexcept {
        if (readings_end_ - readings_begin_ == room) merge();
        if (readings_end_ - readings_begin_ == room) {
            ++readings_begin_;
            ++readings_lost_;
        }
        std::size_t const at = readings_end_++ % room;
        readings_[at] = {reading.begin, reading.end, reading.cycles, 1, group};
        for (std::size_t i = 0; i < group.size(); ++i) values_[at * how_.size() + i] = reading.values[i];
    }

    // Calls f(counter, frame_value) for each counter of each frame that is done, in the order of
    // frames.
    template <class F>
    void take(F&& f) noexcept {
        while (windows_begin_ != windows_end_ && fill(windows_[windows_begin_ % room])) {
            publish(windows_[windows_begin_ % room], f);
            next_frame(false);
        }
    }
    // The next frame that waits, or will wait, for readings.
    [[nodiscard]] std::uint64_t next() const noexcept { return next_; }

    // Frames that are not done.
    [[nodiscard]] std::size_t waiting() const noexcept { return windows_end_ - windows_begin_; }
    // Frames without a value of some counter, since readings were lost.
    [[nodiscard]] std::uint64_t incomplete() const noexcept { return incomplete_; }
    // Those of them that were dropped before their readings came.
    [[nodiscard]] std::uint64_t forgotten() const noexcept { return forgotten_; }
    [[nodiscard]] std::uint64_t readings_lost() const noexcept { return readings_lost_; }

private:
    struct timed_reading {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        double cycles = quiet_nan;
        double samples = 1;
        std::span<std::size_t const> group{};
    };
    struct sum {
        double value = 0;
        double covered = 0; // nanoseconds
        double cycles = 0;
        double samples = 0;
    };

    // Merges each two neighbouring readings.
    void merge() noexcept {
        std::size_t to = readings_begin_;
        for (std::size_t from = readings_begin_; from != readings_end_; ++to) {
            std::size_t const at = from++ % room;
            timed_reading merged = readings_[at];
            double* const values = &values_[at * how_.size()];
            if (from != readings_end_) {
                std::size_t const next = from % room;
                timed_reading const& other = readings_[next];
                if (other.begin == merged.end && other.group.data() == merged.group.data()) {
                    for (std::size_t i = 0; i < merged.group.size(); ++i)
                        join(values[i], merged, values_[next * how_.size() + i], other, how_[merged.group[i]]);
                    merged.end = other.end;
                    merged.cycles += other.cycles;
                    merged.samples += other.samples;
                    ++from;
                }
            }
            readings_[to % room] = merged;
            for (std::size_t i = 0; i < merged.group.size(); ++i) values_[to % room * how_.size() + i] = values[i];
        }
        readings_end_ = to;
    }
    static void join(double& value, timed_reading const& of, double other, timed_reading const& beside,
                     aggregation how) noexcept {
        auto const length = static_cast<double>(of.end - of.begin),
                   more = static_cast<double>(beside.end - beside.begin);
        switch (how) {
            case aggregation::sum: value += other; break;
            case aggregation::maximum: value = other > value ? other : value; break;
            case aggregation::minimum: value = other < value ? other : value; break;
            default: value = (value * length + other * more) / (length + more); break;
        }
    }

    // Adds the readings' shares of the frame. Returns whether they reach its end.
    [[nodiscard]] bool fill(frame_window const& frame) noexcept {
        while (readings_begin_ != readings_end_) {
            std::size_t const at = readings_begin_ % room;
            timed_reading const& reading = readings_[at];
            if (reading.end > frame.begin && reading.begin < frame.end) add_share(frame, at);
            if (reading.end > frame.end) return true; // the next frame has a share, too
            ++readings_begin_;
            if (reading.end == frame.end) return true;
        }
        return false;
    }
    void add_share(frame_window const& frame, std::size_t at) noexcept {
        timed_reading const& reading = readings_[at];
        std::uint64_t const from = reading.begin > frame.begin ? reading.begin : frame.begin;
        std::uint64_t const to = reading.end < frame.end ? reading.end : frame.end;
        auto const common = static_cast<double>(to - from);
        double const share = common / static_cast<double>(reading.end - reading.begin);
        for (std::size_t i = 0; i < reading.group.size(); ++i) {
            double const value = values_[at * how_.size() + i];
            if (value != value) continue; // not collected
            std::size_t const counter = reading.group[i];
            sum& to_sum = sums_[counter];
            bool const first = to_sum.covered == 0;
            switch (how_[counter]) {
                case aggregation::sum: to_sum.value += value * share; break;
                case aggregation::maximum: to_sum.value = first || value > to_sum.value ? value : to_sum.value; break;
                case aggregation::minimum: to_sum.value = first || value < to_sum.value ? value : to_sum.value; break;
                default: to_sum.value += value * common; break;
            }
            to_sum.covered += common;
            to_sum.cycles += reading.cycles * share;
            to_sum.samples += share * reading.samples;
        }
    }
    template <class F>
    void publish(frame_window const& frame, F& f) noexcept {
        auto const length = static_cast<double>(frame.end - frame.begin);
        bool missing = false, any = false;
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            sum const& of = sums_[i];
            any = any || of.covered > 0;
            if (of.covered == 0) continue; // of a group that was not on
            if (of.covered < least_covered * length) {
                missing = true;
                continue;
            }
            bool const count = how_[i] == aggregation::sum;
            bool const extreme = how_[i] == aggregation::maximum || how_[i] == aggregation::minimum;
            double const value = count || extreme ? of.value : of.value / of.covered;
            f(i, frame_value{value, count ? value : of.cycles, frame.frame, of.samples});
        }
        incomplete_ += missing || !any;
    }
    void next_frame(bool forgotten) noexcept {
        for (sum& each : sums_) each = {};
        next_ = windows_[windows_begin_++ % room].frame + 1;
        incomplete_ += forgotten;
        forgotten_ += forgotten;
    }

    std::vector<aggregation> how_; // by counter
    std::vector<sum> sums_;        // of the oldest frame that is not done
    std::vector<frame_window> windows_;
    std::vector<timed_reading> readings_;
    std::vector<double> values_; // rows of how_.size()
    std::size_t windows_begin_ = 0, windows_end_ = 0;
    std::size_t readings_begin_ = 0, readings_end_ = 0;
    std::uint64_t next_ = 0;
    std::uint64_t incomplete_ = 0;
    std::uint64_t forgotten_ = 0;
    std::uint64_t readings_lost_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_WINDOWS_HPP
