// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures when frames were on the GPU, by events in a stream, without waiting.
#ifndef GPUPROF_FRAMES_FRAME_GPU_TIMES_HPP
#define GPUPROF_FRAMES_FRAME_GPU_TIMES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/driver.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"
#include "../sample/device_clock.hpp"
#include "frame_windows.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Two events a frame. Frames whose events have not happened wait in a ring; if there are more than
// 14, the next ones are not timed, but counted. Not movable. @pre of begin(), end() and try_poll():
// the device's context is current, the stream is not captured
class frame_gpu_times {
public:
    static constexpr std::size_t depth = 16;

    explicit frame_gpu_times(device const& gpu, abi::CUstream stream) noexcept : gpu_{&gpu}, stream_{stream} {}
    frame_gpu_times(frame_gpu_times const&) = delete;
    frame_gpu_times& operator=(frame_gpu_times const&) = delete;
    ~frame_gpu_times() {
        current_context const here{*gpu_};
        for (slot& each : slots_) {
            if (each.begin != nullptr) static_cast<void>(gpu_->driver().EventDestroy(each.begin));
            if (each.end != nullptr) static_cast<void>(gpu_->driver().EventDestroy(each.end));
        }
    }

    // @param with_clock gives windows in the clock of samples, too
    // Errors: what the driver and CUPTI say.
    [[nodiscard]] result<void> try_prepare(bool with_clock) {
        current_context const here{*gpu_};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        for (slot& each : slots_)
            for (abi::CUevent* event : {&each.begin, &each.end})
                if (*event == nullptr)
                    if (auto const status = gpu_->driver().EventCreate(event, abi::CU_EVENT_DEFAULT))
                        return hw::explain("cuEventCreate", status);
        clock_.reset();
        failed_ = abi::CUDA_SUCCESS;
        begin_ = end_;
        if (!with_clock) return {};
        auto clock = device_clock::try_create(*gpu_);
        if (!clock) return std::move(clock).error();
        clock_.emplace(*std::move(clock));
        last_end_ = 0;
        return clock_->try_set();
    }

    void begin() noexcept { begun_ = end_ - begin_ + 2 <= depth && record(slots_[end_ % depth].begin); }
    void end(std::uint64_t frame) noexcept {
        if (!begun_ || !record(slots_[end_ % depth].end)) {
            ++untimed_;
            gap_ = true;
            return;
        }
        slots_[end_ % depth].frame = frame;
        slots_[end_ % depth].after_gap = std::exchange(gap_, false);
        ++end_;
        begun_ = false;
    }
    // Calls time(frame, nanoseconds) for each frame whose events have happened since the last call;
    // with a clock also window(frame_window) for all but the first, whose begin is not known.
    // Errors: what the driver says, such as device_lost.
    template <class Time, class Window>
    [[nodiscard]] result<void> try_poll(Time&& time, Window&& window) {
        if (failed_) return hw::explain("cuEventRecord", failed_);
        while (begin_ != end_) {
            slot const& oldest = slots_[begin_ % depth];
            auto const status = gpu_->driver().EventQuery(oldest.end);
            if (status == abi::CUDA_ERROR_NOT_READY) return {};
            if (status) return hw::explain("cuEventQuery", status);
            float milliseconds = 0;
            if (auto const failed = gpu_->driver().EventElapsedTime(&milliseconds, oldest.begin, oldest.end))
                return hw::explain("cuEventElapsedTime", failed);
            time(oldest.frame, double{milliseconds} * 1e6);
            if (clock_) {
                auto const at = clock_->try_time(oldest.end);
                if (!at) return at.error();
                std::uint64_t const end = clock_->origin() + static_cast<std::uint64_t>(*at);
                if (last_end_ != 0 && end > last_end_ && !oldest.after_gap)
                    window(frame_window{oldest.frame, last_end_, end});
                last_end_ = end;
            }
            ++begin_;
        }
        return {};
    }
    // Frames that were not timed.
    [[nodiscard]] std::uint64_t untimed() const noexcept { return untimed_; }

private:
    struct slot {
        abi::CUevent begin = nullptr;
        abi::CUevent end = nullptr;
        std::uint64_t frame = 0;
        bool after_gap = false; // the frame before was not timed
    };

    [[nodiscard]] bool record(abi::CUevent event) noexcept {
        auto const status = gpu_->driver().EventRecord(event, stream_);
        if (status) failed_ = status;
        return status == abi::CUDA_SUCCESS;
    }

    device const* gpu_;
    abi::CUstream stream_;
    abi::CUresult failed_ = abi::CUDA_SUCCESS; // status of the last failure
    slot slots_[depth]{};
    std::size_t begin_ = 0; // the oldest waiting frame; the clock measures from the slot before it
    std::size_t end_ = 0;
    bool begun_ = false;
    bool gap_ = false;
    std::optional<device_clock> clock_{};
    std::uint64_t last_end_ = 0;
    std::uint64_t untimed_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_GPU_TIMES_HPP
