// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of an execution, the concept of an observer that counts them, and an observer that
// ignores them.
#ifndef GPUPROF_SRC_SIM_CODE_OBSERVER_HPP
#define GPUPROF_SRC_SIM_CODE_OBSERVER_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "launch.hpp"
#include "../ptx/instruction_class.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

inline constexpr unsigned warp_size = 32;
using lane_mask = std::uint32_t; // bit i is lane i
inline constexpr lane_mask all_lanes = ~lane_mask{0};

// The class by which L2 chooses what to evict, as its metrics name it (kernel profiling guide, 10.4).
enum class l2_eviction : std::uint8_t { normal, first, last };
inline constexpr std::size_t l2_evictions = 3;

// What a memory instruction says about caches, and which atomic it is. Metrics tell such accesses apart; the model's
// caches treat them alike.
struct cache_use {
    l2_eviction eviction : 2 = l2_eviction::normal;
    bool past_l1 : 1 = false;     // loads and copies (.cg, .cv, volatile and such): L1 keeps nothing
    bool compares : 1 = false;    // compare-and-swap
    bool sums_floats : 1 = false; // atomics: in shared memory a loop on the machine, in L2 slower than others
    bool sums_halves : 1 = false; // among them
};

// Fixed per instruction of a kernel. `line` is the PTX line.
struct instruction_info {
    instruction_kind kind = instruction_kind::other;
    sim::pipe pipe = sim::pipe::none;
    cache_use cache{};
    std::uint32_t line = 0;
    ptx::source_line source;
};

enum class memory_operation : std::uint8_t {
    load,
    store,
    atomic,
    reduction,
    copy_async,
    load_matrix,
    store_matrix,
    bulk_load, // told for its side in global memory, in the place of lanes: 16 bytes each
    bulk_store,
    texture,
    load_surface,
    store_surface
};

// How the addresses of an access lie: all 32 lanes take part and are as many bytes apart as each
// moves (side_by_side), or all have the same address (same). Most accesses are one of these; `any`
// says nothing.
enum class address_pattern : std::uint8_t { any, side_by_side, same };

// One warp's access. `address` has 32 entries, of which those of active lanes count: generic
// addresses for global and constant memory, offsets for shared, local and parameter memory. `bytes`
// is what one lane moves, vectors included. A cp.async is told twice: as copy_async on global
// memory, then as copy_async on shared memory, with all lanes that execute it. An instruction without a state space is told once
// for each space its lanes hit, with `generic` set.
struct memory_access {
    ptx::space space = ptx::space::global;
    memory_operation operation = memory_operation::load;
    bool generic = false;
    std::uint32_t bytes = 0;
    lane_mask active = 0;
    std::uint64_t const* address = nullptr;
    address_pattern pattern = address_pattern::any;
    std::uint8_t places =
        1; // of textures and surfaces: texels a lane, for each of which `address` has 32 entries; of a copy
           // to shared memory 2: where lanes write, then where they read
    lane_mask elsewhere = 0; // of shared memory: active lanes that reach another CTA of the cluster
    lane_mask fills = 0;     // of a copy to shared memory: active lanes that read nothing and write zeros
};

// Counts for one SM. The executor calls it from one host thread at a time, and in the same order
// whatever the number of host threads: CTAs in order of their number, the warps of a CTA in a fixed
// interleaving.
template <class T>
concept sm_observer = requires(T& sm, instruction_info const& info, memory_access const& access, lane_mask mask,
                               extent3 cta, unsigned count, unsigned warp) {
    sm.cta_launched(cta, count);            // threads in it
    sm.warp_launched(warp, mask);           // its number in the CTA, threads in it
    sm.instruction(warp, info, mask, mask); // active lanes, lanes that execute (guard predicate true)
    sm.branch(warp, info, mask, mask);      // executing lanes of all branch instructions; lanes that jump
    sm.memory(warp, info, access);          // after its instruction()
    sm.cta_finished();
};

// Observes a launch. make_sm() is called once an SM, by the host thread that runs the first CTA on it: for several SMs at
// once. merge() is called in ascending order after everything has run, also after a failure.
template <class T>
concept observer = sm_observer<typename T::sm> && requires(T& all, typename T::sm sm, unsigned index) {
    { all.make_sm(index) } -> std::same_as<typename T::sm>;
    all.merge(index, std::move(sm));
};

struct null_observer {
    struct sm {
        void cta_launched(extent3, unsigned) const noexcept {}
        void warp_launched(unsigned, lane_mask) const noexcept {}
        void instruction(unsigned, instruction_info const&, lane_mask, lane_mask) const noexcept {}
        void branch(unsigned, instruction_info const&, lane_mask, lane_mask) const noexcept {}
        void memory(unsigned, instruction_info const&, memory_access const&) const noexcept {}
        void cta_finished() const noexcept {}
    };
    [[nodiscard]] sm make_sm(unsigned) const noexcept { return {}; }
    void merge(unsigned, sm&&) const noexcept {}
};
static_assert(observer<null_observer>);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_OBSERVER_HPP
