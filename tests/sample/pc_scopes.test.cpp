// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sample/pc_scopes.hpp on the embedded GPU: each scope has the samples of what was launched in it, and nothing else.
#include <cstdint>
#include <map>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <gpuprof/io/stall_table.hpp>
#include <gpuprof/sample/pc_scopes.hpp>

#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"
#include "support/pc_sampled_gpu.hpp"

namespace pc_scopes_test {

using gpuprof::errc;
using gpuprof::pc_scopes;
using gpuprof::scope;
using test::pc_sampled_gpu;

namespace {

pc_scopes open(gpuprof::device const& gpu, unsigned period = 6) {
    auto options = pc_scopes::serialized();
    options.period = period;
    auto opened = pc_scopes::try_open(gpu, options);
    REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
    return *std::move(opened);
}
std::map<std::string, std::uint64_t> by_function(gpuprof::pc_samples const& of) {
    std::map<std::string, std::uint64_t> sums;
    for (auto const& record : of.records) sums[record.function] += record.samples();
    return sums;
}

} // namespace

TEST_CASE("a scope has the samples of its own kernels, nested scopes theirs, and the rest is outside") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto scopes = open(gpu);
    machine.meet();
    for (int i = 0; i < 2; ++i) {
        scope const frame{scopes, "frame"};
        machine.add();
        {
            scope const solve{scopes, "solve"};
            machine.gather();
        }
        machine.add();
    }
    { scope const idle{scopes, "idle"}; }
    auto const report = scopes.try_finish();
    REQUIRE_MESSAGE(report, (report ? std::string{} : report.error().message()));
    REQUIRE(report->scopes.size() == 4);
    auto const& list = report->scopes;
    CHECK(list[0].path == "");
    CHECK(list[1].path == "frame");
    CHECK(list[2].path == "frame/solve");
    CHECK(list[3].path == "idle");
    CHECK(list[1].count == 2);
    CHECK(list[2].count == 2);
    CHECK(list[3].count == 1);
    CHECK(by_function(list[0].samples).size() == 1);
    CHECK(by_function(list[0].samples).count("meet") == 1);
    CHECK(by_function(list[1].samples).size() == 1);
    CHECK(by_function(list[1].samples).count("add") == 1);
    CHECK(by_function(list[2].samples).size() == 1);
    CHECK(by_function(list[2].samples).count("gather") == 1);
    CHECK(list[3].samples.records.empty());
    CHECK(report->ignored == 0);
    std::string const table = gpuprof::io::table(*report);
    CAPTURE(table);
    CHECK(table.find("(outside)") != table.npos);
    CHECK(table.find("frame/solve      2  gather") != table.npos);
    CHECK(table.find("long_scoreboard") != table.npos);
}

TEST_CASE("scopes on other threads are counted and left out") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto scopes = open(gpu);
    std::thread{[&] {
        for (int i = 0; i < 3; ++i) scope const foreign{scopes, "foreign"};
    }}.join();
    auto const report = scopes.try_finish();
    REQUIRE(report);
    CHECK(report->ignored == 3);
    CHECK(report->scopes.size() == 1);
}

TEST_CASE("continuous samples are not shared out to scopes") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    for (bool const ranges : {false, true}) {
        auto options = ranges ? pc_scopes::serialized() : gpuprof::pc_sampling_options{};
        options.ranges = ranges;
        auto const refused = pc_scopes::try_open(gpu, options);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == errc::invalid_argument);
    }
}

TEST_CASE("what fails at an end of a scope comes out at the end") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    test::fault_injection faults{machine.tables.cupti};
    auto scopes = open(gpu);
    faults.fail("cuptiPCSamplingGetData", 2, test::hardware_busy.status);
    {
        scope const frame{scopes, "frame"};
        machine.add();
    }
    auto const report = scopes.try_finish();
    REQUIRE_FALSE(report);
    test::hardware_busy.check(report.error(), "cuptiPCSamplingGetData");
}

TEST_CASE("finishing inside a scope is refused, and works after it") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto scopes = open(gpu);
    {
        scope const frame{scopes, "frame"};
        auto const early = scopes.try_finish();
        REQUIRE_FALSE(early);
        CHECK(early.error().code == errc::invalid_state);
    }
    CHECK(scopes.try_finish());
}

} // namespace pc_scopes_test
