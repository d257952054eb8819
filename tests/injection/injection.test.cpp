// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The injection library as the driver loads it into a program that was built without gpuprof: what it writes, and that the
// program never suffers. The driver and CUPTI are the embedded GPU, as a library.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include "support/scratch_directory.hpp"

namespace {

using nlohmann::json;

struct outcome {
    int status = -1; // as waitpid gives it
    std::string printed;
};

// Runs the program in `directory` with the injection library; `set` is put before the command: "A=1 B=2".
outcome run(std::string const& directory, std::string const& how, std::string const& set = {}) {
    std::string const command = "cd " + directory + " && GPUPROF_CUDA_PATH=" + GPUPROF_TEST_CUDA +
                                " GPUPROF_CUPTI_PATH=" + GPUPROF_TEST_CUDA +
                                " CUDA_INJECTION64_PATH=" + GPUPROF_TEST_INJECTION +
                                " GPUPROF_TRACE_FILE=trace.json GPUPROF_TRACE_KINDS=default,driver " + set +
                                " timeout 120 " + GPUPROF_TEST_PROGRAM + " " + GPUPROF_TEST_CUDA + " " + how + " 2>&1";
    outcome all;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    char part[4096];
    while (auto const count = std::fread(part, 1, sizeof part, pipe)) all.printed.append(part, count);
    all.status = ::pclose(pipe);
    return all;
}

bool ended_well(outcome const& of) {
    return WIFEXITED(of.status) && WEXITSTATUS(of.status) == 0 && of.printed.find("done\n") != std::string::npos;
}

// Strict: nothing but JSON from the beginning to the end.
json read(std::string const& path) {
    std::ifstream file{path};
    REQUIRE(file.good());
    return json::parse(file);
}

// How many events there are of a name and category.
std::size_t count(json const& trace, std::string const& category, std::string const& name = {}) {
    std::size_t number = 0;
    for (auto const& event : trace.at("traceEvents"))
        if (event.value("ph", "") == "X" && event.value("cat", "") == category &&
            (name.empty() || event.at("name") == name))
            ++number;
    return number;
}

} // namespace

TEST_CASE("a program without gpuprof is traced: its kernels, copies, sets and calls") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "exit");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const trace = read(scratch.path() + "/trace.json");
    CHECK(count(trace, "kernel") == 5);
    CHECK(count(trace, "kernel", "first") == 3);
    CHECK(count(trace, "kernel", "second") == 2);
    CHECK(count(trace, "driver", "cuLaunchKernel") == 5);
    CHECK(count(trace, "driver", "cuMemcpyHtoD_v2") == 1);
    CHECK(count(trace, "copy", "copy host to device") == 1);
    CHECK(count(trace, "set") == 1);
    // Each kernel's arrow begins inside the call that launched it.
    std::map<std::string, std::string> started_by; // flow's id: name of the call
    std::size_t arrows = 0;
    for (auto const& event : trace.at("traceEvents"))
        if (event.value("ph", "") == "X" && event.value("cat", "") == "driver") {
            std::ostringstream id;
            id << "0x" << std::hex << event.at("args").at("correlation").get<unsigned>();
            started_by[id.str()] = event.at("name");
        }
    for (auto const& event : trace.at("traceEvents"))
        if (event.value("ph", "") == "f" && started_by.at(event.at("id")) == "cuLaunchKernel") ++arrows;
    CHECK(arrows == 5);
    CHECK(scratch.files() == 1);
}

TEST_CASE("a program that calls _exit or is killed leaves a whole file of what was flushed") {
    for (char const* const how : {"_exit", "kill"}) {
        scratch_directory const scratch;
        auto const ran = run(scratch.path(), how, "GPUPROF_TRACE_FLUSH_MS=50");
        INFO(ran.printed);
        auto const trace = read(scratch.path() + "/trace.json");
        CHECK(count(trace, "kernel") >= 5);
    }
}

TEST_CASE("the child of a fork leaves the file to its parent") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "fork");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const trace = read(scratch.path() + "/trace.json");
    CHECK(count(trace, "kernel", "first") == 7);
}

TEST_CASE("eight threads that launch are traced whole") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "threads");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const trace = read(scratch.path() + "/trace.json");
    CHECK(count(trace, "kernel", "first") == 803);
}

TEST_CASE("a program may use CUDA after the trace has ended") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "late");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const trace = read(scratch.path() + "/trace.json");
    CHECK(count(trace, "kernel") == 5);
}

TEST_CASE("what cannot be traced is said in one line, and the program runs") {
    std::pair<char const*, char const*> const cases[] = {
        {"GPUPROF_TRACE_FILE=/nonexistent/trace.json", "io"},
        {"GPUPROF_TRACE_FILE=trace.xml", "its ending says no format"},
        {"GPUPROF_TRACE_KINDS=kernels", "no kind of activity records has this name"},
        {"GPUPROF_TRACE_KINDS=kernel,serial_kernel", "CUPTI does not record these two together"},
        {"GPUPROF_TRACE_BUFFERS=none", "it is no number in the range"},
        {"GPUPROF_FAULT=cuptiActivityRegisterCallbacks:1:39", "the program runs on without a trace"}, // in use
        {"GPUPROF_FAULT=cuptiActivityEnable:1:15 GPUPROF_TRACE_KINDS=kernel", "cuptiActivityEnable"}};
    for (auto const& [set, words] : cases) {
        scratch_directory const scratch;
        auto const ran = run(scratch.path(), "exit", set);
        INFO(set, "\n", ran.printed);
        CHECK(ended_well(ran));
        CHECK(ran.printed.find(words) != std::string::npos);
        CHECK(ran.printed.find("gpuprof: the program runs on without a trace: ") == 0);
        CHECK(std::count(ran.printed.begin(), ran.printed.end(), '\n') == 2); // and "done"
        CHECK(scratch.files() == 0);
    }
}

TEST_CASE("the file's name holds the number of the process where it says so") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "exit", "GPUPROF_TRACE_FILE=t-%p-100%%.json");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    std::string const name = std::filesystem::directory_iterator { scratch.path() } -> path().filename().string();
    CHECK(name.starts_with("t-"));
    CHECK(name.ends_with("-100%.json"));
    CHECK(name.substr(2, name.size() - 12).find_first_not_of("0123456789") == std::string::npos);
}
