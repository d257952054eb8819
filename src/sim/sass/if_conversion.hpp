// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the branches of a PTX function that ptxas turns into predicates.
#ifndef GPUPROF_SRC_SIM_SASS_IF_CONVERSION_HPP
#define GPUPROF_SRC_SIM_SASS_IF_CONVERSION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    // Where a conditional branch goes if it goes forward, and not to the thread's end; 0 for any
    // other instruction.
    [[nodiscard]] std::uint32_t end_of_skipped(std::uint32_t i) const noexcept;

    // Whether a branch would skip so few instructions that they are predicated instead.
    // @param cost SASS instructions of the instruction with that number
    template <class Cost>
    [[nodiscard]] bool is_predicated(std::uint32_t branch, std::uint32_t end, Cost cost) const {
        constexpr unsigned most = 7;
        auto const label =
            std::upper_bound(of_.labels.begin(), of_.labels.end(), branch, // they are in the text's order
                             [](std::uint32_t at, auto const& l) { return at < l.instruction; });
        if (label != of_.labels.end() && label->instruction < end) return false;
        unsigned instructions = 0;
        for (std::uint32_t inside = branch + 1; inside < end; ++inside) {
            if (ptx::is_indivisible(of_.instructions[inside]) || uses_tma(of_.instructions[inside])) return false;
            instructions += cost(inside);
        }
        return instructions <= most;
    }

private:
    // ptxas keeps the branch around these: they have no predicate of their own for each lane (H200, CUTLASS's
    // test/unit/cute/hopper/bulk_load.cu: one warp of four executes the copy).
    [[nodiscard]] static bool uses_tma(ptx::instruction const& i) noexcept {
        return (i.opcode == "cp" && ptx::has(i, "bulk")) || (i.opcode == "prefetch" && ptx::has(i, "tensormap"));
    }

    ptx::function const& of_;
    std::unordered_map<std::string_view, std::uint32_t> labels_; // the first of each name
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_IF_CONVERSION_HPP
