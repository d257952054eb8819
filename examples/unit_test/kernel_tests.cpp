// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unit tests of what kernels make the hardware do. You learn: observe, GPUPROF_CHECK, ready-made expectations.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <gpuprof/replay.hpp> // a recording of a GPU, with GPUPROF_DEVICE=replay:file
#include <gpuprof/sim.hpp>    // the embedded GPU, where there is no GPU

#include <gpuprof/judge/adaptor/doctest.hpp>

#include "kernels.hpp"

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

namespace {
// Without a device, checks are inconclusive.
gpuprof::result<gpuprof::device> const& gpu() {
    static gpuprof::result<gpuprof::device> const device = gpuprof::try_open_device();
    return device;
}
} // namespace

TEST_CASE("saxpy") {
    auto const m = gpuprof::observe(
        gpu(), [] { saxpy(*gpu()); }, metrics::global_load_sectors, metrics::global_load_requests,
        metrics::global_store_sectors, metrics::warps_launched);
    GPUPROF_CHECK(m.ratio(metrics::global_load_sectors, metrics::global_load_requests) <= 4.0);
    GPUPROF_CHECK(m[metrics::warps_launched] == gpuprof::warps{saxpy_elements / 32});
    GPUPROF_CHECK(m[metrics::global_store_sectors] == near(512_sectors, 1_percent)); // 4 bytes each, 32 a sector
    GPUPROF_EXPECT(m, expect::launch_count(1));
}

TEST_CASE("transpose") {
    auto const m = gpuprof::observe_for(
        gpu(), {expect::no_bank_conflicts(), expect::coalesced_global_stores(), expect::no_divergence()},
        [] { transpose(*gpu()); });
    GPUPROF_EXPECT(m, expect::no_bank_conflicts());
    GPUPROF_EXPECT(m, expect::coalesced_global_stores());
    GPUPROF_EXPECT(m, expect::no_divergence());
}

// A test that fails: 32 rows, in each of which 32 threads read from one bank.
TEST_CASE("transpose_unpadded") {
    auto const m = gpuprof::observe_for(gpu(), {expect::no_bank_conflicts()}, [] { transpose_unpadded(*gpu()); });
    GPUPROF_EXPECT(m, expect::no_bank_conflicts());
}
