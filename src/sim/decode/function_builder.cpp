// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "function_builder.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "../ptx/instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

function_builder::function_builder(link_context& linked, ptx::function const& built) : link{linked}, from{built} {
    code.name = from.name;
    for (auto const& l : from.labels) labels.try_emplace({l.scope, l.name}, &l);
    for (auto const& r : from.registers) registers_.push_back(reserve(register_bytes(r.type)));
    std::uint64_t parameter_offset = 0;
    std::uint64_t stack = 0;
    for (auto const& v : from.variables) {
        bool const is_input = from.is_entry && variables_.size() < from.inputs.size();
        std::uint64_t const align = v.alignment;
        std::uint64_t& offset = is_input ? parameter_offset : local_;
        if (v.space == ptx::space::shared) {
            variables_.push_back(0);
            continue;
        }
        offset = (offset + align - 1) & ~(align - 1);
        variables_.push_back(offset);
        offset += v.bytes;
        if (v.space == ptx::space::local) stack += v.bytes;
    }
    carry_ = reserve(4);
    code.local_bytes = static_cast<std::uint32_t>(local_ < max_local ? local_ : max_local);
    code.stack_bytes = static_cast<std::uint32_t>(stack < max_local ? stack : max_local);
    too_large = local_ > max_local || frame_ > max_frame;
}

bool function_builder::is_read(std::uint32_t register_index) {
    if (read_.empty()) {
        read_.resize(from.registers.size());
        for (auto const& instruction : from.instructions) {
            if (instruction.guard != ptx::instruction::no_guard) read_[instruction.guard] = true;
            ptx::operand const* const result = ptx::result_of(instruction);
            for (ptx::operand const& o : instruction.operands)
                if (&o != result || ptx::reads_result(instruction)) note_reads(o);
        }
    }
    return read_[register_index];
}

operand_ref function_builder::constant(std::uint64_t low, unsigned bytes, std::uint64_t high) {
    if (bytes < 8) low &= (std::uint64_t{1} << (bytes * 8)) - 1;
    auto const [at, added] = constants_.try_emplace(std::array<std::uint64_t, 3>{low, high, bytes}, 0);
    if (added) {
        std::size_t const begin = (code.pool.size() + 63) & ~std::size_t{63};
        std::uint64_t const value[2] = {low, high};
        code.pool.resize(begin + std::size_t{bytes} * warp_size);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            std::memcpy(code.pool.data() + begin + std::size_t{lane} * bytes, value, bytes);
        at->second = static_cast<std::uint32_t>(begin) | operand_ref::in_pool;
    }
    return {at->second};
}

function_code function_builder::finish(register_liveness const& live, std::span<std::uint32_t const> first) {
    auto registers = frame_registers(live.read_unwritten);
    // Places are shared where the host's first cache does not hold the frame, and cleared then: lanes off the mask are computed with,
    // too, slowly where the host's memory held other things. That is little in the time of a warp, but much in that of a call.
    constexpr std::uint32_t held = 32 * 1024;
    bool const is_shared = from.is_entry && frame_ > held;
    std::uint32_t const moved = is_shared ? share_places(code, registers, live.loops, first) : 0;
    code.frame_bytes = frame_ + moved;
    auto const clear = [this](std::uint32_t begin, std::uint32_t end) {
        constexpr std::uint32_t gap = 256; // clearing it costs less than a part of its own
        auto& parts = code.cleared;
        if (!parts.empty() && begin <= parts.back().begin + parts.back().bytes + gap)
            parts.back().bytes = end - parts.back().begin;
        else parts.push_back({begin, end - begin});
    };
    for (frame_register const& each : registers)
        if (each.is_alone && !is_shared) clear(each.at, each.at + each.bytes);
    clear(is_shared ? 0 : carry_, code.frame_bytes);
    for (auto& op : code.code) op.slots = code.slots.data() + op.list;
    return std::move(code);
}

// Registers that are zero at first keep a place of their own: those that a thread may read before it has written them, those of
// which a warp reads all lanes, as some may have exited, and what a call brings. So is what no register of PTX is.
std::vector<frame_register> function_builder::frame_registers(std::vector<bool> const& read_unwritten) const {
    std::set<std::uint32_t> more;
    for (decoded const& op : code.code) {
        bool const is_per_lane = op.collective == collective::none && op.memory.fragment == fragment::none &&
                                 op.action != action::load_matrix && op.action != action::store_matrix &&
                                 op.action != action::multiply_async;
        if (is_per_lane) continue;
        for (operand_ref const each : {op.d, op.d2, op.a, op.b, op.c, op.e}) more.insert(each.code);
        for (std::uint32_t i = 0; i < op.list_count; ++i) more.insert(code.slots[op.list + i].ref.code);
    }
    for (auto const* const values : {&code.inputs, &code.outputs})
        for (call_value const& each : *values) more.insert(each.slot.code);
    std::vector<frame_register> registers;
    for (std::size_t r = 0; r < registers_.size(); ++r)
        registers.push_back({registers_[r], register_bytes(from.registers[r].type),
                             read_unwritten[r] || more.count(registers_[r]) != 0,
                             ptx::is_floating(from.registers[r].type)});
    return registers;
}

unsigned function_builder::register_bytes(ptx::type t) noexcept {
    return t == ptx::type::pred ? 4 : ptx::size_of(t) * warp_size;
}

std::uint32_t function_builder::reserve(unsigned bytes) noexcept {
    std::uint32_t const step = bytes < 64 ? 4 : 64;
    frame_ = (frame_ + step - 1) & ~(step - 1);
    std::uint32_t const at = frame_;
    frame_ += bytes;
    return at;
}

void function_builder::note_reads(ptx::operand const& o) {
    if (o.kind == ptx::operand_kind::reg) read_[o.index] = true;
    for (auto const& element : o.elements) note_reads(element);
}

} // namespace sim
GPUPROF_NAMESPACE_END
