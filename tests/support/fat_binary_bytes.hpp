// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fat binaries made by hand, byte by byte, for tests of what reads them.
#ifndef GPUPROF_TESTS_SUPPORT_FAT_BINARY_BYTES_HPP
#define GPUPROF_TESTS_SUPPORT_FAT_BINARY_BYTES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

// One image of a container: kind 1 is PTX, 2 machine code; flag 0x2000 is LZ4, 0x8000 zstd.
struct hand_made_image {
    std::uint16_t kind = 1;
    std::uint32_t target = 80;
    std::string payload{};
    std::uint64_t flags = 0;
    std::uint64_t unpacked_bytes = 0;
    std::uint32_t header_bytes = 64;
};

inline void put_number(std::string& to, std::size_t at, std::uint64_t number, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) to[at + i] = static_cast<char>(number >> 8 * i & 0xff);
}

// A container of these images, padded to 8 bytes each.
template <class Images>
std::string hand_made_container(Images const& images) {
    std::string body;
    for (hand_made_image const& image : images) {
        std::string header(image.header_bytes, '\0');
        std::size_t const padded = (image.payload.size() + 7) / 8 * 8;
        put_number(header, 0, image.kind, 2);
        put_number(header, 2, 0x0101, 2);
        put_number(header, 4, image.header_bytes, 4);
        put_number(header, 8, padded, 8);
        put_number(header, 16, image.payload.size(), 4);
        put_number(header, 28, image.target, 4);
        put_number(header, 40, image.flags, 8);
        put_number(header, 56, image.unpacked_bytes, 8);
        body += header + image.payload + std::string(padded - image.payload.size(), '\0');
    }
    std::string container(16, '\0');
    put_number(container, 0, 0xba55ed50, 4);
    put_number(container, 4, 1, 2);
    put_number(container, 6, 16, 2);
    put_number(container, 8, body.size(), 8);
    return container + body;
}

// A block of literals alone, which is the simplest that LZ4 has.
inline std::string lz4_literals(std::string_view text) {
    std::string block;
    if (text.size() < 15) return std::string(1, static_cast<char>(text.size() << 4)).append(text);
    block += '\xf0';
    std::size_t more = text.size() - 15;
    for (; more >= 255; more -= 255) block += '\xff';
    block += static_cast<char>(more);
    return block.append(text);
}

inline std::span<std::byte const> bytes_of(std::string_view text) { return std::as_bytes(std::span{text}); }

#endif // GPUPROF_TESTS_SUPPORT_FAT_BINARY_BYTES_HPP
