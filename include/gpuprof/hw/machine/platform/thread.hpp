// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which thread this is. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_THREAD_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_THREAD_HPP

#include <cstddef> // std::size_t

#include "../../../detail/config.hpp"
#include "platform.hpp"

#if GPUPROF_WINDOWS
#include "windows_api.hpp" // GetCurrentThreadId
#else
#include <sched.h> // sched_yield
#include <time.h>  // nanosleep
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// An address of its own in every thread: the cheapest thread identity there is. Threads that live at the same time have
// different ones; a thread may get that of one that ended. Not zero. Windows has the thread's number at a fixed place of each
// thread, and g++ there calls a function for every access to a thread_local object.
#if GPUPROF_WINDOWS
[[nodiscard]] inline std::size_t this_thread() noexcept { return ::GetCurrentThreadId(); }
#else
[[nodiscard]] inline std::size_t this_thread() noexcept {
    static thread_local char const tag = 0;
    return reinterpret_cast<std::size_t>(&tag);
}
#endif

// Lets other threads run; call it in a loop that waits for one of them. @param round how often it was called before: the
// first hundred give the processor away, later ones sleep 50 us, on Windows a tick of its clock.
inline void wait_a_little(unsigned round) noexcept {
#if GPUPROF_WINDOWS
    if (round >= 100) ::Sleep(1);
    else ::SwitchToThread();
#else
    if (round < 100) {
        ::sched_yield();
        return;
    }
    timespec const rest{0, 50'000};
    ::nanosleep(&rest, nullptr);
#endif
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_THREAD_HPP
