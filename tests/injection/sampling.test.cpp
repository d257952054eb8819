// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of a program that knows nothing of gpuprof, sampled by the injection library: the files and tables that it
// leaves, and that the program never suffers.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <gpuprof/io/pc_samples_json.hpp>

#include "support/scratch_directory.hpp"

namespace sampling_injection_test {

namespace {

struct outcome {
    int status = -1; // as waitpid gives it
    std::string printed;
};
outcome run(std::string const& directory, std::string const& how, std::string const& set) {
    std::string const command = "cd " + directory + " && GPUPROF_CUDA_PATH=" + GPUPROF_TEST_CUDA +
                                " GPUPROF_CUPTI_PATH=" + GPUPROF_TEST_CUDA +
                                " CUDA_INJECTION64_PATH=" + GPUPROF_TEST_INJECTION + ' ' + set + " timeout 120 " +
                                GPUPROF_TEST_PROGRAM + ' ' + GPUPROF_TEST_CUDA + ' ' + how + " 2>&1";
    outcome all;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE((pipe != nullptr));
    char part[4096];
    while (auto const count = std::fread(part, 1, sizeof part, pipe)) all.printed.append(part, count);
    all.status = ::pclose(pipe);
    return all;
}
bool ended_well(outcome const& of) {
    return WIFEXITED(of.status) && WEXITSTATUS(of.status) == 0 && of.printed.find("done\n") != std::string::npos;
}
std::string content(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}
std::map<std::string, std::uint64_t> by_function(gpuprof::pc_samples const& of) {
    std::map<std::string, std::uint64_t> all;
    for (auto const& each : of.records) all[each.function] += each.samples();
    return all;
}

} // namespace

TEST_CASE("the kernel that takes the time has the samples, at its loop") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "works", "GPUPROF_SAMPLE_FILE=s.json GPUPROF_SAMPLE_PERIOD=5");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const samples = gpuprof::io::try_read_pc_samples(scratch.path() + "/s.json");
    REQUIRE(samples);
    CHECK(samples->period == 5);
    CHECK(samples->mode == gpuprof::pc_sampling_mode::continuous);
    CHECK(samples->complete());
    auto const functions = by_function(*samples);
    REQUIRE(functions.count("works") == 1);
    CHECK(functions.at("works") > samples->samples() * 9 / 10); // 2,000 times around against five kernels that return
    CHECK(ran.printed.find("works") != std::string::npos);
    CHECK(ran.printed.find("@%p bra again;") != std::string::npos); // the line, with its text
    CHECK(ran.printed.find("gpuprof: wrote " + std::to_string(samples->samples()) + " samples to s.json") !=
          std::string::npos);
    CHECK(scratch.files() == 1);
}

TEST_CASE("one kernel at a time, each record is of one launch") {
    scratch_directory const scratch;
    auto const ran =
        run(scratch.path(), "works", "GPUPROF_SAMPLE_FILE=s.json GPUPROF_SAMPLE_PERIOD=5 GPUPROF_SAMPLE_SERIALISED=1");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const samples = gpuprof::io::try_read_pc_samples(scratch.path() + "/s.json");
    REQUIRE(samples);
    CHECK(samples->mode == gpuprof::pc_sampling_mode::kernel_serialized);
    REQUIRE(by_function(*samples).count("works") == 1);
    for (auto const& each : samples->records) CHECK(each.launch != 0);
}

TEST_CASE("the ending chooses lines of instructions or a page, and the tables can be turned off") {
    scratch_directory const scratch;
    auto ran = run(scratch.path(), "works", "GPUPROF_SAMPLE_FILE=s.csv GPUPROF_SAMPLE_PERIOD=5 GPUPROF_SAMPLE_TABLE=0");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    CHECK(content(scratch.path() + "/s.csv").find("bra again") != std::string::npos);
    CHECK(ran.printed.find("bra again") == std::string::npos);
    ran = run(scratch.path(), "works", "GPUPROF_SAMPLE_FILE=s-%p.html GPUPROF_SAMPLE_PERIOD=5");
    REQUIRE(ended_well(ran));
    CHECK(ran.printed.find(".html") != std::string::npos);
    CHECK(scratch.files() == 2);
}

TEST_CASE("a program that launches nothing, or whose child ends first, leaves what it should") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "fork", "GPUPROF_SAMPLE_FILE=s.json GPUPROF_SAMPLE_PERIOD=5");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    CHECK(gpuprof::io::try_read_pc_samples(scratch.path() + "/s.json"));
}

TEST_CASE("what cannot be sampled is said in a line, and the program runs") {
    std::pair<char const*, char const*> const cases[] = {
        {"GPUPROF_SAMPLE_FILE=s.txt", "its ending says no format"},
        {"GPUPROF_SAMPLE_FILE=s.json GPUPROF_SAMPLE_PERIOD=4", "give a power of two from 5 to 31"},
        {"GPUPROF_SAMPLE_FILE=s.json GPUPROF_SAMPLE_PERIOD=32", "it is no number in the range"},
        {"GPUPROF_SAMPLE_FILE=s.json GPUPROF_FAULT=cuptiPCSamplingEnable:1:15", "cuptiPCSamplingEnable"},
        {"GPUPROF_SAMPLE_FILE=s.json GPUPROF_FAULT=cuptiSubscribe:1:39", "the program runs on unmeasured"},
        {"GPUPROF_SAMPLE_FILE=/nonexistent/s.json", "the samples are lost"}};
    for (auto const& each : cases) {
        auto const& set = each.first;
        auto const& words = each.second;
        scratch_directory const scratch;
        auto const ran = run(scratch.path(), "exit", set);
        INFO(set, "\n", ran.printed);
        CHECK(ended_well(ran));
        CHECK(ran.printed.find(words) != std::string::npos);
        CHECK(scratch.files() == 0);
    }
}

TEST_CASE("gpuprof sample runs a program on the embedded GPU, whose samples are estimates") {
    scratch_directory const scratch;
    auto const command = [&](std::string const& words) {
        std::string const line = "cd " + scratch.path() + " && env -u GPUPROF_CHIP -u GPUPROF_DEVICE " +
                                 GPUPROF_TEST_COMMAND + " sample " + words + " >out 2>&1 </dev/null";
        int const status = std::system(line.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    CHECK(command(std::string{"--chip gh100 --period 5 --output s.json -- "} + GPUPROF_TEST_PROGRAM + ' ' +
                  GPUPROF_TEST_EMBEDDED + " works") == 0);
    INFO(content(scratch.path() + "/out"));
    auto const samples = gpuprof::io::try_read_pc_samples(scratch.path() + "/s.json");
    REQUIRE(samples);
    CHECK(samples->source == gpuprof::device_source::embedded);
    CHECK(samples->how == gpuprof::fidelity::estimated);
    CHECK(by_function(*samples).count("works") == 1);
    CHECK(command("--output s.xml -- true") == 2);
    CHECK(command("--period 3 -- true") == 2);
    CHECK(command("--output /nonexistent/s.json -- true") == 2);
}

} // namespace sampling_injection_test
