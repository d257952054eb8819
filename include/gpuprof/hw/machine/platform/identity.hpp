// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of this process and this thread.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_IDENTITY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_IDENTITY_HPP

#include <cstdint>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "process_number.hpp"

#if !GPUPROF_WINDOWS
#include <pthread.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// The thread library's identity of this thread, cut to 32 bits. On Windows it is the system's.
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
