// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time in activity records: of the host, of the model, or of the tool.
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

// Where simulated time lies on the time line of records. One of it for all times of a record, so that they keep their
// distances.
class time_line {
public:
    explicit constexpr time_line(std::uint64_t offset) noexcept : offset_{offset} {}
    [[nodiscard]] constexpr activity::timestamp at(std::uint64_t simulated) const noexcept {
        return {offset_ + simulated};
    }
    [[nodiscard]] constexpr activity::timestamp at(double simulated) const noexcept { // may be before the first use
        return at(static_cast<std::uint64_t>(static_cast<std::int64_t>(simulated)));
    }

private:
    std::uint64_t offset_;
};

// Records have the host's time, unless GPUPROF_SIM_CLOCK is "model": then they have simulated time since time_of_first_use.
// With a function of the tool, times on the host are what the function says.
//
// Work on the GPU takes simulated time, and lies on the host's time line as far from the call that enqueued it as in simulated
// time. A wait for it takes simulated time, too, by which the host's clock is put forward; so it ends no earlier than the
// work. Neither goes back, so work of a stream never overlaps. Thread-safe. The tool's function is called with no lock held.
class activity_time {
public:
    // Null for the host's time or the model's.
    void use(abi::CUpti_TimestampCallbackFunc function);

    // Now, in records. line() holds what it said last.
    [[nodiscard]] activity::timestamp now();
    [[nodiscard]] time_line line();
    // The same without a call of the tool's function.
    [[nodiscard]] activity::timestamp now_in_call();

    // The same of cuptiGetTimestamp and of samples, which have simulated time or the tool's: they tell how a device's clock and
    // the host's go together, and here the device's stands still while it has nothing to do.
    [[nodiscard]] activity::timestamp cupti_now();
    [[nodiscard]] time_line cupti_line();

    // Something on the host that the model gives a length: simulated time passes, unless records have the host's.
    void pass(std::uint64_t nanoseconds);

private:
    [[nodiscard]] bool has_host_time() const noexcept;
    std::uint64_t host_now(); // @pre mutex_ is held

    std::atomic<abi::CUpti_TimestampCallbackFunc> function_{nullptr};
    std::mutex mutex_;
    std::uint64_t tool_offset_ = 0; // of the tool's time, as its function last said it
    std::uint64_t host_offset_ = 0; // of the host's
    std::uint64_t lead_ = 0;        // by how much that clock was put forward
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_TIME_HPP
