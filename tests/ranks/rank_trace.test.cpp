// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/rank_trace on four processes, each with a tracer on an embedded GPU and messages by a folder: one file, and a rank that dies.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS && !defined(_WIN32) &&                                                                          \
    __has_include(<nlohmann/json.hpp>) // written with the throwing spellings; ranks are forked

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/rank_trace.hpp>
#include <gpuprof/sim.hpp>

#include "support/rank_programs.hpp"
#include "support/scratch_directory.hpp"

namespace rank_trace_program_test {

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;
namespace io = gpuprof::io;
namespace ranks = gpuprof::ranks;
using nlohmann::json;

namespace {
constexpr std::size_t steps = 5;

void be_a_rank(std::size_t dies) {
    auto all = test::here_as_rank();
    auto const gpu = gpuprof::sim::open_embedded("gh100").value();
    auto const& d = gpu.driver();
    REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    abi::CUmodule module = nullptr;
    abi::CUfunction compute = nullptr, collective = nullptr;
    REQUIRE(d.ModuleLoadData(&module, ".version 7.0\n.target sm_52\n.address_size 64\n"
                                      ".visible .entry compute() { ret; }\n"
                                      ".visible .entry ncclDevKernel_AllReduce() { ret; }") == abi::CUDA_SUCCESS);
    REQUIRE(d.ModuleGetFunction(&compute, module, "compute") == abi::CUDA_SUCCESS);
    REQUIRE(d.ModuleGetFunction(&collective, module, "ncclDevKernel_AllReduce") == abi::CUDA_SUCCESS);

    gpuprof::tracer tracer{gpu, activity::kinds<activity::kernel, activity::api_call>};
    io::rank_trace_options options;
    options.clocks.deadline_ms = dies < all.size() ? 1'500 : 60'000;
    auto trace =
        io::rank_trace::try_begin(all, gpu, test::variable_of_rank("GPUPROF_TEST_FOLDER") + "/trace.json", options)
            .value();
    for (std::size_t step = 0; step < steps; ++step) {
        {
            gpuprof::scope const here{tracer, "step"};
            for (abi::CUfunction const each : {compute, collective})
                REQUIRE(d.LaunchKernel(each, 4, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) == abi::CUDA_SUCCESS);
        }
        REQUIRE(d.CtxSynchronize() == abi::CUDA_SUCCESS);
        trace.write(tracer.flush());
        if (dies == all.rank() && step == 2) ::_exit(0);
    }
    auto const report = trace.try_finish(all);
    if (!report) test::leave("error" + std::to_string(all.rank()), report.error().message());
    else if (all.rank() == 0) test::leave("report", io::json(*report));
}
} // namespace

TEST_CASE("a rank of a program that is traced" * doctest::skip()) { be_a_rank(100); }
TEST_CASE("a rank of a program that is traced and of which one dies" * doctest::skip()) { be_a_rank(2); }

TEST_CASE("rank_trace: four processes trace into one file, and each collective is joined") {
    scratch_directory const folder;
    for (int const each : test::run_as_ranks("a rank of a program that is traced", folder.path(), 4)) CHECK(each == 0);
    auto const report = json::parse(test::left_in(folder.path(), "report"), nullptr, false);
    REQUIRE_FALSE(report.is_discarded());
    CHECK(report["heard"] == 4);
    REQUIRE(report["collectives"].size() == steps);
    for (json const& each : report["collectives"]) CHECK(each["ranks"] == 4);
    REQUIRE(report["ranks"].size() == 4);
    for (json const& each : report["ranks"]) {
        CHECK(each["collectives"] == steps);
        CHECK(each["place"].get<std::string>().find("GH100") != std::string::npos);
        CHECK(each.contains("clock error (ns)"));
    }
    auto const file = json::parse(test::left_in(folder.path(), "trace.json"), nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    std::map<std::int64_t, std::size_t> kernels, scopes, calls;
    std::set<std::int64_t> numbers;
    for (json const& each : file["traceEvents"]) {
        if (each["ph"] != "X") continue;
        std::int64_t const process = each["pid"];
        if (each["cat"] == "kernel") ++kernels[process];
        if (each["cat"] == "scope") ++scopes[process];
        if (each["cat"] == "driver") ++calls[process];
        if (each["cat"] == "kernel" && each["args"].contains("collective"))
            numbers.insert(each["args"]["collective"].get<std::int64_t>());
    }
    CHECK(numbers.size() == steps);
    REQUIRE(kernels.size() == 4); // a process for each rank
    for (std::int64_t process = 1; process <= 4; ++process) {
        CHECK(kernels[process] == 2 * steps);
        CHECK(scopes[process] == steps);
    }
    CHECK(gpuprof::platform::read_file(folder.path() + "/trace.json.rank1") == std::nullopt); // it is in the joint file
}

TEST_CASE("rank_trace: a rank that dies in the middle is named, the others are in the file, and its own file is left") {
    scratch_directory const folder;
    for (int const each :
         test::run_as_ranks("a rank of a program that is traced and of which one dies", folder.path(), 4))
        CHECK(each == 0);
    auto const report = json::parse(test::left_in(folder.path(), "report"), nullptr, false);
    REQUIRE_FALSE(report.is_discarded());
    CHECK(report["heard"] == 3);
    REQUIRE(report["silent"].size() == 1);
    CHECK(report["silent"][0]["rank"] == 2);
    auto const file = json::parse(test::left_in(folder.path(), "trace.json"), nullptr, false);
    REQUIRE_FALSE(file.is_discarded());
    std::set<std::int64_t> processes;
    for (json const& each : file["traceEvents"])
        if (each["ph"] == "X" && each["cat"] == "kernel") processes.insert(each["pid"].get<std::int64_t>());
    CHECK(processes == std::set<std::int64_t>{1, 2, 4});
    CHECK(gpuprof::platform::read_file(folder.path() + "/trace.json.rank2"));
}

} // namespace rank_trace_program_test

#endif
