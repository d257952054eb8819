// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/samplers/stall_reason.hpp and hw/samplers/pc_samples.hpp: names of reasons as an H200 has them, and samples added up.
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/hw/samplers/pc_samples.hpp>

namespace pc_samples_test {

using gpuprof::errc;
using gpuprof::pc_record;
using gpuprof::pc_samples;
using gpuprof::stall_reason;
using gpuprof::hw::parse_sampled_name;
using gpuprof::hw::sampled_name;

namespace {

// What cuptiPCSamplingGetStallReasons gave on an NVIDIA H200 (driver 580.159.04, CUPTI 13.0), without the common prefix
// smsp__pcsamp_.
constexpr std::string_view h200[]{"warps_issue_stalled_warpgroup_arrive_not_issued",
                                  "warps_issue_stalled_wait_not_issued",
                                  "warps_issue_stalled_wait",
                                  "warps_issue_stalled_tex_throttle_not_issued",
                                  "warps_issue_stalled_sleeping_not_issued",
                                  "warps_issue_stalled_short_scoreboard_not_issued",
                                  "warps_issue_stalled_short_scoreboard",
                                  "warps_issue_stalled_imc_miss",
                                  "warps_issue_stalled_lg_throttle",
                                  "warps_issue_stalled_drain",
                                  "warps_issue_stalled_long_scoreboard",
                                  "warps_issue_stalled_dispatch_stall_not_issued",
                                  "warps_issue_stalled_dispatch_stall",
                                  "warps_issue_stalled_warpgroup_arrive",
                                  "warps_issue_stalled_membar_not_issued",
                                  "warps_issue_stalled_branch_resolving",
                                  "warps_issue_stalled_branch_resolving_not_issued",
                                  "warps_issue_stalled_imc_miss_not_issued",
                                  "sample_count",
                                  "warps_issue_stalled_barrier",
                                  "warps_issue_stalled_tex_throttle",
                                  "warps_issue_stalled_long_scoreboard_not_issued",
                                  "samples_data_dropped",
                                  "warps_issue_stalled_no_instructions_not_issued",
                                  "warps_issue_stalled_barrier_not_issued",
                                  "warps_issue_stalled_drain_not_issued",
                                  "warps_issue_stalled_misc",
                                  "warps_issue_stalled_no_instructions",
                                  "warps_issue_stalled_lg_throttle_not_issued",
                                  "warps_issue_stalled_math_pipe_throttle_not_issued",
                                  "warps_issue_stalled_sleeping",
                                  "warps_issue_stalled_membar",
                                  "warps_issue_stalled_mio_throttle_not_issued",
                                  "warps_issue_stalled_mio_throttle",
                                  "warps_issue_stalled_misc_not_issued",
                                  "warps_issue_stalled_not_selected",
                                  "warps_issue_stalled_selected_not_issued",
                                  "warps_issue_stalled_math_pipe_throttle",
                                  "warps_issue_stalled_not_selected_not_issued",
                                  "warps_issue_stalled_selected"};

pc_record record(std::string function, std::uint64_t offset, std::initializer_list<gpuprof::stall_count> stalls) {
    pc_record made;
    made.function = std::move(function);
    made.pc_offset = offset;
    made.stalls = stalls;
    return made;
}

} // namespace

TEST_CASE("every stall reason of an H200 has a name of its own and a kind") {
    std::set<stall_reason> stalled, latency;
    std::size_t counts = 0;
    for (std::string_view const each : h200) {
        std::string const name = "smsp__pcsamp_" + std::string{each};
        CAPTURE(name);
        sampled_name const parsed = parse_sampled_name(name);
        if (parsed.meaning == sampled_name::kind::samples || parsed.meaning == sampled_name::kind::dropped) {
            ++counts;
            continue;
        }
        stall_reason const reason = gpuprof::find_stall_reason(parsed.reason);
        CHECK(reason != stall_reason::unknown);
        CHECK(gpuprof::name(reason) == parsed.reason);
        CHECK_FALSE(gpuprof::meaning(reason).empty());
        CHECK((parsed.meaning == sampled_name::kind::latency) == each.ends_with("_not_issued"));
        (parsed.meaning == sampled_name::kind::latency ? latency : stalled).insert(reason);
    }
    CHECK(std::size(h200) == 40);
    CHECK(counts == 2);
    CHECK(stalled.size() == 19);
    CHECK(latency == stalled);
    CHECK(stalled.size() + 1 == gpuprof::stall_reasons); // and unknown
}

TEST_CASE("a reason that no chip up to Hopper has is known by its text") {
    auto const parsed = parse_sampled_name("smsp__pcsamp_warps_issue_stalled_gmma_not_issued");
    CHECK(parsed.meaning == sampled_name::kind::latency);
    CHECK(parsed.reason == "gmma");
    CHECK(gpuprof::find_stall_reason(parsed.reason) == stall_reason::unknown);
    CHECK(gpuprof::find_stall_reason("unknown") == stall_reason::unknown);
    CHECK(gpuprof::meaning(stall_reason::unknown).empty());
    CHECK(parse_sampled_name("sm__something").meaning == sampled_name::kind::other);
    CHECK(parse_sampled_name("").meaning == sampled_name::kind::other);
    pc_samples samples;
    CHECK(samples.reason_of("gmma") == 0);
    CHECK(samples.reason_of("wait") == 1);
    CHECK(samples.reason_of("gmma") == 0);
    CHECK(samples.reasons[0].reason == stall_reason::unknown);
    CHECK(samples.reasons[1].reason == stall_reason::wait);
}

TEST_CASE("records of one place become one, in the order of places") {
    pc_samples samples;
    samples.reasons = {{"wait", stall_reason::wait}, {"barrier", stall_reason::barrier}};
    samples.add(record("b", 16, {{0, 5, 1}}));
    samples.add(record("a", 32, {{1, 2, 2}, {0, 1, 0}}));
    samples.add(record("b", 0, {{0, 3, 0}}));
    samples.add(record("b", 16, {{1, 7, 7}, {0, 1, 1}}));
    REQUIRE(samples.records.size() == 3);
    CHECK(samples.records[0] == record("a", 32, {{0, 1, 0}, {1, 2, 2}}));
    CHECK(samples.records[1] == record("b", 0, {{0, 3, 0}}));
    CHECK(samples.records[2] == record("b", 16, {{0, 6, 2}, {1, 7, 7}}));
    CHECK(samples.samples() == 1 + 2 + 3 + 6 + 7);
    CHECK(samples.records[2].latency_samples() == 9);
}

TEST_CASE("samples of two processes are added by function and place, whatever the numbers of their reasons") {
    pc_samples first, second;
    first.chip = second.chip = "GH100";
    first.period = second.period = 10;
    first.reasons = {{"wait", stall_reason::wait}};
    second.reasons = {{"gmma", stall_reason::unknown}, {"wait", stall_reason::wait}};
    first.add(record("f", 16, {{0, 5, 1}}));
    second.add(record("f", 16, {{0, 2, 0}, {1, 4, 3}}));
    second.add(record("g", 0, {{0, 1, 1}}));
    first.total = 6, second.total = 10, second.dropped = 2, second.non_user = 1, second.buffer_full = 1;
    second.unnamed = 1;
    REQUIRE(first.try_merge(second));
    REQUIRE(first.records.size() == 2);
    CHECK(first.records[0] == record("f", 16, {{0, 9, 4}, {1, 2, 0}}));
    CHECK(first.records[1] == record("g", 0, {{1, 1, 1}}));
    CHECK(first.reasons[1].name == "gmma");
    CHECK(first.total == 16);
    CHECK(first.dropped == 2);
    CHECK(first.non_user == 1);
    CHECK(first.unnamed == 1);
    CHECK(first.buffer_full == 1);
    CHECK_FALSE(first.complete());
}

TEST_CASE("samples that were taken otherwise are not added, and nothing changes") {
    pc_samples base;
    base.chip = "GH100";
    base.period = 10;
    base.add(record("f", 16, {}));
    for (int i = 0; i < 4; ++i) {
        CAPTURE(i);
        pc_samples other = base;
        if (i == 0) other.chip = "GA100";
        if (i == 1) other.period = 11;
        if (i == 2) other.mode = gpuprof::pc_sampling_mode::kernel_serialized;
        if (i == 3) other.source = gpuprof::device_source::embedded;
        other.total = 7;
        auto const merged = base.try_merge(other);
        REQUIRE_FALSE(merged);
        CHECK(merged.error().code == errc::invalid_argument);
        CHECK(base.total == 0);
        CHECK(base.records.size() == 1);
    }
}

} // namespace pc_samples_test
