// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time between two points of a context's work, by the GPU's clock.
#ifndef GPUPROF_HW_COUNTERS_EVENT_GPU_STOPWATCH_HPP
#define GPUPROF_HW_COUNTERS_EVENT_GPU_STOPWATCH_HPP

#include <utility>

#include "../../../core/result.hpp"
#include "../../abi/driver.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Makes a context current on this thread for a block, if status() says so. A context that is
// current already costs one call.
class [[nodiscard]] context_scope {
public:
    context_scope(abi::driver_table const& driver, abi::CUcontext context) noexcept : driver_{driver} {
        abi::CUcontext current = nullptr;
        if (driver.CtxGetCurrent(&current) == abi::CUDA_SUCCESS && current == context) return;
        status_ = driver.CtxPushCurrent(context);
        pushed_ = status_ == abi::CUDA_SUCCESS;
    }
    ~context_scope() {
        abi::CUcontext popped = nullptr;
        if (pushed_) static_cast<void>(driver_.CtxPopCurrent(&popped));
    }
    context_scope(context_scope const&) = delete;
    context_scope& operator=(context_scope const&) = delete;

    // What cuCtxPushCurrent said, if it had to be called.
    [[nodiscard]] abi::CUresult status() const noexcept { return status_; }

private:
    abi::driver_table const& driver_;
    abi::CUresult status_ = abi::CUDA_SUCCESS;
    bool pushed_ = false;
};

// Two events of the driver on the context's default stream, in steps of about half a microsecond.
// The caller synchronises; the context is current in every call and outlives the object.
class gpu_stopwatch {
public:
    gpu_stopwatch() = default;
    gpu_stopwatch(gpu_stopwatch&& other) noexcept
        : driver_{other.driver_},
          begin_{std::exchange(other.begin_, nullptr)},
          end_{std::exchange(other.end_, nullptr)} {}
    gpu_stopwatch& operator=(gpu_stopwatch&&) = delete;
    ~gpu_stopwatch() {
        if (begin_ != nullptr) static_cast<void>(driver_->EventDestroy(begin_));
        if (end_ != nullptr) static_cast<void>(driver_->EventDestroy(end_));
    }

    // Once; later calls do nothing.
    [[nodiscard]] result<void> try_create(abi::driver_table const& driver) {
        driver_ = &driver;
        for (abi::CUevent* const each : {&begin_, &end_})
            if (*each == nullptr)
                if (auto status = driver.EventCreate(each, 0)) return explain("cuEventCreate", status);
        return {};
    }
    [[nodiscard]] result<void> try_start() {
        if (auto status = driver_->EventRecord(begin_, nullptr)) return explain("cuEventRecord", status);
        return {};
    }
    // Nanoseconds since try_start. @pre it was called
    [[nodiscard]] result<double> try_lap() {
        if (auto status = driver_->EventRecord(end_, nullptr)) return explain("cuEventRecord", status);
        if (auto status = driver_->EventSynchronize(end_)) return explain("cuEventSynchronize", status);
        float milliseconds = 0;
        if (auto status = driver_->EventElapsedTime(&milliseconds, begin_, end_))
            return explain("cuEventElapsedTime", status);
        return static_cast<double>(milliseconds) * 1e6;
    }

private:
    abi::driver_table const* driver_ = nullptr;
    abi::CUevent begin_ = nullptr;
    abi::CUevent end_ = nullptr;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_GPU_STOPWATCH_HPP
