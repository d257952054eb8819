// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many SASS instructions a PTX instruction takes by itself: numbers by type, or a rule. Layer: embedded GPU, front
// end.
#ifndef GPUPROF_HW_SIM_PTX_INSTRUCTION_COST_HPP
#define GPUPROF_HW_SIM_PTX_INSTRUCTION_COST_HPP

#include <cstdint> // counts

#include "modifiers.hpp"
#include "module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// Of operations on 32 bits or less and on 64, on integers and on floating-point numbers; or a function that tells.
class sass_cost {
public:
    using rule = std::uint16_t (*)(instruction const&) noexcept;

    constexpr sass_cost(int every) noexcept : sass_cost{every, every, every, every} {}
    constexpr sass_cost(int integer, int wide_integer, int single, int twice) noexcept
        : integer_{static_cast<std::uint8_t>(integer)},
          wide_integer_{static_cast<std::uint8_t>(wide_integer)},
          single_{static_cast<std::uint8_t>(single)},
          double_{static_cast<std::uint8_t>(twice)} {}
    constexpr sass_cost(rule tells) noexcept : rule_{tells} {}

    [[nodiscard]] std::uint16_t operator()(instruction const& i) const noexcept {
        if (rule_ != nullptr) return rule_(i);
        type const t = type_of(i);
        bool const wide = size_of(t) == 8;
        if (is_floating(t)) return wide ? double_ : single_;
        return wide ? wide_integer_ : integer_;
    }

private:
    std::uint8_t integer_ = 0;
    std::uint8_t wide_integer_ = 0;
    std::uint8_t single_ = 0;
    std::uint8_t double_ = 0;
    rule rule_ = nullptr;
};

// The rules of those whose cost depends on more than the type.
namespace cost {

// A move between registers is a name for one; an address takes an instruction, and a vector none.
[[nodiscard]] inline std::uint16_t of_mov(instruction const& i) noexcept {
    if (i.operands.size() != 2 || i.operands[0].kind != operand_kind::reg) return 0;
    auto const from = i.operands[1].kind;
    return from == operand_kind::function_variable || from == operand_kind::module_variable ? 1 : 0;
}
// Constant memory at an address that the text knows is an operand.
[[nodiscard]] inline std::uint16_t of_ld(instruction const& i) noexcept {
    bool const is_operand = has(i, "const") && !i.operands.empty() && i.operands.back().kind == operand_kind::address &&
                            i.operands.back().elements.front().kind != operand_kind::reg;
    return is_operand ? 0 : 1;
}
[[nodiscard]] inline std::uint16_t of_cvt(instruction const& i) noexcept {
    for (auto const m : i.modifiers)
        if (is_floating(type_named(m))) return 1;
    return has(i, "s64") && has(i, "s32") ? 1 : 0;
}
// On predicates along with the comparison.
[[nodiscard]] inline std::uint16_t of_logic(instruction const& i) noexcept {
    return has(i, "pred") ? 0 : sass_cost{1, 2, 1, 1}(i);
}
[[nodiscard]] inline std::uint16_t of_mul(instruction const& i) noexcept {
    return has(i, "wide") ? 1 : sass_cost{1, 3, 1, 1}(i);
}
[[nodiscard]] inline std::uint16_t of_mad(instruction const& i) noexcept {
    return has(i, "wide") ? 1 : sass_cost{1, 4, 1, 1}(i);
}
// ptxas surrounds approximations with scaling where subnormal numbers are kept.
[[nodiscard]] inline bool keeps_subnormals(instruction const& i) noexcept { return has(i, "approx") && !has(i, "ftz"); }
[[nodiscard]] inline std::uint16_t of_ex2(instruction const& i) noexcept {
    return keeps_subnormals(i) && !has(i, "f16") ? 4 : 1;
}
[[nodiscard]] inline std::uint16_t approximation(instruction const& i) noexcept { return keeps_subnormals(i) ? 4 : 2; }
[[nodiscard]] inline bool rounds_to_a_side(instruction const& i) noexcept {
    return has(i, "rz") || has(i, "rm") || has(i, "rp");
}
// Where the rounding is not to nearest, a function of ptxas's own.
[[nodiscard]] inline std::uint16_t of_div(instruction const& i) noexcept {
    if (has(i, "approx")) return approximation(i);
    if (has(i, "full")) return 5;
    if (rounds_to_a_side(i)) return is_wide(i) ? 54 : 43;
    return sass_cost{20, 70, 9, 18}(i);
}
[[nodiscard]] inline std::uint16_t of_sqrt(instruction const& i) noexcept {
    if (has(i, "approx")) return approximation(i);
    if (rounds_to_a_side(i)) return is_wide(i) ? 45 : 13;
    return sass_cost{10, 10, 10, 18}(i);
}
[[nodiscard]] inline std::uint16_t of_rcp(instruction const& i) noexcept {
    return has(i, "approx") ? approximation(i) : sass_cost{9, 9, 9, 12}(i);
}
// Tiles of the machine are half as wide.
[[nodiscard]] inline std::uint16_t of_wmma(instruction const& i) noexcept {
    return has(i, "mma") && !has(i, "f64") ? 2 : 1;
}

} // namespace cost

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_PTX_INSTRUCTION_COST_HPP
