// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_access_merge.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "../ptx/instruction_facts.hpp"
#include "expansion.hpp"
#include "operand_registers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

shared_access_merge::shared_access_merge(ptx::function const& of, def_use const& flow, shared_places const& places)
    : of_{of},
      flow_{flow},
      places_{places},
      words_(of.instructions.size(), 1),
      members_(of.instructions.size()),
      zeros_(of.registers.size()) {
    auto const moves = [](ptx::instruction const& i) {
        return (i.opcode == "ld" || i.opcode == "st") && has(i, "shared");
    };
    if (std::none_of(of_.instructions.begin(), of_.instructions.end(), moves)) return; // nothing to join
    find_zeros();
    std::uint32_t block = 0;
    for (std::uint32_t i = 0; i < of_.instructions.size(); ++i) {
        bool const begins = flow_.block(i) != block;
        if (begins) values_.clear();
        if (begins || interrupts(i) || has_slow_way(of_.instructions[i])) join();
        block = flow_.block(i);
        if (is_known(i)) words_[i] = 0;
        else collect(i);
    }
    join();
}

bool shared_access_merge::is_known(std::uint32_t i) {
    ptx::instruction const& op = of_.instructions[i];
    std::uint32_t const bytes = bytes_of(i);
    std::uint32_t const base = bytes >= 4 ? base_of(i) : nobody;
    bool const loads = op.opcode == "ld";
    if (!loads && may_change_shared(op)) values_.clear();
    if (base == nobody) return false;
    std::int64_t const offset = offset_of(i);
    bool const known = loads && std::any_of(values_.begin(), values_.end(), [=](value const& v) {
                           return v.base == base && v.offset == offset && v.bytes == bytes;
                       });
    if (!known) values_.push_back({base, offset, bytes});
    return known;
}

ptx::operand const& shared_access_merge::address_of(ptx::instruction const& i) noexcept {
    return i.operands[i.opcode == "st" ? 0 : 1];
}

std::uint32_t shared_access_merge::bytes_of(std::uint32_t at) const noexcept {
    ptx::instruction const& i = of_.instructions[at];
    bool const loads = i.opcode == "ld", stores = i.opcode == "st";
    if ((!loads && !stores) || i.operands.size() != 2 || !has(i, "shared") || has(i, "volatile") ||
        i.guard != ptx::instruction::no_guard)
        return 0;
    ptx::operand const& moved = i.operands[loads ? 0 : 1];
    auto const elements = moved.kind == ptx::operand_kind::vector ? moved.elements.size() : 1;
    auto const bytes = static_cast<std::uint32_t>(ptx::size_of(type_of(i)) * elements);
    ptx::operand const& address = address_of(i);
    bool const is_known =
        (bytes == 2 || bytes == 4 || bytes == 8) && !address.elements.empty() &&
        (address.elements.front().kind == ptx::operand_kind::reg || is_variable(address.elements.front())) &&
        address.offset % bytes == 0;
    return is_known && !(bytes == 2 && loads && is_read_as_integer(at)) ? bytes : 0;
}

// Its upper half must be zero then, or what the sign says.
bool shared_access_merge::is_read_as_integer(std::uint32_t load) const noexcept {
    auto const& readers = flow_.readers(load);
    return flow_.is_confused(load) || std::any_of(readers.begin(), readers.end(), [&](std::uint32_t reader) {
               ptx::instruction const& op = of_.instructions[reader];
               if (op.opcode == "mov" || op.opcode == "st") return false;
               return std::none_of(op.modifiers.begin(), op.modifiers.end(), [](std::string_view m) {
                   ptx::type const t = ptx::type_named(m);
                   return t == ptx::type::f16 || t == ptx::type::f16x2 || t == ptx::type::bf16 ||
                          t == ptx::type::bf16x2;
               });
           });
}

std::optional<std::uint32_t> shared_access_merge::place_of(ptx::operand const& variable) const noexcept {
    if (places_.offsets == nullptr || !is_variable(variable)) return {};
    bool const is_own = variable.kind == ptx::operand_kind::function_variable;
    auto const found =
        places_.offsets->find(is_own ? &of_.variables[variable.index] : &places_.module->variables[variable.index]);
    if (found == places_.offsets->end()) return {};
    return found->second;
}

// Sums with numbers and moved places of variables are part of the address.
shared_access_merge::place shared_access_merge::place_of(std::uint32_t i) const noexcept {
    ptx::operand const& address = address_of(of_.instructions[i]);
    place found{&address.elements.front(), nobody, address.offset, false};
    for (std::uint32_t reader = i; found.base->kind == ptx::operand_kind::reg;) {
        std::uint32_t const writer = flow_.writer_of(reader, found.base->index);
        found.writer = writer;
        if (writer == nobody || flow_.is_written_again(found.base->index)) return found;
        ptx::instruction const& w = of_.instructions[writer];
        bool const moves =
            w.opcode == "mov" && w.operands.size() == 2 && is_variable(w.operands[1]) && place_of(w.operands[1]);
        bool const adds = w.opcode == "add" && w.operands.size() == 3 && is_integer(w) &&
                          w.operands[1].kind == ptx::operand_kind::reg &&
                          w.operands[2].kind == ptx::operand_kind::integer;
        if ((!moves && !adds) || w.guard != ptx::instruction::no_guard) return found;
        if (adds) {
            std::uint64_t const number = w.operands[2].bits;
            std::int64_t const more =
                is_wide(w) ? static_cast<std::int64_t>(number) : static_cast<std::int32_t>(number);
            if (flow_.writer_of(writer, w.operands[1].index) == nobody) return found;
            found.offset += more;
        }
        found.base = &w.operands[1];
        if (moves) found.offset += w.operands[1].offset;
        reader = writer;
    }
    auto const known = place_of(*found.base);
    found.known = known.has_value();
    found.offset += known.value_or(0);
    found.writer =
        known ? window
              : found.base->index |
                    (found.base->kind == ptx::operand_kind::module_variable ? module_variable : function_variable);
    return found;
}

bool shared_access_merge::is_variable(ptx::operand const& o) noexcept {
    return o.kind == ptx::operand_kind::module_variable || o.kind == ptx::operand_kind::function_variable;
}

bool shared_access_merge::interrupts(std::uint32_t i) const noexcept {
    ptx::instruction const& op = of_.instructions[i];
    bool const elsewhere = has(op, "global") || has(op, "local") || has(op, "param") || has(op, "const");
    bool const loads = (op.facts->profile.kind == instruction_kind::load || has(op, "load")) && !elsewhere;
    if (!loads && !may_change_shared(op)) return false;
    for (group const& found : groups_) {
        if (loads && !found.stored) continue;
        std::uint32_t const bytes = bytes_of(i);
        if (loads || !found.stored || bytes == 0 || found.base != base_of(i)) return true;
        std::int64_t const from = offset_of(i) - found.offset * found.bytes; // within the group
        for (std::int64_t word = 0; word < std::int64_t{found.bytes / found.unit}; ++word)
            if (found.words[static_cast<std::size_t>(word)] != nobody && from < (word + 1) * found.unit &&
                word * found.unit < from + bytes)
                return true;
    }
    return false;
}

// The group that something lies in.
static std::int64_t group_of(std::int64_t offset, std::uint32_t bytes) noexcept {
    std::int64_t const size = bytes;
    return offset >= 0 ? offset / size : -((size - 1 - offset) / size);
}

void shared_access_merge::collect(std::uint32_t i) {
    ptx::instruction const& op = of_.instructions[i];
    std::uint32_t const moved = bytes_of(i);
    if (moved == 0) return;
    std::uint32_t const unit = (std::min)(moved, 4u);
    std::uint32_t const base = base_of(i), aligned = (std::min)(alignment(i), 4 * unit);
    if (aligned < 2 * unit) return;
    bool const stored = op.opcode == "st";
    std::int64_t const offset = offset_of(i), number = group_of(offset, aligned);
    auto const slot = static_cast<std::size_t>((offset - number * aligned) / unit);
    auto const is_here = [=](group const& g) {
        return g.stored == stored && g.base == base && g.offset == number && g.unit == unit;
    };
    auto found = std::find_if(groups_.begin(), groups_.end(), is_here);
    if (found == groups_.end()) found = groups_.insert(found, {stored, base, unit, aligned, number});
    for (std::size_t word = slot; word < slot + moved / unit; ++word) found->words[word] = i;
}

void shared_access_merge::join() {
    for (group const& found : groups_) {
        auto const moved = static_cast<std::size_t>(
            std::count_if(found.words.begin(), found.words.end(), [](std::uint32_t i) { return i != nobody; }));
        if (moved == 4 || (moved == 3 && !found.stored)) {
            join(found, 0, 4);
            continue;
        }
        for (std::size_t first = 0; first < found.words.size(); first += 2)
            if (found.words[first] != nobody && found.words[first + 1] != nobody) join(found, first, 2);
    }
    groups_.clear();
}

void shared_access_merge::join(group const& found, std::size_t first, std::size_t count) {
    std::uint32_t leads = nobody;
    for (std::size_t word = first; word < first + count; ++word) {
        std::uint32_t const i = found.words[word];
        if (i == nobody || i == leads) continue;
        if (leads != nobody) words_[i] = 0;
        else words_[leads = i] = static_cast<std::uint8_t>(count * found.unit / bytes_of(i));
        members_[i] = {leads, static_cast<std::uint32_t>(word - first)};
    }
}

std::uint16_t shared_access_merge::moved(std::uint32_t store) const noexcept {
    if (of_.instructions[store].opcode != "st" || members_[store].leader != store) return 0;
    std::uint16_t loaded = 0;
    std::uint32_t load = nobody, distance = 0;
    bool stand_side_by_side = true;
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
        if (members_[i].leader != store) continue;
        ptx::operand const& stored = of_.instructions[i].operands.back();
        if (stored.kind != ptx::operand_kind::reg) continue;
        std::uint32_t const writer = flow_.writer_of(i, stored.index);
        if (writer == nobody || of_.instructions[writer].opcode != "ld" || members_[writer].leader == nobody) {
            stand_side_by_side = false;
            continue;
        }
        std::uint32_t const between = members_[writer].slot - members_[i].slot;
        stand_side_by_side &= loaded == 0 || (load == members_[writer].leader && distance == between);
        load = members_[writer].leader;
        distance = between;
        ++loaded;
    }
    return stand_side_by_side ? std::uint16_t{0} : loaded;
}

unsigned shared_access_merge::zeros_of(ptx::operand const& o) const noexcept {
    if (is_variable(o)) {
        constexpr std::uint32_t begin = 1024; // of the window, at least, where variables begin
        return static_cast<unsigned>(std::countr_zero(place_of(o).value_or(16) | begin));
    }
    if (o.kind == ptx::operand_kind::reg) return zeros_[o.index];
    if (o.kind != ptx::operand_kind::integer) return 0;
    return static_cast<unsigned>((std::min)(std::countr_zero(o.bits), int{most_zeros}));
}

unsigned shared_access_merge::zeros_given(ptx::instruction const& i) const noexcept {
    if (i.operands.size() < 2 || is_floating(i)) return 0;
    auto const zeros = [&](std::size_t part) { return zeros_of(i.operands[part]); };
    if (i.opcode == "mov") return zeros(1);
    if (i.operands.size() < 3) return 0;
    bool const whole = !has(i, "hi");
    if (i.opcode == "add" || i.opcode == "sub" || i.opcode == "or" || i.opcode == "xor" || i.opcode == "min" ||
        i.opcode == "max" || i.opcode == "selp")
        return (std::min)(zeros(1), zeros(2));
    if (i.opcode == "and") return (std::max)(zeros(1), zeros(2));
    if (i.opcode == "mul" && whole) return zeros(1) + zeros(2);
    if (i.opcode == "mad" && whole) return (std::min)(zeros(1) + zeros(2), zeros(3));
    bool const shifts = i.opcode == "shl" && i.operands[2].kind == ptx::operand_kind::integer;
    return shifts ? zeros(1) + static_cast<unsigned>((std::min)(i.operands[2].bits, std::uint64_t{most_zeros})) : 0;
}

void shared_access_merge::find_zeros() {
    for (ptx::instruction const& i : of_.instructions) // nothing is known of what nobody writes
        if (ptx::operand const* const result = ptx::result_of(i))
            for_each_register(*result, [&](std::uint32_t r) { zeros_[r] = most_zeros; });
    for (std::uint32_t const r : of_.register_inputs) zeros_[r] = 0;
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        for (ptx::instruction const& i : of_.instructions) {
            ptx::operand const* const result = ptx::result_of(i);
            if (result == nullptr) continue;
            unsigned const given = result->kind == ptx::operand_kind::reg ? zeros_given(i) : 0;
            for_each_register(*result, [&](std::uint32_t r) {
                shrinks |= given < zeros_[r];
                zeros_[r] = static_cast<std::uint8_t>((std::min)(given, unsigned{zeros_[r]}));
            });
        }
    }
}

std::uint32_t shared_access_merge::alignment(std::uint32_t i) const noexcept {
    place const found = place_of(i);
    if (found.writer == nobody) return 0;
    if (found.known) return 16; // of the window
    unsigned const zeros = zeros_of(*found.base);
    return zeros >= 4 ? 16 : zeros == 3 ? 8 : zeros == 2 ? 4 : 0;
}

} // namespace sim
GPUPROF_NAMESPACE_END
