// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of memory_copy.hpp.
#ifndef GPUPROF_HW_MEMORY_MEMORY_COPY_INL_HPP
#define GPUPROF_HW_MEMORY_MEMORY_COPY_INL_HPP

#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../machine/platform/free_memory.hpp"
#include "../machine/status.hpp"
#include "memory_copy.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
// What moves between a file and the device at a time.
inline constexpr std::size_t copied_at_once = std::size_t{4} << 20;
[[nodiscard]] constexpr std::size_t rest_of(std::size_t limit, std::size_t taken) noexcept {
    return taken < limit ? limit - taken : 0;
}
[[nodiscard]] inline error file_failed(char const* what) {
    return {errc::io, 0, what, "the disk is full or failed", "name another one in copy_limits::folder"};
}
} // namespace detail

namespace hw {

GPUPROF_INLINE std::size_t memory_copy::room_on_device(abi::driver_table const& driver, copy_room const& within) {
    std::size_t free = 0, total = 0;
    if (driver.MemGetInfo == nullptr || driver.MemGetInfo(&free, &total) != abi::CUDA_SUCCESS) return 0;
    std::size_t const has = gpuprof::detail::rest_of(free, total / 8);
    std::size_t const may = gpuprof::detail::rest_of(within.limits.on_device, within.on_device);
    return has < may ? has : may;
}
GPUPROF_INLINE std::size_t memory_copy::room_on_host(copy_room const& within) {
    std::size_t const free = platform::free_memory();
    std::size_t const has = free - free / 8;
    std::size_t const may = gpuprof::detail::rest_of(within.limits.on_host, within.on_host);
    return has < may ? has : may;
}

GPUPROF_INLINE result<memory_copy> memory_copy::try_create(abi::driver_table const& driver, std::size_t bytes,
                                                           copy_room* within) {
    copy_room anywhere;
    copy_room& room = within != nullptr ? *within : anywhere;
    memory_copy made{driver, bytes};
    auto const took = [&](std::size_t& place) {
        if (within == nullptr) return;
        place += bytes;
        made.taken_ = &place;
    };
    if (bytes <= room_on_device(driver, room) && driver.MemAlloc(&made.device_, bytes) == abi::CUDA_SUCCESS) {
        took(room.on_device);
        return result<memory_copy>{std::move(made)};
    }
    made.device_ = 0;
    if (bytes <= room_on_host(room)) made.host_ = new (std::nothrow) unsigned char[bytes];
    if (made.host_ != nullptr) {
        took(room.on_host);
        return result<memory_copy>{std::move(made)};
    }
    std::string why = "neither the device nor the host has room for a copy";
    if (!room.limits.folder.empty() && bytes <= gpuprof::detail::rest_of(room.limits.in_file, room.in_file)) {
        auto file = platform::scratch_file::try_create(room.limits.folder, bytes);
        if (file) {
            made.file_ = *std::move(file);
            took(room.in_file);
            return result<memory_copy>{std::move(made)};
        }
        why += ", and there is " + file.error().what + ": " + file.error().cause;
    } else if (!room.limits.folder.empty()) {
        why += ", and the file's limit is reached";
    }
    return error{errc::not_collected, 0,
                 gpuprof::detail::joined({"memory was not saved: ", std::to_string(bytes), " bytes"}), why,
                 "raise the limits in profiler_options::copies, name a folder there, or measure over less memory"};
}

GPUPROF_INLINE result<void> memory_copy::try_fill_from_host(std::size_t offset, unsigned char const* from,
                                                            std::size_t bytes) {
    if (device_ != 0) {
        if (auto status = driver_->MemcpyHtoD(device_ + offset, from, bytes)) return explain("cuMemcpyHtoD", status);
    } else if (host_ != nullptr) {
        std::memcpy(host_ + offset, from, bytes);
    } else if (!file_.write(offset, from, bytes)) {
        return gpuprof::detail::file_failed("the copy of memory was not written to its file");
    }
    return {};
}

GPUPROF_INLINE result<void> memory_copy::try_fill(std::size_t offset, abi::CUdeviceptr from, std::size_t bytes) {
    if (device_ != 0) {
        if (auto status = driver_->MemcpyDtoD(device_ + offset, from, bytes)) return explain("cuMemcpyDtoD", status);
        return {};
    }
    if (host_ != nullptr) {
        if (auto status = driver_->MemcpyDtoH(host_ + offset, from, bytes)) return explain("cuMemcpyDtoH", status);
        return {};
    }
    std::vector<unsigned char> part(bytes < gpuprof::detail::copied_at_once ? bytes : gpuprof::detail::copied_at_once);
    for (std::size_t at = 0; at < bytes; at += part.size()) {
        std::size_t const size = bytes - at < part.size() ? bytes - at : part.size();
        if (auto status = driver_->MemcpyDtoH(part.data(), from + at, size)) return explain("cuMemcpyDtoH", status);
        if (auto done = try_fill_from_host(offset + at, part.data(), size); !done) return done;
    }
    return {};
}

GPUPROF_INLINE result<void> memory_copy::try_fill(std::size_t offset, memory_copy const& from, std::size_t from_offset,
                                                  std::size_t bytes) {
    if (from.device_ != 0) return try_fill(offset, from.device_ + from_offset, bytes);
    if (from.host_ != nullptr) return try_fill_from_host(offset, from.host_ + from_offset, bytes);
    std::vector<unsigned char> part(bytes < gpuprof::detail::copied_at_once ? bytes : gpuprof::detail::copied_at_once);
    for (std::size_t at = 0; at < bytes; at += part.size()) {
        std::size_t const size = bytes - at < part.size() ? bytes - at : part.size();
        if (auto read = from.try_read(from_offset + at, part.data(), size); !read) return read;
        if (auto done = try_fill_from_host(offset + at, part.data(), size); !done) return done;
    }
    return {};
}

GPUPROF_INLINE result<void> memory_copy::try_read(std::size_t offset, unsigned char* to, std::size_t bytes) const {
    if (device_ != 0) {
        if (auto status = driver_->MemcpyDtoH(to, device_ + offset, bytes)) return explain("cuMemcpyDtoH", status);
    } else if (host_ != nullptr) {
        std::memcpy(to, host_ + offset, bytes);
    } else if (!file_.read(offset, to, bytes)) {
        return gpuprof::detail::file_failed("the copy of memory was not read from its file");
    }
    return {};
}

GPUPROF_INLINE result<void> memory_copy::try_put_back(std::size_t offset, abi::CUdeviceptr to,
                                                      std::size_t bytes) const {
    if (device_ != 0) {
        if (auto status = driver_->MemcpyDtoD(to, device_ + offset, bytes)) return explain("cuMemcpyDtoD", status);
        return {};
    }
    if (host_ != nullptr) {
        if (auto status = driver_->MemcpyHtoD(to, host_ + offset, bytes)) return explain("cuMemcpyHtoD", status);
        return {};
    }
    std::vector<unsigned char> part(bytes < gpuprof::detail::copied_at_once ? bytes : gpuprof::detail::copied_at_once);
    for (std::size_t at = 0; at < bytes; at += part.size()) {
        std::size_t const size = bytes - at < part.size() ? bytes - at : part.size();
        if (auto read = try_read(offset + at, part.data(), size); !read) return read;
        if (auto status = driver_->MemcpyHtoD(to + at, part.data(), size)) return explain("cuMemcpyHtoD", status);
    }
    return {};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_MEMORY_COPY_INL_HPP
