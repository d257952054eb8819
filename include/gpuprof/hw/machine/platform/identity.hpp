// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of this process and this thread. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_IDENTITY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_IDENTITY_HPP

#include <cstdint> // numbers

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "process_number.hpp" // process_number, thread_number

#if !GPUPROF_WINDOWS
#include <pthread.h> // pthread_self
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// The thread library's name for the thread, cut to 32 bits. On Windows there is no other than the system's.
[[nodiscard]] inline std::uint32_t library_thread_number() noexcept {
#if GPUPROF_WINDOWS
    return thread_number();
#else
    return static_cast<std::uint32_t>(::pthread_self());
#endif
}
// The system's number of the thread.
[[nodiscard]] inline std::uint32_t system_thread_number() noexcept { return thread_number(); }

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_IDENTITY_HPP
