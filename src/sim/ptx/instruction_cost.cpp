// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instruction_cost.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "modifiers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

std::uint16_t sass_cost::operator()(instruction const& i) const noexcept {
    if (rule_ != nullptr) return rule_(i);
    type const t = type_of(i);
    bool const wide = size_of(t) == 8;
    if (is_floating(t)) return wide ? double_ : single_;
    return wide ? wide_integer_ : integer_;
}

namespace cost {

std::uint16_t of_mov(instruction const& i) noexcept {
    if (i.operands.size() != 2 || i.operands[0].kind != operand_kind::reg) return 0;
    auto const from = i.operands[1].kind;
    if (from == operand_kind::vector) return 1; // PRMT, or one of the two words stands elsewhere
    return from == operand_kind::function_variable || from == operand_kind::module_variable ? 1 : 0;
}

std::uint16_t of_ld(instruction const& i) noexcept {
    bool const is_operand = has(i, "const") && !i.operands.empty() && i.operands.back().kind == operand_kind::address &&
                            i.operands.back().elements.front().kind != operand_kind::reg;
    return is_operand ? 0 : 1;
}

std::uint16_t of_cvt(instruction const& i) noexcept {
    auto const to = std::find_if(i.modifiers.begin(), i.modifiers.end(),
                                 [](std::string_view m) { return type_named(m) != type::none; });
    std::uint16_t const narrow = to == i.modifiers.end() || size_of(type_named(*to)) != 1 ? 1 : *to == "s8" ? 3 : 2;
    for (auto const m : i.modifiers)
        if (is_floating(type_named(m))) return size_of(type_named(m)) == 2 ? 1 : narrow;
    if (has(i, "sat")) return narrow;
    return has(i, "s64") && has(i, "s32") ? 1 : 0;
}

static bool has_constant_place(instruction const& i) noexcept {
    return std::all_of(i.operands.end() - 2, i.operands.end(),
                       [](operand const& o) { return o.kind == operand_kind::integer; });
}

// Shifts and masks; a place in a register is first brought to at most 255.
std::uint16_t of_bfe(instruction const& i) noexcept {
    if (i.operands.size() == 4 && has_constant_place(i)) return is_wide(i) ? 3 : 2;
    return 6;
}

std::uint16_t of_bfi(instruction const& i) noexcept {
    if (i.operands.size() == 5 && has_constant_place(i)) return is_wide(i) ? 6 : 2;
    return 7;
}

std::uint16_t of_logic(instruction const& i) noexcept { return has(i, "pred") ? 0 : sass_cost{1, 2, 1, 1}(i); }

std::uint16_t of_set(instruction const& i) noexcept {
    bool const gives_halves = has(i, "f16") || has(i, "f16x2") || has(i, "bf16") || has(i, "bf16x2");
    return gives_halves && !has(i, "u32") && !has(i, "s32") && !has(i, "u16") && !has(i, "s16")
               ? std::uint16_t{1}
               : sass_cost{2, 3, 2, 2}(i);
}

std::uint16_t of_mul(instruction const& i) noexcept {
    if (has(i, "wide")) return 1;
    return sass_cost{1, has(i, "hi") ? std::uint16_t{7} : std::uint16_t{3}, 1, 1}(i); // ptxas 13.0, sm_90
}

std::uint16_t of_mad(instruction const& i) noexcept { return has(i, "wide") ? 1 : sass_cost{1, 4, 1, 1}(i); }

// ptxas surrounds approximations with scaling where subnormal numbers are kept.
static bool keeps_subnormals(instruction const& i) noexcept { return has(i, "approx") && !has(i, "ftz"); }

std::uint16_t of_ex2(instruction const& i) noexcept {
    if (is_wide(i)) return has(i, "ftz") ? 2 : 14; // rsqrt
    return keeps_subnormals(i) && !has(i, "f16") ? 4 : 1;
}

static bool rounds_to_a_side(instruction const& i) noexcept { return has(i, "rz") || has(i, "rm") || has(i, "rp"); }

std::uint16_t of_div(instruction const& i) noexcept {
    if (has(i, "approx")) return keeps_subnormals(i) ? 5 : 2;
    if (has(i, "full")) return has(i, "ftz") ? 5 : 8;
    if (rounds_to_a_side(i)) return is_wide(i) ? 54 : 43;
    return has(i, "s32") ? 25 : sass_cost{18, 70, 10, 16}(i);
}

std::uint16_t of_rem(instruction const& i) noexcept { return has(i, "s32") ? 23 : sass_cost{17, 70, 10, 16}(i); }

std::uint16_t of_sqrt(instruction const& i) noexcept {
    if (has(i, "approx")) return keeps_subnormals(i) ? 4 : 1;
    if (rounds_to_a_side(i)) return is_wide(i) ? 45 : 13;
    return sass_cost{10, 10, 10, 18}(i);
}

std::uint16_t of_rcp(instruction const& i) noexcept {
    if (has(i, "approx")) return is_wide(i) ? 2 : keeps_subnormals(i) ? 8 : 1;
    return sass_cost{10, 10, 10, 11}(i);
}

std::uint16_t of_barrier(instruction const& i) noexcept {
    if (!has(i, "cluster")) return 1;
    if (has(i, "wait")) return 2; // of a kernel whose clusters have a size; it asks else whether there are any
    return has(i, "relaxed") ? 1 : 4;
}

std::uint16_t of_fence(instruction const& i) noexcept {
    if (has(i, "cta")) return 1;
    return has(i, "proxy") ? 3 : 4;
}

// Two products of bytes, or of halves, where the GPU has none of that type (H200); what converts is not counted.
std::uint16_t of_mma(instruction const& i) noexcept {
    bool const is_sparse = has(i, "sp") || has(i, "sp::ordered_metadata");
    return has(i, "s4") || has(i, "u4") || (is_sparse && (has(i, "e4m3") || has(i, "e5m2"))) ? 2 : 1;
}

std::uint16_t of_wgmma(instruction const& i) noexcept { return has(i, "commit_group") ? 0 : 1; }

std::uint16_t of_wmma(instruction const& i) noexcept { return has(i, "mma") && !has(i, "f64") ? 2 : 1; }

std::uint16_t of_vadd4(instruction const& i) noexcept {
    if (!has(i, "s32")) return has(i, "add") ? 2 : 4;
    return has(i, "add") ? 25 : 31; // ptxas 13.0, sm_90
}

std::uint16_t of_parts(instruction const& i) noexcept {
    struct row {
        std::string_view opcode;
        std::uint16_t whole, added, whole_signed, added_signed;
    };
    static constexpr row rows[]{
        // ptxas 13.0, sm_90
        {"vabsdiff2", 13, 11, 23, 18}, {"vabsdiff4", 1, 1, 34, 34}, {"vadd2", 3, 8, 19, 15},
        {"vavrg2", 3, 13, 25, 22},     {"vavrg4", 31, 26, 42, 40},  {"vmax2", 6, 9, 8, 16},
        {"vmax4", 19, 16, 31, 30},     {"vmin2", 6, 9, 8, 16},      {"vmin4", 19, 16, 31, 30},
        {"vsub2", 3, 8, 19, 15},       {"vsub4", 4, 4, 31, 24},
    };
    for (row const& r : rows)
        if (r.opcode == i.opcode) {
            bool const adds = has(i, "add");
            return has(i, "s32") ? (adds ? r.added_signed : r.whole_signed) : (adds ? r.added : r.whole);
        }
    return 1;
}

} // namespace cost

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
