// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds which basic blocks of PTX and of its machine code are the same.
#ifndef GPUPROF_SRC_SIM_SASS_BLOCK_MATCH_HPP
#define GPUPROF_SRC_SIM_SASS_BLOCK_MATCH_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What a compiler neither adds nor leaves out, so that it tells blocks apart.
enum class landmark : std::uint8_t {
    global_load,
    global_store,
    shared_load,
    shared_store,
    global_atomic,
    shared_atomic,
    copy, // from global to shared memory
    barrier,
    exchange, // between lanes
    matrix,
    texture
};
inline constexpr std::size_t landmark_kinds = 11;

// Floating-point operations of a block, in the order of float_operations.
inline constexpr std::size_t operation_kinds = 6;
using operation_counts = std::array<std::uint16_t, operation_kinds>;

// A basic block of either text.
struct text_block {
    std::size_t number = 0;            // in its text, as that stands
    std::uint32_t first = 0, last = 0; // instructions
    unsigned cost = 0;                 // machine instructions: estimated of PTX
    unsigned depth = 0;                // loops around it
    bool begins_loop = false, ends_loop = false;
    bool parts = false;        // ends with a branch that some threads take
    std::uint32_t goes_to = 0; // the instruction that its branch goes to, and 1
    std::size_t loop_end = 0;  // behind the last block of the loop that begins here
    std::array<std::uint16_t, landmark_kinds> landmarks{};
    operation_counts operations{}, predicated{}; // those with a predicate are in both
};

// Blocks that are the same: some in a row of each text.
struct block_match {
    enum class sort : std::uint8_t {
        same,
        unrolled, // the PTX is a loop of one block; the machine code does some of its rounds at once, and then perhaps fewer
        straight, // the PTX has a loop of one block; the machine code does its rounds one behind the other
        unknown   // what loops of the one are in the other is not known
    };
    std::size_t ptx = 0, ptx_end = 0;
    std::size_t machine = 0, machine_end = 0;
    sort is = sort::same;
};

// How the machine code does a loop that it unrolls, in instructions.
struct unrolled_rounds {
    unsigned at_once = 0;            // rounds
    unsigned cost = 0;               // of those
    std::optional<unsigned> one;     // of one round, of those that are left
    bool rest_is_predicated = false; // those that are left are in `around`, as instructions with predicates
    unsigned around = 0;             // of what chooses between them
};
[[nodiscard]] std::optional<unrolled_rounds> find_unrolled(text_block const& loop, std::span<text_block const> machine,
                                                           block_match const& match);

// A loop whose rounds the machine code has one behind the other.
struct straight_rounds {
    std::size_t loop = 0; // a block of the PTX
    unsigned rounds = 0;
};
[[nodiscard]] std::optional<straight_rounds>
find_straight(std::span<text_block const> ptx, std::span<text_block const> machine, block_match const& match);

struct matched_texts {
    std::vector<block_match> matches;
    unsigned apart = 0; // in instructions
};
// Both texts in order, as little apart in instructions and landmarks as can be; none where loops cannot be told apart, or the texts are
// too long. Cost: the product of the numbers of blocks, some 100 ns each.
[[nodiscard]] std::optional<matched_texts> match_blocks(std::span<text_block const> ptx,
                                                        std::span<text_block const> machine);

// Two arms of a branch, the one from `first` to `second`, the other from there to `end`.
struct branch_arms {
    std::size_t first = 0, second = 0, end = 0;
};
// Puts the second before the first.
void swap_arms(std::vector<text_block>& blocks, branch_arms const& arms);

// Finds the loops of blocks whose `goes_back` names a block before them.
// @param goes_back by block: an earlier one or itself, where its branch goes; else its own number and 1
void find_depths(std::span<text_block> blocks, std::span<std::size_t const> goes_back);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_BLOCK_MATCH_HPP
