// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "if_conversion.hpp"

#include <cstddef>
#include <cstdint>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

if_conversion::if_conversion(ptx::function const& of) : of_{of} {
    for (auto const& label : of.labels) labels_.try_emplace(label.name, label.instruction);
}

std::uint32_t if_conversion::forward_target(std::uint32_t i) const noexcept {
    ptx::instruction const& branch = of_.instructions[i];
    bool const jumps = branch.facts->control == ptx::control_effect::branch && !branch.operands.empty();
    if (!jumps || branch.guard == ptx::instruction::no_guard) return 0;
    auto const label = labels_.find(branch.operands.front().text);
    if (label == labels_.end()) return 0;
    std::size_t const end = label->second;
    return end > i + 1 && end < of_.instructions.size() ? static_cast<std::uint32_t>(end) : 0;
}

std::uint32_t if_conversion::end_of_skipped(std::uint32_t i) const noexcept {
    std::uint32_t const end = forward_target(i);
    return end != 0 && !ptx::leaves(of_.instructions[end]) ? end : 0;
}

} // namespace sim
GPUPROF_NAMESPACE_END
