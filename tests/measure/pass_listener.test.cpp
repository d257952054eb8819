// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// profiler_options::on_pass: whom a profiler tells of its passes, and what.
#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include <gpuprof/gpuprof.hpp>

#include "support/measured.hpp"

namespace pass_listener_test {

namespace metrics = gpuprof::metrics;
using gpuprof::scope;

namespace {

using steps = std::vector<std::pair<std::size_t, std::size_t>>;

void note(void* to, std::size_t done, std::size_t needed) noexcept {
    static_cast<steps*>(to)->emplace_back(done, needed);
}

} // namespace

TEST_CASE("profiler: a listener is told before the first measured pass and after each") {
    test::measured_device machine;
    auto const gpu = machine.open();
    steps heard;
    gpuprof::profiler_options options;
    options.on_pass = {&note, &heard};
    auto made = gpuprof::profiler::try_create(gpu, options, metrics::warps_launched);
    REQUIRE(made);
    auto& prof = *made;
    for ([[maybe_unused]] auto each : prof.passes()) {
        scope all{prof, "all"};
        machine.launch(1);
    }
    REQUIRE(prof.passes_needed() == 1);
    CHECK(heard == steps{{0, 1}, {1, 1}});
}

TEST_CASE("profiler: a listener hears that nested scopes need the passes again for each level") {
    test::measured_device machine;
    auto const gpu = machine.open();
    steps heard;
    gpuprof::profiler_options options;
    options.on_pass = {&note, &heard};
    auto made = gpuprof::profiler::try_create(gpu, options, metrics::warps_launched);
    REQUIRE(made);
    auto& prof = *made;
    for ([[maybe_unused]] auto each : prof.passes()) {
        scope outer{prof, "outer"};
        scope inner{prof, "inner"};
        machine.launch(1);
    }
    REQUIRE(heard.size() >= 2);
    CHECK(heard.front() == std::pair<std::size_t, std::size_t>{0, 1});
    CHECK(heard.back().first == heard.back().second);
    for (std::size_t i = 0; i < heard.size(); ++i) CHECK(heard[i].first == i);
    auto const report = prof.try_report();
    REQUIRE(report);
    CHECK(heard.back().first == report->completeness().replay_passes);
}

} // namespace pass_listener_test
