// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of OpenMP and OpenACC, built by clang and gcc with their own runtimes, load the injection library and are traced:
// the regions, and which of them launched a kernel. Neither compiler offloads here, so the regions are the host's.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "support/sanitized.hpp"
#include "support/scratch_directory.hpp"

namespace directives_test {

using nlohmann::json;

namespace {

// Builds the program in the directory. @return whether there is a compiler that can
bool build(std::string const& directory, char const* compiler, char const* flag, char const* source) {
    if (sanitized) { // the library needs the sanitizer's runtime, which these compilers' programs lack
        MESSAGE("skipped: a sanitizer is on");
        return false;
    }
    std::string const command = std::string{compiler} + ' ' + flag + " -o " + directory + "/program " +
                                GPUPROF_TEST_SOURCES + '/' + source + " -ldl >" + directory + "/built 2>&1";
    if (*compiler != '\0' && std::system(command.c_str()) == 0) return true;
    std::ifstream file{directory + "/built"};
    std::string const said{std::istreambuf_iterator<char>{file}, {}};
    MESSAGE("skipped: no compiler here builds " << source << " with " << flag << ": " << said);
    return false;
}

struct outcome {
    bool ended_well = false;
    std::string printed;
    std::map<std::string, std::vector<json>> records; // by their names
};

outcome run(std::string const& directory, std::string const& set) {
    std::string const library = GPUPROF_TEST_CUDA;
    std::string const command = "cd " + directory + " && GPUPROF_CUDA_PATH=" + library +
                                " GPUPROF_CUPTI_PATH=" + library + " CUDA_INJECTION64_PATH=" + GPUPROF_TEST_INJECTION +
                                " GPUPROF_TRACE_FILE=t.ndjson GPUPROF_TRACE_TABLE=0 " + set +
                                " timeout 120 ./program " + library + " >printed 2>&1";
    outcome all;
    all.ended_well = std::system(command.c_str()) == 0;
    std::ifstream printed{directory + "/printed"}, file{directory + "/t.ndjson"};
    all.printed = {std::istreambuf_iterator<char>{printed}, {}};
    for (std::string line; std::getline(file, line);) {
        auto record = json::parse(line);
        all.records[record.at("record")].push_back(record);
    }
    return all;
}
std::string const openmp = std::string{"OMP_TOOL_LIBRARIES="} + GPUPROF_TEST_INJECTION + ' ';
std::string const openacc = std::string{"ACC_PROFLIB="} + GPUPROF_TEST_INJECTION + ' ';

} // namespace

TEST_CASE("clang's OpenMP runtime is heard: a region of three threads, their tasks and waits, and the launches in it") {
    scratch_directory const scratch;
    if (!build(scratch.path(), GPUPROF_TEST_CLANG, "-fopenmp", "openmp_program.c")) return;
    auto ran = run(scratch.path(), openmp + "GPUPROF_TRACE_KINDS=kernel,driver,openmp");
    INFO(ran.printed);
    REQUIRE(ran.ended_well);
    std::map<std::string, int> events;
    std::set<std::uint64_t> threads;
    json region;
    for (auto const& each : ran.records["openmp"]) {
        ++events[each.at("eventKind")];
        if (each.at("eventKind") == "wait taskwait") threads.insert(each.at("cuThreadId").get<std::uint64_t>());
        if (each.at("eventKind") == "parallel") region = each;
        CHECK(each.at("start") <= each.at("end"));
    }
    CHECK(events["parallel"] == 1);
    CHECK(events["wait taskwait"] == 3);
    CHECK(events["task"] >= 4);         // three explicit ones, and the first thread's own part
    CHECK(events["wait barrier"] >= 3); // the last one of other threads lasts as long as they do
    CHECK(threads.size() == 3);
    CHECK(ran.records["kernel"].size() == 3);
    std::size_t launches = 0;
    std::set<std::uint64_t> launching;
    for (auto const& call : ran.records["api_call"]) {
        if (call.at("cbid") != 307) continue; // cuLaunchKernel
        ++launches;
        launching.insert(call.at("threadId").get<std::uint64_t>());
        CHECK(call.at("start") >= region.at("start"));
        CHECK(call.at("end") <= region.at("end"));
    }
    CHECK(launches == 3);
    CHECK(launching == threads);
}

TEST_CASE("gcc's OpenACC runtime is heard: its constructs, and which of them a kernel was launched in") {
    scratch_directory const scratch;
    if (!build(scratch.path(), GPUPROF_TEST_GCC, "-fopenacc", "openacc_program.c")) return;
    auto ran = run(scratch.path(), openacc + "GPUPROF_TRACE_KINDS=kernel,driver,openacc");
    INFO(ran.printed);
    REQUIRE(ran.ended_well);
    std::map<std::string, json> events;
    for (auto const& each : ran.records["openacc_other"]) events[each.at("eventKind")] = each;
    for (char const* const each : {"device init", "enter data", "compute construct", "update", "exit data"})
        CHECK_MESSAGE(events.count(each) == 1, each);
    auto const& construct = events["compute construct"];
    CHECK(construct.at("parentConstruct") == "parallel");
    CHECK(events["enter data"].at("end") <= construct.at("start"));
    CHECK(construct.at("end") <= events["update"].at("start"));
    auto const& links = ran.records["external_correlation"];
    auto const& kernels = ran.records["kernel"];
    REQUIRE((links.size() == 1 && kernels.size() == 2)); // the second is launched outside of all constructs
    CHECK(links[0].at("externalKind") == 2);             // OPENACC
    CHECK(links[0].at("externalId") == construct.at("externalId"));
    CHECK((links[0].at("correlationId") == kernels[0].at("correlationId")) !=
          (links[0].at("correlationId") == kernels[1].at("correlationId")));
}

TEST_CASE("without kinds, the variables that load the library into a runtime say what is recorded") {
    scratch_directory const scratch;
    if (!build(scratch.path(), GPUPROF_TEST_GCC, "-fopenacc", "openacc_program.c")) return;
    auto ran = run(scratch.path(), openacc);
    INFO(ran.printed);
    REQUIRE(ran.ended_well);
    CHECK(ran.records["openacc_other"].size() >= 5);
    CHECK(ran.records["kernel"].size() == 2);
    CHECK(ran.records["openmp"].empty());
}

TEST_CASE("a runtime that CUPTI cannot hear runs on without a tool, and what keeps it from it is said") {
    scratch_directory const scratch;
    if (build(scratch.path(), GPUPROF_TEST_GCC, "-fopenacc", "openacc_program.c")) {
        auto ran =
            run(scratch.path(), openacc + "GPUPROF_FAULT=cuptiOpenACCInitialize:1:37"); // OPENACC_UNDEFINED_ROUTINE
        INFO(ran.printed);
        CHECK(ran.ended_well);
        CHECK(ran.printed.find("gpuprof: the trace lacks OpenACC: unavailable: ") != std::string::npos);
        CHECK(ran.printed.find("link the OpenACC runtime as a shared library") != std::string::npos);
        CHECK(ran.records["openacc_other"].empty());
        CHECK(ran.records["kernel"].size() == 2);
    }
    if (build(scratch.path(), GPUPROF_TEST_CLANG, "-fopenmp", "openmp_program.c")) {
        auto ran = run(scratch.path(), openmp + "GPUPROF_FAULT=cuptiOpenMpInitialize_v2:1:0"); // OMPT's "no"
        INFO(ran.printed);
        CHECK(ran.ended_well);
        CHECK(ran.records["openmp"].empty());
        CHECK(ran.records["kernel"].size() == 3);
    }
}

} // namespace directives_test
