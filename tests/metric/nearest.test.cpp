// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nearest.hpp: which known names are offered for an unknown one, and the error that does so.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/metric/nearest.hpp>

namespace nearest_test {

using gpuprof::nearest;
using gpuprof::detail::edit_distance;

namespace {

std::vector<std::string> const known = {"dram__bytes",      "dram__bytes_read",    "dram__bytes_write",
                                        "pcie__read_bytes", "sm__inst_executed",   "sm__inst_issued",
                                        "sm__warps_active", "smsp__inst_executed", "gpu__time_duration"};
std::vector<std::string> const roll_ups = {".sum", ".avg", ".min", ".max"};

std::string first(std::string_view name) {
    std::array<std::string_view, 3> best;
    auto const found = nearest(name, known, best);
    return found.empty() ? std::string{} : std::string{found.front()};
}

} // namespace

// By hand: the textbook pairs, and swapping two neighbours as one step.
static_assert(edit_distance("kitten", "sitting") == 3);
static_assert(edit_distance("", "warp") == 4);
static_assert(edit_distance("warp", "") == 4);
static_assert(edit_distance("warp", "warp") == 0);
static_assert(edit_distance("warp", "wapr") == 1);
static_assert(edit_distance("ca", "abc") == 3); // alignment, not unrestricted moves

TEST_CASE("the edit distance is the same both ways and bounded by the longer name") {
    for (std::string const& a : known)
        for (std::string const& b : known) {
            CHECK(edit_distance(a, b) == edit_distance(b, a));
            CHECK(edit_distance(a, b) <= (a.size() > b.size() ? a.size() : b.size()));
            CHECK((edit_distance(a, b) == 0) == (a == b));
        }
}

TEST_CASE("a slip of the finger finds the name meant") {
    CHECK(first("sm__inst_execute") == "sm__inst_executed");
    CHECK(first("sm__isnt_executed") == "sm__inst_executed");
    CHECK(first("sm_warps_active") == "sm__warps_active");
    CHECK(first("gpu__time_durationn") == "gpu__time_duration");
}

TEST_CASE("the right words in the wrong order weigh more than alike characters") {
    // Four characters away from pcie__read_bytes, ten from dram__bytes_read.
    CHECK(edit_distance("dram__read_bytes", "pcie__read_bytes") <
          edit_distance("dram__read_bytes", "dram__bytes_read"));
    std::vector<std::string> const both = {"pcie__read_bytes", "dram__bytes_read"};
    std::array<std::string_view, 1> best;
    auto const found = nearest("dram__read_bytes", both, best);
    REQUIRE(found.size() == 1);
    CHECK(found[0] == "dram__bytes_read");
    CHECK(first("sm__executed_inst") == "sm__inst_executed");
}

TEST_CASE("results are ordered, and no more than there is room for") {
    std::array<std::string_view, 2> best;
    auto const found = nearest("dram__bytes_writ", known, best);
    REQUIRE(found.size() == 2);
    CHECK(found[0] == "dram__bytes_write");
    CHECK(found[1] != found[0]);
    CHECK(nearest("dram__bytes_writ", known, {}).empty());

    std::array<std::string_view, 20> room;
    CHECK(nearest("dram__bytes", std::vector<std::string>(20, "dram__bytes"), room).size() == 8);
}

TEST_CASE("nothing is offered for what is like nothing, empty or too long") {
    CHECK(first("") == "");
    CHECK(first("hello") == "");
    CHECK(first(std::string(gpuprof::longest_comparable_name + 1, 's')) == "");
    CHECK(first(std::string(10'000, 's')) == "");
    CHECK(first(std::string(gpuprof::longest_comparable_name, '_')) == "");
    std::array<std::string_view, 3> best;
    CHECK(nearest("sm", std::vector<std::string>{}, best).empty());
    CHECK(nearest("sm", std::vector<std::string>{"", std::string(10'000, 's')}, best).empty());
}

TEST_CASE("the error names what is wrong: the base, or what follows it") {
    auto const base = gpuprof::unknown_metric("sm__inst_execute.sum", "this device", known, roll_ups);
    CHECK(base.code == gpuprof::errc::unknown_metric);
    CHECK(base.what == "sm__inst_execute.sum");
    CHECK(base.cause == "this device has no sm__inst_execute");
    CHECK(base.remedy.starts_with("perhaps sm__inst_executed.sum"));

    auto const rest = gpuprof::unknown_metric("sm__inst_executed.smu", "this device", known, roll_ups);
    CHECK(rest.cause == "this device has sm__inst_executed, but not with .smu");
    CHECK(rest.remedy == "perhaps sm__inst_executed.sum");
}

TEST_CASE("the error stays readable for any input") {
    for (std::string const& name : {std::string{}, std::string{"sm__\0\n\x7f.sum", 11}, std::string(10'000, 'a'),
                                    std::string(10'000, '.'), "sm__inst_executed." + std::string(10'000, 's')}) {
        auto const why = gpuprof::unknown_metric(name, "GH100", known, roll_ups);
        CHECK(why.code == gpuprof::errc::unknown_metric);
        CHECK(why.message().size() < 600);
        CHECK_FALSE(why.what.empty());
        CHECK_FALSE(why.remedy.empty());
        for (char const c : why.message()) CHECK(static_cast<unsigned char>(c) >= 0x20);
    }
}

TEST_CASE("an unknown name is one error: the name fit for a line, the cause, and the nearest names or where they are") {
    std::string_view const known[]{"gld_request", "gst_request", "branch"};
    auto const near = gpuprof::unknown_name("gld_requests", "GM200 has no such event", known);
    CHECK(near.code == gpuprof::errc::unknown_metric);
    CHECK(near.what == "gld_requests");
    CHECK(near.cause == "GM200 has no such event");
    CHECK(near.remedy.starts_with("perhaps gld_request"));
    CHECK(gpuprof::unknown_name("xyz", "why", known).remedy == "list the names that it has");
    CHECK(gpuprof::unknown_name("gld_requests", "why", known, "ask for it").remedy == "ask for it");
    CHECK(gpuprof::unknown_name("", "why", known).what == "an empty name");
    CHECK(gpuprof::unknown_name("a\nb", "why", known).what == "a?b");
    CHECK(gpuprof::unknown_name(std::string(10'000, 'x'), "why", known).what.size() < 200);
}

} // namespace nearest_test
