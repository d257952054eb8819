// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which SM gets which CTA, by hand, and how many are resident beside an H200.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "sim/model/cta_schedule.hpp"
#include "sim/model/residency.hpp"

namespace cta_schedule_test {

using gpuprof::sim::cta_schedule;
using gpuprof::sim::executed_ctas;
using gpuprof::sim::latest_of;
using gpuprof::sim::resident_in_order;
using gpuprof::sim::resident_in_waves;
using gpuprof::sim::schedule_ctas;

namespace {

// CTAs of one warp, of these lengths, in their order.
cta_schedule scheduled(std::vector<std::uint64_t> const& lengths, std::size_t sms, unsigned ctas_per_sm) {
    std::vector<executed_ctas> all(sms);
    for (std::size_t i = 0; i < lengths.size(); ++i) all[i % sms].add({lengths[i], lengths[i]});
    return schedule_ctas(all, ctas_per_sm, 1);
}

} // namespace

TEST_CASE("CTAs that are alike come in waves, the last of which may be partial") {
    auto const alike = [](std::uint64_t on_first, std::uint64_t on_second) {
        std::vector<executed_ctas> sms(2);
        for (std::uint64_t i = 0; i < on_first; ++i) sms[0].add({10, 40});
        for (std::uint64_t i = 0; i < on_second; ++i) sms[1].add({10, 40});
        return schedule_ctas(sms, 2, 8);
    };
    cta_schedule const whole = alike(4, 4), partial = alike(3, 2);
    CHECK(whole.span == 2);
    CHECK(whole.active == 2);
    CHECK(whole.busiest_share == 0.5);
    CHECK(whole.resident == 0.5); // 40 of 8 warps that could be there for 10
    CHECK(partial.span == 2);
    CHECK(partial.active == 1.5);
    CHECK(partial.busiest_share == doctest::Approx(3.0 / 5));
}

TEST_CASE("a CTA begins where room is first") {
    // SM 0: 4 and then nothing; SM 1: 1, 1, 1, 1. In the order of SMs alone it would be 4 + 1 + 1 and 1 + 1.
    cta_schedule const uneven = scheduled({4, 1, 1, 1, 1}, 2, 1);
    double const mean = 8.0 / 5;
    CHECK(uneven.span * mean == doctest::Approx(4));
    CHECK(uneven.active * mean == doctest::Approx(4));
    CHECK(uneven.busiest_share == doctest::Approx(0.5));
    CHECK(uneven.resident == doctest::Approx(1));
}

TEST_CASE("a long CTA that begins last is a tail") {
    cta_schedule const tail = scheduled({1, 1, 1, 1, 6}, 2, 1); // 1 + 1 + 6 beside 1 + 1
    double const mean = 2;
    CHECK(tail.span * mean == doctest::Approx(8));
    CHECK(tail.active * mean == doctest::Approx((8 + 2) / 2.0));
    CHECK(tail.busiest_share == doctest::Approx(0.8));
}

TEST_CASE("CTAs of one wave are on the SMs one after the other") {
    cta_schedule const wave = scheduled({4, 3, 2, 1}, 2, 8); // 4 and 2 beside 3 and 1
    double const mean = 2.5;
    CHECK(wave.span * mean == doctest::Approx(4));
    CHECK(wave.active * mean == doctest::Approx(3.5));
    CHECK(wave.busiest_share == doctest::Approx(0.6));
}

TEST_CASE("nothing that was executed is a schedule of one CTA") {
    CHECK(schedule_ctas({}, 4, 1).span == 1);
    CHECK(schedule_ctas(std::vector<executed_ctas>(3), 4, 1).span == 1);
}

TEST_CASE("a long CTA that begins first keeps its place, where so many CTAs are followed") {
    std::vector<std::uint64_t> lengths{1000};
    lengths.insert(lengths.end(), 100, 1);
    cta_schedule const early = scheduled(lengths, 2, 2);
    CHECK(early.span * 1100 / 101 == doctest::Approx(1000));
    CHECK(early.busiest_share == doctest::Approx(1034.0 / 1100).epsilon(0.01)); // and a third of the others beside it
}

// 4,000 CTAs of 1 or 2, then one of 50: as long as the others on two SMs with room for two, and the rest of the last.
TEST_CASE("only the last CTAs of a long grid are followed") {
    std::vector<std::uint64_t> lengths;
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < 4000; ++i) sum += lengths.emplace_back(1 + i / 2 % 2);
    lengths.push_back(50);
    cta_schedule const tail = scheduled(lengths, 2, 2);
    double const mean = static_cast<double>(sum + 50) / 4001;
    CHECK(tail.span * mean == doctest::Approx(static_cast<double>(sum) / 4 + 50).epsilon(0.01));
    CHECK(tail.busiest_share == doctest::Approx(0.5).epsilon(0.01));
    CHECK(tail.resident == doctest::Approx(1));
}

// An H200 (driver 580.159.04, Nsight Compute 2025.3.1; tests/hardware/last_short_launches.txt): sm__warps_active in per cent of
// 64 warps, of CTAs that do nothing but dependent multiplications. A CTA alone takes 4,500 cycles, one that has the issue slots
// 1,150 for each warp of a scheduler.
TEST_CASE("older CTAs end sooner where the issue slots are busy, as on an H200") {
    auto const percent = [](double ctas, double places, double warps, double together) {
        return 100 * warps * resident_in_order(ctas, places, together) / 64;
    };
    double const of_256 = 4500.0 / (2 * 1150), of_1024 = 4500.0 / (8 * 1150);
    CHECK(percent(8, 8, 8, of_256) == doctest::Approx(60.8).epsilon(0.05));
    CHECK(percent(9, 8, 8, of_256) == doctest::Approx(63.4).epsilon(0.05));
    CHECK(percent(2, 2, 32, of_1024) == doctest::Approx(75.1).epsilon(0.02));
    CHECK(percent(3, 2, 32, of_1024) == doctest::Approx(81.6).epsilon(0.03));
    CHECK(percent(1, 1, 32, of_1024) == doctest::Approx(48.4).epsilon(0.04));
    CHECK(percent(8, 8, 8, 100) == 100); // all take as long as one of them
}

TEST_CASE("where the CTAs of a wave end together, only the last wave has fewer") {
    double const often = 1e9; // waits
    CHECK(resident_in_waves(8, 8, 1, often) == doctest::Approx(8));
    CHECK(resident_in_waves(16, 8, 1, often) == doctest::Approx(8));
    CHECK(resident_in_waves(9, 8, 8, often) == doctest::Approx(4.5)); // one more, which takes as long as eight together
    CHECK(resident_in_waves(9, 8, 1, often) == doctest::Approx(65. / 9)); // or an eighth of that
    CHECK(resident_in_waves(3, 8, 1, often) == doctest::Approx(3));
}

TEST_CASE("what is waited for once comes for one CTA after the other") {
    CHECK(resident_in_waves(8, 8, 8, 1) == 8);  // unless all take as long as one of them
    CHECK(resident_in_waves(8, 8, 4, 1) == 6);  // four together, then one by one
    CHECK(resident_in_waves(8, 8, 4, 2) == 7);  // of the second wait only
    CHECK(resident_in_waves(16, 8, 4, 1) == 7); // others have come in the place of the first wave
    CHECK(resident_in_waves(8, 8, 0, 1) == doctest::Approx(4));
}

TEST_CASE("the last of many is later than that of few") {
    CHECK(latest_of(1) == 0);
    CHECK(latest_of(2) == doctest::Approx(0.5642).epsilon(0.001)); // 1 / sqrt(pi)
    CHECK(latest_of(3) == doctest::Approx(0.8463).epsilon(0.07));  // 3 / (2 sqrt(pi)), by interpolation
    CHECK(latest_of(1e9) == latest_of(8192));
    for (double n = 1; n < 10'000; n *= 1.3) CHECK(latest_of(n) <= latest_of(n * 1.3));
}

} // namespace cta_schedule_test
