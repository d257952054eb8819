// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of a measurement on a real GPU when the program or the device does not play along: a typed problem, what
// was measured stays right, and the program goes on.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include "gpu.hpp"

namespace outcomes_test {

namespace {

namespace metrics = gpuprof::metrics;
using gpuprof::errc;
constexpr char warps[] = "smsp__warps_launched.sum";

gpuprof::profiler_options room_for(std::size_t ranges, std::size_t levels = 1) {
    gpuprof::profiler_options options;
    options.max_ranges = ranges;
    options.nesting_levels = levels;
    return options;
}

// One range "work" of `blocks` blocks: whether the device still measures.
void check_still_measures(gpuprof::profiler& prof, gpu_under_test& gpu, unsigned blocks) {
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope one{prof, "work"};
        gpu.work(blocks);
    }
    auto const report = prof.report();
    REQUIRE(is_complete(report));
    CHECK(value_of(report, "work", warps) == gpu.warps(blocks));
}

TEST_CASE("more ranges than room: the surplus is reported and the others are right") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), room_for(2), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        unsigned blocks = 0;
        for (char const* name : {"a", "b", "c", "d"}) {
            gpuprof::scope one{prof, name};
            gpu->work(++blocks);
        }
    }
    auto const report = prof.report();
    CHECK(has_problem(report, errc::too_many_ranges));
    CHECK(value_of(report, "a", warps) == gpu->warps(1));
    CHECK(value_of(report, "b", warps) == gpu->warps(2));
    auto const surplus = report.try_range("c");
    CHECK((!surplus || surplus->try_value(warps).error().code == errc::not_collected));
}

TEST_CASE("ranges deeper than declared: the outer ones are right and hold what the inner did") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), room_for(4, 1), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope outer{prof, "outer"};
        gpu->work(1);
        gpuprof::scope inner{prof, "inner"};
        gpu->work(2);
    }
    auto const report = prof.report();
    CHECK(has_problem(report, errc::too_many_ranges));
    CHECK(value_of(report, "outer", warps) == gpu->warps(3));
}

TEST_CASE("a scope open when a pass ends is closed there and reported") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    std::optional<gpuprof::scope> forgotten;
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        {
            gpuprof::scope closed{prof, "closed"};
            gpu->work(1);
        }
        forgotten.emplace(prof, "forgotten");
        gpu->work(2);
    }
    forgotten.reset();
    auto const report = prof.report();
    CHECK(has_problem(report, errc::invalid_state));
    CHECK(value_of(report, "closed", warps) == gpu->warps(1));
    CHECK(value_of(report, "forgotten", warps) == gpu->warps(2));
    check_still_measures(prof, *gpu, 3);
}

TEST_CASE("an exception in a pass passes through and abandons the collection and the next one is whole") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    auto const collect = [&] {
        for (auto const& pass : prof.passes()) {
            gpuprof::scope outer{prof, "outer"};
            gpu->work(1);
            gpuprof::scope inner{prof, "inner"};
            if (pass.measured) throw std::runtime_error{"the application's own"};
        }
    };
    CHECK_THROWS_WITH(collect(), "the application's own");
    CHECK(has_problem(prof.report(), errc::not_collected));
    check_still_measures(prof, *gpu, 5);
}

TEST_CASE("a body that does other work in a later pass is noticed") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), room_for(3, 2), metrics::warps_launched}; // two levels are two replay passes
    for (auto const& pass : prof.passes()) {
        gpuprof::scope outer{prof, "outer"};
        gpuprof::scope inner{prof, pass.index == 0 ? "first" : "later"};
        gpu->work(1);
    }
    CHECK(has_problem(prof.report(), errc::replay_mismatch));
    check_still_measures(prof, *gpu, 2);
}

TEST_CASE("of two profilers on a context at once the second is told busy and runs its body once, the first is right") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler first{gpu->device(), room_for(1), metrics::warps_launched};
    gpuprof::profiler second{gpu->device(), room_for(1), metrics::warps_launched};
    for ([[maybe_unused]] auto const& outer_pass : first.passes()) {
        {
            gpuprof::scope one{first, "first"};
            gpu->work(2);
        }
        int executions = 0;
        for (auto const& pass : second.passes()) {
            ++executions;
            CHECK(!pass.measured);
            gpuprof::scope one{second, "second"};
            gpu->work(1);
        }
        CHECK(executions == 1);
        CHECK(has_problem(second.report(), errc::busy));
    }
    auto const report = first.report();
    REQUIRE(is_complete(report));
    CHECK(value_of(report, "first", warps) == gpu->warps(2));
    check_still_measures(second, *gpu, 4);
}

TEST_CASE("a loop over passes inside another of the same profiler is reported and measures nothing") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), room_for(1), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        {
            gpuprof::scope one{prof, "work"};
            gpu->work(2);
        }
        for ([[maybe_unused]] auto const& inner : prof.passes()) gpu->work(1);
    }
    auto const report = prof.report();
    CHECK(has_problem(report, errc::invalid_state));
    CHECK(value_of(report, "work", warps) == gpu->warps(2));
}

TEST_CASE("more kernels than room for a range each: the first are right and the surplus is reported") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler_options options = room_for(2);
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    gpuprof::profiler prof{gpu->device(), options, metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes())
        for (unsigned blocks = 1; blocks <= 5; ++blocks) gpu->work(blocks);
    auto const report = prof.report();
    CHECK(has_problem(report, errc::too_many_ranges));
    REQUIRE(report.size() == 1); // launches of one kernel
    CHECK(report.at(0).try_values(warps).value() == std::vector<double>{gpu->warps(1), gpu->warps(2)});
}

TEST_CASE("scopes on other threads are counted once and those of the pass are right") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope mine{prof, "mine"};
        gpu->work(3);
        std::thread a{[&] { gpuprof::scope theirs{prof, "theirs"}; }};
        std::thread b{[&] { gpuprof::scope theirs{prof, "theirs"}; }};
        a.join();
        b.join();
    }
    auto const report = prof.report();
    CHECK(report.completeness().other_threads == 2);
    CHECK(report.complete());
    CHECK(value_of(report, "mine", warps) == gpu->warps(3));
    CHECK(report.size() == 1);
}

TEST_CASE("no scope in the body is an error of its own") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    for ([[maybe_unused]] auto const& pass : prof.passes()) gpu->work(1);
    CHECK(has_problem(prof.report(), errc::invalid_state));
    check_still_measures(prof, *gpu, 1);
}

TEST_CASE("scopes outside a pass do nothing, and there is no report before a collection") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    {
        gpuprof::scope outside{prof, "outside"};
        gpu->work(1);
    }
    auto const none = prof.try_report();
    REQUIRE(!none);
    CHECK(none.error().code == errc::invalid_state);
    check_still_measures(prof, *gpu, 1);
}

TEST_CASE("an unknown metric is an error that offers the nearest names of the chip") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    for (char const* misspelt : {"smsp__warps_lanched.sum", "smsp__warps_launchd.sum"}) {
        INFO(std::string{misspelt});
        gpuprof::metric_info const metric = gpuprof::try_metric(misspelt).value();
        auto const made = gpuprof::profiler::try_create(gpu->device(), {}, std::span{&metric, 1});
        REQUIRE(!made);
        CHECK(made.error().code == errc::unknown_metric);
        CHECK(made.error().message().find(warps) != std::string::npos);
    }
}

TEST_CASE("no metric at all is an invalid argument") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    auto const made = gpuprof::profiler::try_create(gpu->device(), {}, std::span<gpuprof::metric_info const>{});
    REQUIRE(!made);
    CHECK(made.error().code == errc::invalid_argument);
}

TEST_CASE("a null context and a destroyed one are invalid arguments and one of the application measures") {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    auto const& driver = gpu->device().driver();
    auto const& machine = gpu->device().machine();
    auto const null = gpuprof::device::try_open(machine, nullptr);
    REQUIRE(!null);
    CHECK(null.error().code == errc::invalid_argument);

    gpuprof::abi::CUcontext own = nullptr;
    REQUIRE(driver.CtxCreate(&own, 0, gpu->device().handle()) == gpuprof::abi::CUDA_SUCCESS); // and makes it current
    {
        auto opened = gpuprof::device::try_open(machine, own);
        if (!opened) FAIL(opened.error().message());
        gpu_under_test in_own_context{*std::move(opened)};
        gpuprof::profiler prof{in_own_context.device(), metrics::warps_launched};
        check_still_measures(prof, in_own_context, 2);
    }
    REQUIRE(driver.CtxDestroy(own) == gpuprof::abi::CUDA_SUCCESS);
    auto const destroyed = gpuprof::device::try_open(machine, own);
    REQUIRE(driver.CtxSetCurrent(gpu->device().context()) == gpuprof::abi::CUDA_SUCCESS);
    REQUIRE(!destroyed);
    CHECK(destroyed.error().code == errc::invalid_argument);
}

// Another process: this program again, told to run one test case that is skipped otherwise.

struct ended {
    int status;
    std::string output;
};

ended in_child(std::string const& test_case, std::string const& environment = "") {
    std::string const self = std::filesystem::read_symlink("/proc/self/exe").string();
    std::string const command = environment + " '" + self + "' --no-skip=true --test-case='" + test_case + "' 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    ended how{-1, {}};
    char part[4096];
    for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) how.output.append(part, n);
    how.status = pclose(pipe);
    return how;
}

// The fault loses the context for good: what a report then says, and that the program lives.
void fault_in(gpuprof::profiler& prof, gpu_under_test& gpu) {
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        {
            gpuprof::scope before{prof, "before"};
            gpu.work(1);
        }
        gpuprof::scope faulty{prof, "faulty"};
        gpu.fault();
        static_cast<void>(gpu.device().driver().CtxSynchronize());
    }
    auto const report = prof.try_report();
    REQUIRE(report);
    CHECK(!report->complete());
    CHECK(has_problem(*report, errc::device_lost));
    auto const again = gpuprof::try_measure<"smsp__warps_launched.sum">(gpu.device(), [] {});
    REQUIRE(!again);
    CHECK(again.error().code == errc::device_lost);
}

TEST_CASE("child: a fault in a measured pass" * doctest::skip()) {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), room_for(2), metrics::warps_launched};
    fault_in(prof, *gpu);
}
TEST_CASE("child: a fault in a survey" * doctest::skip()) {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    fault_in(prof, *gpu);
}
TEST_CASE("child: plan and measure" * doctest::skip()) {
    auto* const gpu = gpu_or_skip();
    if (gpu == nullptr) return;
    std::string const metric{warps};
    auto const planned = gpuprof::hw::range_hardware::try_plan(gpu->device(), {&metric, 1});
    if (!planned) FAIL(planned.error().message());
    char const* const expected = std::getenv("GPUPROF_TEST_PLAN");
    REQUIRE(expected != nullptr);
    CHECK((planned->remembered() ? "remembered" : "made") == std::string{expected});
    gpuprof::profiler prof{gpu->device(), metrics::warps_launched};
    check_still_measures(prof, *gpu, 6);
}

TEST_CASE("an illegal address in a pass is a lost device and the program goes on") {
    if (gpu_or_skip() == nullptr) return;
    for (char const* where : {"child: a fault in a measured pass", "child: a fault in a survey"}) {
        ended const how = in_child(where);
        INFO(std::string{where} << ":\n" << how.output);
        CHECK(how.status == 0);
    }
}

TEST_CASE("a second process plans from the disk cache, and damaged entries are made anew") {
    if (gpu_or_skip() == nullptr) return;
    namespace fs = std::filesystem;
    fs::path const folder = fs::temp_directory_path() / ("gpuprof-cache-test-" + std::to_string(std::rand()) + '-' +
                                                         fs::read_symlink("/proc/self").string());
    std::string const environment = "GPUPROF_CACHE_DIR='" + folder.string() + "' GPUPROF_TEST_PLAN=";
    auto const check = [&](char const* plan) {
        ended const how = in_child("child: plan and measure", environment + plan);
        INFO("expected to be " << std::string{plan} << ":\n" << how.output);
        CHECK(how.status == 0);
    };
    check("made");
    REQUIRE(!fs::is_empty(folder));
    check("remembered");
    for (auto const& entry : fs::directory_iterator{folder})
        fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    check("made");
    check("remembered");
    fs::remove_all(folder);
}

} // namespace

} // namespace outcomes_test
