// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/compiled_out.hpp and what ranks.hpp has in both builds: the body runs once, nothing is sent but what the program itself asks
// for. Linked beside files in which it is not compiled out.
#define GPUPROF_ENABLED 0
#include <gpuprof/ranks.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <utility>

namespace compiled_out_ranks_test {

namespace metrics = gpuprof::metrics;
namespace ranks = gpuprof::ranks;

namespace {
// Nothing may be sent.
class no_ranks final : public ranks::communicator {
public:
    std::size_t rank() const noexcept override { return 0; }
    std::size_t size() const noexcept override { return 4; }
    gpuprof::result<ranks::messages> try_gather(ranks::gather_call const&) override {
        ++calls;
        return gpuprof::result<ranks::messages>{ranks::messages{}};
    }
    int calls = 0;
};
} // namespace

TEST_CASE("compiled out: GPUs side by side are one that is none, and have no rows") {
    auto const gpus = gpuprof::try_open_devices();
    REQUIRE(gpus);
    CHECK(gpus->size() == 1);
#if GPUPROF_EXCEPTIONS
    CHECK(gpuprof::open_devices().size() == 1);
#endif
    gpuprof::report const reports[2];
    ranks::device_report const all = ranks::side_by_side(reports);
    CHECK(all.rows.empty());
    CHECK_FALSE(all.try_row("step", "smsp__inst_executed.sum"));
    CHECK_FALSE(ranks::device_row{}.sum());
    std::ostringstream out;
    out << all << gpuprof::io::csv(all) << gpuprof::io::json(all);
    CHECK(out.str().empty());
}

TEST_CASE("compiled out: metrics of ranks are not measured, and nothing is sent") {
    auto const gpu = *gpuprof::try_open_device();
    no_ranks all;
    auto spread = ranks::spread_profiler::try_create(gpu, all, {}, metrics::inst_executed);
    REQUIRE(spread);
    int executions = 0;
    for ([[maybe_unused]] auto const& pass : spread->passes()) {
        gpuprof::scope const here{*spread, "step"};
        ++executions;
    }
    CHECK(executions == 1);
    auto const report = spread->try_report();
    REQUIRE(report);
    CHECK(report->rows.empty());
    CHECK_FALSE(report->try_values("step", "smsp__inst_executed.sum"));
    REQUIRE(ranks::try_gather(all, gpuprof::report{}));
    REQUIRE(ranks::try_find_stragglers(all, gpuprof::report{}));
    std::ostringstream out;
    out << *report << ranks::straggler_report{};
    CHECK(out.str().empty());
#if GPUPROF_EXCEPTIONS
    CHECK(std::isnan(report->most("step", metrics::inst_executed).value()));
#endif
    CHECK(all.calls == 0);
}

} // namespace compiled_out_ranks_test
