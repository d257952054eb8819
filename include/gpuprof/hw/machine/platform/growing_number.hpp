// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A growing number that threads can wait for.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_GROWING_NUMBER_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_GROWING_NUMBER_HPP

#include <atomic>
#include <cstdint>

#include "../../../detail/config.hpp"
#include "platform.hpp"

#if GPUPROF_WINDOWS
#include "condition.hpp" // std::atomic waits by winpthreads, which loses wake-ups
#include "mutex.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Wraps around. Threads that see the number grown also see what was written before grow().
class growing_number {
public:
    [[nodiscard]] std::uint32_t now() const noexcept { return number_.load(std::memory_order_acquire); }

#if GPUPROF_WINDOWS
    void grow() noexcept {
        lock const held{mutex_};
        number_.fetch_add(1, std::memory_order_release);
        grown_.wake_all();
    }
    // Waits until the number differs from `seen`.
    void wait(std::uint32_t seen) noexcept {
        lock const held{mutex_};
        while (now() == seen) grown_.wait(mutex_);
    }

private:
    mutex mutex_;
    condition grown_;
#else
    void grow() noexcept {
        number_.fetch_add(1, std::memory_order_release);
        number_.notify_all();
    }
    // Waits until the number differs from `seen`.
    void wait(std::uint32_t seen) noexcept { number_.wait(seen, std::memory_order_acquire); }

private:
#endif
    std::atomic<std::uint32_t> number_{0};
};

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_GROWING_NUMBER_HPP
