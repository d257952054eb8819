// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex at a tenth of <mutex>'s compile time.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_MUTEX_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_MUTEX_HPP

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

#if !GPUPROF_WINDOWS
#include <pthread.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

class mutex {
public:
    constexpr mutex() = default;
    mutex(mutex const&) = delete;
    mutex& operator=(mutex const&) = delete;

#if GPUPROF_WINDOWS
    void acquire() noexcept { ::AcquireSRWLockExclusive(handle()); }
    [[nodiscard]] bool try_acquire() noexcept { return ::TryAcquireSRWLockExclusive(handle()) != 0; }
    void release() noexcept { ::ReleaseSRWLockExclusive(handle()); }

private:
    friend class condition;
    [[nodiscard]] _RTL_SRWLOCK* handle() noexcept { return reinterpret_cast<_RTL_SRWLOCK*>(&state_); }
    void* state_ = nullptr; // an SRWLOCK; needs no destruction
#else
    void acquire() noexcept { pthread_mutex_lock(&handle_); }
    [[nodiscard]] bool try_acquire() noexcept { return pthread_mutex_trylock(&handle_) == 0; }
    void release() noexcept { pthread_mutex_unlock(&handle_); }

private:
    friend class condition;
    pthread_mutex_t handle_ = PTHREAD_MUTEX_INITIALIZER;
#endif
};

// Holds a mutex for a block.
class [[nodiscard]] lock {
public:
    explicit lock(mutex& held) noexcept : held_{held} { held_.acquire(); }
    ~lock() { held_.release(); }
    lock(lock const&) = delete;
    lock& operator=(lock const&) = delete;

private:
    mutex& held_;
};

// Protects a mutex that lives as long as the process: `acquire` is called before every fork(),
// `release` after it in both processes, so that the child finds the mutex free whichever thread
// held it. False if there is no memory.
#if GPUPROF_WINDOWS
inline bool hold_over_fork(void (*)(), void (*)()) noexcept { return true; } // there is no fork
#else
inline bool hold_over_fork(void (*acquire)(), void (*release)()) noexcept {
    return ::pthread_atfork(acquire, release, release) == 0;
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_MUTEX_HPP
