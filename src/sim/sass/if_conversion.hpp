// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the branches of a PTX function that ptxas turns into predicates.
#ifndef GPUPROF_SRC_SIM_SASS_IF_CONVERSION_HPP
#define GPUPROF_SRC_SIM_SASS_IF_CONVERSION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A view of a function: valid while that lives. Instructions go by their number in it.
class if_conversion {
public:
    explicit if_conversion(ptx::function const& of);

    // Where a conditional branch goes if it goes forward; 0 for any other instruction.
    [[nodiscard]] std::uint32_t forward_target(std::uint32_t i) const noexcept;
    // Where an unconditional branch goes; 0 for any other instruction, or where there is no such label.
    [[nodiscard]] std::uint32_t always_goes_to(std::uint32_t i) const noexcept;
    // What a branch decides between: the instructions of one arm, and those of another, perhaps none, both without the branches
    // around them. Threads meet again behind both, which is not the end of a kernel.
    struct conditional {
        std::uint32_t first;
        std::uint32_t first_end;
        std::uint32_t second;
        std::uint32_t join;
    };
    [[nodiscard]] std::optional<conditional> conditional_at(std::uint32_t branch) const noexcept;
    // What two branches decide together: the first goes to what the second would go around, and nothing but comparisons stands between
    // them, so that one predicate has both conditions.
    struct short_circuit {
        std::uint32_t second; // branch
        conditional decides;
    };
    [[nodiscard]] std::optional<short_circuit> short_circuit_at(std::uint32_t branch) const noexcept;
    // Whether no other branch goes to where its threads meet again.
    [[nodiscard]] bool ends_here(conditional const& c) const noexcept { return branches_to_.at(c.join) == 1; }
    // Whether a conditional branch only goes around the next one: they are one branch on the opposite condition.
    [[nodiscard]] bool hops(std::uint32_t branch) const noexcept;
    // The same, where nobody else goes to what stands behind both.
    [[nodiscard]] bool hops_alone(std::uint32_t branch) const noexcept;
    // Whether nothing else leads to where an unconditional branch goes: that stands right behind it in machine code.
    [[nodiscard]] bool falls_through(std::uint32_t branch) const noexcept;

    // Whether a branch would skip so few instructions that they are predicated instead.
    // @param cost SASS instructions of the instruction with that number
    template <class Cost>
    [[nodiscard]] bool is_predicated(conditional const& c, Cost cost) const {
        constexpr unsigned most_of_any = 7, most_of_one_arm = 20; // which only computes, and divides nothing
        constexpr unsigned most_of_one = 2;
        if (has_label(c.first, c.first_end) || has_label(c.second, c.join)) return false;
        unsigned instructions = 0;
        bool long_ones = false; // a division is a loop or a call, perhaps
        auto const add = [&](std::uint32_t from, std::uint32_t end) {
            for (std::uint32_t inside = from; inside < end; ++inside) {
                if (ptx::is_indivisible(of_.instructions[inside]) || uses_tma(of_.instructions[inside])) return false;
                unsigned const own = cost(inside);
                long_ones |= own > most_of_one;
                instructions += own;
            }
            return true;
        };
        if (!add(c.first, c.first_end) || !add(c.second, c.join)) return false;
        bool const reaches_nothing = only_computes(c.first, c.first_end) && only_computes(c.second, c.join);
        // Of branches to one place ptxas predicates the innermost, around up to two accesses.
        bool const is_short = instructions <= 2 && !branches_within(c);
        if (!ends_here(c) && !reaches_nothing && !is_short) return false;
        bool const computes = c.second == c.join && !long_ones && reaches_nothing;
        return instructions <= (computes ? most_of_one_arm : most_of_any);
    }

private:
    // ptxas keeps the branch around these: they have no predicate of their own for each lane (H200, CUTLASS's
    // test/unit/cute/hopper/bulk_load.cu: one warp of four executes the copy).
    [[nodiscard]] static bool uses_tma(ptx::instruction const& i) noexcept {
        return (i.opcode == "cp" && ptx::has(i, "bulk")) || (i.opcode == "prefetch" && ptx::has(i, "tensormap"));
    }

    // Whether an arm has a branch of its own to where the threads meet again.
    [[nodiscard]] bool branches_within(conditional const& c) const noexcept;
    // Whether nothing between two instructions reaches memory or other threads, or branches.
    [[nodiscard]] bool only_computes(std::uint32_t first, std::uint32_t end) const noexcept;
    // Whether a label stands between two instructions, not in front of the first one.
    [[nodiscard]] bool has_label(std::uint32_t first, std::uint32_t end) const noexcept;
    [[nodiscard]] std::uint32_t target(ptx::instruction const& branch) const noexcept;

    ptx::function const& of_;
    std::unordered_map<std::string_view, std::uint32_t> labels_; // the first of each name
    std::unordered_map<std::uint32_t, unsigned> branches_to_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_IF_CONVERSION_HPP
