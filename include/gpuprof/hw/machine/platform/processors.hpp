// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of threads that may run at once.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PROCESSORS_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PROCESSORS_HPP

#include <cstddef>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

#if !GPUPROF_WINDOWS
#include <sched.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// The number of processors that the process may use, with its affinity; at least 1. Ignores limits
// of time (a container's).
[[nodiscard]] inline unsigned usable_processors() noexcept {
#if GPUPROF_WINDOWS
    std::size_t mine = 0, all = 0; // masks of the process's group of at most 64 processors
    unsigned count = 0;
    if (::GetProcessAffinityMask(::GetCurrentProcess(), &mine, &all) != 0)
        for (; mine != 0; mine &= mine - 1) ++count;
    return count > 0 ? count : 1;
#else
#if defined(CPU_COUNT)
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (::sched_getaffinity(0, sizeof mine, &mine) == 0) // fails on systems with more than 1024
        if (int const count = CPU_COUNT(&mine); count > 0) return static_cast<unsigned>(count);
#endif
    long const online = ::sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? static_cast<unsigned>(online) : 1;
#endif
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PROCESSORS_HPP
