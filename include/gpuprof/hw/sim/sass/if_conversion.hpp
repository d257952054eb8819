// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which branches of a PTX function ptxas makes predicates of. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_IF_CONVERSION_HPP
#define GPUPROF_HW_SIM_SASS_IF_CONVERSION_HPP

#include <algorithm>     // std::upper_bound
#include <cstddef>       // std::size_t
#include <cstdint>       // instructions
#include <string_view>   // names of labels
#include <unordered_map> // labels

#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A view of a function: valid while that lives. Instructions go by their number in it.
class if_conversion {
public:
    explicit if_conversion(ptx::function const& of) : of_{of} {
        for (auto const& label : of.labels) labels_.try_emplace(label.name, label.instruction);
    }

    // Where a conditional branch goes if it goes forward, and not to the thread's end; 0 for any other instruction.
    [[nodiscard]] std::uint32_t end_of_skipped(std::uint32_t i) const noexcept {
        ptx::instruction const& branch = of_.instructions[i];
        bool const jumps = branch.facts->control == ptx::control_effect::branch && !branch.operands.empty();
        if (!jumps || branch.guard == ptx::instruction::no_guard) return 0;
        auto const label = labels_.find(branch.operands.front().text);
        if (label == labels_.end()) return 0;
        std::size_t const end = label->second;
        bool const skips = end > i + 1 && end < of_.instructions.size() && !ptx::leaves(of_.instructions[end]);
        return skips ? static_cast<std::uint32_t>(end) : 0;
    }

    // Whether what a branch would skip is so little that it is predicated instead.
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
            if (ptx::is_indivisible(of_.instructions[inside])) return false;
            instructions += cost(inside);
        }
        return instructions <= most;
    }

private:
    ptx::function const& of_;
    std::unordered_map<std::string_view, std::uint32_t> labels_; // the first of each name
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_IF_CONVERSION_HPP
