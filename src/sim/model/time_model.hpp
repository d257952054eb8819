// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the duration of a launch, and the waiting times of its warps, from its counters.
#ifndef GPUPROF_SRC_SIM_MODEL_TIME_MODEL_HPP
#define GPUPROF_SRC_SIM_MODEL_TIME_MODEL_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../chip/chip_model.hpp"
#include "../counters/raw_counter.hpp"
#include "cta_schedule.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The facts about a launch that are not in its counters.
struct launch_shape {
    std::uint64_t ctas = 1;
    unsigned warps_per_cta = 1;
    unsigned ctas_per_sm = 1; // that fit on an SM at once
    cta_schedule schedule;
    std::uint64_t code = 0;     // instructions that were executed at all,
    std::uint64_t looped = 0;   // and those of them that a warp executes twice and more
    bool code_is_cold = false;  // L2 did not have them
    double jumps = 0;           // cycles of the first jumps over code that was not executed
    std::uint64_t barriers = 0; // executed by warps
    std::uint64_t fences = 0;   // of the GPU or wider
    std::uint64_t cta_fences = 0;
    double slowest_warp = 1;  // of a CTA, from barrier to barrier: its cycles in those of the mean
    double slowest_waits = 0; // for global memory, that it has more than the mean warp, times all warps; fewer: below 0
    double slowest_cycles = 0;  // of everything else, likewise
    double hottest_atomics = 0; // L2 cycles of the slice where most of them go
};

// What decides how long a launch takes.
enum class time_bound : unsigned char {
    launch,   // what any launch takes
    dispatch, // CTAs begin one after the other
    issue,    // an SM's issue slots
    pipe,     // its arithmetic pipeline with most to do
    l1,       // its L1 and shared memory
    l2,       // and the way to it
    dram,
    host,    // the link to it
    atomics, // of one slice of L2
    latency  // what warps wait for
};

// Seconds. The hardware's time lies between `low` and `high` in nine of ten kernels.
struct time_estimate {
    double low = 0;
    double likely = 0;
    double high = 0;
    time_bound bound = time_bound::launch;
};

// A roofline with latencies. Units of the busiest SM and of the chip are busy for so long; warps
// take so long to get through what they wait for, one thing after the other (see
// sass/dependence.hpp), wave after wave. The two add like the sides of a box. All that while CTAs
// begin and end, which takes so long by itself; whichever is longer counts, and more where they are
// alike. Rates and latencies are the chip's.
class time_model {
public:
    time_model(chip_model const& chip, launch_shape const& shape) noexcept : chip_{chip}, shape_{shape} {}

    // Fills the counters of time, activity and stalls from the others.
    void fill(counter_values& c) const noexcept;

    // The time of a launch with these counters, of which those of time are not read.
    [[nodiscard]] time_estimate estimate(counter_values const& c) const noexcept;

private:
    // Between these, as shares of the model's time, the H200's lie in nine of ten kernels (tests/hardware/last_pairs_model.txt).
    static constexpr double low_share = 0.6, high_share = 1.6;

    // Cycles that warps wait, added up over warps.
    struct waits {
        double dependent = 0;     // arithmetic and branches, one instruction after the other; of this:
        double issue = 0;         // an instruction is issued
        double fixed_latency = 0; // of arithmetic
        double branch = 0;
        double long_scoreboard = 0;  // global and local memory
        double short_scoreboard = 0; // shared memory, constants, special functions
        double barrier = 0;
        double fence = 0;
        double no_instruction = 0; // a warp begins, and code is fetched
        double slowest = 0;        // for the slowest warp of the CTA
        double fetch = 0;          // of the first CTA of an SM, not added up: of code that L2 has,
        double first = 0;          // and more of code and data that it has not
        double spread = 0;         // by which the last warp of the chip is later than the mean, not added up
        double global_waits = 0;   // of a warp, one after the other: how many,
        double far_waits = 0;      // and those of them for what L1 has not
        [[nodiscard]] double by_states() const noexcept {
            return issue + fixed_latency + long_scoreboard + short_scoreboard + barrier + fence + no_instruction +
                   branch;
        }
        // One after the other. Instructions are issued meanwhile.
        [[nodiscard]] double path() const noexcept {
            return dependent + long_scoreboard + short_scoreboard + barrier + fence;
        }
        // The share of it whose length is the same each time.
        [[nodiscard]] double known() const noexcept { return path() > 0 ? (dependent + short_scoreboard) / path() : 0; }
    };

    [[nodiscard]] std::uint64_t count(hardware_unit unit) const noexcept {
        return static_cast<std::uint64_t>(chip_.count(unit));
    }
    [[nodiscard]] double schedulers() const noexcept { // of an SM
        return real(count(hardware_unit::smsp)) / real(count(hardware_unit::sm));
    }
    [[nodiscard]] static double real(std::uint64_t n) noexcept { return static_cast<double>(n); }
    [[nodiscard]] static std::uint64_t whole(double x) noexcept {
        return static_cast<std::uint64_t>(std::floor(x + 0.5));
    }

    [[nodiscard]] std::uint64_t active_sms() const noexcept { // that get a CTA
        return (std::max)(std::min<std::uint64_t>(shape_.ctas, count(hardware_unit::sm)), std::uint64_t{1});
    }
    [[nodiscard]] std::uint64_t ctas_of_an_sm() const noexcept;
    [[nodiscard]] double places() const noexcept;         // for CTAs on an SM, as many as there are CTAs for
    [[nodiscard]] double mean_ctas() const noexcept;      // that an SM executes
    [[nodiscard]] double resident_warps() const noexcept; // at most
    // The share of an SM's sub-partitions that have a warp.
    [[nodiscard]] double used_schedulers() const noexcept { return (std::min)(resident_warps() / schedulers(), 1.0); }

    // The busiest SM's work at its peak rates, warp instructions or wavefronts a cycle.
    struct sm_load {
        double issue = 0;
        double pipes = 0;      // the arithmetic one with most to do
        double data_stage = 0; // the load/store pipe, wavefronts, textures and constants
        double crossbar = 0;   // sectors from and to L2
        [[nodiscard]] double most() const noexcept { return (std::max)({issue, pipes, data_stage, crossbar}); }
    };
    [[nodiscard]] sm_load sm_cycles(counter_values const& c) const noexcept;
    [[nodiscard]] double l2_seconds(counter_values const& c) const noexcept;
    static double dram_bytes(counter_values const& c) noexcept;
    [[nodiscard]] double dram_seconds(counter_values const& c) const noexcept;

    // Waits for global memory: how long one is, that of the slowest of what was asked for, and the shares that go beyond L1 and
    // to device memory.
    struct far_wait {
        double cycles = 0;
        double to_l2 = 0;
        double to_dram = 0;
    };
    [[nodiscard]] far_wait far_wait_of(counter_values const& c) const noexcept;
    // Of the instructions that a warp executes, until they are there.
    [[nodiscard]] double fetch_cycles(double executed) const noexcept;
    [[nodiscard]] waits waits_of(counter_values const& c) const noexcept;

    struct launch_cycles {
        double a_cta = 0;    // the first one, on an SM that it has for itself
        double next_cta = 0; // one after it, with its begin
        double running = 0;  // from the first CTA's begin to the last one's end
        double active = 0;   // the mean SM has a CTA
        // Of the mean SM, shares:
        double busy_share = 1;    // in how far its work decides, and not how fast CTAs begin
        double in_order = 1;      // older CTAs go first
        double memory_share = 0;  // L2 and beyond decide,
        double unqueued = 0;      // and of that, with accesses for which no CTA waits
        double latency_share = 0; // what warps wait for decides
        double waits = 1;         // no share: of a warp, one after the other, at least 1
        time_bound bound = time_bound::latency;
    };
    [[nodiscard]] launch_cycles cycles_of(counter_values const& c, waits const& w) const noexcept;
    // Of an SM while it is active: CTAs, and warps of one of them.
    [[nodiscard]] double mean_resident_ctas(launch_cycles const& cycles) const noexcept;
    [[nodiscard]] double mean_resident_warps(waits const& w, launch_cycles const& cycles) const noexcept;
    // Before the first warp and after the last.
    [[nodiscard]] double launch_seconds(counter_values const& c) const noexcept;

    // A warp's residency is what it waits for and, beyond that, the queue for what is busiest.
    void fill_stalls(waits const& w, counter_values& c) const noexcept;

    chip_model const& chip_;
    launch_shape shape_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_TIME_MODEL_HPP
