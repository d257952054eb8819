// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition variable.
//
// Replaces std::condition_variable: that of mingw-w64's g++ 12 (winpthreads) lost wake-ups under
// Wine, in up to every second run of a test program, and its threads slept for ever.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_CONDITION_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_CONDITION_HPP

#include <cstdint>

#include "../../../detail/config.hpp"
#include "mutex.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

#if !GPUPROF_WINDOWS
#include <pthread.h>
#include <time.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Threads wait for it under a mutex, which whoever changes the condition holds too. A wait may end
// spuriously: check again.
class condition {
public:
    condition(condition const&) = delete;
    condition& operator=(condition const&) = delete;

    // Releases the mutex, waits for wake_all(), and acquires it again. @pre the calling thread
    // holds `held`
    void wait(mutex& held) noexcept;
    // The same, but no longer than that; on Windows whole milliseconds, rounded up.
    void wait_for(mutex& held, std::uint64_t nanoseconds) noexcept;
    void wake_all() noexcept;

#if GPUPROF_WINDOWS
    constexpr condition() noexcept = default;

private:
    [[nodiscard]] _RTL_CONDITION_VARIABLE* handle() noexcept {
        return reinterpret_cast<_RTL_CONDITION_VARIABLE*>(&state_);
    }
    void* state_ = nullptr; // a CONDITION_VARIABLE; needs no destruction
#else
    condition() noexcept {
        pthread_condattr_t clock;
        pthread_condattr_init(&clock);
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
        pthread_cond_init(&handle_, &clock);
        pthread_condattr_destroy(&clock);
    }
    ~condition() { pthread_cond_destroy(&handle_); }

private:
    pthread_cond_t handle_;
#endif
};

#if GPUPROF_WINDOWS
inline void condition::wait(mutex& held) noexcept {
    constexpr unsigned long for_ever = 0xffff'ffff; // INFINITE
    ::SleepConditionVariableSRW(handle(), held.handle(), for_ever, 0);
}
inline void condition::wait_for(mutex& held, std::uint64_t nanoseconds) noexcept {
    constexpr std::uint64_t most = 0x7fff'ffff;
    std::uint64_t const milliseconds = nanoseconds / 1'000'000 + (nanoseconds % 1'000'000 != 0);
    ::SleepConditionVariableSRW(handle(), held.handle(),
                                static_cast<unsigned long>(milliseconds < most ? milliseconds : most), 0);
}
inline void condition::wake_all() noexcept { ::WakeAllConditionVariable(handle()); }
#else
inline void condition::wait(mutex& held) noexcept { pthread_cond_wait(&handle_, &held.handle_); }
inline void condition::wait_for(mutex& held, std::uint64_t nanoseconds) noexcept {
    constexpr std::uint64_t second = 1'000'000'000;
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &end);
    std::uint64_t const part = static_cast<std::uint64_t>(end.tv_nsec) + nanoseconds % second;
    end.tv_sec += static_cast<decltype(end.tv_sec)>(nanoseconds / second + part / second);
    end.tv_nsec = static_cast<decltype(end.tv_nsec)>(part % second);
    pthread_cond_timedwait(&handle_, &held.handle_, &end);
}
inline void condition::wake_all() noexcept { pthread_cond_broadcast(&handle_); }
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_CONDITION_HPP
