// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// text/printable.hpp: what came from outside does no harm to a message.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <gpuprof/text/printable.hpp>

namespace printable_test {

using gpuprof::detail::printable;
using gpuprof::detail::printable_path;

TEST_CASE("a text without control characters is shown as it is, bytes beyond ASCII included") {
    CHECK(printable("sm__inst_executed.sum") == "sm__inst_executed.sum");
    CHECK(printable("caf\xc3\xa9 ~") == "caf\xc3\xa9 ~");
    CHECK(printable("").empty());
}

TEST_CASE("each control character is shown as a question mark") {
    CHECK(printable("a\nb\tc\x1b[31m\x7f") == "a?b?c?[31m?");
    CHECK(printable(std::string_view{"a\0b", 3}) == "a?b");
}

TEST_CASE("a long text is cut, and says how long it was") {
    CHECK(printable(std::string(96, 'x')) == std::string(96, 'x'));
    CHECK(printable(std::string(97, 'x')) == std::string(96, 'x') + "... (97 characters)");
    CHECK(printable("abcdef", 3) == "abc... (6 characters)");
    CHECK(printable_path(std::string(200, '/')) == std::string(200, '/'));
    CHECK(printable_path(std::string(10'000, '/')) == std::string(200, '/') + "... (10000 characters)");
}

} // namespace printable_test
