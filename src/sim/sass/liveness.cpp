// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "liveness.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "../ptx/instruction_facts.hpp"
#include "../ptx/modifiers.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The registers that hold nothing but a parameter of a kernel, a constant or the address of a variable: ptxas makes such a value
// where it is read.
static std::vector<bool> made_again(ptx::function const& f) {
    std::vector<std::uint32_t> writes(f.registers.size());
    std::vector<bool> again(f.registers.size());
    for (auto const& op : f.instructions)
        if (ptx::operand const* const result = ptx::result_of(op))
            for_each_register(*result, [&](std::uint32_t r) { ++writes[r]; });
    for (auto const& op : f.instructions) {
        ptx::operand const* const result = ptx::result_of(op);
        if (result == nullptr || result->kind != ptx::operand_kind::reg || writes[result->index] != 1 ||
            op.operands.size() != 2)
            continue;
        ptx::operand const& from = op.operands[1];
        bool const parameter = op.opcode == "ld" && has(op, "param") && f.is_entry;
        bool const same = op.opcode == "cvta" && from.kind == ptx::operand_kind::reg && again[from.index];
        bool const known = op.opcode == "mov" && from.kind != ptx::operand_kind::reg &&
                           from.kind != ptx::operand_kind::special && from.kind != ptx::operand_kind::vector;
        again[result->index] = parameter || same || known;
    }
    return again;
}

std::uint32_t count_registers(ptx::function const& f) {
    struct interval {
        std::uint32_t first = ~std::uint32_t{0};
        std::uint32_t last = 0;
    };
    std::vector<interval> lives(f.registers.size());
    auto const count = static_cast<std::uint32_t>(f.instructions.size());
    auto const mention = [&](auto const& self, ptx::operand const& o, std::uint32_t at) -> void {
        if (o.kind == ptx::operand_kind::reg) {
            lives[o.index].first = (std::min)(lives[o.index].first, at);
            lives[o.index].last = (std::max)(lives[o.index].last, at);
        }
        for (auto const& e : o.elements) self(self, e, at);
    };
    std::multimap<std::string_view, std::uint32_t> labels;
    for (auto const& l : f.labels) labels.emplace(l.name, l.instruction);
    std::vector<interval> loops;
    for (std::uint32_t at = 0; at < count; ++at) {
        auto const& op = f.instructions[at];
        for (auto const& o : op.operands) mention(mention, o, at);
        if (op.facts->control != ptx::control_effect::branch || op.operands.empty()) continue;
        auto const [first, end] = labels.equal_range(op.operands.front().text);
        for (auto l = first; l != end; ++l)
            if (l->second <= at) loops.push_back({l->second, at});
    }
    for (auto& life : lives)
        for (auto const& loop : loops) // what comes into a loop and is used there stays to its end
            if (life.first < loop.first && life.last >= loop.first && life.last < loop.last) life.last = loop.last;
    std::vector<std::int32_t> change(count + 1);
    std::vector<bool> const again = made_again(f);
    for (std::size_t i = 0; i < lives.size(); ++i) {
        if (lives[i].first > lives[i].last || f.registers[i].type == ptx::type::pred || again[i]) continue;
        auto const words = static_cast<std::int32_t>((ptx::size_of(f.registers[i].type) + 3) / 4);
        change[lives[i].first] += words;
        change[lives[i].last] -= words; // a result may take the place of an argument
    }
    std::int32_t live = 0;
    std::int32_t most = 0;
    for (auto const c : change) {
        live += c;
        most = (std::max)(most, live);
    }
    constexpr std::int32_t reserved = 6; // stack pointer, return address, address and scratch temporaries
    return static_cast<std::uint32_t>((std::min)((std::max)(most + reserved, 16), 255));
}

} // namespace sim
GPUPROF_NAMESPACE_END
