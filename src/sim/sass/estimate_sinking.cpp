// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas puts behind a branch to the end of a kernel. That is a predicated EXIT, past which it orders instructions freely: such
// as the last sum of a reduction that one thread stores. As ptxas 13.0 compiles such PTX for sm_90.
#include "estimate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "expansion.hpp"
#include "if_conversion.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What begins a sequence, such as the test of a root, waits for its number at once: that is computed in front if nothing else is done
// meanwhile.
static bool begins_long(ptx::instruction const& i) noexcept {
    return i.opcode == "cvt" || scales_lanes(i) || (i.opcode != "div" && has_slow_way(i));
}

void sass_estimator::sink_behind_exits(function_code const& code, std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    if_conversion const branches{*from_};
    for (std::uint32_t branch = 0; from_->is_entry && branch < text.size(); ++branch) {
        std::uint32_t const end = branches.forward_target(branch);
        if (end == 0 || !ptx::leaves(text[end]) || estimates[place_[branch]].instructions == 0) continue;
        auto const is_behind = [=](ptx::label const& l) { return l.instruction == branch + 1; };
        if (std::any_of(from_->labels.begin(), from_->labels.end(), is_behind))
            continue; // others come there, or it is a loop
        std::set<std::uint32_t> sunk;
        auto const is_later = [&](std::uint32_t reader) {
            if (reader <= branch) return sunk.contains(reader);
            auto const is_idle = [](ptx::instruction const& i) { return i.opcode == "mov" || has(i, "param"); };
            return !begins_long(text[reader]) || !std::all_of(&text[branch + 1], &text[reader], is_idle);
        };
        for (std::uint32_t i = branch; i-- != 0 && flow_->block(i) == flow_->block(branch);) {
            bool const is_operation = is_operation_of_floats(code.code[place_[i]].info.kind) ||
                                      text[i].opcode == "min" || text[i].opcode == "max";
            auto const& readers = flow_->readers(i);
            if (!is_operation || readers.empty() || flow_->is_confused(i) || estimates[place_[i]].executed_with != 0 ||
                flow_->is_written_again(text[i].operands[0].index) || text[i].guard != ptx::instruction::no_guard)
                continue;
            if (!std::all_of(readers.begin(), readers.end(), is_later)) continue;
            estimates[place_[i]].executed_with = static_cast<std::uint32_t>(place_[branch + 1] + 1);
            sunk.insert(i);
        }
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
