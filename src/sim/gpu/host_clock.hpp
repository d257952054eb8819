// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's simulated time. The driver table waits by it; the CUPTI table reads it.
#ifndef GPUPROF_SRC_SIM_GPU_HOST_CLOCK_HPP
#define GPUPROF_SRC_SIM_GPU_HOST_CLOCK_HPP

#include <atomic>
#include <cstdint>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Modelled, so that traces are the same on every machine; none of them is measured.
inline constexpr std::uint64_t time_of_first_use = 1'000'000'000; // cuptiGetTimestamp at simulated time 0
inline constexpr std::uint64_t call_nanoseconds = 1'000;     // the least that a driver call takes while it is recorded
inline constexpr std::uint64_t submission_nanoseconds = 200; // from the command buffer to the GPU, if it is free
inline constexpr std::uint64_t flush_nanoseconds = 1'000;    // an explicit flush of activity buffers
inline constexpr std::uint64_t compilation_nanoseconds_a_byte = 10; // of PTX, while activity is recorded

// Whole nanoseconds of simulated time, one clock for all threads. Work that is enqueued does not
// start before it. Waiting for the GPU moves it on; so do driver calls while activity is recorded.
// It never goes back.
class host_clock {
public:
    [[nodiscard]] std::uint64_t now() const noexcept { return time_.load(std::memory_order_acquire); }

    void wait_until(std::uint64_t when) noexcept {
        std::uint64_t before = now();
        while (before < when && !time_.compare_exchange_weak(before, when, std::memory_order_acq_rel)) {}
    }
    void wait_until(double when) noexcept { wait_until(static_cast<std::uint64_t>(when)); }

    // Moves the time on and returns it.
    std::uint64_t pass(std::uint64_t nanoseconds) noexcept {
        return time_.fetch_add(nanoseconds, std::memory_order_acq_rel) + nanoseconds;
    }

private:
    std::atomic<std::uint64_t> time_{0};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_HOST_CLOCK_HPP
