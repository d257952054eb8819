// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The system's numbers of this process and this thread.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PROCESS_NUMBER_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PROCESS_NUMBER_HPP

#include <cstdint>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

#if !GPUPROF_WINDOWS
#include <sys/syscall.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
[[nodiscard]] inline std::uint32_t process_number() noexcept { return ::GetCurrentProcessId(); }
[[nodiscard]] inline std::uint32_t thread_number() noexcept { return ::GetCurrentThreadId(); }
#else
// This process's number; changes in the child of a fork. Costs a system call.
[[nodiscard]] inline std::uint32_t process_number() noexcept { return static_cast<std::uint32_t>(::getpid()); }

// This thread's number, as tools show it. Costs a system call.
[[nodiscard]] inline std::uint32_t thread_number() noexcept {
    return static_cast<std::uint32_t>(::syscall(SYS_gettid));
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PROCESS_NUMBER_HPP
