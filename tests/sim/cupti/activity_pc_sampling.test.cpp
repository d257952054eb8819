// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity kind PC_SAMPLING of the embedded GPU, which CUPTI has up to CUDA 12.9: its records, its periods, and what an H200
// refuses.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "support/activity_tool.hpp"
#include "support/pc_sampled_gpu.hpp"
#include "sim/chip/chips.hpp"

namespace activity_pc_sampling_test {

using namespace gpuprof::abi;
namespace activity = gpuprof::activity;
namespace sim = gpuprof::sim;
using test::pc_sampled_gpu;

namespace {

CUptiResult configure(pc_sampled_gpu const& machine, std::uint32_t power, unsigned named = 0) {
    CUpti_ActivityPCSamplingConfig period;
    period.samplingPeriod = static_cast<CUpti_ActivityPCSamplingPeriod>(named);
    period.samplingPeriod2 = power;
    return sim::cupti::legacy_table().ActivityConfigurePCSampling(machine.handle(), &period);
}

struct sorted {
    std::vector<activity::pc_sampling> samples;
    std::vector<activity::pc_sampling_summary> summaries;
    std::map<std::uint32_t, std::string> functions;
    std::map<std::uint32_t, std::pair<std::string, std::uint32_t>> lines;
    std::size_t others = 0;
};
sorted take(test::activity_tool& tool) {
    sorted all;
    for (auto const& record : tool.take()) {
        if (auto const* const one = std::get_if<activity::pc_sampling>(&record)) all.samples.push_back(*one);
        else if (auto const* const sum = std::get_if<activity::pc_sampling_summary>(&record))
            all.summaries.push_back(*sum);
        else if (auto const* const of = std::get_if<activity::function>(&record))
            CHECK(all.functions.emplace(of->id, std::string{of->name}).second);
        else if (auto const* const at = std::get_if<activity::source_locator>(&record))
            CHECK(all.lines.emplace(at->id, std::pair{std::string{at->file}, at->line}).second);
        else ++all.others;
    }
    return all;
}

} // namespace

TEST_CASE("samples of instructions come as records with their function, line and summary") {
    pc_sampled_gpu machine{sim::gv100};
    test::activity_tool tool{{CUPTI_ACTIVITY_KIND_PC_SAMPLING}, sim::cupti::legacy_table()};
    REQUIRE(configure(machine, 5) == CUPTI_SUCCESS);
    machine.gather();
    machine.gather();
    auto const all = take(tool);
    CHECK(all.others == 0);
    REQUIRE(all.summaries.size() == 2);
    CHECK(all.summaries[0].correlation != all.summaries[1].correlation);
    REQUIRE(all.functions.size() == 1); // once, not once a launch
    CHECK(all.functions.begin()->second == "gather");

    std::map<std::uint32_t, std::uint64_t> sums; // by launch
    std::map<std::pair<std::uint64_t, activity::stall_reason>, int> places;
    std::uint64_t gathered = 0, waited = 0, first = all.summaries[0].correlation;
    for (auto const& each : all.samples) {
        CHECK(each.samples > 0);
        CHECK(each.latency_samples <= each.samples);
        CHECK(all.functions.count(each.function) == 1);
        REQUIRE(all.lines.count(each.source) == 1);
        sums[each.correlation] += each.samples;
        auto const& [file, line] = all.lines.at(each.source);
        CHECK(file.ends_with(".ptx")); // there is no .loc
        if (each.correlation == first) ++places[{each.pc, each.reason}];
        if (line == test::line_of_gathered) {
            gathered += each.samples;
            if (each.reason == activity::stall_reason::memory_dependency) waited += each.samples;
        }
    }
    for (auto const& [place, records] : places) CHECK(records == 1);
    for (auto const& summary : all.summaries) {
        CHECK(summary.period == 32);
        CHECK(summary.dropped == 0);
        CHECK(sums[summary.correlation] == summary.samples);
    }
    // What the kernel waits for is the data of its load, where they are first used.
    CHECK(2 * gathered > sums[all.summaries[0].correlation] + sums[all.summaries[1].correlation]);
    CHECK(10 * waited > 9 * gathered);
}

TEST_CASE("a period of twice as many cycles gives half as many samples") {
    pc_sampled_gpu machine{sim::gv100};
    test::activity_tool tool{{CUPTI_ACTIVITY_KIND_PC_SAMPLING}, sim::cupti::legacy_table()};
    std::vector<double> samples;
    for (std::uint32_t const power : {5u, 6u, 7u, 8u}) {
        REQUIRE(configure(machine, power) == CUPTI_SUCCESS);
        machine.add(1000, 256);
        auto const all = take(tool);
        REQUIRE(all.summaries.size() == 1);
        CHECK(all.summaries[0].period == std::uint64_t{1} << power);
        samples.push_back(static_cast<double>(all.summaries[0].samples));
    }
    for (std::size_t i = 1; i < samples.size(); ++i)
        CHECK(samples[i - 1] / samples[i] == doctest::Approx(2).epsilon(0.02));
}

TEST_CASE("lines have new numbers each time the kind is enabled") {
    pc_sampled_gpu machine{sim::gv100};
    test::activity_tool tool{{CUPTI_ACTIVITY_KIND_PC_SAMPLING}, sim::cupti::legacy_table()};
    REQUIRE(configure(machine, 5) == CUPTI_SUCCESS);
    machine.meet();
    auto const first = take(tool);
    machine.meet();
    auto const second = take(tool);
    CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_PC_SAMPLING) == CUPTI_SUCCESS);
    machine.meet();
    auto const none = take(tool);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_PC_SAMPLING) == CUPTI_SUCCESS);
    machine.meet();
    auto const third = take(tool);
    CHECK(first.lines.size() > 2);
    CHECK(second.lines.empty());
    CHECK(!second.samples.empty());
    CHECK(none.samples.size() + none.summaries.size() + none.lines.size() == 0);
    CHECK(third.lines.size() == first.lines.size());
    CHECK(third.functions.empty()); // they keep theirs
    for (auto const& [id, line] : third.lines) CHECK(first.lines.count(id) == 0);
}

TEST_CASE("the kinds that come with samples cannot be enabled, and periods out of range are refused") {
    pc_sampled_gpu machine{sim::gv100};
    test::activity_tool tool{{}, sim::cupti::legacy_table()};
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR) == CUPTI_ERROR_INVALID_KIND);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO) == CUPTI_ERROR_INVALID_KIND);
    CHECK(configure(machine, 4) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(configure(machine, 32) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(configure(machine, 0, CUPTI_ACTIVITY_PC_SAMPLING_PERIOD_INVALID) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(configure(machine, 0, CUPTI_ACTIVITY_PC_SAMPLING_PERIOD_MAX + 1) == CUPTI_ERROR_INVALID_PARAMETER);
    auto const call = tool.cupti.ActivityConfigurePCSampling;
    CUpti_ActivityPCSamplingConfig period;
    period.samplingPeriod2 = 10;
    CHECK(call(machine.handle(), nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(call(nullptr, &period) == CUPTI_ERROR_INVALID_CONTEXT);
    period.size = 4;
    CHECK(call(machine.handle(), &period) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_PC_SAMPLING) == CUPTI_SUCCESS);
    // What an H200 makes of the five named periods.
    std::uint64_t const cycles[]{32, 32, 32, 262144, 2147483648};
    for (unsigned named = 1; named <= 5; ++named) {
        CHECK(configure(machine, 0, named) == CUPTI_SUCCESS);
        machine.meet();
        auto const all = take(tool);
        REQUIRE(all.summaries.size() == 1);
        CHECK(all.summaries[0].period == cycles[named - 1]);
    }
}

TEST_CASE("chips before capability 5.2 have no samples, and 5.2 has none of latency") {
    auto const samples_of = [](sim::chip_model const& chip) {
        pc_sampled_gpu machine{chip};
        test::activity_tool tool{{CUPTI_ACTIVITY_KIND_PC_SAMPLING}, sim::cupti::legacy_table()};
        REQUIRE(configure(machine, 5) == CUPTI_SUCCESS);
        machine.gather();
        auto all = take(tool);
        std::pair<std::uint64_t, std::uint64_t> sums{0, 0};
        for (auto const& each : all.samples) sums.first += each.samples, sums.second += each.latency_samples;
        return sums;
    };
    CHECK(samples_of(sim::gk110b).first == 0);
    CHECK(samples_of(sim::gm200).first > 0);
    CHECK(samples_of(sim::gm200).second == 0);
    CHECK(samples_of(sim::gp100).second > 0);
    CHECK(samples_of(sim::gv100).second > 0);
}

} // namespace activity_pc_sampling_test
