// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the longest chain of dependent instructions through each basic block of a function.
#ifndef GPUPROF_SRC_SIM_SASS_DEPENDENCE_HPP
#define GPUPROF_SRC_SIM_SASS_DEPENDENCE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../ptx/instruction_class.hpp"
#include "../ptx/module.hpp"
#include "def_use.hpp"
#include "unrolling.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What a warp waits for, one thing after the other. Loads whose addresses are known at the same time
// are one wait.
struct dependence_chain {
    std::uint16_t distant = 0; // global and local memory, textures
    std::uint16_t nearby = 0;  // shared memory, other lanes, constants
    std::uint16_t special = 0; // special functions and conversions
    std::uint32_t cycles = 0;  // everything else, whose latency is known

    friend constexpr bool operator==(dependence_chain const&, dependence_chain const&) = default;
};

// Its cycles where global memory is in L2.
[[nodiscard]] constexpr double length_of(dependence_chain const& c, latency_traits const& latency) noexcept {
    return c.distant * latency.l2 + c.nearby * latency.shared + c.special * latency.special + c.cycles;
}

// What the chains follow from besides the text: how ptxas does an instruction.
struct dependence_cost {
    std::uint16_t instructions = 1; // of a branch, 0: it became a predicate
    sim::pipe pipe = sim::pipe::none;
    bool has_result = true;                        // an atomic without one is not waited for
    std::uint32_t predicated_by = def_use::nobody; // the branch that became its predicate
    bool has_special_part = false;                 // special_part_of
};

// The longest chains, by the cycles of a chip on which global memory is in L2. A block is what
// ptxas can reorder: instructions that a short branch skips are part of it, and a call ends it. Within it, loads go
// ahead of whatever they do not depend on, by registers or by a store to their space, a barrier or a
// fence before them. An instruction alone takes a cycle, so no chain is shorter than its block.
// Chains do not go on from block to block: what a block loads is waited for there. A branch is issued behind all of its
// block. What comes behind a division begins when its branch to the rare cases is decided; loads that are under way then go on.
// Of a loop that is unrolled, rounds that are done at once are one block.
class dependence {
public:
    // @param costs of each instruction
    dependence(ptx::function const& of, latency_traits const& latency, std::vector<dependence_cost> const& costs,
               std::vector<unrolled_loop> const& unrolled);

    // Of the block that begins with this instruction; empty for one that begins none.
    [[nodiscard]] dependence_chain const& chain(std::uint32_t i) const noexcept { return chains_[i]; }
    // Of the rounds done at once of the unrolled loop that begins with this instruction; empty where none does, or one of several blocks.
    [[nodiscard]] dependence_chain const& chain_of_rounds(std::uint32_t i) const noexcept { return of_rounds_[i]; }

private:
    static constexpr std::size_t spaces = 3; // shared, global and local memory

    [[nodiscard]] std::vector<bool> find_blocks() const;
    void begin();
    void add(std::uint32_t i);
    [[nodiscard]] dependence_chain end();
    [[nodiscard]] dependence_chain rounds_of(unrolled_loop const& loop);
    [[nodiscard]] dependence_chain read_by(std::uint32_t i) const;
    void write(std::uint32_t i, dependence_chain const& done);
    void copy_asynchronously(std::uint32_t i, dependence_chain ready);

    [[nodiscard]] double length(dependence_chain const& c) const noexcept { return length_of(c, latency_); }
    [[nodiscard]] dependence_chain const& longer(dependence_chain const& a, dependence_chain const& b) const noexcept {
        return length(a) < length(b) ? b : a;
    }
    [[nodiscard]] dependence_chain latency_of(std::uint32_t i) const noexcept;

    ptx::function const& of_;
    latency_traits const& latency_;
    std::vector<dependence_cost> const& costs_;
    std::vector<dependence_chain> chains_;    // by instruction,
    std::vector<dependence_chain> of_rounds_; // likewise

    // Of the block at hand.
    std::vector<dependence_chain> written_; // by register, until what the block writes there is there
    std::vector<std::uint32_t> registers_;  // that it writes
    std::uint32_t instructions_ = 0;
    dependence_chain longest_;
    dependence_chain issued_;                     // until all so far are issued
    dependence_chain accessed_;                   // until all accesses so far have begun
    dependence_chain ordered_;                    // until those behind a barrier may begin
    std::array<dependence_chain, spaces> stored_; // until a load sees what was stored
    dependence_chain decided_;                    // until what a branch inside an instruction holds back may begin
    dependence_chain copying_;                    // cp.async: the group that is not yet committed,
    std::vector<dependence_chain> groups_;        // and those that are
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_DEPENDENCE_HPP
