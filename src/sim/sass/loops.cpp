// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

loops::loops(ptx::function const& of) {
    std::multimap<std::string_view, std::uint32_t> labels;
    for (auto const& l : of.labels) labels.emplace(l.name, l.instruction);
    for (std::uint32_t at = 0; at < of.instructions.size(); ++at) {
        auto const& op = of.instructions[at];
        if (op.facts->control != ptx::control_effect::branch || op.operands.empty()) continue;
        auto const [first, end] = labels.equal_range(op.operands.front().text);
        for (auto l = first; l != end; ++l)
            if (l->second <= at) all_.push_back({l->second, at});
    }
}

bool loops::share(std::uint32_t outer, std::uint32_t inner) const noexcept {
    return std::all_of(all_.begin(), all_.end(), [&](interval const& l) { return !l.has(inner) || l.has(outer); });
}

std::uint32_t loops::before(std::uint32_t i) const noexcept {
    std::uint32_t first = i;
    for (interval const& l : all_)
        if (l.has(i) && l.first != 0) first = (std::min)(first, l.first - 1);
    return first;
}

loops::interval const* loops::innermost(std::uint32_t i) const noexcept {
    auto const has_other = [&](interval const& outer) {
        return std::any_of(all_.begin(), all_.end(), [&](interval const& l) {
            return outer.has(l.first) && outer.has(l.last) && (l.first != outer.first || l.last < outer.last);
        });
    };
    interval const* found = nullptr;
    for (interval const& l : all_)
        if (l.has(i) && (found == nullptr || l.last - l.first > found->last - found->first) && !has_other(l))
            found = &l;
    return found;
}

std::vector<std::uint32_t> writers_in(ptx::function const& of, loops::interval const& loop,
                                      std::uint32_t register_index) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = loop.first; i <= loop.last; ++i)
        if (ptx::operand const* const result = ptx::result_of(of.instructions[i]))
            for_each_register(*result, [&](std::uint32_t written) {
                if (written == register_index) found.push_back(i);
            });
    return found;
}

} // namespace sim
GPUPROF_NAMESPACE_END
