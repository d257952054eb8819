// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checks find: pass, fail, inconclusive; what they say of it. Reports are made by hand, so that each value is known.
#include <doctest/doctest.h>

#include <limits>
#include <string>

#include <gpuprof/core/unit_literals.hpp>
#include <gpuprof/core/unit_text.hpp>
#include <gpuprof/judge/decomposition.hpp>
#include <gpuprof/judge/observation.hpp>

#include "judge/judged_reports.hpp"

namespace decomposition_test {

namespace metrics = gpuprof::metrics;
using gpuprof::fidelity;
using gpuprof::observation;
using gpuprof::outcome;
using gpuprof::verdict;
using namespace gpuprof::literals;

#if defined(__clang__)
#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"
#endif
// What GPUPROF_CHECK makes of an expression.
#define OUTCOME(...) gpuprof::judge::settled(gpuprof::judge::decomposer{} << __VA_ARGS__)

namespace {

observation sectors_and_requests(double sectors, double requests, fidelity how = fidelity::exact) {
    return {report_of({{metrics::global_load_sectors, sectors, how}, {metrics::global_load_requests, requests, how}}),
            "step"};
}
gpuprof::report_contents of_the_embedded_gpu(gpuprof::report_contents made) {
    made.source = gpuprof::device_source::embedded;
    return made;
}

} // namespace

TEST_CASE("checks: each relation holds or does not, and both sides are shown with units") {
    observation const m = sectors_and_requests(4096, 1024);
    auto const value = m[metrics::global_load_sectors];
    CHECK(OUTCOME(value == 4096_sectors).verdict == verdict::pass);
    CHECK(OUTCOME(value != 4096_sectors).verdict == verdict::fail);
    CHECK(OUTCOME(value < 4096_sectors).verdict == verdict::fail);
    CHECK(OUTCOME(value <= 4096_sectors).verdict == verdict::pass);
    CHECK(OUTCOME(value > 4095_sectors).verdict == verdict::pass);
    CHECK(OUTCOME(value >= 4097_sectors).verdict == verdict::fail);
    CHECK(OUTCOME(value < 4000_sectors).expanded == "4,096 sectors < 4,000 sectors");
    CHECK(OUTCOME(m.ratio(0, 1) <= 3.5).expanded == "4 <= 3.5");
    CHECK(OUTCOME(m.ratio(0, 1) <= 4).verdict == verdict::pass);
    CHECK(OUTCOME(m.ratio(metrics::global_load_sectors, metrics::global_load_requests) <= 3.5).expanded == "4 <= 3.5");
    CHECK(OUTCOME(m.ratio(metrics::global_load_sectors, metrics::dram_bytes) <= 4.0).verdict == verdict::inconclusive);
    CHECK(OUTCOME(4096_sectors == value).verdict == verdict::pass);
    CHECK(OUTCOME(value / m[metrics::global_load_requests] <= gpuprof::sectors_per_request{4}).verdict ==
          verdict::pass);
    CHECK(OUTCOME(value + 4_sectors - 2_sectors == 4098_sectors).verdict == verdict::pass);
    CHECK(OUTCOME(2 * value / 4 == 2048_sectors).verdict == verdict::pass);
    CHECK(OUTCOME(value - value == 0_sectors).verdict == verdict::pass);
    CHECK(OUTCOME(5000_sectors <= 4096_sectors).text() == "5,000 sectors <= 4,096 sectors"); // plain quantities, too
    CHECK(OUTCOME(1 == 1).verdict == verdict::pass);
    bool const flag = false;
    CHECK(OUTCOME(flag).verdict == verdict::fail);
}

TEST_CASE("checks: a failure tells metric, description, kernel, range, device and how the value was got") {
    outcome const failed = OUTCOME(sectors_and_requests(4096, 512).ratio(0, 1) <= 4.0);
    CHECK(failed.verdict == verdict::fail);
    CHECK(failed.text() ==
          "8 <= 4\n"
          "  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum = 4,096 sectors, counted by the hardware: 32-byte\n"
          "    sectors, at the tag stage of the L1/texture cache, of the load/store pipeline, to global memory,\n"
          "    by load operations, summed over all instances\n"
          "  l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum = 512 requests, counted by the hardware: requests,\n"
          "    at the tag stage of the L1/texture cache, of the load/store pipeline, to global memory, by load\n"
          "    operations, summed over all instances\n"
          "  kernel: saxpy<<<(4, 1, 1), (96, 1, 1)>>>\n"
          "  range: step\n"
          "  device: Paper GPU (GH100), 1 pass");
    outcome const passed = OUTCOME(sectors_and_requests(4096, 1024).ratio(0, 1) <= 4.0);
    CHECK(passed.text() == "4 <= 4"); // nothing else to read
}

TEST_CASE("checks: what was not measured is inconclusive, whatever it is compared with") {
    observation const m = sectors_and_requests(4096, 1024);
    for (outcome const& each : {OUTCOME(m[metrics::dram_bytes] <= 1_bytes), OUTCOME(m[metrics::dram_bytes] >= 1_bytes),
                                OUTCOME(m[metrics::dram_bytes] != 1_bytes), OUTCOME(m.ratio(0, 7) != 1.0)})
        CHECK(each.verdict == verdict::inconclusive);
    CHECK(OUTCOME(m[metrics::dram_bytes] <= 1_bytes).reason ==
          "unknown metric: dram__bytes.sum was not measured here; remedy: add it to the list of metrics");
    observation const nowhere{report_of({{metrics::dram_bytes, 1}}), "stepp"};
    CHECK(OUTCOME(nowhere[metrics::dram_bytes] >= 0_bytes).verdict == verdict::inconclusive);
    observation const nothing{gpuprof::error{gpuprof::errc::permission, 0, "counters are closed"}};
    CHECK(OUTCOME(nothing[metrics::dram_bytes] >= 0_bytes).reason == "permission: counters are closed");
    CHECK(OUTCOME(nothing.ratio(0, 1) >= 0).verdict == verdict::inconclusive);
}

TEST_CASE("checks: 0/0 and a value that was lost are inconclusive") {
    double const none = std::numeric_limits<double>::quiet_NaN();
    CHECK(OUTCOME(sectors_and_requests(0, 0).ratio(0, 1) <= 4.0).verdict == verdict::inconclusive);
    CHECK(OUTCOME(sectors_and_requests(4, 0).ratio(0, 1) <= 4.0).verdict == verdict::fail); // infinite
    CHECK(OUTCOME(sectors_and_requests(none, 4).ratio(0, 1) <= 4.0).verdict == verdict::inconclusive);
    observation const rate{report_of({{metrics::l2_hit_rate, none}}), "step"};
    CHECK(has(OUTCOME(rate[metrics::l2_hit_rate] >= 0_percent).reason, "its divisor was 0"));
}

TEST_CASE("checks: a report with a problem proves nothing") {
    auto made = contents_of({{metrics::dram_bytes, 1}});
    made.completeness.problems.emplace_back(gpuprof::errc::replay_mismatch, 0, "replay passes launched different work");
    observation const m{gpuprof::report{made}, "step"};
    CHECK(OUTCOME(m[metrics::dram_bytes] == 1_bytes).reason ==
          "replay mismatch: replay passes launched different work");
}

TEST_CASE("checks: a range without kernels is inconclusive, also where that is no problem of the report") {
    auto made = contents_of({{metrics::dram_bytes, 0}});
    made.ranges[0].launches = {};
    made.ranges[0].launches.heard = true;
    observation const empty{gpuprof::report{made}, "step"};
    CHECK(has(OUTCOME(empty[metrics::dram_bytes] <= 1_bytes).reason, "no kernel ran in the range \"step\""));
    made.ranges[0].launches.heard = false; // then nobody knows
    CHECK(OUTCOME(observation(gpuprof::report{made}, "step")[metrics::dram_bytes] <= 1_bytes).verdict == verdict::pass);
}

TEST_CASE("checks: a share beyond 100 % that several passes made is inconclusive, and that of one pass is a value") {
    // an H200 gave this hit rate for a small kernel whose lookups and hits were counted in different passes
    auto made = contents_of({{metrics::l2_hit_rate, 218}});
    made.completeness.passes_needed = 3;
    observation const several{gpuprof::report{made}, "step"};
    CHECK(has(OUTCOME(several[metrics::l2_hit_rate] >= 50_percent).reason,
              "218 % is impossible: it was put together from 3 passes that do not belong together"));
    made.completeness.passes_needed = 1;
    CHECK(OUTCOME(observation(gpuprof::report{made}, "step")[metrics::l2_hit_rate] >= 50_percent).verdict ==
          verdict::pass);
}

TEST_CASE("checks: equality wants exact values of the embedded GPU, and so do others if they are told to") {
    auto const of = [](fidelity how) {
        return observation{gpuprof::report{of_the_embedded_gpu(contents_of({{metrics::dram_bytes, 64, how}}))}, "step"};
    };
    auto const exact = of(fidelity::exact)[metrics::dram_bytes];
    auto const estimated = of(fidelity::estimated)[metrics::dram_bytes];
    auto const modelled = of(fidelity::modelled)[metrics::dram_bytes];
    auto const unmodelled = of(fidelity::always_zero)[metrics::dram_bytes];
    CHECK(OUTCOME(exact == 64_bytes).verdict == verdict::pass);
    CHECK(OUTCOME(exact == 65_bytes).verdict == verdict::fail);
    CHECK(has(OUTCOME(exact == 65_bytes).details, "= 64 bytes, exact: "));
    CHECK(has(OUTCOME(exact == 65_bytes).details, "the embedded GPU: not hardware"));
    CHECK(OUTCOME(estimated == 64_bytes).verdict == verdict::inconclusive);
    CHECK(has(OUTCOME(estimated == 64_bytes).reason, "dram__bytes.sum is estimated by the embedded GPU"));
    CHECK(OUTCOME(modelled != 65_bytes).verdict == verdict::inconclusive);
    CHECK(OUTCOME(modelled == gpuprof::exactly(64_bytes)).verdict == verdict::inconclusive);
    CHECK(OUTCOME(modelled <= 64_bytes).verdict == verdict::pass);
    CHECK(OUTCOME(exact_only(modelled) <= 64_bytes).verdict == verdict::inconclusive);
    CHECK(OUTCOME(exact_only(exact) + modelled <= 128_bytes).verdict == verdict::inconclusive);
    CHECK(OUTCOME(unmodelled >= 0_bytes).verdict == verdict::inconclusive);
    CHECK(OUTCOME(exact / exact == 1.0).verdict == verdict::pass);
    CHECK(OUTCOME(exact / sectors_and_requests(1, 1)[metrics::global_load_requests] >= gpuprof::bytes{1} / 1_requests)
              .reason == "the values are of a GPU and of the embedded GPU");
}

TEST_CASE("bounds: near, at_most, at_least and between include their ends") {
    auto const value = sectors_and_requests(4096, 1024)[metrics::global_load_sectors];
    CHECK(OUTCOME(value == near(4096_sectors, 0_percent)).verdict == verdict::pass);
    CHECK(OUTCOME(value == near(4000_sectors, 2.4_percent)).verdict == verdict::pass); // 3904 to 4096
    CHECK(OUTCOME(value == near(4000_sectors, 2_percent)).expanded ==
          "4,096 sectors is to be near 4,000 sectors (within 2 %: 3,920 to 4,080)");
    CHECK(OUTCOME(value == near(4000_sectors, 2_percent)).verdict == verdict::fail);
    CHECK(OUTCOME(value == at_most(4096_sectors)).verdict == verdict::pass);
    CHECK(OUTCOME(value == at_most(4095_sectors)).expanded == "4,096 sectors is to be at most 4,095 sectors");
    CHECK(OUTCOME(value == at_least(4096_sectors)).verdict == verdict::pass);
    CHECK(OUTCOME(value == at_least(4097_sectors)).verdict == verdict::fail);
    CHECK(OUTCOME(value == between(4096_sectors, 4097_sectors)).verdict == verdict::pass);
    CHECK(OUTCOME(value == between(4097_sectors, 5000_sectors)).expanded ==
          "4,096 sectors is to be between 4,097 and 5,000 sectors");
    CHECK(OUTCOME(value == exactly(4096_sectors)).verdict == verdict::pass);
    CHECK(gpuprof::judge::expected(value, exactly(4095_sectors)).verdict == verdict::fail);
    CHECK(OUTCOME(sectors_and_requests(4, 1).ratio(0, 1) == gpuprof::near(4.1, 3_percent)).verdict == verdict::pass);
    // of a negative number, too
    CHECK(OUTCOME((0_bytes - 100_bytes) == near(gpuprof::bytes{-101}, 1_percent)).verdict == verdict::pass);
}

TEST_CASE("bounds: noise of the hardware is allowed by name, on hardware only, and told") {
    auto const made = contents_of({{metrics::shared_load_bank_conflicts, 40}, {metrics::shared_load_wavefronts, 1000}});
    auto const conflicts = observation{gpuprof::report{made}, "step"}[metrics::shared_load_bank_conflicts];
    auto const none = at_most(gpuprof::bank_conflicts{0});
    CHECK(OUTCOME(conflicts == none).verdict == verdict::fail);
    CHECK(OUTCOME(conflicts == none.allowing(gpuprof::noise::load_arbitration)).verdict == verdict::pass); // 4 of 100
    auto const more = contents_of({{metrics::shared_load_bank_conflicts, 41}, {metrics::shared_load_wavefronts, 1000}});
    outcome const failed = OUTCOME(observation(gpuprof::report{more}, "step")[metrics::shared_load_bank_conflicts] ==
                                   none.allowing(gpuprof::noise::load_arbitration));
    CHECK(failed.verdict == verdict::fail);
    CHECK(has(failed.expanded, "noise::load_arbitration allows 40 more: wavefronts that wait for others"));
    observation const embedded{gpuprof::report{of_the_embedded_gpu(made)}, "step"};
    CHECK(OUTCOME(embedded[metrics::shared_load_bank_conflicts] == none.allowing(gpuprof::noise::load_arbitration))
              .verdict == verdict::fail);
    observation const alone{report_of({{metrics::shared_load_bank_conflicts, 40}}), "step"};
    CHECK(OUTCOME(alone[metrics::shared_load_bank_conflicts] == none.allowing(gpuprof::noise::load_arbitration))
              .verdict == verdict::inconclusive);
}

TEST_CASE("repetitions: the median is judged, and the spread is told") {
    auto made = contents_of({{metrics::dram_bytes, 0}});
    made.values = {100, 900, 120, 110};
    made.ranges[0].rows = {0, 1, 2, 3};
    made.ranges[0].count = 4;
    observation const all{gpuprof::report{made}, "step"};
    CHECK(OUTCOME(all[metrics::dram_bytes] == 1230_bytes).verdict == verdict::pass); // the range as a whole
    outcome const failed = OUTCOME(all.median()[metrics::dram_bytes] == 116_bytes);
    CHECK(failed.expanded == "115 bytes == 116 bytes"); // between the middle two, 110 and 120
    CHECK(has(failed.details, "the median of 4 repetitions, from 100 to 900"));
}

} // namespace decomposition_test
