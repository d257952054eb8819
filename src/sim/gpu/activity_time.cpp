// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_time.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

#include <gpuprof/hw/machine/platform/clock.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>

#include "gpu_state.hpp"
#include "host_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void activity_time::use(abi::CUpti_TimestampCallbackFunc function) {
    function_.store(function, std::memory_order_release);
    if (function != nullptr) static_cast<void>(now());
}

bool activity_time::has_host_time() const noexcept {
    static bool const is_chosen = platform::variable_or_empty("GPUPROF_SIM_CLOCK") != "model";
    return is_chosen && function_.load(std::memory_order_acquire) == nullptr;
}

std::uint64_t activity_time::host_now() {
    // Since the Unix epoch, as CUPTI's on hardware, and steady.
    static std::uint64_t const start = platform::realtime_nanoseconds() - platform::monotonic_nanoseconds();
    std::uint64_t const simulated = shared().clock.now();
    std::uint64_t time = start + platform::monotonic_nanoseconds() + lead_;
    if (time < simulated + host_offset_) {
        lead_ += simulated + host_offset_ - time;
        time = simulated + host_offset_;
    }
    host_offset_ = time - simulated;
    return time;
}

activity::timestamp activity_time::now() {
    if (!has_host_time()) return cupti_now();
    return now_in_call();
}

activity::timestamp activity_time::now_in_call() {
    if (!has_host_time()) return line().at(shared().clock.now());
    std::lock_guard const held{mutex_};
    return {host_now()};
}

time_line activity_time::line() {
    if (!has_host_time()) return cupti_line();
    std::lock_guard const held{mutex_};
    if (host_offset_ == 0) static_cast<void>(host_now());
    return time_line{host_offset_};
}

activity::timestamp activity_time::cupti_now() {
    auto const function = function_.load(std::memory_order_acquire);
    if (function == nullptr) return cupti_line().at(shared().clock.now());
    std::uint64_t const tool_time = function();
    std::lock_guard const held{mutex_};
    tool_offset_ = tool_time - shared().clock.now();
    return {tool_time};
}

time_line activity_time::cupti_line() {
    if (function_.load(std::memory_order_acquire) == nullptr) return time_line{time_of_first_use};
    std::lock_guard const held{mutex_};
    return time_line{tool_offset_};
}

void activity_time::pass(std::uint64_t nanoseconds) {
    if (!has_host_time()) shared().clock.pass(nanoseconds);
}

} // namespace sim
GPUPROF_NAMESPACE_END
