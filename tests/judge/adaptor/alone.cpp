// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An adaptor is all of gpuprof that a test file includes. It compiles, which is the test; GPUPROF_ADAPTOR is the header.
#include GPUPROF_ADAPTOR

namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

void measures(gpuprof::result<gpuprof::device> const& gpu, gpuprof::outcome& last);
void measures(gpuprof::result<gpuprof::device> const& gpu, gpuprof::outcome& last) {
    auto const m = gpuprof::observe(
        gpu, [] {}, metrics::global_load_sectors, metrics::global_load_requests);
    last = gpuprof::expect::launch_count(1)(m);
    if (auto const direct = gpuprof::try_measure<"l1tex__t_sectors.sum">(*gpu, [] {})) last.details = "measured";
#if defined(GPUPROF_CHECK)
    GPUPROF_CHECK(m.ratio(0, 1) <= 4.0);
    GPUPROF_CHECK(m.ratio(metrics::global_load_sectors, metrics::global_load_requests) <= 4.0);
    GPUPROF_CHECK(m[metrics::global_load_sectors] / m[metrics::global_load_requests] <=
                  gpuprof::sectors_per_request{4});
    GPUPROF_REQUIRE(m[metrics::global_load_sectors] <= 4096_sectors);
    GPUPROF_EXPECT(m[metrics::global_load_sectors], near(4096_sectors, 2_percent));
    GPUPROF_EXPECT(m, gpuprof::expect::coalesced_global_loads());
#endif
}
