// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas puts behind a branch to the end of a kernel. That is a predicated EXIT, past which it orders instructions freely: such
// as the last sum of a reduction that one thread stores. As ptxas 13.0 compiles such PTX for sm_90.
#include "estimate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "if_conversion.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void sass_estimator::sink_behind_exits(function_code const& code, std::vector<sass_estimate>& estimates) const {
    auto const& text = from_->instructions;
    if_conversion const branches{*from_};
    for (std::uint32_t branch = 0; from_->is_entry && branch < text.size(); ++branch) {
        std::uint32_t const end = branches.forward_target(branch);
        if (end == 0 || !ptx::leaves(text[end]) || estimates[place_[branch]].instructions == 0) continue;
        auto const is_later = [&](std::uint32_t reader) { // what computes at once with the number keeps it in front
            if (reader <= branch) return false;
            return text[reader].facts->profile.kind == instruction_kind::store ||
                   flow_->block(reader) != flow_->block(branch + 1);
        };
        for (std::uint32_t i = branch; i-- != 0 && flow_->block(i) == flow_->block(branch);) {
            bool const is_operation = is_operation_of_floats(code.code[place_[i]].info.kind);
            auto const& readers = flow_->readers(i);
            if (!is_operation || readers.empty() || flow_->is_confused(i) || estimates[place_[i]].executed_with != 0 ||
                flow_->is_written_again(text[i].operands[0].index) || text[i].guard != ptx::instruction::no_guard)
                continue;
            if (std::all_of(readers.begin(), readers.end(), is_later))
                estimates[place_[i]].executed_with = static_cast<std::uint32_t>(place_[branch + 1] + 1);
        }
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
