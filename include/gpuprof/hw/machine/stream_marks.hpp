// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for work of streams, but no longer than is said.
#ifndef GPUPROF_HW_MACHINE_STREAM_MARKS_HPP
#define GPUPROF_HW_MACHINE_STREAM_MARKS_HPP

#include <cstdint>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "device.hpp"
#include "in_context.hpp"
#include "platform/clock.hpp"
#include "platform/thread.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Events at places of streams that work has not passed yet. No call waits inside the driver: work that never ends costs the time
// that was said, once. Not thread-safe. @pre the device outlives it; the device's context is current in the calls
class stream_marks {
public:
    // @param deadline_ms of each wait; 0: work ends by itself, and is waited for as long as it takes
    stream_marks(device const& gpu, unsigned deadline_ms) noexcept : gpu_{&gpu}, deadline_ms_{deadline_ms} {}
    stream_marks(stream_marks const&) = delete;
    stream_marks& operator=(stream_marks const&) = delete;
    ~stream_marks() {
        if (set_.empty() && free_.empty()) return;
        static_cast<void>(in_context(gpu_->driver(), gpu_->context(), [this]() -> result<void> {
            for (auto const* list : {&set_, &free_})
                for (abi::CUevent const each : *list) static_cast<void>(gpu_->driver().EventDestroy(each));
            return {};
        }));
    }

    // Marks the end of what the stream was given until now. Errors: what cuEventCreate and cuEventRecord say.
    [[nodiscard]] result<void> try_mark(abi::CUstream stream) {
        if (free_.empty()) {
            abi::CUevent created = nullptr;
            if (auto status = gpu_->driver().EventCreate(&created, abi::CU_EVENT_DISABLE_TIMING))
                return explain("cuEventCreate", status);
            free_.push_back(created);
        }
        set_.reserve(set_.size() + 1);
        if (auto status = gpu_->driver().EventRecord(free_.back(), stream)) return explain("cuEventRecord", status);
        set_.push_back(free_.back());
        free_.pop_back();
        return {};
    }
    // Whether all marks are passed by the deadline. After a wait for what did not end it only looks, until all has ended.
    // Errors: device_lost, and what else cuEventQuery says.
    [[nodiscard]] result<bool> try_wait() {
        std::uint64_t const deadline = platform::monotonic_nanoseconds() + std::uint64_t{deadline_ms_} * 1'000'000;
        for (unsigned round = 0; !set_.empty();) {
            auto const status = gpu_->driver().EventQuery(set_.back());
            if (status == abi::CUDA_SUCCESS) {
                free_.push_back(set_.back());
                set_.pop_back();
                continue;
            }
            if (status != abi::CUDA_ERROR_NOT_READY) return explain("cuEventQuery", status);
            if (has_deadline() && (!is_patient_ || platform::monotonic_nanoseconds() >= deadline))
                return is_patient_ = false;
            platform::wait_a_little(round++);
        }
        return is_patient_ = true;
    }
    // The next try_wait() waits, whatever the last one came to.
    void be_patient() noexcept { is_patient_ = true; }
    [[nodiscard]] bool has_deadline() const noexcept { return deadline_ms_ != 0; }
    [[nodiscard]] unsigned deadline_ms() const noexcept { return deadline_ms_; }

private:
    device const* gpu_;
    unsigned deadline_ms_;
    bool is_patient_ = true; // nothing has passed the deadline
    std::vector<abi::CUevent> set_;
    std::vector<abi::CUevent> free_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_STREAM_MARKS_HPP
