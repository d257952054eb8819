// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory the process may still take.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_FREE_MEMORY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_FREE_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../../../detail/config.hpp"
#include "file.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

namespace inner {
// The number after a word, or at the beginning; nothing if there is none.
[[nodiscard]] inline std::optional<std::uint64_t> number_after(std::string_view text, std::string_view word) noexcept {
    std::size_t at = text.find(word);
    if (at == text.npos) return {};
    for (at += word.size(); at < text.size() && text[at] == ' ';) ++at;
    std::uint64_t number = 0;
    std::size_t const first = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        number = number * 10 + static_cast<std::uint64_t>(text[at] - '0');
    if (at == first) return {};
    return number;
}
} // namespace inner

// Bytes that programs may take before the system has to write memory to the disk or ends a process:
// where memory is promised before it is there, an allocation does not fail. Counts the limit of the
// control group at the root of the file system, that of most containers. The largest number where the
// system does not tell. Cost: three files of the kernel.
[[nodiscard]] inline std::size_t free_memory() {
    std::size_t free = static_cast<std::size_t>(-1);
#if !GPUPROF_WINDOWS
    constexpr std::size_t longest = 1 << 16;
    if (auto const text = read_file("/proc/meminfo", longest))
        if (auto const kilobytes = inner::number_after(*text, "MemAvailable:"))
            free = static_cast<std::size_t>(*kilobytes * 1024);
    auto const most = read_file("/sys/fs/cgroup/memory.max", longest);
    auto const taken = read_file("/sys/fs/cgroup/memory.current", longest);
    if (!most || !taken) return free;
    auto const limit = inner::number_after(*most, ""), now = inner::number_after(*taken, ""); // "max": no limit
    if (!limit || !now) return free;
    std::size_t const left = *limit > *now ? static_cast<std::size_t>(*limit - *now) : 0;
    if (left < free) free = left;
#endif
    return free;
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_FREE_MEMORY_HPP
