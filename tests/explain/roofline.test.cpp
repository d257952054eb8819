// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/roofline.hpp: names against catalogues, roofs and points by arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/explain/roofline.hpp>
#include <gpuprof/explain/sections.hpp>
#include <gpuprof/metric/catalogue/ad102.hpp>
#include <gpuprof/metric/catalogue/gb202.hpp>
#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/metric/catalogue/gv100.hpp>
#include <gpuprof/metric/catalogue/tu102.hpp>

#include "support/paper_report.hpp"

namespace roofline_test {

namespace explain = gpuprof::explain;
using explain::roof_side;
using gpuprof::chip;
using test::paper_report;

namespace {

// 1 ms on a paper GPU of 100 single precision and 50 double precision operations a cycle of 1 GHz; DRAM of 10 bytes a cycle of
// 2 GHz, L2 of 1 sector, L1 of 1 line a cycle of 1 GHz.
paper_report paper() {
    paper_report made;
    made.set("gpu__time_duration.sum", 1e6)
        .set("sm__cycles_elapsed.avg.per_second", 1e9)
        .set("sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 50)
        .set("sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained", 25)
        .set("dram__bytes.sum.peak_sustained", 10)
        .set("dram__cycles_elapsed.avg.per_second", 2e9)
        .set("lts__lts2xbar_cycles_active.sum.peak_sustained", 1)
        .set("lts__cycles_elapsed.avg.per_second", 1e9)
        .set("l1tex__lsu_writeback_active_mem_lgds.sum.peak_sustained", 1)
        .set("l1tex__cycles_elapsed.avg.per_second", 1e9)
        .set("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1e6)
        .set("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 2e6)
        .set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 3e6)
        .set("dram__bytes.sum", 18e6)
        .set("lts__lts2xbar_cycles_active.sum", 45e4)
        .set("l1tex__lsu_writeback_active_mem_lgds.sum", 5625); // * 128 = 720,000 bytes
    return made;
}

} // namespace

TEST_CASE(
    "roofline: counters of single precision, double precision, half precision and memory are on every kind of chip") {
    using gpuprof::catalogue_of;
    gpuprof::catalogue const* const chips[]{&catalogue_of<chip::gv100>, &catalogue_of<chip::tu102>,
                                            &catalogue_of<chip::ad102>, &catalogue_of<chip::gh100>,
                                            &catalogue_of<chip::gb202>};
    for (gpuprof::catalogue const* const of : chips) {
        CAPTURE(gpuprof::name(of->chip()));
        bool tensor = false;
        for (explain::roofline_work const& work : explain::roofline_metrics::works) {
            bool const is_tensor = work.id.starts_with("tensor");
            for (explain::roofline_term const& each : work.counted)
                if (each.metric != nullptr && !is_tensor) CHECK_MESSAGE(of->contains(each.metric), each.metric);
            if (is_tensor) CHECK(of->contains(work.peak.metric) == of->contains(work.counted[0].metric));
            else CHECK_MESSAGE(of->contains(work.peak.metric), work.peak.metric);
            tensor = tensor || (is_tensor && of->contains(work.peak.metric));
        }
        CHECK(tensor);
        std::vector<std::string_view> levels;
        for (explain::roofline_level const& level : explain::roofline_metrics::levels) {
            if (!level.is_for(gpuprof::capability(of->chip()))) continue;
            levels.push_back(level.id);
            for (char const* const each : {level.traffic, level.peak, level.clock})
                CHECK_MESSAGE(of->contains(each), each);
        }
        CHECK(levels == std::vector<std::string_view>{"dram", "l2", "l1"});
    }
}

TEST_CASE("roofline: peaks are per cycle of their clock and a fused instruction is two operations") {
    auto const of = explain::roofline_of(*explain::find_work("single"), paper().range());
    REQUIRE(of.peak.number);
    CHECK(*of.peak.number == doctest::Approx(100e9)); // 2 * 50 * 1 GHz
    CHECK_FALSE(of.measured);
    REQUIRE(of.achieved.number);
    CHECK(*of.achieved.number == doctest::Approx(9e9)); // (1 + 2 + 2 * 3) million in 1 ms
    auto const* const dram = of.find("dram");
    REQUIRE(dram != nullptr);
    CHECK(*dram->bandwidth.number == doctest::Approx(20e9));
    CHECK(*dram->traffic.number == doctest::Approx(18e9));
    CHECK(*dram->intensity == doctest::Approx(0.5));
    CHECK(*dram->ridge == doctest::Approx(5));
    CHECK(dram->side == roof_side::memory);
    CHECK(*dram->attainable == doctest::Approx(10e9)); // 20 GB/s * 0.5
    CHECK(*dram->reached == doctest::Approx(0.9));
    CHECK(*of.find("l2")->traffic.number == doctest::Approx(14.4e9)); // 32 bytes a cycle
    auto const* const l1 = of.find("l1");
    CHECK(*l1->bandwidth.number == doctest::Approx(128e9));
    CHECK(*l1->intensity == doctest::Approx(12.5));
    CHECK(*l1->ridge == doctest::Approx(100.0 / 128));
    CHECK(l1->side == roof_side::compute);
    CHECK(*l1->attainable == doctest::Approx(100e9));
    CHECK(*l1->reached == doctest::Approx(0.09));
}

TEST_CASE("roofline: measured peaks stand for theoretical ones and say so") {
    explain::measured_peak const peaks[]{{"dram", 15e9}, {"single", 80e9}};
    auto const of = explain::roofline_of(*explain::find_work("single"), paper().range(), peaks);
    CHECK(of.measured);
    CHECK(*of.peak.number == 80e9);
    CHECK(of.find("dram")->measured);
    CHECK(*of.find("dram")->ridge == doctest::Approx(80.0 / 15));
    CHECK_FALSE(of.find("l2")->measured);
}

TEST_CASE("roofline: what is missing is said and a range without operations has no point") {
    auto range = paper();
    auto const half = explain::roofline_of(*explain::find_work("half"), range.range());
    CHECK_FALSE(half.has_point());
    REQUIRE(half.achieved.missing);
    CHECK(half.achieved.missing->message().find("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum") !=
          std::string::npos);
    CHECK(half.peak.missing);
    range.set("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0)
        .set("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0)
        .set("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0);
    auto const none = explain::roofline_of(*explain::find_work("double"), range.range());
    CHECK(*none.achieved.number == 0);
    CHECK_FALSE(none.has_point());
    CHECK(none.find("dram")->ridge);
    CHECK_FALSE(none.find("dram")->intensity);
    auto const of_range = explain::rooflines_of(range.range());
    REQUIRE(of_range.size() == 1);
    CHECK(of_range[0].work->id == "single");
}

TEST_CASE("roofline: two operations on pairs of half precision, and tensor cores as they count") {
    paper_report range = paper();
    range.set("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 1e6)
        .set("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 1e6)
        .set("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 1e6)
        .set("sm__ops_path_tensor_src_fp16.sum", 7e9);
    CHECK(*explain::roofline_of(*explain::find_work("half"), range.range()).achieved.number == doctest::Approx(8e9));
    CHECK(*explain::roofline_of(*explain::find_work("tensor_fp16"), range.range()).achieved.number ==
          doctest::Approx(7e12));
}

TEST_CASE("roofline: the section has every metric once and is of the sets roofline and full") {
    auto const& rows = explain::sections::roofline.rows;
    std::vector<std::string_view> metrics;
    for (auto const& row : rows) metrics.push_back(row.metric);
    std::sort(metrics.begin(), metrics.end());
    CHECK(std::adjacent_find(metrics.begin(), metrics.end()) == metrics.end());
    for (explain::roofline_work const& work : explain::roofline_metrics::works)
        CHECK(std::binary_search(metrics.begin(), metrics.end(), std::string_view{work.peak.metric}));
    for (explain::set const* const set : {&explain::set::roofline, &explain::set::full})
        CHECK(std::find(set->sections.begin(), set->sections.end(), &explain::sections::roofline) !=
              set->sections.end());
}

} // namespace roofline_test
