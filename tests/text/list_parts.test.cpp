// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/text/list_parts.hpp>

namespace list_parts_test {

using parts = std::vector<std::string_view>;

TEST_CASE("a list's parts lie between separators, and empty ones are left out") {
    using gpuprof::detail::list_parts;
    CHECK(list_parts("").empty());
    CHECK(list_parts(",,").empty());
    CHECK(list_parts("memory") == parts{"memory"});
    CHECK(list_parts(",memory,,races,") == parts{"memory", "races"});
    CHECK(list_parts("/bin:/usr/bin", ':') == parts{"/bin", "/usr/bin"});
}

} // namespace list_parts_test
