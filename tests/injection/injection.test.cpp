// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The injection library as the driver loads it into a program that was built without gpuprof: what it writes, and that the
// program never suffers. The driver and CUPTI are the embedded GPU, as a library.
#include <algorithm>
#include <chrono>
#include <cstdint>
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

namespace injection_test {

namespace {

using nlohmann::json;

struct outcome {
    int status = -1; // as waitpid gives it
    std::string printed;
};

// What lets the program load the injection library.
std::string environment() {
    return std::string{"GPUPROF_CUDA_PATH="} + GPUPROF_TEST_CUDA + " GPUPROF_CUPTI_PATH=" + GPUPROF_TEST_CUDA +
           " CUDA_INJECTION64_PATH=" + GPUPROF_TEST_INJECTION + " GPUPROF_TRACE_KINDS=default,driver";
}

// Runs the program in `directory` with the injection library; `set` is put before the command: "A=1 B=2".
outcome run(std::string const& directory, std::string const& how, std::string const& set = {}) {
    std::string const command = "cd " + directory + " && " + environment() + " GPUPROF_TRACE_FILE=trace.json " + set +
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
    // In the child of an instrumented program, what only threads of the parent pointed at would be called a leak.
    auto const ran = run(scratch.path(), "fork", "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0");
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

TEST_CASE("threads have the names that the system has for them, and every arrow has both of its ends") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "named", "GPUPROF_TRACE_FLUSH_MS=50");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const trace = read(scratch.path() + "/trace.json");
    std::size_t named = 0;
    std::map<std::string, int> ends; // of arrows
    for (auto const& event : trace.at("traceEvents")) {
        std::string const phase = event.value("ph", "");
        if (phase == "M" && event.at("name") == "thread_name")
            named += event.at("args").at("name") == "loader 7" ? 1 : 0;
        if (phase == "s") ++ends[event.at("id")];
        if (phase == "f") --ends[event.at("id")];
    }
    CHECK(named == 1);
    CHECK(ends.size() >= 4); // kernels; calls that started nothing have no arrow
    for (auto const& arrow : ends) CHECK_MESSAGE(arrow.second == 0, "arrow " << arrow.first);
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
        {"GPUPROF_TRACE_FILE=/nonexistent/trace.csv", "io"},
        {"GPUPROF_TRACE_FILE=trace.xml", "its ending says no format"},
        {"GPUPROF_TRACE_KINDS=kernels", "no kind of activity records has this name"},
        {"GPUPROF_TRACE_KINDS=kernel,serial_kernel", "CUPTI does not record these two together"},
        {"GPUPROF_TRACE_BUFFERS=none", "it is no number in the range"},
        {"GPUPROF_FAULT=cuptiActivityRegisterCallbacks:1:39", "the program runs on without a trace"}, // in use
        {"GPUPROF_FAULT=cuptiActivityEnable:1:15 GPUPROF_TRACE_KINDS=kernel", "cuptiActivityEnable"}};
    for (auto const& each : cases) {
        auto const& set = each.first; // clang: no structured binding in a message
        auto const& words = each.second;
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

TEST_CASE("what has no room in the buffers is lost, and the number that is lost is said") {
    scratch_directory const scratch;
    auto const ran =
        run(scratch.path(), "many",
            "GPUPROF_TRACE_BUFFERS=1 GPUPROF_TRACE_KINDS=kernel GPUPROF_TRACE_FILE=t.ndjson GPUPROF_TRACE_TABLE=0");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    std::size_t kernels = 0, lost = 0;
    std::ifstream file{scratch.path() + "/t.ndjson"};
    for (std::string line; std::getline(file, line);) kernels += json::parse(line).at("record") == "kernel";
    if (auto const at = ran.printed.find("; "); at != std::string::npos) {
        CHECK(ran.printed.find(" lost for want of buffers (GPUPROF_TRACE_BUFFERS)") != std::string::npos);
        lost = std::stoul(ran.printed.substr(at + 2));
    }
    CHECK(kernels + lost == GPUPROF_MANY_LAUNCHES + 2); // `second` ran twice
}

TEST_CASE("a trace that the disk has no room for ends after a whole record, and that is said") {
    if (std::system("unshare -m sh -c 'mount -t tmpfs tmpfs /mnt' 2>/dev/null") != 0) {
        MESSAGE("skipped: no small disk can be made here");
        return;
    }
    for (char const* const ending : {"json", "ndjson", "csv"}) {
        scratch_directory const scratch;
        std::string const at = scratch.path(), name = std::string{"t."} + ending;
        // In a name space of its own: a disk of 256 KiB, of which the files are copied.
        std::string const command =
            "cd " + at + " && mkdir small && unshare -m sh -c 'mount -t tmpfs -o size=256k tmpfs small && " +
            environment() + " GPUPROF_TRACE_FLUSH_MS=20 GPUPROF_TRACE_TABLE=0 GPUPROF_TRACE_FILE=small/" + name + " " +
            GPUPROF_TEST_PROGRAM + " " + GPUPROF_TEST_CUDA + " many; cp small/* .' >said 2>&1";
        REQUIRE(std::system(command.c_str()) == 0);
        std::ifstream file{at + "/said"};
        std::string const said{std::istreambuf_iterator<char>{file}, {}};
        INFO(ending, "\n", said);
        CHECK(said.find("done\n") != std::string::npos);
        CHECK(said.find(" ends early: io: write small/") != std::string::npos);
        CHECK(said.find("No space left on device") != std::string::npos);
        CHECK(said.find("wrote ") == std::string::npos);
        if (std::string{ending} == "json") CHECK(count(read(at + "/t.json"), "kernel") > 100);
        std::ifstream lines{at + (std::string{ending} == "csv" ? "/t.kernel.csv" : "/" + name)};
        std::string line;
        std::size_t read_lines = 0, columns = 0;
        while (std::getline(lines, line)) {
            ++read_lines;
            CHECK_FALSE(lines.eof()); // the last line has its end
            if (std::string{ending} == "ndjson") CHECK(json::accept(line));
            if (std::string{ending} != "csv") continue;
            auto const commas = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
            if (columns == 0) columns = commas;
            CHECK(commas == columns);
        }
        CHECK(read_lines > 100);
    }
}

TEST_CASE("a table of kernels and copies is printed unless it is turned off") {
    scratch_directory const scratch;
    auto const with = run(scratch.path(), "exit");
    CHECK(with.printed.find("\nkernel  count  total us") != std::string::npos);
    CHECK(with.printed.find("\nfirst       3 ") != std::string::npos);
    CHECK(with.printed.find("\nhost to device      1 ") != std::string::npos);
    auto const without = run(scratch.path(), "exit", "GPUPROF_TRACE_TABLE=0");
    INFO(without.printed);
    CHECK(std::count(without.printed.begin(), without.printed.end(), '\n') == 2); // "done" and the file
    CHECK(without.printed.find(" events to trace.json") != std::string::npos);
}

TEST_CASE("the ending of the file's name chooses lines of JSON, or a table for each kind of record") {
    scratch_directory const scratch;
    auto const lines = run(scratch.path(), "exit", "GPUPROF_TRACE_FILE=t.ndjson");
    INFO(lines.printed);
    REQUIRE(ended_well(lines));
    std::map<std::string, int> records;
    std::ifstream file{scratch.path() + "/t.ndjson"};
    for (std::string line; std::getline(file, line);) ++records[json::parse(line).at("record")];
    CHECK(records["kernel"] == 5);
    CHECK(records["memcpy"] == 1);
    CHECK(records["memset"] == 1);

    auto const tables = run(scratch.path(), "exit", "GPUPROF_TRACE_FILE=t.csv");
    INFO(tables.printed);
    REQUIRE(ended_well(tables));
    CHECK(tables.printed.find(" records to t.*.csv") != std::string::npos);
    auto const rows = [&](char const* name) {
        std::ifstream table{scratch.path() + '/' + name};
        std::string line;
        int count = -1; // the names of the columns
        while (std::getline(table, line)) ++count;
        return count;
    };
    CHECK(rows("t.kernel.csv") == 5);
    CHECK(rows("t.memcpy.csv") == 1);
    CHECK(rows("t.memset.csv") == 1);
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

TEST_CASE(
    "a CUDA program without a GPU is traced by the embedded GPU's own driver library: kernels, copies and calls") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    std::string const program = std::string{"cd "} + at + " && LD_LIBRARY_PATH=" + GPUPROF_TEST_EMBEDDED_FOLDER + ' ';
    std::string const traced = std::string{"GPUPROF_TRACE_FILE=trace.json CUDA_INJECTION64_PATH="};
    REQUIRE(std::system((program + traced + GPUPROF_TEST_INJECTION + ' ' + GPUPROF_TEST_RUNTIME_PROGRAM + " >said 2>&1")
                            .c_str()) == 0);
    auto const trace = read(at + "/trace.json");
    CHECK(count(trace, "kernel", "scale") == 2);
    CHECK(count(trace, "copy", "copy host to device") == 1);
    CHECK(count(trace, "copy", "copy device to host") == 1);
    CHECK(count(trace, "driver", "cuLaunchKernelEx") == 2);
    CHECK(count(trace, "driver", "cuMemcpyHtoD_v2") == 1);
    // What cannot be loaded is told, and the program runs.
    for (char const* const absent : {"/nonexistent.so", GPUPROF_TEST_EMBEDDED}) {
        CHECK(std::system(
                  (program + "CUDA_INJECTION64_PATH=" + absent + ' ' + GPUPROF_TEST_RUNTIME_PROGRAM + " >said 2>&1")
                      .c_str()) == 0);
        std::ifstream file{at + "/said"};
        std::string const said{std::istreambuf_iterator<char>{file}, {}};
        CHECK(said.find(std::string{"gpuprof: CUDA_INJECTION64_PATH: "} + absent) != std::string::npos);
        CHECK(said.find("PASSED\n") != std::string::npos);
    }
}

TEST_CASE("without a GPU, a trace has the host's time, and kernels take the model's") {
    struct span {
        std::uint64_t start, end;
    };
    auto const kernels_with = [](std::string const& clock) {
        scratch_directory const scratch;
        std::string const command = "cd " + scratch.path() + " && GPUPROF_SIM_CLOCK=" + clock +
                                    " GPUPROF_TRACE_FILE=t.ndjson CUDA_INJECTION64_PATH=" + GPUPROF_TEST_INJECTION +
                                    ' ' + GPUPROF_TEST_PROGRAM + ' ' + GPUPROF_TEST_EMBEDDED + " pause >said 2>&1";
        REQUIRE(std::system(command.c_str()) == 0);
        std::vector<span> kernels;
        std::ifstream file{scratch.path() + "/t.ndjson"};
        for (std::string line; std::getline(file, line);) {
            json const record = json::parse(line);
            if (record.at("record") == "kernel") kernels.push_back({record.at("start"), record.at("end")});
        }
        REQUIRE(kernels.size() == 6);
        return kernels;
    };
    auto const now = [] {
        return static_cast<std::uint64_t>(
            std::chrono::nanoseconds{std::chrono::system_clock::now().time_since_epoch()}.count());
    };
    std::uint64_t const before = now(), pause = 300'000'000;
    auto const host = kernels_with("host");
    std::uint64_t const after = now();
    auto const model = kernels_with("model");
    for (std::size_t i = 0; i < host.size(); ++i) {
        CHECK(host[i].end - host[i].start == model[i].end - model[i].start);
        if (i > 0) CHECK(host[i].start >= host[i - 1].end);
    }
    CHECK(host.front().start >= before);
    CHECK(host.back().end <= after);
    CHECK(host[5].start - host[4].end >= pause); // the program slept
    CHECK(model[5].start - model[4].end < pause);
    CHECK(model.front().start < 2'000'000'000); // the model begins at one second
}

} // namespace injection_test
