// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time and occupancy of launches whose CTAs do nothing but dependent multiplications, beside an H200.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "sim/chip/gh100.hpp"
#include "sim/model/cta_schedule.hpp"
#include "sim/model/time_model.hpp"

namespace time_model_test {

using namespace gpuprof::sim;
using enum raw_counter;

namespace {

// `lasting` of tests/hardware/short_launches.cu: turns of 32 FFMAs, each of which needs the one before. What a turn takes, and
// how many instructions, is the difference of its rows of 32 and of 4 turns, one CTA on each SM (last_short_launches.txt).
constexpr double cycles_of_a_turn = (5092.0 - 1217) / 28;
constexpr std::uint64_t instructions_of_a_turn = (1150 - 170) / 28, other_instructions = 30;

struct launch {
    std::uint64_t ctas;
    unsigned warps_per_cta;
    unsigned ctas_per_sm;
    std::vector<std::uint64_t> turns; // of CTA i, i modulo their number
    double microseconds;              // of the H200, and its per cent of 64 warps
    double occupancy;
};

counter_values modelled(launch const& l) {
    constexpr std::uint64_t sms = 132;
    std::vector<executed_ctas> ctas(sms < l.ctas ? sms : l.ctas);
    counter_values c;
    for (std::uint64_t i = 0; i < l.ctas; ++i) {
        std::uint64_t const turns = l.turns[i % l.turns.size()];
        std::uint64_t const instructions = turns * instructions_of_a_turn + other_instructions;
        ctas[i % ctas.size()].add({instructions, instructions * l.warps_per_cta});
        c[warps_launched] += l.warps_per_cta;
        c[inst_issued] += instructions * l.warps_per_cta;
        c[dependent_cycles] +=
            static_cast<std::uint64_t>(static_cast<double>(turns) * cycles_of_a_turn) * l.warps_per_cta;
    }
    c[inst_executed] = c[inst_issued];
    launch_shape shape;
    shape.ctas = l.ctas;
    shape.warps_per_cta = l.warps_per_cta;
    shape.ctas_per_sm = l.ctas_per_sm;
    shape.schedule = schedule_ctas(ctas, l.ctas_per_sm, l.warps_per_cta);
    time_model{gh100, shape}.fill(c);
    return c;
}

} // namespace

// An H200 (driver 580.159.04, Nsight Compute 2025.3.1), caches as the launch before leaves them.
TEST_CASE("waves, partial ones and uneven CTAs take as long, and are as resident, as on an H200") {
    std::vector<launch> const launches{
        {132, 8, 8, {32}, 3.968, 12.4},                // one CTA on each SM
        {132, 32, 2, {32}, 6.400, 48.4},               // which keeps the issue slots busy
        {264, 32, 2, {32}, 11.168, 73.9},              // two: the older one ends first
        {396, 32, 2, {32}, 15.968, 81.3},              // and one after them
        {1056, 8, 8, {32}, 11.616, 60.1},              // eight
        {1188, 8, 8, {32}, 12.928, 62.8},              //
        {1500, 8, 8, {32}, 16.352, 70.1},              // a partial wave
        {4224, 8, 8, {4}, 7.616, 81.3},                // four waves
        {8448, 4, 16, {8}, 12.320, 84.0},              //
        {8448, 1, 32, {8}, 7.200, 21.3},               // CTAs begin and end as fast as they can
        {1056, 8, 8, {32, 64, 96, 128}, 40.416, 59.9}, // an SM's are alike
        {2112, 8, 8, {16, 32, 48, 64}, 30.304, 76.8},  // those that are done early take more
        {8448, 4, 16, {8, 16, 24, 32, 40, 48, 56, 64}, 48.384, 86.2}};
    for (launch const& l : launches) {
        INFO(l.ctas, " CTAs of ", l.warps_per_cta, " warps, ", l.turns[0], " turns");
        counter_values const c = modelled(l);
        double const occupancy =
            100 * static_cast<double>(c[warps_active]) / static_cast<double>(c[sm_cycles_active]) / 64;
        CHECK(static_cast<double>(c[gpu_time_ns]) == doctest::Approx(1000 * l.microseconds).epsilon(0.11));
        CHECK(occupancy == doctest::Approx(l.occupancy).epsilon(0.15));
        CHECK(c[warps_eligible] >= c[stalled_selected]);
        CHECK(c[warps_eligible] <= c[warps_active]);
        CHECK(c[sm_cycles_active] <= c[sm_cycles_elapsed] * 132);
    }
    CHECK(launches.size() == 13);
}

TEST_CASE("older CTAs go first, but for those whose warps meet at barriers again and again") {
    auto const occupancy = [](std::uint64_t barriers_of_a_warp) {
        constexpr std::uint64_t ctas = 1056, warps = 8, turns = 32;
        counter_values c;
        c[warps_launched] = ctas * warps;
        c[inst_executed] = c[inst_issued] = turns * instructions_of_a_turn * c[warps_launched];
        c[dependent_cycles] = static_cast<std::uint64_t>(turns * cycles_of_a_turn) * c[warps_launched];
        launch_shape shape;
        shape.ctas = ctas;
        shape.warps_per_cta = warps;
        shape.ctas_per_sm = 8;
        shape.schedule.busiest_share = 1.0 / 132;
        shape.barriers = barriers_of_a_warp * c[warps_launched];
        time_model{gh100, shape}.fill(c);
        return 100 * static_cast<double>(c[warps_active]) / static_cast<double>(c[sm_cycles_active]) / 64;
    };
    CHECK(occupancy(0) == doctest::Approx(60.1).epsilon(0.15)); // as above
    CHECK(occupancy(1) == doctest::Approx(occupancy(0)).epsilon(0.05));
    CHECK(occupancy(32) > 90);
}

TEST_CASE("warps end one after the other where memory decides, but for those that a barrier held before") {
    auto const occupancy = [](std::uint64_t barriers_of_a_warp) {
        constexpr std::uint64_t ctas = 12672, warps = 8; // twelve waves
        counter_values c;
        c[warps_launched] = ctas * warps;
        c[inst_executed] = c[inst_issued] = 20 * c[warps_launched];
        for (raw_counter const which : {waits_far, l1_requests_global_ld, l1_requests_missed, l1_tags_global_ld})
            c[which] = c[warps_launched];
        for (raw_counter const which : {l1_sectors_global_ld, l2_sectors_tex_read}) c[which] = 4 * c[warps_launched];
        c[dram_bytes_read] = 8 * 128 * c[warps_launched];
        launch_shape shape;
        shape.ctas = ctas;
        shape.warps_per_cta = warps;
        shape.ctas_per_sm = 8;
        shape.schedule.span = shape.schedule.active = 12;
        shape.schedule.busiest_share = 1.0 / 132;
        shape.barriers = barriers_of_a_warp * c[warps_launched];
        time_model{gh100, shape}.fill(c);
        return 100 * static_cast<double>(c[warps_active]) / static_cast<double>(c[sm_cycles_active]) / 64;
    };
    // An H200, last_pairs_values.csv: 72 to 78 % of bad_opacity, clean_momentum_step and clean_rotary, which only load and store, 87 to
    // 93 % of mended_packed_pixels and mended_stereo, which have a barrier between.
    CHECK(occupancy(0) == doctest::Approx(75).epsilon(0.1));
    CHECK(occupancy(1) == doctest::Approx(90).epsilon(0.1));
}

TEST_CASE("the last warp of a chip is later than the only one") {
    auto const time = [](std::uint64_t ctas) {
        launch_shape shape;
        shape.ctas = ctas;
        shape.schedule.busiest_share = 1.0 / static_cast<double>(ctas);
        counter_values c;
        c[warps_launched] = ctas;
        c[inst_executed] = c[inst_issued] = 33 * ctas;
        // Eight loads one after the other that L2 has, each of a line.
        for (raw_counter const which : {waits_far, l1_requests_global_ld, l1_requests_missed, l1_sectors_global_ld,
                                        l1_tags_global_ld, l2_sectors_tex_read})
            c[which] = 8 * ctas;
        return time_model{gh100, shape}.estimate(c).likely * 1e6;
    };
    // chase_8 of last_short_launches.txt: 2.88 us by one warp, 3.52 by eight warps on each SM.
    CHECK(time(1) == doctest::Approx(2.88).epsilon(0.05));
    CHECK(time(132) == doctest::Approx(3.52).epsilon(0.1));
}

} // namespace time_model_test
