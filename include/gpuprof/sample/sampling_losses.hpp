// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds losses in a series of samples, from their times.
#ifndef GPUPROF_SAMPLE_SAMPLING_LOSSES_HPP
#define GPUPROF_SAMPLE_SAMPLING_LOSSES_HPP

#include <cstddef>
#include <cstdint>

#include "../detail/config.hpp"
#include "sampling_interval.hpp"

GPUPROF_NAMESPACE_BEGIN

// Counts of missing and merged samples. The guide (5.1) calls them
// profiler__pmsampler_dropped_samples and profiler__pmsampler_merged_samples.
struct sampling_losses {
    std::size_t overflows = 0; // of the hardware's buffer; each loses samples since the last decoding
    std::size_t dropped = 0;   // missing samples between others
    std::size_t merged = 0;    // samples within a longer one: back pressure of the hardware
    std::size_t over_room = 0; // samples over the room in memory; at least one for each full image

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

// Follows the samples from one start to the next. The first sample after a start contains earlier
// counts, so it is dropped. With intervals of cycles, the first complete sample says how long one
// is.
class sample_sequence {
public:
    explicit constexpr sample_sequence(sampling_interval interval) noexcept
        : expected_{interval.by_cycles ? 0 : interval.length} {}

    constexpr void start() noexcept { leads_ = true; }

    // Whether the sample counts. @pre begin <= end
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
    // The length of a sample in nanoseconds; 0 if it is not known yet.
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
