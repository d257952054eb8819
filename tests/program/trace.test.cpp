// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `gpuprof trace` from end to end: a program of the CUDA runtime on the embedded GPU, and the file that it leaves.
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include "support/scratch_directory.hpp"

namespace trace_test {

using nlohmann::json;

// Strict: nothing but JSON from the beginning to the end.
static json read(std::string const& path) {
    std::ifstream file{path};
    REQUIRE(file.good());
    return json::parse(file);
}
static std::string text_of(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// Runs gpuprof trace in the folder; its output is in the files "out" and "err" there.
// @return the status as a shell tells it: 128 and the number of the signal for a program that is killed
static int trace(std::string const& folder, std::string const& options, std::string const& arguments = {}) {
    std::string const command = "cd " + folder + " && env -u GPUPROF_CHIP -u GPUPROF_DEVICE " + GPUPROF_TEST_COMMAND +
                                " trace --on embedded " + options + " -- " + GPUPROF_TEST_PROGRAM + ' ' + arguments +
                                " >out 2>err </dev/null; exit $?";
    int const status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static std::size_t count(json const& trace, std::string const& category, std::string const& name) {
    std::size_t number = 0;
    for (auto const& event : trace.at("traceEvents"))
        if (event.value("ph", "") == "X" && event.value("cat", "") == category && event.at("name") == name) ++number;
    return number;
}

TEST_CASE("gpuprof trace leaves the kernels and copies of a program of the runtime, whose output is its own") {
    scratch_directory const scratch;
    CHECK(trace(scratch.path(), "--output t.json") == 0);
    auto const traced = read(scratch.path() + "/t.json");
    CHECK(count(traced, "kernel", "scale") == 2);
    CHECK(count(traced, "copy", "copy host to device") == 1);
    CHECK(count(traced, "copy", "copy device to host") == 1);
    CHECK(text_of(scratch.path() + "/out") == "PASSED\n");
    CHECK(text_of(scratch.path() + "/err").find("scale") != std::string::npos); // the table
}

TEST_CASE("gpuprof trace passes the program's status on, and a trace of what ran before is whole") {
    for (auto const& each : {std::pair{"fault", 1}, {"quick", 4}}) {
        char const* const how = each.first;
        int const status = each.second;
        CAPTURE(how);
        scratch_directory const scratch;
        CHECK(trace(scratch.path(), "--no-table --output t.json", how) == status);
        CHECK(count(read(scratch.path() + "/t.json"), "kernel", "scale") == 2);
    }
}

TEST_CASE("a program that is killed under gpuprof trace leaves a whole file of what was flushed") {
    scratch_directory const scratch;
    CHECK(trace(scratch.path(), "--flush 20 --output t.json", "killed") == 128 + 9);
    CHECK(count(read(scratch.path() + "/t.json"), "kernel", "scale") == 2);
    CHECK(trace(scratch.path(), "--flush 60000 --output t.json", "killed") == 128 + 9);
    CHECK(count(read(scratch.path() + "/t.json"), "kernel", "scale") == 0);
}

} // namespace trace_test
