// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instruction_decoder.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../code/device_memory.hpp"
#include "../ops/float_format.hpp"
#include "../ptx/cursor.hpp"
#include "../ptx/instruction_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The special register of that name; false when there is none.
static bool find_special(std::string_view name, special& out) noexcept {
    // clang-format off
    static constexpr std::string_view names[] = { // in the order of `special`
        "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z",
        "nctaid.x", "nctaid.y", "nctaid.z", "laneid", "warpid", "nwarpid", "smid", "nsmid",
        "gridid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt",
        "clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi",
        "dynamic_smem_size", "total_smem_size", "aggr_smem_size", "envreg1", "envreg2",
        "reserved_smem_offset_1", "cluster_ctaid.x", "cluster_ctaid.y", "cluster_ctaid.z",
        "cluster_nctaid.x", "cluster_nctaid.y", "cluster_nctaid.z", "cluster_ctarank",
        "cluster_nctarank", "clusterid.x", "clusterid.y", "clusterid.z", "nclusterid.x",
        "nclusterid.y", "nclusterid.z", "is_explicit_cluster", "current_graph_exec",
    };
    // clang-format on
    int i = 0;
    for (auto const known : names) {
        if (known == name) return out = static_cast<special>(i), true;
        ++i;
    }
    static constexpr std::string_view zeros[] = {"tid.w", "ctaid.w", "cluster_ctaid.w", "clusterid.w", "pm0"};
    for (auto const known : zeros)
        if (known == name) return out = special::zero, true;
    return false;
}

// Whether PTX has a special register of that name, supported or not.
static bool is_ptx_special(std::string_view name) noexcept {
    for (std::string_view const family : {"envreg", "pm", "reserved_smem_offset_", "cluster", "ncluster"})
        if (name.substr(0, family.size()) == family) return true;
    special known{};
    return find_special(name, known);
}

instruction_decoder::instruction_decoder(function_builder& function, ptx::instruction const& decoded)
    : builder{function}, from{decoded}, modifiers_{decoded.modifiers} {
    classify(from.facts->profile.kind, from.facts->profile.pipe);
    if (from.facts != &ptx::unknown_instruction)
        op.opcode = static_cast<std::uint8_t>(from.facts - ptx::instruction_set.data());
    op.info.line = from.at.line;
    op.info.source = from.source;
    if (from.guard != ptx::instruction::no_guard) {
        op.guarded = true;
        op.guard_negated = from.guard_negated;
        op.guard = builder.slot(from.guard);
    }
}

void instruction_decoder::classify(ptx::type t) noexcept {
    op.packed = t == ptx::type::f16x2 || t == ptx::type::bf16x2;
    instruction_class const c = from.facts->profile.of(t);
    classify(c.kind, c.pipe);
}

void instruction_decoder::classify(instruction_kind kind, pipe where) noexcept {
    op.info.kind = kind;
    op.info.pipe = where;
}

bool instruction_decoder::take(std::string_view modifier) {
    for (auto m = modifiers_.begin(); m != modifiers_.end(); ++m)
        if (*m == modifier) return modifiers_.erase(m), true;
    return false;
}

ptx::type instruction_decoder::take_type() {
    for (auto m = modifiers_.begin(); m != modifiers_.end(); ++m)
        if (auto const t = ptx::type_named(*m); t != ptx::type::none) return modifiers_.erase(m), t;
    malformed(from.at, "'" + std::string{from.opcode} + "' lacks a type");
    return ptx::type::b32;
}

bool instruction_decoder::take_rounding() {
    static constexpr std::string_view names[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
    int const i = take_one(names);
    if (i < 0) return false;
    op.rounding = static_cast<rounding>(i < 5 ? i : i - 5);
    integral = i >= 5;
    return true;
}

bool instruction_decoder::expect_operands(std::size_t least, std::size_t most) {
    if (operand_count() >= least && operand_count() <= most) return true;
    return malformed(from.at, "'" + std::string{from.opcode} + "' has " + std::to_string(operand_count()) +
                                  " operands, which is not what it takes");
}

bool instruction_decoder::has_operands(std::size_t least, std::size_t most) {
    return (operand_count() >= least && operand_count() <= most) || unsupported();
}

ptx::operand const& instruction_decoder::operand(std::size_t i) {
    static auto const* const missing = new ptx::operand; // never destroyed: destructors of a program may load kernels
    if (i < from.operands.size()) return from.operands[i];
    malformed(from.at, "'" + std::string{from.opcode} + "' lacks an operand");
    return *missing;
}

operand_ref instruction_decoder::read(ptx::operand const& o, ptx::type as) {
    using kind = ptx::operand_kind;
    unsigned const bytes = ptx::size_of(as);
    switch (o.kind) {
        case kind::reg: return checked(o, as);
        case kind::integer: return as == ptx::type::pred ? builder.constant_predicate(o.bits != 0) : constant(o, as);
        case kind::single:
        case kind::real: return constant(o, as);
        case kind::special:
            if ((as == ptx::type::pred) != (o.text == "is_explicit_cluster")) break; // the one that is a predicate
            return read_special(o, as == ptx::type::pred ? sizeof(lane_mask) : bytes);
        case kind::module_variable:
            if (module_variable(o).space == ptx::space::shared)
                return builder.constant(shared_address(&module_variable(o)) + offset_of(o), bytes);
            return builder.constant(builder.link.variable_addresses[o.index] + offset_of(o), bytes);
        case kind::function_variable: return read_local(o, bytes);
        case kind::name: return builder.constant(function_address(o), bytes);
        default: break;
    }
    malformed(o.at, "this operand cannot be read here");
    return {};
}

operand_ref instruction_decoder::write(ptx::operand const& o, ptx::type as) {
    if (o.kind == ptx::operand_kind::sink) return builder.scratch(as == ptx::type::pred ? 4 : ptx::size_of(as));
    if (o.kind == ptx::operand_kind::reg) return checked(o, as);
    if (o.kind == ptx::operand_kind::special || o.kind == ptx::operand_kind::name)
        malformed(o.at, "'" + name_of(o) + "' is not declared");
    else malformed(o.at, "a register is expected here");
    return {};
}

void instruction_decoder::add_slot(operand_slot s) {
    if (op.list_count == 0) op.list = static_cast<std::uint32_t>(builder.code.slots.size());
    builder.code.slots.push_back(s);
    ++op.list_count;
}

ptx::type instruction_decoder::register_type(ptx::operand const& o) const {
    return builder.from.registers[o.index].type;
}

std::uint64_t instruction_decoder::shared_address(ptx::variable const* v) const {
    auto const found = builder.link.shared.find(v);
    std::uint32_t const offset = found == builder.link.shared.end() ? 0 : found->second;
    builder.link.used_shared.emplace(v, offset);
    return offset;
}

ptx::variable const& instruction_decoder::module_variable(ptx::operand const& o) const {
    return builder.link.source.variables[o.index];
}

bool instruction_decoder::finish() {
    if (!modifiers_.empty())
        fail(from.at,
             "'" + std::string{from.opcode} + "' with '." + std::string{modifiers_.front()} + "' is not supported");
    if (fault) return false;
    builder.code.code.push_back(op);
    return true;
}

bool instruction_decoder::fail(ptx::position at, std::string_view text) {
    if (!fault) fault = ptx::not_supported_at(at, text);
    return false;
}

bool instruction_decoder::malformed(ptx::position at, std::string_view text) {
    if (!fault) fault = modifiers_.empty() ? ptx::error_at(at, text) : ptx::not_supported_at(at, text);
    return false;
}

bool instruction_decoder::unsupported() {
    return fail(from.at, "'" + std::string{from.opcode} + "' is not supported in this form");
}

std::string instruction_decoder::name_of(ptx::operand const& o) {
    return (o.kind == ptx::operand_kind::special ? "%" : "") + std::string{o.text};
}

operand_ref instruction_decoder::checked(ptx::operand const& o, ptx::type as) {
    ptx::type const is = register_type(o);
    if ((is == ptx::type::pred) != (as == ptx::type::pred) || ptx::size_of(is) != ptx::size_of(as))
        malformed(o.at, "'" + std::string{o.text} + "' is a ." + std::string{ptx::name(is)} + " register, a ." +
                            std::string{ptx::name(as)} + " is expected");
    return builder.slot(o.index);
}

operand_ref instruction_decoder::constant(ptx::operand const& o, ptx::type as) {
    bool const to_double = as == ptx::type::f64;
    std::uint64_t bits = o.bits;
    if (o.kind == ptx::operand_kind::single && to_double)
        bits = std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(o.bits))});
    if (o.kind == ptx::operand_kind::real && as == ptx::type::f32)
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(o.bits)));
    if (o.kind == ptx::operand_kind::real && as == ptx::type::f16)
        bits = narrow(std::bit_cast<double>(o.bits), f16_format);
    if (o.kind == ptx::operand_kind::integer && as == ptx::type::f64)
        bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(o.bits)));
    if (o.kind == ptx::operand_kind::integer && as == ptx::type::f32)
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(o.bits)));
    auto const negative = o.kind == ptx::operand_kind::integer && static_cast<std::int64_t>(o.bits) < 0;
    return builder.constant(bits, ptx::size_of(as), negative ? ~std::uint64_t{0} : 0);
}

operand_ref instruction_decoder::read_before(decoded before, unsigned bytes) {
    before.d = builder.scratch(bytes);
    before.immediate = bytes;
    before.info = op.info;
    builder.code.code.push_back(before);
    return before.d;
}

operand_ref instruction_decoder::read_special(ptx::operand const& o, unsigned bytes) {
    special which{};
    if (!find_special(o.text, which)) {
        if (is_ptx_special(o.text)) fail(o.at, "the special register '" + name_of(o) + "' is not supported");
        else malformed(o.at, "'" + name_of(o) + "' is not declared");
        return {};
    }
    if (which == special::reserved_smem_offset_1) builder.code.uses_reserved_shared = true;
    decoded before;
    before.action = action::special_register;
    before.mode = static_cast<std::uint8_t>(which);
    auto const result = read_before(before, bytes);
    builder.code.code.back().info.kind = instruction_kind::special_register;
    builder.code.code.back().info.pipe = pipe::alu;
    return result;
}

operand_ref instruction_decoder::read_local(ptx::operand const& o, unsigned bytes) {
    ptx::variable const& v = builder.from.variables[o.index];
    if (v.space == ptx::space::shared) return builder.constant(shared_address(&v) + offset_of(o), bytes);
    if (builder.from.is_kernel_parameter(o.index))
        return builder.constant(builder.variable_offset(o.index) + offset_of(o), bytes);
    decoded before;
    before.action = action::local_address;
    before.offset = static_cast<std::int64_t>(builder.variable_offset(o.index) + offset_of(o));
    auto const result = read_before(before, bytes);
    builder.code.code.back().info.kind = instruction_kind::move;
    return result;
}

std::uint64_t instruction_decoder::function_address(ptx::operand const& o) {
    auto const found = builder.link.functions.find(o.text);
    if (found == builder.link.functions.end()) {
        malformed(o.at, "'" + name_of(o) + "' is not declared");
        return 0;
    }
    return address_map::code_base + std::uint64_t{found->second} * 16;
}

} // namespace sim
GPUPROF_NAMESPACE_END
