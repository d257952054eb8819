// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_time.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

#include "gpu_state.hpp"
#include "host_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void activity_time::use(abi::CUpti_TimestampCallbackFunc function) {
    function_.store(function, std::memory_order_release);
    if (function != nullptr) static_cast<void>(now());
}

activity::timestamp activity_time::now() {
    auto const function = function_.load(std::memory_order_acquire);
    if (function == nullptr) return {time_of_first_use + shared().clock.now()};
    std::uint64_t const tool_time = function();
    std::lock_guard const held{mutex_};
    simulated_ = shared().clock.now();
    tool_time_ = tool_time;
    return {tool_time};
}

activity::timestamp activity_time::at(std::uint64_t simulated) {
    if (function_.load(std::memory_order_acquire) == nullptr) return {time_of_first_use + simulated};
    std::lock_guard const held{mutex_};
    return {tool_time_ + simulated - simulated_};
}
activity::timestamp activity_time::at(double simulated) {
    return at(static_cast<std::uint64_t>(static_cast<std::int64_t>(simulated)));
}

} // namespace sim
GPUPROF_NAMESPACE_END
