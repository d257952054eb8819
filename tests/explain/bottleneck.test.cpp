// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/bottleneck.hpp on reports written here: verdicts and numbers by arithmetic.
#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/explain/bottleneck.hpp>
#include <gpuprof/io/bottleneck_table.hpp>

namespace bottleneck_test {

namespace explain = gpuprof::explain;
using explain::bottleneck_kind;
using explain::gpu_unit;
using gpuprof::percent;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A range in which 1,000 warp cycles passed and every unit idled, but for what a test says. Stalls are warp cycles, so that 10
// are a per cent; the others are per cent of peak.
struct paper_range {
    std::vector<std::pair<std::string, double>> values;

    paper_range() {
        for (std::string const& name : explain::bottleneck_metric_names()) values.emplace_back(name, 0.0);
        set("smsp__warps_active.sum", 1000);
        set("sm__cycles_elapsed.avg", 400);
        set("sm__cycles_active.avg", 300);
    }
    paper_range& set(std::string_view name, double value) {
        for (auto& each : values)
            if (each.first == name) {
                each.second = value;
                return *this;
            }
        FAIL("no metric ", name);
        return *this;
    }
    paper_range& light(std::string const& base, double value) {
        return set(base + ".avg.pct_of_peak_sustained_elapsed", value);
    }
    paper_range& stall(std::string const& reason, double value) {
        return set("smsp__warps_issue_stalled_" + reason + ".sum", value);
    }
    paper_range& without(std::string_view part) {
        std::size_t const before = values.size();
        std::erase_if(values, [&](auto const& each) { return each.first.find(part) != std::string::npos; });
        CHECK(values.size() < before);
        return *this;
    }
    explain::bottleneck find() const {
        gpuprof::report::contents made;
        made.device = "Paper GPU";
        made.chip = "GH100";
        for (auto const& [name, value] : values) {
            made.metrics.push_back(*gpuprof::try_metric(name));
            made.values.push_back(value);
        }
        made.ranges = {{"all", gpuprof::report::range::top, 1, {0}}};
        return explain::find_bottleneck(gpuprof::report{std::move(made)}.at(0));
    }
};

double of(std::optional<percent> const& value) {
    REQUIRE(value.has_value());
    return value->value();
}

} // namespace

TEST_CASE("bottleneck: a unit's value is the waiting for it less the time in which it had nothing to do") {
    auto const found = paper_range{}
                           .light("dram__throughput", 90)
                           .light("lts__throughput", 50)
                           .light("l1tex__throughput", 20)
                           .stall("long_scoreboard", 800)
                           .stall("lg_throttle", 60)
                           .stall("drain", 10)
                           .find();
    CHECK(found.kind == bottleneck_kind::unit);
    CHECK(found.unit == gpu_unit::dram);
    CHECK(found.verdict() == "DRAM");
    CHECK(found.findings.size() == explain::gpu_units);
    CHECK(of(found.find(gpu_unit::dram)->speed_of_light) == 90);
    CHECK(of(found.find(gpu_unit::dram)->waiting) == 87);
    CHECK(of(found.find(gpu_unit::dram)->bottleneck) == 87 - (100 - 90));
    CHECK(of(found.find(gpu_unit::l2)->bottleneck) == 87 - (100 - 50));
    CHECK(of(found.find(gpu_unit::l1)->waiting) == 86);
    CHECK(of(found.find(gpu_unit::l1)->bottleneck) == 86 - (100 - 20));
    CHECK(of(found.find(gpu_unit::fma)->bottleneck) == 0);
    CHECK(found.cycles == 400);
    CHECK(of(found.active) == 75);
    REQUIRE(found.stalls.size() == 18);
    CHECK(found.stalls[0].reason == "long_scoreboard");
    CHECK(found.stalls[0].of_warps == percent{80});
    CHECK(found.stalls[1].reason == "lg_throttle");
}

TEST_CASE("bottleneck: a launch and the wait for its end are no time of the unit") {
    auto range = paper_range{}
                     .light("l1tex__data_pipe_lsu_wavefronts_mem_shared", 20)
                     .stall("short_scoreboard", 700)
                     .stall("mio_throttle", 200);
    CHECK(range.find().verdict() ==
          "latency"); // 90 - (100 - 20) = 10, of a range that may have had kernels all the time
    CHECK_FALSE(range.find().running.has_value());
    auto const found = range.set("sm__cycles_elapsed.max", 400).set("sm__cycles_active.max", 100).find();
    CHECK(of(found.running) == 25);
    CHECK(of(found.find(gpu_unit::shared)->speed_of_light) == 20 * 400 / 100);
    CHECK(of(found.find(gpu_unit::shared)->bottleneck) == 90 - (100 - 80));
    CHECK(found.verdict() == "shared memory");
    CHECK(of(found.active) == 75); // of the whole range
}

TEST_CASE("bottleneck: of a unit and what feeds it with like values, the later unit is named") {
    auto busy = paper_range{}.light("sm__issue_active", 97).stall("not_selected", 700).stall("math_pipe_throttle", 60);
    CHECK(busy.find().unit == gpu_unit::issue);
    CHECK(busy.light("sm__pipe_fma_cycles_active", 90).find().unit == gpu_unit::fma);   // 66 beside 67
    CHECK(busy.light("sm__pipe_fma_cycles_active", 80).find().unit == gpu_unit::issue); // 56: more than 10 less
}

TEST_CASE("bottleneck: the highest of its metrics is the speed of light of a pipe") {
    auto range = paper_range{}.stall("math_pipe_throttle", 900).light("sm__pipe_fmaheavy_cycles_active", 95);
    auto const found = range.light("sm__pipe_fma_cycles_active", 50).find();
    CHECK(of(found.find(gpu_unit::fma)->speed_of_light) == 95);
    CHECK(found.unit == gpu_unit::fma);
    CHECK(range.without("fmaheavy").find().verdict() == "FMA pipe"); // 90 - 50 = 40, and no metric is needed twice
}

TEST_CASE("bottleneck: waiting without a unit at work is latency, and so is work that nothing waits for") {
    auto const waits = paper_range{}.stall("long_scoreboard", 990).light("dram__throughput", 25).find();
    CHECK(waits.kind == bottleneck_kind::latency);
    CHECK_FALSE(waits.unit.has_value());
    CHECK(waits.verdict() == "latency");
    CHECK(of(waits.find(gpu_unit::dram)->bottleneck) == 24);
    CHECK(paper_range{}.stall("long_scoreboard", 1000).light("dram__throughput", 25).find().unit == gpu_unit::dram);
    CHECK(paper_range{}.stall("wait", 500).light("dram__throughput", 95).find().kind == bottleneck_kind::latency);
    CHECK(paper_range{}.find().kind == bottleneck_kind::latency);
}

TEST_CASE("bottleneck: without a metric that could be the answer nothing is said, and the metric is named") {
    auto const found =
        paper_range{}.stall("long_scoreboard", 900).light("lts__throughput", 60).without("dram__throughput").find();
    CHECK(found.kind == bottleneck_kind::cannot_be_said);
    CHECK(found.verdict() == "cannot be said");
    CHECK(found.missing == std::vector<std::string>{"dram__throughput.avg.pct_of_peak_sustained_elapsed"});
    CHECK(found.why.find("dram__throughput") != std::string::npos);
    CHECK(of(found.find(gpu_unit::l2)->bottleneck) == 50); // what is known stays
    CHECK_FALSE(found.find(gpu_unit::dram)->bottleneck.has_value());
    CHECK(found.find(gpu_unit::dram)->at_most == 90);
}

TEST_CASE("bottleneck: a unit that is not known does not matter where warps did not wait for it") {
    auto const found = paper_range{}
                           .stall("mio_throttle", 900)
                           .light("l1tex__data_pipe_lsu_wavefronts_mem_shared", 95)
                           .without("dram__throughput")
                           .find();
    CHECK(found.kind == bottleneck_kind::unit);
    CHECK(found.unit == gpu_unit::shared);
    CHECK(found.missing.empty());
}

TEST_CASE("bottleneck: a value that was not collected is missing, not zero") {
    auto const found = paper_range{}.stall("long_scoreboard", 900).light("dram__throughput", not_a_number).find();
    CHECK(found.kind == bottleneck_kind::cannot_be_said);
    CHECK(found.missing == std::vector<std::string>{"dram__throughput.avg.pct_of_peak_sustained_elapsed"});
    auto const warps = paper_range{}.light("dram__throughput", 90).without("warps_active").find();
    CHECK(warps.kind == bottleneck_kind::cannot_be_said);
    CHECK(warps.missing == std::vector<std::string>{"smsp__warps_active.sum"});
    CHECK(warps.stalls.empty());
}

TEST_CASE("bottleneck: a range without a warp has no answer, and says why") {
    auto const found = paper_range{}.set("smsp__warps_active.sum", 0).find();
    CHECK(found.kind == bottleneck_kind::cannot_be_said);
    CHECK(found.missing.empty());
    CHECK(found.why == "no warp was resident in the range");
}

} // namespace bottleneck_test
