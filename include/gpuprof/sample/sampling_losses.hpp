// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is missing from a series of samples, found from their times. Layer: sample.
#ifndef GPUPROF_SAMPLE_SAMPLING_LOSSES_HPP
#define GPUPROF_SAMPLE_SAMPLING_LOSSES_HPP

#include <cstddef> // std::size_t
#include <cstdint> // times

#include "../detail/config.hpp"
#include "sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN

// Counts of samples that are not there, or not as asked for. The names of the guide (5.1) are
// profiler__pmsampler_dropped_samples and profiler__pmsampler_merged_samples.
struct sampling_losses {
    std::size_t overflows = 0; // how often the hardware's buffer was full: what it held since the last decoding is lost
    std::size_t dropped = 0;   // samples missing between others
    std::size_t merged = 0;    // samples that are in a longer one: back pressure of the hardware
    std::size_t over_room = 0; // samples that there was no room for in memory; of those over an image, one at least

    [[nodiscard]] constexpr bool complete() const noexcept {
        return overflows == 0 && dropped == 0 && merged == 0 && over_room == 0;
    }
    constexpr sampling_losses& operator+=(sampling_losses const& more) noexcept {
        overflows += more.overflows;
        dropped += more.dropped;
        merged += more.merged;
        over_room += more.over_room;
        return *this;
    }
    friend constexpr bool operator==(sampling_losses const&, sampling_losses const&) = default;
};

namespace detail {

// Follows the samples from one start to the next. The first after a start holds what was counted before it, too: it is no
// sample. With intervals of cycles, the first whole sample says how long one is.
class sample_sequence {
public:
    explicit constexpr sample_sequence(sampling_interval interval) noexcept
        : expected_{interval.by_cycles ? 0 : interval.length} {}

    constexpr void start() noexcept { leads_ = true; }

    // Whether it is a sample. @pre begin <= end
    [[nodiscard]] constexpr bool accept(std::uint64_t begin, std::uint64_t end, sampling_losses& lost) noexcept {
        bool const first = leads_;
        leads_ = false;
        std::uint64_t const before = last_end_;
        last_end_ = end;
        if (first) return false;
        std::uint64_t const length = end - begin;
        if (expected_ == 0) expected_ = length;
        if (expected_ == 0) return true;
        if (begin > before) lost.dropped += rounded(begin - before);
        if (std::size_t const times = rounded(length); times > 1) lost.merged += times - 1;
        return true;
    }
    // Of a sample, in nanoseconds; 0 where it is not known yet.
    [[nodiscard]] constexpr std::uint64_t expected() const noexcept { return expected_; }

private:
    [[nodiscard]] constexpr std::size_t rounded(std::uint64_t length) const noexcept {
        return static_cast<std::size_t>((length + expected_ / 2) / expected_);
    }

    std::uint64_t expected_;
    std::uint64_t last_end_ = 0;
    bool leads_ = true;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SAMPLING_LOSSES_HPP
