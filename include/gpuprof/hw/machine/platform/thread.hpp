// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The identity of threads, and waiting for other threads.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_THREAD_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_THREAD_HPP

#include <cstddef>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

#if !GPUPROF_WINDOWS
#include <sched.h>
#include <time.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// An address of this thread: the cheapest thread identity. Threads that live at the same time have
// different ones; a new thread may get that of an ended one. Not zero. Windows has the thread's
// number at a fixed place of each thread, and g++ there calls a function for every access to a
// thread_local object.
#if GPUPROF_WINDOWS
[[nodiscard]] inline std::size_t this_thread() noexcept { return ::GetCurrentThreadId(); }
#else
[[nodiscard]] inline std::size_t this_thread() noexcept {
    static thread_local char const tag = 0;
    return reinterpret_cast<std::size_t>(&tag);
}
#endif

// Lets other threads run; call it in a loop that waits for one of them.
// @param round number of calls before: the first hundred yield the processor, later ones sleep 50
// us, on Windows a tick of its clock
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
