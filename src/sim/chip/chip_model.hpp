// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of an embedded GPU: how many units of each kind, their clocks, what they do in a cycle
// and what their counters can hold.
#ifndef GPUPROF_SRC_SIM_CHIP_CHIP_MODEL_HPP
#define GPUPROF_SRC_SIM_CHIP_CHIP_MODEL_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <gpuprof/core/chip.hpp>
#include <gpuprof/core/compute_capability.hpp>
#include <gpuprof/detail/config.hpp>
#include <gpuprof/legacy/event.hpp>
#include "given.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The units that count (Nsight Compute guide 2023.3, 3.1): the whole chip, a cluster of SMs, an SM,
// one of its sub-partitions, its L1 cache, a slice of L2, a channel of device memory, the way to
// the host.
enum class hardware_unit : unsigned char { gpu, gpc, sm, smsp, l1tex, lts, dram, pcie };
inline constexpr std::size_t hardware_units = 8;

[[nodiscard]] constexpr std::string_view name(hardware_unit unit) noexcept {
    constexpr std::string_view names[]{"gpu", "gpc", "sm", "smsp", "l1tex", "lts", "dram", "pcie"};
    return names[static_cast<std::size_t>(unit)];
}

// A number for each hardware unit.
struct unit_numbers {
    given<int> gpu;
    given<int> gpc;
    given<int> sm;
    given<int> smsp;
    given<int> l1tex;
    given<int> lts;
    given<int> dram;
    given<int> pcie;

    [[nodiscard]] constexpr int operator[](hardware_unit unit) const noexcept {
        int const numbers[]{gpu, gpc, sm, smsp, l1tex, lts, dram, pcie};
        return numbers[static_cast<std::size_t>(unit)];
    }
};

// Warp instructions that each pipeline of an SM takes in a cycle. The time model reckons with them.
struct pipe_rates {
    given<double> alu;
    given<double> fma;
    given<double> imad; // integer products, which it does, too
    given<double> fp64;
    given<double> xu;
    given<double> tensor; // products of a warpgroup
    given<double> mma;    // of a warp
};

inline constexpr double absent = -1; // in place of a peak: the chip lacks what would be counted

// The peaks that differ by chip: greatest counts of a cycle, as metrics report them
// (.avg.peak_sustained). A row of the metrics (counters/metric_rows.hpp) names its peak here. Peaks
// that all chips share stand in the rows.
struct chip_peaks {
    given<double> dram_bytes;   // of a channel
    given<double> dram_sectors; // of a channel
    given<double> fma;          // warp instructions of an SM, here and below
    given<double> uniform;      // `absent`: there is no uniform datapath
    given<double> ldgsts;       // copies from global to shared memory
    given<double> ldsm;         // loads of matrices from shared memory
    given<double> later;        // 1; `absent`: counters that came after capability 7.0
};

// The arithmetic of an SM in a cycle, as CUPTI's device attributes report it. Lanes are an SM's.
struct arithmetic_lanes {
    given<unsigned> issues; // instructions
    given<unsigned> fp32;   // fused multiply-adds
    given<unsigned> fp64;
    given<unsigned> fp16; // 0: no arithmetic of its own
};

// Bytes of shared memory of an SM, by a kernel's preference.
struct shared_preferences {
    given<std::uint64_t> shared;
    given<std::uint64_t> l1;
    given<std::uint64_t> equal;
};

// The allocation of shared memory to blocks, in bytes.
struct shared_allocation {
    given<std::size_t> reserved; // the system's part of every block's share
    given<std::size_t> unit;     // a block's share is rounded up to a multiple of it
};

struct l2_traits {
    given<int> partitions;       // each next to a part of the SMs, and home to a part of the lines
    given<bool> reads_pairs;     // device memory is read 64 bytes at a time, not 32
    given<unsigned> joins;       // SMs of a cluster that one request serves, see request_coalescer
    given<unsigned> slice_bytes; // side by side in a slice; 0: not known, and barriers at its slices are not counted
    given<unsigned> dirty_ways;  // lines of a set, at most, that are to be written to device memory
};

// The link to the host.
struct host_link {
    given<unsigned> pcie_generation;
    given<unsigned> megatransfers;      // a second and lane
    given<double> bytes_per_nanosecond; // that copies reach: 80 % of the peak
};

// The code that ptxas generates from PTX for the chip.
struct sass_traits {
    given<bool> loads_constants;       // a parameter or the size of a CTA takes an instruction; else it is an operand
    given<bool> sets_up_global_memory; // a kernel that reaches global memory begins by loading its descriptor
    given<bool> finds_shared_memory;   // its place in the cluster's window is computed; else it begins at 0
    given<bool> unrolls_loops;         // ptxas does, for any chip; what it does was looked at for sm_90 alone
    given<bool> converts_words_by_alu; // integers of 32 bits to floats (I2FP), which else are special functions
};

// What a launch takes whatever its kernel computes. Measured on an H200 (an empty kernel: 1.54 us of one CTA, 2.3 of 1,056, 6.6
// of 8,448, 21.9 of 33,792; one of few instructions 0.08 us more). Of other chips nothing was measured: they have a rounded
// launch, no beginning, and take a cycle of sys_hz for a CTA, which is what the H200's rate comes to.
struct launch_traits {
    given<double> empty_seconds;
    given<double> begin_seconds; // more, of a kernel that does anything
    given<double> ctas_a_second; // that begin and end on the chip
};

// Cycles of gpc_hz from an instruction of a warp to the next one that needs its result, on an SM that has nothing else to do.
struct latency_traits {
    given<double> arithmetic; // of 32 bits
    given<double> fp16;
    given<double> fp64;
    given<double> vote;     // and other answers of the warp's lanes that take no memory pipeline
    given<double> matrix;   // a product of 16 by 8 by 16 halves, by its sum
    given<double> special;  // special functions, conversions, counts of bits
    given<double> shared;   // shared memory without conflicts, shuffles, constants
    given<double> conflict; // each further wavefront of a load from shared memory
    given<double> swap;     // a round of a loop of compare-and-swaps in shared memory
    given<double> constant; // each further word of a load from constant memory
    given<double> texture;  // that L1 has
    given<double> l1;       // global memory, by where it is found
    given<double> l2;
    given<double> dram;
    given<double> line;             // each further line of what a warp loads at once,
    given<double> dram_line;        // and one that device memory has;
    given<double> most_sectors;     // of a warp's loads that are under way at once
    given<double> branch;           // from its condition until the next instruction is there,
    given<double> jump;             // and from the last instruction before it;
    given<double> parting;          // more where it parts a warp,
    given<double> meeting;          // where the parts meet again,
    given<double> ret;              // and where a function returns
    given<double> barrier;          // of a CTA of no warps,
    given<double> barrier_per_warp; // and for each warp
    given<double> fence;            // of the GPU, with a store before it
    given<double> cta_fence;
    given<double> next_cta;   // from the end of a CTA until the next one in its place has issued its first instruction
    given<double> first_code; // from one instruction to the next of straight code that an SM has never executed,
    given<double> cold_jump;  // of a jump over such code at most,
    given<double> near_code;  // of code of more than 32 KiB, whenever it is executed,
    given<double> far_code;   // and of more than 128 KiB
    given<double>
        first_data; // the first load of data or code from device memory, beyond `dram`: its address is translated
    given<double> deviation;  // of the waits for what L1 has not, from warp to warp
    given<double> first_ctas; // from the begin of a CTA of an SM to that of the next one while there is room
};

// What memory moves at most. Sectors have 32 bytes.
struct memory_rates {
    given<double> sm_loads;          // sectors that an SM gets from L2 in a cycle
    given<double> sm_stores;         // that it sends there, one after the other with
    given<double> sm_store_requests; // requests, of one line each
    given<double> sm_reductions;
    given<double> l2_loads; // sectors in a cycle of a slice, which takes a request a cycle
    given<double> l2_stores;
    given<double> l2_store_requests; // that are for one sector each
    given<double> l2_atomics;
    given<double> dram;         // share of the peak
    given<double> dram_copies;  // of as many reads as writes
    given<double> dram_random;  // of reads of a sector here and there
    given<double> sm_swaps;     // rounds of loops of compare-and-swaps in shared memory, of a warp each
    given<double> sm_constants; // further words of loads from constant memory that an SM reads in a cycle
    given<double> sm_textures;  // warp instructions for textures that an SM takes in a cycle
};

// The event hardware. NVIDIA documents none of these numbers; they are the embedded GPU's own.
struct event_traits {
    given<event_set const*> set;                 // of the chip's family; null: the chip has no events
    given<unsigned> memory_partitions;           // instances of a domain that has one for each
    given<unsigned> multiprocessor_counters;     // that an instance of a multiprocessor's domain holds at once
    given<bool> counts_half_of_its_first_domain; // half of the instances cannot be counted
    given<bool> halves_memory_partitions;        // on 2.x: device memory is counted as fb0 and fb1, not as fb

    [[nodiscard]] constexpr std::optional<capability_family> family() const noexcept {
        event_set const* const events = set;
        return events == nullptr ? std::nullopt : std::optional{events->family};
    }
};
inline constexpr event_traits no_events{nullptr, 0, 0, false, false};

// One chip. Counts of units and limits on resident work are those of the product named; clocks are
// its boost clocks, so that modelled times come out in the right range, not exact. A chip that
// leaves out a member does not compile: numbers are `given`, and chips.cpp checks the rest.
struct chip_model {
    char const* chip_name; // as CUPTI spells it
    char const* device_name;
    given<compute_capability> compute;
    unit_numbers instances;
    unit_numbers counters_per_pass; // that the instances of a unit hold at once; 0 before range profiling

    given<int> threads_per_sm;
    given<int> ctas_per_sm;
    given<int> registers_per_sm; // of 32 bits
    given<std::size_t> shared_bytes_per_sm;
    given<std::size_t> shared_bytes_per_cta; // at most, opted in
    given<std::size_t> l1_bytes;             // a SM's, shared memory included
    given<std::size_t> l2_bytes;
    given<unsigned> launch_bytes; // that a launch reads besides code and data; 0: not known, and code is not counted
    given<std::size_t> memory_bytes;

    given<double> sys_hz; // the clocks of the units: gpu
    given<double> gpc_hz; // gpc, sm, smsp, l1tex
    given<double> l2_hz;  // lts
    given<double> dram_hz;

    pipe_rates pipes;
    chip_peaks peaks;
    arithmetic_lanes lanes;
    shared_preferences shared_preferred;
    shared_allocation shared;
    l2_traits l2;
    host_link link;
    launch_traits launch;
    latency_traits latency;
    memory_rates rates;
    sass_traits sass;
    event_traits events;
    given<bool> has_warpgroups;          // whose warps can wait for each other
    given<bool> has_clusters;            // blocks that run side by side and reach each other's shared memory
    given<bool> has_sass_metrics;        // CUPTI counts its instructions one by one, by patching code
    given<bool> samples_program_counter; // CUPTI's activity kind PC_SAMPLING has records of it
    given<bool> samples_latency;         // which say whether its scheduler issued anything
    given<bool> runs_any_ptx;            // of later targets, too: no compiler makes PTX for the chip any more

    [[nodiscard]] constexpr compute_capability capability() const noexcept { return compute; }
    [[nodiscard]] constexpr bool has_range_profiling() const noexcept { return capability().has_range_hardware(); }
    // @pre has_range_profiling()
    [[nodiscard]] constexpr chip which() const noexcept { return *find_chip(chip_name); }
    [[nodiscard]] constexpr int count(hardware_unit unit) const noexcept { return instances[unit]; }
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHIP_CHIP_MODEL_HPP
