// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/time_model.hpp: what a change saves, by arithmetic.
#include <doctest/doctest.h>

#include <gpuprof/explain/time_model.hpp>

namespace time_model_test {

namespace explain = gpuprof::explain;
using explain::gpu_unit;
using explain::limit;

namespace {

// All SMs work all the time; a quarter of the warps' time is issuing, and nothing else is known.
explain::time_profile profile() {
    explain::time_profile made;
    made.busy.fill(0);
    made.stalled.fill(0);
    made.knows_stalls = true;
    made.selected = 0.25;
    return made;
}
double& busy(explain::time_profile& of, gpu_unit unit) { return of.busy[static_cast<std::size_t>(unit)]; }
double& stalled(explain::time_profile& of, std::string_view reason) { return of.stalled[explain::stall_index(reason)]; }

} // namespace

TEST_CASE("time model: no change saves nothing") {
    auto now = profile();
    stalled(now, "long_scoreboard") = 0.75;
    explain::gain const none = explain::estimate(now, {});
    CHECK(none.likely == doctest::Approx(0));
    CHECK(none.least == 0);
    CHECK(none.then == limit::latency);
}

TEST_CASE("time model: waits that go away shorten the path of a warp by their share") {
    auto now = profile();
    stalled(now, "barrier") = 0.75;
    explain::gain const saved = explain::estimate(now, explain::change{}.scale("barrier", 0.2));
    CHECK(saved.likely == doctest::Approx(0.6)); // 0.25 + 0.75 * 0.2 of the time remains
    CHECK(saved.least <= saved.likely);
    CHECK(saved.likely <= saved.most);
}

TEST_CASE("time model: the busiest unit that remains bounds what is saved") {
    auto now = profile();
    stalled(now, "barrier") = 0.75;
    busy(now, gpu_unit::dram) = 0.8 * 0.92; // of what can be reached
    explain::gain const saved = explain::estimate(now, explain::change{}.scale("barrier", 0));
    CHECK(saved.likely == doctest::Approx(0.2));
    CHECK(saved.then == limit::dram);
    explain::gain const with_traffic =
        explain::estimate(now, explain::change{}.scale("barrier", 0).scale(gpu_unit::dram, 0.5));
    CHECK(with_traffic.likely == doctest::Approx(0.6));
}

// Both bounds to the fourth power: (1/16 + 1/16) / (1 + 1/16), of which the fourth root is 0.5857.
TEST_CASE("time model: warps wait in a queue before a unit that is nearly as long a bound as they are") {
    auto now = profile();
    stalled(now, "barrier") = 0.75;
    auto const saved = [&now] { return explain::estimate(now, explain::change{}.scale("barrier", 1. / 3)).likely; };
    CHECK(saved() == doctest::Approx(0.5)); // 0.25 + 0.75 / 3 of the time remains
    busy(now, gpu_unit::dram) = 0.46;       // half of what can be reached
    CHECK(saved() == doctest::Approx(1 - 0.5857).epsilon(0.0005));
}

TEST_CASE("time model: fewer instructions do not let more blocks begin") {
    auto now = profile();
    now.beginning = 0.9;
    explain::change half;
    half.instructions = 0.5;
    CHECK(explain::estimate(now, half).likely < 0.1);
    CHECK(explain::estimate(now, half).then == limit::distribution);
    half.blocks = 0.5;
    CHECK(explain::estimate(now, half).likely == doctest::Approx(0.5));
}

// Half of the SMs have nothing to do for half of the time.
TEST_CASE("time model: work that is spread evenly gains less where all SMs share a unit that is busy") {
    auto now = profile();
    now.active = 0.75;
    explain::change spread;
    spread.even = true;
    CHECK(explain::estimate(now, spread).likely == doctest::Approx(0.25));
    busy(now, gpu_unit::l2) = 0.95 * 0.75; // full, once all work for three quarters of the time
    CHECK(explain::estimate(now, spread).likely ==
          doctest::Approx(0.1673).epsilon(0.001)); // (2 * 0.3164 / 1.3164) ^ 0.25
    busy(now, gpu_unit::l2) = 0;
    busy(now, gpu_unit::fma) = 0.97 * 0.75; // of an SM, which is as busy while it works
    CHECK(explain::estimate(now, spread).likely == doctest::Approx(0.25));
}

TEST_CASE("time model: an interval is a part of a small gain and a part of what a large one leaves") {
    auto now = profile();
    stalled(now, "barrier") = 0.75;
    explain::gain const large = explain::estimate(now, explain::change{}.scale("barrier", 0));
    CHECK(large.likely == doctest::Approx(0.75));
    CHECK(large.least == doctest::Approx(1 - 1.6 * 0.25 - 0.02));
    CHECK(large.most == doctest::Approx(0.75 + 0.25 * 0.7));
    explain::gain const little = explain::estimate(now, explain::change{}.scale("barrier", 1 - 0.1 / 0.75));
    CHECK(little.least == doctest::Approx(0.04));
    CHECK(little.most == doctest::Approx(0.1 + 0.9 * 0.18));
}

TEST_CASE("time model: fewer instructions take their issue slots, pipes and waits for them along") {
    auto now = profile();
    stalled(now, "not_selected") = 0.7;
    stalled(now, "barrier") = 0.05;
    busy(now, gpu_unit::issue) = 0.97; // as much as can be reached
    explain::change half = explain::change{}.scale("barrier", 0);
    half.instructions = 0.5;
    explain::gain const saved = explain::estimate(now, half);
    CHECK(saved.likely == doctest::Approx(0.5));
    CHECK(saved.then == limit::issue);
}

TEST_CASE("time model: work that is spread evenly takes as long as the mean SM works") {
    auto now = profile();
    now.active = 0.4;
    now.longest = 0.9;
    stalled(now, "wait") = 0.75;
    explain::change even;
    even.even = true;
    CHECK(explain::estimate(now, even).likely == doctest::Approx(0.5)); // 0.1 no SM works, 0.4 the mean one does
}

TEST_CASE("time model: more warps shorten the path until a unit is full") {
    auto now = profile();
    stalled(now, "long_scoreboard") = 0.75;
    busy(now, gpu_unit::l2) = 0.38; // of 0.95
    explain::change more;
    more.warps = 4;
    explain::gain const saved = explain::estimate(now, more);
    CHECK(saved.likely == doctest::Approx(0.588).epsilon(0.001)); // L2 at 95 %: 0.6, and a little queue
    CHECK(saved.then == limit::l2);
}

TEST_CASE("time model: changes together save no more than what is there") {
    auto now = profile();
    stalled(now, "barrier") = 0.4;
    stalled(now, "membar") = 0.35;
    explain::change both = explain::change{}.scale("barrier", 0);
    both.and_also(explain::change{}.scale("membar", 0)).and_also(explain::change{}.scale("barrier", 0.5));
    CHECK(explain::estimate(now, both).likely == doctest::Approx(0.75));
}

TEST_CASE("time model: a kernel of a microsecond is mostly its launch") {
    auto now = profile();
    stalled(now, "barrier") = 0.75;
    explain::change const none_left = explain::change{}.scale("barrier", 0);
    now.nanoseconds = 1000;
    CHECK(explain::estimate(now, none_left).likely == doctest::Approx(0.075));
    now.nanoseconds = 10000;
    CHECK(explain::estimate(now, none_left).likely == doctest::Approx(0.75));
}

// Ten microseconds, in four of which no SM works: two of them are the launch, the other two go with the work.
TEST_CASE("time model: no SM works while a kernel is launched, and what is longer is the kernel's") {
    auto now = profile();
    now.nanoseconds = 10000;
    now.active = now.longest = 0.6;
    stalled(now, "barrier") = 0.75;
    CHECK(explain::estimate(now, explain::change{}.scale("barrier", 1)).likely == doctest::Approx(0));
    CHECK(explain::estimate(now, explain::change{}.scale("barrier", 0)).likely == doctest::Approx(0.75 * 0.8));
    now.longest = 0.9; // one that is not launched in two
    now.active = 0.9;
    CHECK(explain::estimate(now, explain::change{}.scale("barrier", 0)).likely == doctest::Approx(0.75 * 0.9));
}

TEST_CASE("time model: waits in a queue shrink with the traffic of the busiest level") {
    auto now = profile();
    busy(now, gpu_unit::l2) = 0.95;
    busy(now, gpu_unit::dram) = 0.3;
    CHECK(now.waits_after(0.1, 0.25, 1) == doctest::Approx(0.25)); // L2 is full: all is queue
    CHECK(now.waits_after(0.1, 1, 0.1) == doctest::Approx(1));     // and nothing of it goes
    busy(now, gpu_unit::l2) = 0;
    busy(now, gpu_unit::dram) = 0.092; // a tenth of what can be reached: a tenth is queue
    CHECK(now.waits_after(1, 1, 0) == doctest::Approx(0.9));
}

TEST_CASE("time model: what bounds a range is the unit that is busy or else latency or distribution") {
    auto now = profile();
    CHECK(now.bound() == limit::latency);
    busy(now, gpu_unit::fma) = 0.9;
    busy(now, gpu_unit::dram) = 0.6;
    CHECK(now.bound() == limit::pipe);
    busy(now, gpu_unit::dram) = 0.88;
    CHECK(now.bound() == limit::dram);
    auto idle = profile();
    idle.active = 0.3;
    CHECK(idle.bound() == limit::distribution);
}

} // namespace time_model_test
