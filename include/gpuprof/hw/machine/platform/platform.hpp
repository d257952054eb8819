// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operating systems that gpuprof supports. Includes nothing. Every header of this folder
// includes it. Only this folder calls an operating system, and its declarations use no system type,
// so that another system is added here alone. A header has two halves: one for Windows, one for
// POSIX or, where it says so, for Linux.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PLATFORM_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PLATFORM_HPP

// 1: Windows. For headers of this folder, and for code that leaves out a half; other code asks
// platform::is_windows.
#if defined(_WIN32)
#define GPUPROF_WINDOWS 1
#else
#define GPUPROF_WINDOWS 0
#endif

#if GPUPROF_WINDOWS && !defined(_WIN64)
#error "gpuprof: 32-bit Windows is not supported: CUPTI has no library for it"
#endif

#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Whether this is Windows: for code that compiles on every system and behaves differently there.
inline constexpr bool is_windows = GPUPROF_WINDOWS == 1;

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PLATFORM_HPP
