// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many SASS instructions a PTX instruction takes by itself. Layer: embedded GPU, counters.
#ifndef GPUPROF_HW_SIM_SASS_INSTRUCTION_COUNTS_HPP
#define GPUPROF_HW_SIM_SASS_INSTRUCTION_COUNTS_HPP

#include <cstdint>     // counts
#include <string_view> // opcodes

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

[[nodiscard]] inline bool has(ptx::instruction const& i, std::string_view modifier) noexcept {
    for (auto const m : i.modifiers)
        if (m == modifier) return true;
    return false;
}
// The last type, which is the one that arguments have.
[[nodiscard]] inline ptx::type type_of(ptx::instruction const& i) noexcept {
    ptx::type last = ptx::type::none;
    for (auto const m : i.modifiers)
        if (auto const t = ptx::type_named(m); t != ptx::type::none) last = t;
    return last;
}
[[nodiscard]] inline bool is_floating(ptx::instruction const& i) noexcept { return ptx::is_floating(type_of(i)); }
[[nodiscard]] inline bool is_wide(ptx::instruction const& i) noexcept { return ptx::size_of(type_of(i)) == 8; }
[[nodiscard]] inline bool is_integer(ptx::instruction const& i) noexcept {
    auto const t = type_of(i);
    return t != ptx::type::none && t != ptx::type::pred && !ptx::is_floating(t);
}
[[nodiscard]] inline bool is_logic(std::string_view opcode) noexcept {
    return opcode == "and" || opcode == "or" || opcode == "xor" || opcode == "not";
}

namespace detail {

// Of an operation on 32 bits or less and of one on 64; where the two differ by more than that, integers and floats.
struct instruction_cost {
    std::string_view opcode;
    std::uint8_t integer;
    std::uint8_t wide_integer;
    std::uint8_t single;
    std::uint8_t double_;
};
inline constexpr instruction_cost instruction_costs[] = {
    {"cvta", 0, 0, 0, 0},  {"isspacep", 2, 2, 2, 2}, {"add", 1, 2, 1, 1},    {"sub", 1, 2, 1, 1},
    {"neg", 1, 2, 1, 1},   {"abs", 1, 3, 1, 1},      {"mul", 1, 3, 1, 1},    {"mad", 1, 4, 1, 1},
    {"min", 1, 3, 1, 2},   {"max", 1, 3, 1, 2},      {"div", 20, 70, 9, 18}, {"rem", 21, 70, 9, 18},
    {"rcp", 9, 9, 9, 12},  {"sqrt", 10, 10, 10, 18}, {"and", 1, 2, 1, 1},    {"or", 1, 2, 1, 1},
    {"xor", 1, 2, 1, 1},   {"not", 1, 2, 1, 1},      {"shl", 1, 2, 1, 1},    {"shr", 1, 2, 1, 1},
    {"bfe", 2, 6, 1, 1},   {"bfi", 3, 6, 1, 1},      {"clz", 2, 4, 1, 1},    {"popc", 1, 3, 1, 1},
    {"brev", 1, 2, 1, 1},  {"bfind", 1, 4, 1, 1},    {"setp", 1, 2, 1, 1},   {"set", 2, 3, 2, 2},
    {"selp", 1, 2, 1, 2},  {"slct", 2, 3, 2, 3},     {"redux", 2, 2, 2, 2},  {"membar", 3, 3, 3, 3},
    {"fence", 3, 3, 3, 3}, {"call", 4, 4, 4, 4},
};

} // namespace detail

// Where nothing else is known: 1. Approximations that ptxas surrounds with scaling cost what that does.
[[nodiscard]] inline std::uint16_t sass_instruction_count(ptx::instruction const& i) noexcept {
    if (i.opcode == "mov") {
        if (i.operands.size() != 2 || i.operands[0].kind != ptx::operand_kind::reg)
            return 0; // a vector is a name for registers
        auto const from = i.operands[1].kind;
        return from == ptx::operand_kind::function_variable || from == ptx::operand_kind::module_variable
                   ? 1
                   : 0; // an address
    }
    if (has(i, "pred") && is_logic(i.opcode)) return 0; // along with the comparison
    bool const approximate = has(i, "approx") && !has(i, "ftz") && !has(i, "ftz.f32");
    if (i.opcode == "ex2" || i.opcode == "rsqrt" || i.opcode == "lg2") return approximate && !has(i, "f16") ? 4 : 1;
    if (i.opcode == "sin" || i.opcode == "cos") return 2;
    if (has(i, "approx") && (i.opcode == "div" || i.opcode == "rcp" || i.opcode == "sqrt")) return approximate ? 4 : 2;
    if (i.opcode == "div" && has(i, "full")) return 5;
    if (i.opcode == "wmma" && has(i, "mma")) return has(i, "f64") ? 1 : 2; // tiles of the machine are half as wide
    if (i.opcode == "mul" && has(i, "wide")) return 1;
    if (i.opcode == "mad" && has(i, "wide")) return 1;
    if (i.opcode == "cvt") {
        bool const to_float = !i.modifiers.empty() && is_floating(i);
        bool any_float = to_float;
        for (auto const m : i.modifiers) any_float |= ptx::is_floating(ptx::type_named(m));
        return any_float ? 1 : has(i, "s64") && has(i, "s32") ? 1 : 0;
    }
    if (i.opcode == "ld" && has(i, "const") && !i.operands.empty() &&
        i.operands.back().kind == ptx::operand_kind::address &&
        i.operands.back().elements.front().kind != ptx::operand_kind::reg)
        return 0; // an operand
    ptx::type const type = type_of(i);
    bool const directed = has(i, "rz") || has(i, "rm") || has(i, "rp");
    if (directed && i.opcode == "div") return is_wide(i) ? 54 : 43; // a function of ptxas's own
    if (directed && i.opcode == "sqrt") return is_wide(i) ? 45 : 13;
    for (auto const& row : detail::instruction_costs)
        if (row.opcode == i.opcode) {
            if (ptx::is_floating(type)) return ptx::size_of(type) == 8 ? row.double_ : row.single;
            return ptx::size_of(type) == 8 ? row.wide_integer : row.integer;
        }
    return 1;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_SASS_INSTRUCTION_COUNTS_HPP
