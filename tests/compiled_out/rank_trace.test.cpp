// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rank_trace.hpp and judge/rank_checks.hpp where gpuprof is compiled out: nothing is sent, no file is made, and a check is inconclusive.
#define GPUPROF_ENABLED 0
#include <gpuprof/rank_trace.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/judge/adaptor/plain.hpp>
#include <gpuprof/judge/rank_checks.hpp>

#include "support/scratch_directory.hpp"

namespace compiled_out_rank_trace_test {

namespace activity = gpuprof::activity;
namespace io = gpuprof::io;
namespace ranks = gpuprof::ranks;

namespace {
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

TEST_CASE("compiled out: ranks are not traced, nothing is sent, and there is no file") {
    scratch_directory const folder;
    auto const gpu = *gpuprof::try_open_device();
    no_ranks all;
    std::string const path = folder.path() + "/trace.json";
    auto trace = io::rank_trace::try_begin(all, gpu, path);
    REQUIRE(trace);
    trace->write(activity::kernel{});
    static_cast<void>(trace->writer());
    auto const report = trace->try_finish(all);
    REQUIRE(report);
    CHECK(report->ranks.empty());
    REQUIRE(io::try_join_traces(all, ranks::rank_clock{}, path, path));
    auto const clock = ranks::try_read_clock(all, ranks::clock_of(gpu));
    REQUIRE(clock);
    CHECK_FALSE(clock->known);
    std::ostringstream out;
    out << *report << io::csv(*report) << io::json(*report);
    CHECK(out.str().empty());
    CHECK(folder.files() == 0);
    unsigned const before = gpuprof::judge::plain.passed;
    GPUPROF_CHECK_RANKS(all, true);
    CHECK(gpuprof::judge::plain.passed == before);
    CHECK(all.calls == 0);
}

} // namespace compiled_out_rank_trace_test
