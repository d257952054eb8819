// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time in activity records, which is also that of cuptiGetTimestamp.
#ifndef GPUPROF_SRC_SIM_GPU_ACTIVITY_TIME_HPP
#define GPUPROF_SRC_SIM_GPU_ACTIVITY_TIME_HPP

#include <atomic>
#include <cstdint>
#include <mutex>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_activity.hpp>
#include <gpuprof/hw/activity/timestamp.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Simulated time since time_of_first_use, or the tool's own time. With a function of the tool,
// times on the host are what the function says, and a time on the GPU is as far from the last of
// those as in simulated time. Thread-safe. The function is called with no lock held.
class activity_time {
public:
    // Null for simulated time.
    void use(abi::CUpti_TimestampCallbackFunc function);

    [[nodiscard]] activity::timestamp now();

    // The time in records of a moment in simulated time.
    [[nodiscard]] activity::timestamp at(std::uint64_t simulated);
    [[nodiscard]] activity::timestamp at(double simulated); // may be before the first use

private:
    std::atomic<abi::CUpti_TimestampCallbackFunc> function_{nullptr};
    std::mutex mutex_;
    std::uint64_t simulated_ = 0; // the simulated time when the tool's function last said tool_time_
    std::uint64_t tool_time_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_TIME_HPP
