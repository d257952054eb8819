// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads fat binaries: the container in which CUDA's compilers put PTX and machine code for several GPUs. Layer: embedded GPU,
// program images.
#ifndef GPUPROF_HW_SIM_IMAGE_FAT_BINARY_HPP
#define GPUPROF_HW_SIM_IMAGE_FAT_BINARY_HPP

#include <cstddef> // std::byte
#include <cstdint> // numbers of the format
#include <cstring> // std::memcpy
#include <span>    // bytes
#include <string>  // texts
#include <utility> // std::move
#include <vector>  // entries

#include "../../../core/result.hpp"
#include "../../abi/results.hpp"
#include "lz4.hpp"
#include "zstd.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// NVIDIA documents the wrapper (crt headers, fatbinary_section.h) and not the container. What is known of it was found by
// comparing what nvcc 11.8 to 13.0 writes with what it was asked to write. All numbers are little-endian.
inline constexpr std::uint32_t wrapper_magic = 0x466243b1;   // {magic, version, pointer to a container, …}
inline constexpr std::uint32_t container_magic = 0xba55ed50; // {magic, version : 16, header bytes : 16, bytes : 64}
inline constexpr std::size_t container_header_bytes = 16;
inline constexpr std::size_t least_entry_header_bytes = 64;
inline constexpr std::size_t most_unpacked_bytes = std::size_t{1} << 28; // what is more is taken for damage

enum class entry_kind : std::uint16_t { ptx = 1, machine_code = 2 }; // others are passed over
enum class packing : std::uint8_t { none, lz4, zstd };

// One image of a container. Refers to the container's bytes.
struct fat_entry {
    entry_kind kind{};
    std::uint32_t target = 0; // 80 for sm_80 and compute_80
    packing packed = packing::none;
    std::size_t unpacked_bytes = 0;
    std::span<std::byte const> payload;
};

namespace detail {

template <class T>
[[nodiscard]] T read_number(std::span<std::byte const> bytes, std::size_t at) noexcept {
    T number{};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

[[nodiscard]] inline error damaged(char const* what) {
    return {errc::invalid_argument, abi::CUDA_ERROR_INVALID_IMAGE, "the fat binary is damaged", what, {}};
}

} // namespace detail

// Whether an image begins as a wrapper or a container does. Reads at most four bytes, and none beyond a null character.
[[nodiscard]] inline bool is_fat_binary(void const* image) noexcept {
    auto const begins_with = [image](std::uint32_t magic) {
        auto const* const bytes = static_cast<unsigned char const*>(image);
        for (unsigned i = 0; i < 4; ++i)
            if (bytes[i] != (magic >> 8 * i & 0xff)) return false;
        return true;
    };
    return begins_with(wrapper_magic) || begins_with(container_magic);
}

namespace detail {
[[nodiscard]] inline result<std::span<std::byte const>> container_at(void const* image) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, image, sizeof magic);
    if (magic != container_magic) return damaged("the wrapper points at something else");
    std::span const header{static_cast<std::byte const*>(image), container_header_bytes};
    auto const header_bytes = read_number<std::uint16_t>(header, 6);
    auto const bytes = read_number<std::uint64_t>(header, 8);
    if (bytes > SIZE_MAX - header_bytes) return damaged("the container says that it is larger than memory");
    return std::span{header.data(), header_bytes + static_cast<std::size_t>(bytes)};
}
} // namespace detail

// The containers that an image in memory is: itself, or what its wrapper points at. A wrapper of version 2, which nvcc
// -rdc=true makes (crt/link.stub), also has a list of containers, one of each file that was compiled, to be linked; a null
// pointer ends it. @pre is_fat_binary(image), and as many bytes can be read there as the containers say that they have: nothing
// else tells their end. Errors: invalid_argument for a wrapper that points at something else.
[[nodiscard]] inline result<std::vector<std::span<std::byte const>>> containers_of(void const* image) {
    std::vector<std::span<std::byte const>> all;
    auto const add = [&all](void const* at) -> result<void> {
        auto const found = detail::container_at(at);
        if (!found) return found.error();
        all.push_back(*found);
        return {};
    };
    std::uint32_t start[2] = {};
    std::memcpy(start, image, sizeof start[0]);
    if (start[0] != wrapper_magic) {
        if (auto added = add(image); !added) return std::move(added).error();
        return all;
    }
    std::memcpy(start, image, sizeof start); // the version, too
    void const* inside = nullptr;
    void const* const* list = nullptr;
    std::memcpy(&inside, static_cast<std::byte const*>(image) + 8, sizeof inside);
    if (start[1] == 2) std::memcpy(&list, static_cast<std::byte const*>(image) + 16, sizeof list);
    if (inside == nullptr && list == nullptr) return detail::damaged("the wrapper is empty");
    if (inside != nullptr)
        if (auto added = add(inside); !added) return std::move(added).error();
    for (; list != nullptr && *list != nullptr; ++list)
        if (auto added = add(*list); !added) return std::move(added).error();
    return all;
}

// The images of a container, in its order. Errors: invalid_argument for bytes that are no container, or that end within one.
// Linear in the number of images; reads only `container`.
[[nodiscard]] inline result<std::vector<fat_entry>> read_container(std::span<std::byte const> container) {
    if (container.size() < container_header_bytes) return detail::damaged("it ends within its header");
    if (detail::read_number<std::uint32_t>(container, 0) != container_magic)
        return detail::damaged("it does not begin as one");
    std::size_t const header_bytes = detail::read_number<std::uint16_t>(container, 6);
    auto const bytes = detail::read_number<std::uint64_t>(container, 8);
    if (header_bytes < container_header_bytes || header_bytes > container.size() ||
        bytes > container.size() - header_bytes)
        return detail::damaged("it ends before its last image");
    std::vector<fat_entry> entries;
    auto rest = container.subspan(header_bytes, static_cast<std::size_t>(bytes));
    while (!rest.empty()) {
        if (rest.size() < least_entry_header_bytes) return detail::damaged("it ends within the header of an image");
        std::size_t const entry_header = detail::read_number<std::uint32_t>(rest, 4);
        auto const padded = detail::read_number<std::uint64_t>(rest, 8);
        if (entry_header < least_entry_header_bytes || entry_header > rest.size() ||
            padded > rest.size() - entry_header)
            return detail::damaged("it ends within an image");
        auto const flags = detail::read_number<std::uint64_t>(rest, 40);
        fat_entry entry;
        entry.kind = entry_kind{detail::read_number<std::uint16_t>(rest, 0)};
        entry.target = detail::read_number<std::uint32_t>(rest, 28);
        entry.packed = (flags & 0x8000) != 0 ? packing::zstd : (flags & 0x2000) != 0 ? packing::lz4 : packing::none;
        std::size_t payload = static_cast<std::size_t>(padded);
        entry.unpacked_bytes = payload;
        if (entry.packed != packing::none) {
            payload = detail::read_number<std::uint32_t>(rest, 16); // without the padding
            auto const unpacked = detail::read_number<std::uint64_t>(rest, 56);
            if (payload > padded) return detail::damaged("a packed image is larger than its place");
            if (unpacked > most_unpacked_bytes) return detail::damaged("an image is larger than 256 MB");
            entry.unpacked_bytes = static_cast<std::size_t>(unpacked);
        }
        entry.payload = rest.subspan(entry_header, payload);
        entries.push_back(entry);
        rest = rest.subspan(entry_header + static_cast<std::size_t>(padded));
    }
    return entries;
}

// The text of an image that is PTX, without null characters at its end. Errors: invalid_argument for a payload that does not
// unpack to the size that it says; unavailable for zstd where there is no decoder. Cost: a copy of the text. Thread-safe.
[[nodiscard]] inline result<std::string> unpack(fat_entry const& entry) {
    std::string text;
    if (entry.packed == packing::none) {
        text.assign(reinterpret_cast<char const*>(entry.payload.data()), entry.payload.size());
    } else {
        zstd_decoder const zstd = find_zstd_decoder();
        if (entry.packed == packing::zstd && zstd == nullptr)
            return error{errc::unavailable, abi::CUDA_ERROR_NOT_SUPPORTED,
                         "the PTX of the fat binary is packed by zstd", "this gpuprof was built without libzstd",
                         "build gpuprof where libzstd is installed (Debian: libzstd-dev), or the program with nvcc "
                         "--no-compress"};
        // An LZ4 block holds at most 255 times its size: a number that damage made large costs no memory.
        if (entry.packed == packing::lz4 && entry.unpacked_bytes / 255 > entry.payload.size())
            return detail::damaged("an LZ4 block is said to hold more than it can");
        text.resize(entry.unpacked_bytes);
        auto const room = std::as_writable_bytes(std::span{text.data(), text.size()});
        bool const whole = entry.packed == packing::lz4 ? unpack_lz4(entry.payload, room) : zstd(entry.payload, room);
        if (!whole) return detail::damaged("a packed image does not unpack to its size");
    }
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
}

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_IMAGE_FAT_BINARY_HPP
