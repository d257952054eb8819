// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much work observing a function is. Time depends on the machine, so what is counted is how often the function runs.
#include <gpuprof/judge/observe.hpp>
#include <gpuprof/judge/observe_for.hpp>

#include <doctest/doctest.h>

#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim/open.hpp>
#include <gpuprof/judge.hpp>

#include "consumer/launch.cpp"

namespace observe_test {

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

TEST_CASE("observe: a file of 20 measured ranges runs each function once a pass, and no more") {
    gpuprof::device const gpu = *gpuprof::sim::open_embedded("gh100");
    std::size_t runs = 0, passes = 0, judged = 0;
    auto const work = [&] {
        launch(gpu);
        ++runs;
    };
    for (int range = 0; range < 10; ++range) {
        auto const all = gpuprof::observe_for(
            gpu,
            {expect::coalesced_global_loads(), expect::coalesced_global_stores(), expect::no_bank_conflicts(),
             expect::no_local_memory(), expect::no_divergence(), expect::tensor_cores_used(),
             expect::dram_bytes_within(2, gpuprof::bytes{1000}), expect::occupancy_at_least(50_percent),
             expect::no_serialised_atomics(), expect::launch_count(1)},
            work);
        REQUIRE(all.range());
        passes += all.range()->report().completeness().replay_passes;
        judged += expect::launch_count(1)(all) ? 1 : 0;
    }
    for (int range = 0; range < 10; ++range) {
        auto const two = gpuprof::observe(gpu, work, metrics::threads_launched, metrics::warps_launched);
        REQUIRE(two.range());
        passes += two.range()->report().completeness().replay_passes;
        judged += two.ratio(0, 1).number() == 32 ? 1 : 0;
    }
    CHECK(judged == 20);
    CHECK(runs == passes);
    CHECK(runs == 20); // the embedded GPU counts everything in one pass
}

TEST_CASE("observe: without a device nothing runs, and each check is inconclusive for that reason") {
    gpuprof::result<gpuprof::device> const none = gpuprof::sim::open_embedded("no such chip");
    REQUIRE_FALSE(none);
    std::size_t runs = 0;
    auto const work = [&] { ++runs; };
    for (gpuprof::observation const& each :
         {gpuprof::observe(none, work, metrics::warps_launched),
          gpuprof::observe(none, gpuprof::repetitions{2}, work, metrics::warps_launched),
          gpuprof::observe<"smsp__warps_launched.sum">(none, work),
          gpuprof::observe_for(none, {expect::launch_count(1)}, work)}) {
        CHECK_FALSE(each.range());
        auto const judged = expect::launch_count(1)(each);
        CHECK(judged.verdict == gpuprof::verdict::inconclusive);
        CHECK(judged.reason == none.error().message());
    }
    CHECK(runs == 0);
}

TEST_CASE("observe: the device may be a result that has one") {
    auto const opened = gpuprof::sim::open_embedded("gh100");
    REQUIRE(opened);
    auto const m = gpuprof::observe(
        opened, [&] { launch(*opened); }, metrics::threads_launched, metrics::warps_launched);
    CHECK(m.ratio(0, 1).number() == 32);
}

} // namespace observe_test
