// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time in activity records, which is also that of cuptiGetTimestamp. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_ACTIVITY_TIME_HPP
#define GPUPROF_HW_SIM_COUNTERS_ACTIVITY_TIME_HPP

#include <atomic>  // the tool's function
#include <cstdint> // nanoseconds
#include <mutex>   // both clocks at one moment

#include "../../../detail/config.hpp"
#include "../../../trace/activity/timestamp.hpp"
#include "../../abi/cupti_activity.hpp"
#include "host_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Simulated time since time_of_first_use, or the tool's own: times on the host are then what its function says, and times
// on the GPU are as far from the last of those as in simulated time. Thread-safe; the function is called with no lock held.
class activity_time {
public:
    // Null for simulated time.
    void use(abi::CUpti_TimestampCallbackFunc function) {
        function_.store(function, std::memory_order_release);
        if (function != nullptr) static_cast<void>(now());
    }

    [[nodiscard]] activity::timestamp now() {
        auto const function = function_.load(std::memory_order_acquire);
        if (function == nullptr) return {time_of_first_use + host_clock::now()};
        std::uint64_t const told = function();
        std::lock_guard const held{mutex_};
        simulated_ = host_clock::now();
        told_ = told;
        return {told};
    }

    // Of a moment in simulated time.
    [[nodiscard]] activity::timestamp at(std::uint64_t simulated) {
        if (function_.load(std::memory_order_acquire) == nullptr) return {time_of_first_use + simulated};
        std::lock_guard const held{mutex_};
        return {told_ + simulated - simulated_};
    }
    [[nodiscard]] activity::timestamp at(double simulated) { // which may be before the first use
        return at(static_cast<std::uint64_t>(static_cast<std::int64_t>(simulated)));
    }

private:
    std::atomic<abi::CUpti_TimestampCallbackFunc> function_{nullptr};
    std::mutex mutex_;
    std::uint64_t simulated_ = 0;
    std::uint64_t told_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_ACTIVITY_TIME_HPP
