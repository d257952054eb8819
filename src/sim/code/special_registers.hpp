// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of PTX's special registers.
#ifndef GPUPROF_SRC_SIM_CODE_SPECIAL_REGISTERS_HPP
#define GPUPROF_SRC_SIM_CODE_SPECIAL_REGISTERS_HPP

#include <cstdint>

#include "decoded.hpp"
#include "launch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The place of a warp in its grid. `time` counts the instructions of the CTA: clocks tick with it,
// so they are monotonic and the same in every run. %globaltimer begins with the launch, in the
// clock of events and records, and ticks with them, too.
struct warp_place {
    extent3 grid;
    extent3 block;
    extent3 cta;
    extent3 cluster; // CTAs of one
    bool explicit_cluster = false;
    unsigned warp = 0;
    unsigned sm = 0;
    unsigned sm_count = 1;
    std::uint32_t static_shared = 0;
    std::uint32_t dynamic_shared = 0;
    std::uint32_t reserved_shared = 0; // where the memory begins that the system keeps
    std::uint64_t grid_workspace = 0;  // its address
    std::uint64_t graph = 0;           // whose kernel it is: the handle of the executable
    std::uint64_t begin = 0;           // of the launch, in nanoseconds
    std::uint64_t time = 0;

    // The CTA's number in its cluster.
    [[nodiscard]] std::uint32_t rank() const noexcept {
        return cta.x % cluster.x + (cta.y % cluster.y + cta.z % cluster.z * cluster.y) * cluster.x;
    }
};

// The value in one lane.
[[nodiscard]] inline std::uint64_t special_value(special which, warp_place const& at, unsigned lane) noexcept {
    std::uint32_t const thread = at.warp * warp_size + lane;
    switch (which) {
        case special::tid_x: return thread % at.block.x;
        case special::tid_y: return thread / at.block.x % at.block.y;
        case special::tid_z: return thread / at.block.x / at.block.y;
        case special::ntid_x: return at.block.x;
        case special::ntid_y: return at.block.y;
        case special::ntid_z: return at.block.z;
        case special::ctaid_x: return at.cta.x;
        case special::ctaid_y: return at.cta.y;
        case special::ctaid_z: return at.cta.z;
        case special::nctaid_x: return at.grid.x;
        case special::nctaid_y: return at.grid.y;
        case special::nctaid_z: return at.grid.z;
        case special::laneid: return lane;
        case special::warpid: return at.warp;
        case special::nwarpid: return 64;
        case special::smid: return at.sm;
        case special::nsmid: return at.sm_count;
        case special::gridid: return 1;
        case special::lanemask_eq: return lane_mask{1} << lane;
        case special::lanemask_lt: return (lane_mask{1} << lane) - 1;
        case special::lanemask_le: return (lane_mask{2} << lane) - 1;
        case special::lanemask_ge: return ~((lane_mask{1} << lane) - 1);
        case special::lanemask_gt: return ~((lane_mask{2} << lane) - 1);
        case special::clock:
        case special::clock64: return at.time;
        case special::clock_hi: return at.time >> 32;
        case special::globaltimer:
        case special::globaltimer_lo: return at.begin + at.time;
        case special::globaltimer_hi: return (at.begin + at.time) >> 32;
        case special::dynamic_smem_size: return at.dynamic_shared;
        case special::total_smem_size:
        case special::aggr_smem_size: return std::uint64_t{at.static_shared} + at.dynamic_shared;
        // What the driver gives to a cooperative launch: the address of its workspace, in halves.
        case special::envreg1: return at.grid_workspace >> 32;
        case special::envreg2: return at.grid_workspace & 0xffffffff;
        case special::reserved_smem_offset_1: return at.reserved_shared;
        case special::cluster_ctaid_x: return at.cta.x % at.cluster.x;
        case special::cluster_ctaid_y: return at.cta.y % at.cluster.y;
        case special::cluster_ctaid_z: return at.cta.z % at.cluster.z;
        case special::cluster_nctaid_x: return at.cluster.x;
        case special::cluster_nctaid_y: return at.cluster.y;
        case special::cluster_nctaid_z: return at.cluster.z;
        case special::cluster_ctarank: return at.rank();
        case special::cluster_nctarank: return at.cluster.count();
        case special::clusterid_x: return at.cta.x / at.cluster.x;
        case special::clusterid_y: return at.cta.y / at.cluster.y;
        case special::clusterid_z: return at.cta.z / at.cluster.z;
        case special::nclusterid_x: return at.grid.x / at.cluster.x;
        case special::nclusterid_y: return at.grid.y / at.cluster.y;
        case special::nclusterid_z: return at.grid.z / at.cluster.z;
        case special::is_explicit_cluster: return at.explicit_cluster ? 1 : 0;
        case special::current_graph_exec: return at.graph;
        case special::zero: return 0;
    }
    return 0;
}

[[nodiscard]] constexpr bool is_same_in_all_lanes(special which) noexcept {
    return which > special::tid_z && which != special::laneid &&
           (which < special::lanemask_eq || which > special::lanemask_gt);
}

// The values in all lanes of the warp.
[[nodiscard]] inline lanes<std::uint64_t> special_values(special which, warp_place const& at) noexcept {
    lanes<std::uint64_t> values;
    if (is_same_in_all_lanes(which)) {
        values.fill(special_value(which, at, 0));
    } else if (which > special::tid_z) {
        for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = special_value(which, at, lane);
    } else {
        std::uint64_t place[3]{};
        for (unsigned axis = 0; axis < 3; ++axis)
            place[axis] = special_value(static_cast<special>(static_cast<unsigned>(special::tid_x) + axis), at, 0);
        if (which == special::tid_x && place[0] + warp_size <= at.block.x) { // mostly
            for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = place[0] + lane;
            return values;
        }
        for (unsigned lane = 0; lane < warp_size; ++lane) { // no division a lane
            values[lane] = place[static_cast<unsigned>(which) - static_cast<unsigned>(special::tid_x)];
            if (++place[0] != at.block.x) continue;
            place[0] = 0;
            if (++place[1] != at.block.y) continue;
            place[1] = 0;
            ++place[2];
        }
    }
    return values;
}

// Executes an instruction that reads one; `immediate` is the size of its register.
inline void read_special(registers const& r, decoded const& op, warp_place const& at, lane_mask execute) noexcept {
    auto const which = static_cast<special>(op.mode);
    if (which == special::is_explicit_cluster)
        return r.write_predicate(op.d, at.explicit_cluster ? all_lanes : 0, execute);
    if (op.immediate == 4 && is_same_in_all_lanes(which)) {
        lanes<std::uint32_t> same;
        same.fill(static_cast<std::uint32_t>(special_value(which, at, 0)));
        return r.write(op.d, same, execute);
    }
    auto const values = special_values(which, at);
    if (op.immediate == 8) return r.write(op.d, values, execute);
    if (op.immediate == 4) {
        lanes<std::uint32_t> narrow;
        for (unsigned i = 0; i < warp_size; ++i) narrow[i] = static_cast<std::uint32_t>(values[i]);
        return r.write(op.d, narrow, execute);
    }
    for (unsigned i = 0; i < warp_size; ++i)
        if (execute >> i & 1) r.write_lane(op.d, i, op.immediate, values[i]);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_SPECIAL_REGISTERS_HPP
