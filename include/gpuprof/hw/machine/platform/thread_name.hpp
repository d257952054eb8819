// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of this process's threads, as the system has them. Linux; Windows has none here.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_THREAD_NAME_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_THREAD_NAME_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../../../detail/config.hpp"
#include "platform.hpp"

#if !GPUPROF_WINDOWS
#include <charconv>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
[[nodiscard]] inline std::string_view thread_name(std::uint32_t, std::span<char>) noexcept { return {}; }
inline void name_this_thread(std::string_view) noexcept {}
#else
// The name of a thread that runs, written into `room`; empty for any other. Threads that nobody named
// have the name of the program. Costs reading a small file; allocates nothing.
[[nodiscard]] inline std::string_view thread_name(std::uint32_t number, std::span<char> room) noexcept {
    char path[48] = "/proc/self/task/";
    char* end = std::to_chars(path + 16, path + 36, number).ptr;
    for (char const letter : {'/', 'c', 'o', 'm', 'm', '\0'}) *end++ = letter;
    int const file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    auto const count = ::read(file, room.data(), room.size());
    static_cast<void>(::close(file));
    std::size_t size = count > 0 ? static_cast<std::size_t>(count) : 0;
    if (size != 0 && room[size - 1] == '\n') --size;
    return {room.data(), size};
}
// Names the calling thread for the system's tools, in its first 15 bytes.
inline void name_this_thread(std::string_view name) noexcept {
    char cut[16]{};
    std::size_t size = name.size() < 15 ? name.size() : 15;
    if (size < name.size()) // in whole characters of UTF-8
        while (size != 0 && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80) --size;
    name.copy(cut, size);
    static_cast<void>(::pthread_setname_np(::pthread_self(), cut));
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_THREAD_NAME_HPP
