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
    // What a branch decides between: the instructions of one arm, and those of another, perhaps none, both without the branches
    // around them. Threads meet again behind both, which is not the end of a kernel.
    struct conditional {
        std::uint32_t first;
        std::uint32_t first_end;
        std::uint32_t second;
        std::uint32_t join;
    };
    [[nodiscard]] std::optional<conditional> conditional_at(std::uint32_t branch) const noexcept;
    // Whether no other branch goes to where its threads meet again.
    [[nodiscard]] bool ends_here(conditional const& c) const noexcept { return branches_to_.at(c.join) == 1; }
    // Whether a conditional branch only goes around the next one: they are one branch on the opposite condition.
    [[nodiscard]] bool hops(std::uint32_t branch) const noexcept;

    // Whether a branch would skip so few instructions that they are predicated instead. ptxas 13.0 for sm_90 predicates arms of up
    // to 8, a jump over the other arm counted. Of up to 20 if they load from global or local memory while another such load is
    // under way, or if there is one in front and one behind; a load that would be waited for alone stays behind its branch. An estimate of 9 is 8: of what an arm repeats from
    // in front of the branch nothing is left.
    // @param cost SASS instructions of the instruction with that number
    template <class Cost>
    [[nodiscard]] bool is_predicated(conditional const& c, Cost cost) const {
        constexpr unsigned most = 9, most_with_loads = 20;
        if (has_label(c.first, c.first_end) || has_label(c.second, c.join)) return false;
        auto const fits = [&](std::uint32_t from, std::uint32_t end, unsigned jump) {
            unsigned instructions = jump;
            bool loads = false;
            for (std::uint32_t inside = from; inside < end; ++inside) {
                ptx::instruction const& i = of_.instructions[inside];
                if (ptx::is_indivisible(i) || uses_tma(i) || is_atomic(i)) return false;
                loads |= is_far_load(i);
                instructions += cost(inside);
            }
            auto const [in_front, behind] = loads_beside(c);
            if (loads && !in_front && !behind) return false;
            return instructions <= (loads || (in_front && behind) ? most_with_loads : most);
        };
        return fits(c.first, c.first_end, c.second != c.join) && fits(c.second, c.join, 0);
    }

private:
    [[nodiscard]] static bool is_far_load(ptx::instruction const& i) noexcept {
        return i.facts->profile.kind == instruction_kind::load && (ptx::has(i, "global") || ptx::has(i, "local"));
    }
    // Whether another load from global or local memory may be under way along with those of an arm: one in front of the branch, or behind
    // it, perhaps beyond a further branch.
    struct other_loads {
        bool in_front = false;
        bool behind = false;
    };
    [[nodiscard]] other_loads loads_beside(conditional const& c) const noexcept;
    [[nodiscard]] static bool is_atomic(ptx::instruction const& i) noexcept {
        auto const kind = i.facts->profile.kind;
        return kind == instruction_kind::atomic || kind == instruction_kind::reduction;
    }
    // ptxas keeps the branch around these: they have no predicate of their own for each lane (H200, CUTLASS's
    // test/unit/cute/hopper/bulk_load.cu: one warp of four executes the copy).
    [[nodiscard]] static bool uses_tma(ptx::instruction const& i) noexcept {
        return (i.opcode == "cp" && ptx::has(i, "bulk")) || (i.opcode == "prefetch" && ptx::has(i, "tensormap"));
    }

    // Whether a label stands between two instructions, not in front of the first one.
    [[nodiscard]] bool has_label(std::uint32_t first, std::uint32_t end) const noexcept;
    // Where an unconditional branch goes; 0 for any other instruction, or where there is no such label.
    [[nodiscard]] std::uint32_t always_goes_to(std::uint32_t i) const noexcept;
    [[nodiscard]] std::uint32_t target(ptx::instruction const& branch) const noexcept;

    ptx::function const& of_;
    std::unordered_map<std::string_view, std::uint32_t> labels_; // the first of each name
    std::unordered_map<std::uint32_t, unsigned> branches_to_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_IF_CONVERSION_HPP
