// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of LZ4 blocks. The bytes follow the "LZ4 Block Format Description".
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "sim/image/lz4.hpp"

#include "support/fat_binary_bytes.hpp"

namespace lz4_test {

using namespace std::string_view_literals;

// The text that a block unpacks to, or "refused".
static std::string unpacked(std::string_view block, std::size_t bytes) {
    std::string text(bytes, '?');
    bool const good = gpuprof::sim::image::unpack_lz4(bytes_of(block), std::as_writable_bytes(std::span{text}));
    return good ? text : "refused";
}

TEST_CASE("literals, a match, and a match that overlaps itself") {
    CHECK(unpacked("\x50hello"sv, 5) == "hello");
    CHECK(unpacked("\x30"
                   "abc\x03\x00\x10!"sv,
                   8) == "abcabca!"); // four bytes from three before
    CHECK(unpacked("\x15"
                   "a\x01\x00\x10!"sv,
                   11) == "aaaaaaaaaa!"); // nine bytes from one before
}

TEST_CASE("lengths of 15 and more go on in the bytes that follow") {
    std::string const long_text(300, 'x');
    CHECK(unpacked(lz4_literals(long_text), 300) == long_text);
    // One literal, a match of 4 + 15 + 255 + 1 bytes, one literal.
    CHECK(unpacked("\x1f"
                   "z\x01\x00\xff\x01\x10!"sv,
                   277) == std::string(276, 'z') + '!');
}

TEST_CASE("blocks that do not fill the room exactly, or end within a sequence, are refused") {
    CHECK(unpacked("\x50hello"sv, 4) == "refused");
    CHECK(unpacked("\x50hello"sv, 6) == "refused");
    CHECK(unpacked(""sv, 0) == "refused");
    CHECK(unpacked("\x50hel"sv, 5) == "refused");
    CHECK(unpacked("\xf0\xff"sv, 300) == "refused");
    CHECK(unpacked("\x30"
                   "abc\x03"sv,
                   8) == "refused");
    CHECK(unpacked("\x30"
                   "abc\x03\x00"sv,
                   7) == "refused"); // a match cannot be the last
}

TEST_CASE("a match from before the beginning, or from nowhere, is refused") {
    CHECK(unpacked("\x30"
                   "abc\x04\x00\x10!"sv,
                   8) == "refused");
    CHECK(unpacked("\x30"
                   "abc\x00\x00\x10!"sv,
                   8) == "refused");
}

} // namespace lz4_test
