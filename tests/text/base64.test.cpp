// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// text/base64.hpp: the test vectors of RFC 4648, all bytes, and what is no such text.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/text/base64.hpp>

namespace base64_test {

using bytes = std::vector<std::uint8_t>;
using gpuprof::detail::bytes_of_base64;

namespace {

bytes of(std::string_view text) { return {text.begin(), text.end()}; }
std::string written(bytes const& what) {
    std::string text;
    gpuprof::detail::add_base64(text, what);
    return text;
}

} // namespace

TEST_CASE("base64: the test vectors of RFC 4648 are written and read") {
    struct vector {
        char const* plain;
        char const* coded;
    };
    for (vector const& each : {vector{"", ""}, vector{"f", "Zg=="}, vector{"fo", "Zm8="}, vector{"foo", "Zm9v"},
                               vector{"foob", "Zm9vYg=="}, vector{"fooba", "Zm9vYmE="}, vector{"foobar", "Zm9vYmFy"}}) {
        CAPTURE(std::string{each.plain});
        CHECK(written(of(each.plain)) == each.coded);
        auto const read = bytes_of_base64(each.coded);
        REQUIRE(read);
        CHECK((*read == of(each.plain)));
    }
    CHECK(written({0xfb, 0xff, 0xbf}) == "+/+/");
}

TEST_CASE("base64: bytes of any value and number read back") {
    bytes all;
    for (std::size_t size = 0; size < 600; ++size) {
        auto const read = bytes_of_base64(written(all));
        REQUIRE(read);
        REQUIRE((*read == all));
        all.push_back(static_cast<std::uint8_t>(size * 7));
    }
}

TEST_CASE("base64: other texts are none") {
    for (char const* const text : {"Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm9v=", "Zm9v\n", "Zm-v", "Zm_v",
                                   "Zm9v Zm9", "Zh==", "Zm9=", "Z=9v", "=m9v", "Zm=v", "\xff\xff\xff\xff"}) {
        CAPTURE(std::string{text});
        CHECK_FALSE(bytes_of_base64(text));
    }
    CHECK_FALSE(bytes_of_base64(std::string_view{"Zm9\0", 4}));
}

} // namespace base64_test
