// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fat_binary.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lz4.hpp"
#include "zstd.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// The decoder that set_zstd_decoder() was given.
static constinit std::atomic<zstd_decoder> zstd_in_use{nullptr};

void set_zstd_decoder(zstd_decoder decoder) noexcept { zstd_in_use.store(decoder, std::memory_order_release); }

zstd_decoder find_zstd_decoder() noexcept { return zstd_in_use.load(std::memory_order_acquire); }

template <class T>
static T read_fat_number(std::span<std::byte const> bytes, std::size_t at) noexcept {
    T number{};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

static error damaged_fat_binary(char const* reason) {
    return {errc::invalid_argument, abi::CUDA_ERROR_INVALID_IMAGE, "the fat binary is damaged", reason, {}};
}

bool is_fat_binary(void const* image) noexcept {
    auto const begins_with = [image](std::uint32_t magic) {
        auto const* const bytes = static_cast<unsigned char const*>(image);
        for (unsigned i = 0; i < 4; ++i)
            if (bytes[i] != (magic >> 8 * i & 0xff)) return false;
        return true;
    };
    return begins_with(wrapper_magic) || begins_with(container_magic);
}

static result<std::span<std::byte const>> container_at(void const* image) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, image, sizeof magic);
    if (magic != container_magic) return damaged_fat_binary("the wrapper points at something else");
    std::span const header{static_cast<std::byte const*>(image), container_header_bytes};
    auto const header_bytes = read_fat_number<std::uint16_t>(header, 6);
    auto const bytes = read_fat_number<std::uint64_t>(header, 8);
    if (bytes > SIZE_MAX - header_bytes) return damaged_fat_binary("the container says that it is larger than memory");
    return std::span{header.data(), header_bytes + static_cast<std::size_t>(bytes)};
}

result<std::vector<std::span<std::byte const>>> containers_of(void const* image) {
    std::vector<std::span<std::byte const>> all;
    auto const add = [&all](void const* at) -> result<void> {
        auto const found = container_at(at);
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
    if (inside == nullptr && list == nullptr) return damaged_fat_binary("the wrapper is empty");
    if (inside != nullptr)
        if (auto added = add(inside); !added) return std::move(added).error();
    for (; list != nullptr && *list != nullptr; ++list)
        if (auto added = add(*list); !added) return std::move(added).error();
    return all;
}

result<std::vector<fat_entry>> read_container(std::span<std::byte const> container) {
    if (container.size() < container_header_bytes) return damaged_fat_binary("it ends within its header");
    if (read_fat_number<std::uint32_t>(container, 0) != container_magic)
        return damaged_fat_binary("it does not begin as one");
    std::size_t const header_bytes = read_fat_number<std::uint16_t>(container, 6);
    auto const bytes = read_fat_number<std::uint64_t>(container, 8);
    if (header_bytes < container_header_bytes || header_bytes > container.size() ||
        bytes > container.size() - header_bytes)
        return damaged_fat_binary("it ends before its last image");
    std::vector<fat_entry> entries;
    auto rest = container.subspan(header_bytes, static_cast<std::size_t>(bytes));
    while (!rest.empty()) {
        if (rest.size() < least_entry_header_bytes) return damaged_fat_binary("it ends within the header of an image");
        std::size_t const entry_header = read_fat_number<std::uint32_t>(rest, 4);
        auto const padded = read_fat_number<std::uint64_t>(rest, 8);
        if (entry_header < least_entry_header_bytes || entry_header > rest.size() ||
            padded > rest.size() - entry_header)
            return damaged_fat_binary("it ends within an image");
        auto const flags = read_fat_number<std::uint64_t>(rest, 40);
        fat_entry entry;
        entry.kind = entry_kind{read_fat_number<std::uint16_t>(rest, 0)};
        entry.target = read_fat_number<std::uint32_t>(rest, 28);
        entry.packed = (flags & 0x8000) != 0 ? packing::zstd : (flags & 0x2000) != 0 ? packing::lz4 : packing::none;
        std::size_t payload = static_cast<std::size_t>(padded);
        entry.unpacked_bytes = payload;
        if (entry.packed != packing::none) {
            payload = read_fat_number<std::uint32_t>(rest, 16); // without the padding
            auto const unpacked = read_fat_number<std::uint64_t>(rest, 56);
            if (payload > padded) return damaged_fat_binary("a packed image is larger than its place");
            if (unpacked > most_unpacked_bytes) return damaged_fat_binary("an image is larger than 256 MB");
            entry.unpacked_bytes = static_cast<std::size_t>(unpacked);
        }
        entry.payload = rest.subspan(entry_header, payload);
        entries.push_back(entry);
        rest = rest.subspan(entry_header + static_cast<std::size_t>(padded));
    }
    return entries;
}

result<std::string> unpack_whole(fat_entry const& entry) {
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
        // An LZ4 block holds at most 255 times its size: a number that damage made large costs no
        // memory.
        if (entry.packed == packing::lz4 && entry.unpacked_bytes / 255 > entry.payload.size())
            return damaged_fat_binary("an LZ4 block is said to hold more than it can");
        text.resize(entry.unpacked_bytes);
        auto const room = std::as_writable_bytes(std::span{text.data(), text.size()});
        bool const whole = entry.packed == packing::lz4 ? unpack_lz4(entry.payload, room) : zstd(entry.payload, room);
        if (!whole) return damaged_fat_binary("a packed image does not unpack to its size");
    }
    return text;
}

result<std::string> unpack(fat_entry const& entry) {
    auto text = unpack_whole(entry);
    if (text) text->resize(text->find_last_not_of('\0') + 1);
    return text;
}

} // namespace sim::image
GPUPROF_NAMESPACE_END
