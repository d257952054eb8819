// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest monotonic timestamp of the host processor, in its own ticks. Layer: below everything but config.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_TICKS_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_TICKS_HPP

#include <cstdint> // std::uint64_t

#include "../../../detail/config.hpp"

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <time.h> // clock_gettime, where no counter register is known
#endif

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Time stamp counter on x86-64 (constant rate on every processor since 2008), virtual counter on AArch64, nanoseconds
// elsewhere. Unordered with the loads and stores around it: a scope wants the time, not a fence. About 10 ns on x86-64.
[[nodiscard]] inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_TICKS_HPP
