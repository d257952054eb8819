// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/legacy/asked_name.hpp>

#include <doctest/doctest.h>

namespace asked_name_test {

using gpuprof::legacy::parse_asked_name;

TEST_CASE("a legacy name is told from what stands before and behind it") {
    static_assert(parse_asked_name("ipc").name == "ipc" && parse_asked_name("ipc").instance == -1);
    static_assert(parse_asked_name("legacy:ipc").name == "ipc");
    static_assert(parse_asked_name("legacy:ipc_instance@17").name == "ipc_instance");
    static_assert(parse_asked_name("legacy:ipc_instance@17").instance == 17);
    for (auto const* const odd : {"ipc@", "ipc@x", "ipc@-1", "ipc@12345", "@"}) {
        CAPTURE(odd);
        CHECK(parse_asked_name(odd).name == odd);
        CHECK(parse_asked_name(odd).instance == -1);
    }
    CHECK(parse_asked_name("").name.empty());
    CHECK(parse_asked_name("legacy:").name.empty());
}

} // namespace asked_name_test
