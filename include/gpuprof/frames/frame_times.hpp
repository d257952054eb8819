// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the last frames were.
#ifndef GPUPROF_FRAMES_FRAME_TIMES_HPP
#define GPUPROF_FRAMES_FRAME_TIMES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// When a frame was on the host, in nanoseconds of the sampler's clock (frame_sampler::now()).
struct frame_times {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

namespace detail {

// The times of the last frames, in fixed memory. One thread at a time.
class frame_times_log {
public:
    // @pre capacity != 0
    explicit frame_times_log(std::size_t capacity) : times_(capacity) {}

    // @pre frames come one after the other, from 1 on
    void push(std::uint64_t frame, frame_times times) noexcept {
        times_[frame % times_.size()] = times;
        last_ = frame;
    }
    // None if the frame is too old, or has not ended.
    [[nodiscard]] std::optional<frame_times> find(std::uint64_t frame) const noexcept {
        if (frame == 0 || frame > last_ || last_ - frame >= times_.size()) return {};
        return times_[frame % times_.size()];
    }

private:
    std::vector<frame_times> times_;
    std::uint64_t last_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_TIMES_HPP
