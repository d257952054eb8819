// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `gpuprof explain` from end to end: programs of the CUDA runtime on the embedded GPU, and measurements that were kept.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include "runtime_calls.hpp"
#include "support/scratch_directory.hpp"

namespace explain_command_test {

using nlohmann::json;

static std::string text_of(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}
// Strict: nothing but JSON from the beginning to the end.
static json read(std::string const& path) {
    std::ifstream file{path};
    REQUIRE(file.good());
    return json::parse(file);
}
static bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

struct outcome {
    int status = -1; // as a shell tells it: 128 and the number of the signal for a program that is killed
    std::string printed, told;
};
// Runs gpuprof explain in the folder, which has its temporary files, too.
static outcome explain(std::string const& folder, std::string const& words) {
    std::string const command = "cd " + folder +
                                " && mkdir -p tmp && env -u GPUPROF_CHIP -u GPUPROF_DEVICE TMPDIR=" + folder + "/tmp " +
                                GPUPROF_TEST_COMMAND + " explain " + words + " >out 2>err </dev/null; exit $?";
    int const status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder + "/out"), text_of(folder + "/err")};
}
static std::string program(std::string const& how = {}) {
    return std::string{"--on embedded -- "} + GPUPROF_TEST_PROGRAM + ' ' + how;
}

TEST_CASE("gpuprof explain tells what it found of a program's kernels when the program has ended") {
    scratch_directory const scratch;
    outcome const of = explain(scratch.path(), program());
    CHECK(of.status == 0);
    CHECK(of.printed == "PASSED\n"); // the program's own
    CHECK(of.told.starts_with("gpuprof: 1 of 2 launches measured\n"));
    CHECK(has(of.told, "embedded GPU"));
    CHECK(has(of.told, "\nscale "));
    CHECK(has(of.told, "[small_grid]")); // one block
    CHECK_FALSE(has(of.told, "Registers per thread"));
    CHECK(std::filesystem::is_empty(scratch.path() + "/tmp"));

    outcome const all = explain(scratch.path(), "--all " + program());
    CHECK(has(all.told, "Registers per thread"));
    outcome const other = explain(scratch.path(), "--kernels '^strided' --set full " + program("strided"));
    CHECK(has(other.told, "\nstrided "));
    outcome const none = explain(scratch.path(), "--kernels '^x' " + program());
    CHECK(none.status == 0);
    CHECK(none.told == "gpuprof: no kernel was measured\n");
    CHECK(explain(scratch.path(), program("idle")).told == "gpuprof: no kernel was measured\n");
}

TEST_CASE("a measurement that gpuprof explain kept is explained again with the same values or another set") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    outcome const first = explain(at, "--set full --all --keep kept.json --json first.json " + program());
    REQUIRE(first.status == 0);
    std::string const text = first.told.substr(first.told.find('\n') + 1); // after what the program's process said
    outcome const again = explain(at, "--set full --all --json again.json kept.json");
    CHECK(again.status == 0);
    CHECK(again.told.empty());
    CHECK(again.printed == text);
    CHECK(text_of(at + "/again.json") == text_of(at + "/first.json"));

    outcome const less = explain(at, "--all kept.json");
    CHECK(less.status == 0);
    CHECK(has(text, "Warp states"));
    CHECK_FALSE(has(less.printed, "Warp states"));
    CHECK(has(less.printed, "Registers per thread"));
    outcome const both = explain(at, "kept.json kept.json");
    CHECK(both.status == 0);
    CHECK(both.printed.find("embedded GPU") != both.printed.rfind("embedded GPU"));
}

TEST_CASE("gpuprof explain writes JSON and CSV and a page and each launch that was asked for is a range of them") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    outcome const of = explain(at, "--launch all --json a.json --csv a.csv --page a.html " + program());
    REQUIRE(of.status == 0);
    json const all = read(at + "/a.json");
    REQUIRE(all.at("ranges").size() == 2);
    CHECK(all.at("ranges")[0].at("path") == "scale");
    CHECK(all.at("ranges")[1].at("path") == "scale (launch 2)");
    CHECK(has(text_of(at + "/a.csv"), "scale (launch 2)"));
    CHECK(has(text_of(at + "/a.html"), "<html"));
    CHECK(has(text_of(at + "/a.html"), GPUPROF_TEST_PROGRAM));

    REQUIRE(explain(at, "--keep before.json " + program()).status == 0);
    outcome const compared = explain(at, "--page b.html --baseline before.json " + program());
    CHECK(compared.status == 0);
    CHECK(has(text_of(at + "/b.html"), "before"));
    CHECK_FALSE(has(text_of(at + "/a.html"), "before.json"));
}

// The line that the last .loc before an instruction of the program's PTX says: ":14".
static std::string line_of(std::string_view instruction) {
    std::string_view const ptx = registered_program::text;
    std::size_t const at = ptx.find(instruction);
    REQUIRE(at != ptx.npos);
    std::string_view const line = ptx.substr(ptx.rfind(".loc 1 ", at) + 7);
    return ':' + std::string{line.substr(0, line.find(' '))};
}
static std::string apart() { return "lined.cu" + line_of("// apart"); }
static json lines_of(json const& all, std::string const& finding) {
    for (json const& each : all.at("findings"))
        if (each.at("id") == finding) return each.at("lines");
    return {};
}

TEST_CASE("gpuprof explain names the line of a finding and shows the source of its kernel") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    outcome const of = explain(at, "--set full --json a.json --page a.html --keep kept.json " + program("lined"));
    REQUIRE(of.status == 0);
    CHECK(lines_of(read(at + "/a.json"), "uncoalesced_global_access") == json::array({apart()}));
    CHECK(has(of.told, "At " + apart()));
    CHECK(has(of.told, "\nLines of source: instructions of all launches, sampled and counted\n"));
    CHECK(has(of.told, "/src/lined.cu")); // the table of lines
    std::string const page = text_of(at + "/a.html");
    CHECK(has(page, "<table class=\"source\">"));
    CHECK(has(page, "st.global.u32 [%rd3], %r1"));
    CHECK(has(page, apart()));

    // Kept lines serve a measurement that is explained again.
    REQUIRE(explain(at, "--set full --json again.json kept.json").status == 0);
    CHECK(text_of(at + "/again.json") == text_of(at + "/a.json"));
    REQUIRE(std::filesystem::remove(at + "/kept.json.lines"));
    outcome const without = explain(at, "--set full --json again.json kept.json");
    CHECK(has(without.printed, "\nLines of source: none were kept with the measurement"));
    CHECK(lines_of(read(at + "/again.json"), "uncoalesced_global_access").empty());
}

TEST_CASE("gpuprof explain says why there are no lines of source") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    outcome const ptx = explain(at, "--set full " + program("strided"));
    CHECK(has(ptx.told, "; these are lines of PTX, since"));
    outcome const none = explain(at, "--set full --lines none --json a.json " + program("lined"));
    CHECK(has(none.told, "\nLines of source: none were asked for\n"));
    CHECK(lines_of(read(at + "/a.json"), "uncoalesced_global_access").empty());
    CHECK(has(explain(at, "--lines auto " + program("killed")).told, "the program ended before it had written them"));
    CHECK(explain(at, "--lines all " + program()).status == 2);
}

TEST_CASE("gpuprof explain runs a program again for lines that a GPU cannot count while it is measured") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    outcome const sampled = explain(at, "--set full --lines sampled --json a.json " + program("blocks"));
    CHECK(sampled.status == 0);
    CHECK(sampled.printed == "PASSED\n"); // of the first run alone
    CHECK(has(sampled.told, "gpuprof: the program runs once more, its instructions sampled\n"));
    CHECK(has(sampled.told, "\nLines of source: instructions of all launches, sampled"));
    CHECK_FALSE(has(sampled.told, "each instruction counted"));
    outcome const counted = explain(at, "--set full --lines counted --json a.json " + program("lined"));
    CHECK(has(counted.told, "gpuprof: the program runs once more, each instruction counted\n"));
    CHECK(lines_of(read(at + "/a.json"), "uncoalesced_global_access") == json::array({apart()}));
    outcome const killed = explain(at, "--lines sampled " + program("killed"));
    CHECK(killed.status == 128 + 9);
    CHECK(has(killed.told, "when the program was run again, it ended with status 137"));
}

TEST_CASE("gpuprof explain passes the program's status on and explains what ran before") {
    for (auto const& each : {std::pair{"fault", 1}, {"quick", 4}, {"killed", 128 + 9}}) {
        char const* const how = each.first;
        int const status = each.second;
        CAPTURE(how);
        scratch_directory const scratch;
        outcome const of = explain(scratch.path(), program(how));
        CHECK(of.status == status);
        CHECK(has(of.told, "\nscale "));
    }
}

TEST_CASE("gpuprof explain refuses what means nothing before anything runs") {
    std::pair<char const*, char const*> const cases[]{
        {"", "name the program"},
        {"--set basics -- true", "--set is basic, detailed, full, roofline or links, not "},
        {"--sett basic -- true", "perhaps --set"},
        {"--kernels '(' -- true", "is no regular expression"},
        {"--launch 0 -- true", "--launch is first, all or a number from 1, not "},
        {"--lines all -- true", "--lines is auto, sampled, counted or none, not "},
        {"--most 0 -- true", "--most is a number from 1 to 65536"},
        {"--baseline b.json -- true", "name its file, --page FILE"},
        {"--page p.html --baseline absent.json -- true", "absent.json"},
        {"--page /nonexistent/p.html -- true", "/nonexistent/p.html cannot be written"},
        {"--chip gz100 -- true", "gz100"},
        {"other.json", "other.json"},
        {"other.json --all", "options stand before the files: --all"},
    };
    for (auto const& each : cases) {
        char const* const words = each.first;
        CAPTURE(words);
        scratch_directory const scratch;
        std::ofstream{scratch.path() + "/other.json"} << "{\"a\": 1}\n";
        outcome const of = explain(scratch.path(), words);
        CHECK(of.status == 2);
        CHECK(has(of.told, each.second));
        CHECK(of.printed.empty());
    }
    scratch_directory const scratch;
    CHECK(explain(scratch.path(), "-- ./absent").status == 127);
}

} // namespace explain_command_test
