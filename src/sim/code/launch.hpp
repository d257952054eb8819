// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The configuration of a kernel launch, and its result.
#ifndef GPUPROF_SRC_SIM_CODE_LAUNCH_HPP
#define GPUPROF_SRC_SIM_CODE_LAUNCH_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/sim/extent.hpp>
#include <gpuprof/sim/launch_error.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

class device_heap;
class device_runtime;
class graph_conditions;

// One launch. `parameters` holds the kernel's parameters at the offsets of kernel::parameters(). A
// cooperative launch keeps all CTAs resident and lets them take turns, so that they may wait for
// each other.
struct launch_config {
    extent3 grid;
    extent3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::span<std::byte const> parameters;
    bool cooperative = false;
    std::uint64_t grid_workspace = 0; // where the blocks of a cooperative launch meet: %envreg1 and %envreg2; 0: none
    device_heap* heap = nullptr;      // of malloc in the kernel; without one, malloc gives null
    graph_conditions* conditions = nullptr; // of graphs, which the kernel may set; without them there is none
    extent3 cluster{0, 0, 0};               // CTAs of a cluster; 0: nobody asked for clusters
    std::uint64_t graph = 0;                // the executable whose kernel it is; 0: of none
    device_runtime* runtime = nullptr;      // by which the kernel launches kernels; without it it cannot

    // Every CTA is part of a cluster, perhaps of one that it is alone in.
    [[nodiscard]] constexpr extent3 ctas_of_cluster() const noexcept { return cluster.x != 0 ? cluster : extent3{}; }
};

// The number in the grid of the CTA that begins as the `i`-th: one cluster after the other, in each
// of them by rank. @pre the grid is a multiple of the cluster along each axis
[[nodiscard]] constexpr std::uint64_t cta_in_order(std::uint64_t i, launch_config const& config) noexcept {
    extent3 const cluster = config.ctas_of_cluster();
    std::uint64_t const size = cluster.count();
    if (size == 1) return i;
    extent3 const grid = config.grid;
    extent3 const first = place(i / size, {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z});
    extent3 const within = place(i % size, cluster);
    return first.x * cluster.x + within.x +
           (first.y * cluster.y + within.y + (first.z * cluster.z + within.z) * std::uint64_t{grid.y}) * grid.x;
}

// How many steps a launch may take without any of its warps ending; then it is stopped. A warp
// instruction is one step, one that accesses memory eight, as it takes about that much longer.
// Warps that end are progress, and a grid has finitely many, so a kernel that never ends is always
// stopped, and a large grid never is for being large. It is a guard against kernels that hang, so
// it is large: a thread may loop some hundred million times. This many take half a minute to three
// minutes (simple loops, one of them over a load, compiled with -O1, on a 2-core EPYC).
inline constexpr std::uint64_t default_step_budget = std::uint64_t{1} << 32;

// How to run it; nothing here changes results or counters of a race-free kernel.
struct execution_options {
    unsigned threads = 1; // host threads at most; CTAs of one SM stay in order
    std::uint64_t alone_steps =
        8192; // that the calling thread takes before it asks others to help: about a quarter of a millisecond
    unsigned sm_count = 1; // CTA i runs on SM i % sm_count
    std::uint64_t resident_ctas =
        ~std::uint64_t{0}; // that have begun and not ended, at most; those of a cooperative launch all do
    std::uint64_t step_budget = default_step_budget;
    std::uint32_t stack_bytes = 256 * 1024;      // of a thread's calls, where they are not known beforehand
    std::uint64_t begin = 0;                     // what %globaltimer reads as the launch begins
    std::function<void(std::string_view)> print; // receives what printf wrote, one call at a time; may be empty
    // Called on the calling thread when it has ended a CTA, with how many have ended, and of how many; may be null.
    void (*progress)(std::uint64_t ended, std::uint64_t ctas) = nullptr;
};

// The result of a launch. With an error, memory holds what was written until then, as on hardware.
struct launch_result {
    std::optional<launch_error> error;
    std::uint64_t warp_instructions = 0;

    [[nodiscard]] explicit operator bool() const noexcept { return !error; }
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_LAUNCH_HPP
