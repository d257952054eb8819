// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which branches of a PTX function ptxas makes predicates of. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_IF_CONVERSION_HPP
#define GPUPROF_HW_SIM_SASS_IF_CONVERSION_HPP

#include <cstddef> // std::size_t
#include <cstdint> // instructions

#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A view of a function: valid while that lives. Instructions go by their number in it.
class if_conversion {
public:
    explicit if_conversion(ptx::function const& of) noexcept : of_{of} {}

    // Where a conditional branch goes if it goes forward, and not to the thread's end; 0 for any other instruction.
    [[nodiscard]] std::uint32_t end_of_skipped(std::uint32_t i) const noexcept {
        ptx::instruction const& branch = of_.instructions[i];
        bool const jumps = branch.facts->control == ptx::control_effect::branch && !branch.operands.empty();
        if (!jumps || branch.guard == ptx::instruction::no_guard) return 0;
        for (auto const& label : of_.labels) {
            if (label.name != branch.operands.front().text) continue;
            std::size_t const end = label.instruction;
            bool const skips = end > i + 1 && end < of_.instructions.size() && !ptx::leaves(of_.instructions[end]);
            return skips ? static_cast<std::uint32_t>(end) : 0;
        }
        return 0;
    }

    // Whether what a branch would skip is so little that it is predicated instead.
    // @param cost SASS instructions of the instruction with that number
    template <class Cost>
    [[nodiscard]] bool is_predicated(std::uint32_t branch, std::uint32_t end, Cost cost) const {
        constexpr unsigned most = 7;
        for (auto const& label : of_.labels)
            if (label.instruction > branch && label.instruction < end) return false;
        unsigned instructions = 0;
        for (std::uint32_t inside = branch + 1; inside < end; ++inside) {
            if (ptx::is_indivisible(of_.instructions[inside])) return false;
            instructions += cost(inside);
        }
        return instructions <= most;
    }

private:
    ptx::function const& of_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_IF_CONVERSION_HPP
