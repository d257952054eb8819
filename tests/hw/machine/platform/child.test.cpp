// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/child.hpp: what a program prints, and programs that fail, print too much, or do not end.
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/hw/machine/platform/child.hpp>
#include <gpuprof/hw/machine/platform/clock.hpp>

namespace child_test {

#if !GPUPROF_WINDOWS
using gpuprof::platform::output_of;

namespace {
constexpr std::size_t room = 1 << 20;
std::vector<std::string> shell(std::string script) { return {"sh", "-c", std::move(script)}; }
} // namespace

TEST_CASE("a program's output is what it printed, and nothing if it failed or is not there") {
    CHECK(output_of({"printf", "%s-", "a", "b c"}, 20, room) == "a-b c-");
    CHECK(output_of(shell("cat; echo unseen >&2; echo end"), 20, room) == "end\n"); // no input
    CHECK(output_of(shell(":"), 20, room) == "");
    CHECK_FALSE(output_of(shell("echo half; exit 3"), 20, room));
    CHECK_FALSE(output_of(shell("kill -9 $$"), 20, room));
    CHECK_FALSE(output_of({"/no/such/program"}, 20, room));
}

TEST_CASE("a program that prints without end or does not end is killed") {
    CHECK_FALSE(output_of({"yes"}, 20, 100'000));
    std::uint64_t const begin = gpuprof::platform::monotonic_nanoseconds();
    CHECK_FALSE(output_of({"sleep", "60"}, 1, room));
    CHECK(gpuprof::platform::monotonic_nanoseconds() - begin < 30'000'000'000);
}

TEST_CASE("what is preloaded into this process is not into its children") {
    REQUIRE(setenv("LD_PRELOAD", "", 1) == 0); // an empty list loads nothing
    auto const seen = output_of(shell("echo ${LD_PRELOAD-none}"), 20, room);
    unsetenv("LD_PRELOAD");
    CHECK(seen == "none\n");
}
#endif

} // namespace child_test
