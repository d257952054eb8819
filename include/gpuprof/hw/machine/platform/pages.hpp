// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates memory in whole pages.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PAGES_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PAGES_HPP

#include <cstddef>
#include <cstdlib>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

inline constexpr std::size_t page_size = 4096;

// Allocates uninitialised memory that begins with a page; null if there is none. @pre bytes is a
// multiple of page_size
[[nodiscard]] inline std::byte* allocate_pages(std::size_t bytes) noexcept {
#if GPUPROF_WINDOWS
    constexpr unsigned long reserve_and_commit = 0x3000, read_and_write = 4;
    return static_cast<std::byte*>(::VirtualAlloc(nullptr, bytes, reserve_and_commit, read_and_write));
#else
    return static_cast<std::byte*>(std::aligned_alloc(page_size, bytes));
#endif
}

// Frees what allocate_pages() returned.
inline void free_pages(void* pages) noexcept {
#if GPUPROF_WINDOWS
    constexpr unsigned long release = 0x8000;
    if (pages != nullptr) ::VirtualFree(pages, 0, release);
#else
    std::free(pages);
#endif
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_PAGES_HPP
