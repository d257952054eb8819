// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the PTX instructions that the embedded GPU executes, one row each.
#ifndef GPUPROF_SRC_SIM_PTX_INSTRUCTION_SET_HPP
#define GPUPROF_SRC_SIM_PTX_INSTRUCTION_SET_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "instruction_cost.hpp"
#include "instruction_facts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// A new instruction takes a row here, in the order of opcodes, and a decoder in one of decode/'s
// lists. decode/decode.cpp does not compile while either is missing.
//   opcode, operand written, control, executed by, memory, class in the profile, fusion, SASS instructions
inline constexpr auto instruction_set = [] {
    using enum result_operand;
    using enum control_effect;
    using enum executed_by;
    using enum memory_effect;
    using enum fusion;
    using enum instruction_kind;
    using enum pipe;
    using enum class_rule;
    using namespace cost;
    // clang-format off
    return std::to_array<instruction_facts>({
    {"abs",            first,   next,    lane, untouched, {integer, alu, floats},            sign,  {1, 3, 1, 1}},
    {"activemask",     first,   next,    lane, untouched, {inter_thread, alu},               alone, {1}},
    {"add",            first,   next,    lane, untouched, {integer, alu, sums},              sum,   {1, 2, 1, 1}},
    {"addc",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"and",            first,   next,    lane, untouched, {bit, alu, predicates},            logic, {of_logic}},
    {"applypriority",  nothing, next,    lane, untouched, {other, lsu},                      alone, {1}},
    {"atom",           first,   next,    lane, orders,    {atomic, lsu},                     alone, {1}},
    {"bar",            if_red,  next,    warp, orders,    {barrier, adu},                    alone, {of_barrier}},
    {"barrier",        if_red,  next,    warp, orders,    {barrier, adu},                    alone, {of_barrier}},
    {"bfe",            first,   next,    lane, untouched, {bit, alu},                        alone, {2, 6, 1, 1}},
    {"bfi",            first,   next,    lane, untouched, {bit, alu},                        alone, {3, 6, 1, 1}},
    {"bfind",          first,   next,    lane, untouched, {bit, xu},                         alone, {1, 4, 1, 1}},
    {"bmsk",           first,   next,    lane, untouched, {bit, alu},                        alone, {1}},
    {"bra",            nothing, branch,  lane, untouched, {control, cbu},                    alone, {1}},
    {"brev",           first,   next,    lane, untouched, {bit, xu},                         alone, {1, 2, 1, 1}},
    {"brkpt",          nothing, next,    lane, untouched, {other, alu},                      alone, {1}},
    {"brx",            nothing, indexed, lane, untouched, {control, cbu},                    alone, {1}},
    {"call",           if_list, call,    lane, orders,    {control, cbu},                    alone, {4}},
    {"clz",            first,   next,    lane, untouched, {bit, xu},                         alone, {2, 4, 1, 1}},
    {"cnot",           first,   next,    lane, untouched, {bit, alu},                        alone, {1}},
    {"copysign",       first,   next,    lane, untouched, {fp32_other, alu, floats},         alone, {1}},
    {"cos",            first,   next,    lane, untouched, {special_function, xu},            alone, {2}},
    {"cp",             nothing, next,    lane, orders,    {copy_async, lsu},                 alone, {1}},
    {"createpolicy",   first,   next,    lane, untouched, {other, alu},                      alone, {1}},
    {"cvt",            first,   next,    lane, untouched, {conversion, xu},                  alone, {of_cvt}},
    {"cvta",           first,   next,    lane, untouched, {address_conversion, alu},         alone, {0}},
    {"discard",        nothing, next,    lane, untouched, {other, lsu},                      alone, {1}},
    {"div",            first,   next,    lane, untouched, {integer_multiply, alu, floats},   alone, {of_div}},
    {"dp2a",           first,   next,    lane, untouched, {integer_multiply, fma},           alone, {1}},
    {"dp4a",           first,   next,    lane, untouched, {integer_multiply, fma},           alone, {1}},
    {"elect",          first,   next,    warp, untouched, {inter_thread, alu},               alone, {1}},
    {"ex2",            first,   next,    lane, untouched, {special_function, xu},            alone, {of_ex2}},
    {"exit",           nothing, exit,    lane, untouched, {control, cbu},                    alone, {1}},
    {"fence",          nothing, next,    lane, orders,    {fence, lsu},                      alone, {of_fence}},
    {"fma",            first,   next,    lane, untouched, {ffma, fma, fused},                alone, {1}},
    {"fns",            first,   next,    lane, untouched, {bit, alu},                        alone, {1}},
    {"getctarank",     first,   next,    lane, untouched, {address_conversion, alu},         alone, {1, 2, 1, 1}},
    {"griddepcontrol", nothing, next,    lane, untouched, {other, alu},                      alone, {1}},
    {"isspacep",       first,   next,    lane, untouched, {address_conversion, alu},         alone, {2}},
    {"ld",             first,   next,    lane, untouched, {load, lsu},                       alone, {of_ld}},
    {"ldmatrix",       first,   next,    warp, untouched, {load, lsu},                       alone, {1}},
    {"ldu",            first,   next,    lane, untouched, {load, lsu},                       alone, {of_ld}},
    {"lg2",            first,   next,    lane, untouched, {special_function, xu},            alone, {of_ex2}},
    {"lop3",           first,   next,    lane, untouched, {bit, alu},                        alone, {1}},
    {"mad",            first,   next,    lane, untouched, {integer_multiply, fma, fused},    alone, {of_mad}},
    {"mad24",          first,   next,    lane, untouched, {integer_multiply, fma},           alone, {1}},
    {"madc",           first,   next,    lane, untouched, {integer_multiply, alu},           alone, {1}},
    {"mapa",           first,   next,    lane, untouched, {address_conversion, alu},         alone, {1, 3, 1, 1}},
    {"match",          first,   next,    warp, untouched, {inter_thread, alu},               alone, {1}},
    {"max",            first,   next,    lane, untouched, {integer, alu, floats},            alone, {1, 3, 1, 7}},
    {"mbarrier",       if_reg,  next,    lane, orders,    {barrier, lsu},                    alone, {1}},
    {"membar",         nothing, next,    lane, orders,    {fence, lsu},                      alone, {of_fence}},
    {"min",            first,   next,    lane, untouched, {integer, alu, floats},            alone, {1, 3, 1, 7}},
    {"mma",            first,   next,    warp, untouched, {matrix, tensor},                  alone, {of_mma}},
    {"mov",            first,   next,    lane, untouched, {move, alu},                       alone, {of_mov}},
    {"movmatrix",      first,   next,    warp, untouched, {inter_thread, lsu},               alone, {1}},
    {"mul",            first,   next,    lane, untouched, {integer_multiply, fma, products}, alone, {of_mul}},
    {"mul24",          first,   next,    lane, untouched, {integer_multiply, fma},           alone, {1}},
    {"nanosleep",      nothing, next,    lane, untouched, {other, alu},                      alone, {1}},
    {"neg",            first,   next,    lane, untouched, {integer, alu, floats},            sign,  {1, 2, 1, 1}},
    {"not",            first,   next,    lane, untouched, {bit, alu, predicates},            logic, {of_logic}},
    {"or",             first,   next,    lane, untouched, {bit, alu, predicates},            logic, {of_logic}},
    {"pmevent",        nothing, next,    lane, untouched, {other, alu},                      alone, {1}},
    {"popc",           first,   next,    lane, untouched, {bit, xu},                         alone, {1, 3, 1, 1}},
    {"prefetch",       nothing, next,    lane, untouched, {other, lsu},                      alone, {1}},
    {"prefetchu",      nothing, next,    lane, untouched, {other, lsu},                      alone, {1}},
    {"prmt",           first,   next,    lane, untouched, {bit, alu},                        alone, {1}},
    {"rcp",            first,   next,    lane, untouched, {special_function, xu, floats},    alone, {of_rcp}},
    {"red",            nothing, next,    lane, orders,    {reduction, lsu},                  alone, {1}},
    {"redux",          first,   next,    warp, untouched, {inter_thread, alu},               alone, {2}},
    {"rem",            first,   next,    lane, untouched, {integer_multiply, alu},           alone, {of_rem}},
    {"ret",            nothing, ret,     lane, untouched, {control, cbu},                    alone, {1}},
    {"rsqrt",          first,   next,    lane, untouched, {special_function, xu},            alone, {of_ex2}},
    {"sad",            first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"selp",           first,   next,    lane, untouched, {bit, alu},                        alone, {1, 2, 1, 2}},
    {"set",            first,   next,    lane, untouched, {integer, alu, floats},            alone, {of_set}},
    {"setmaxnreg",     nothing, next,    warp, untouched, {other, alu},                      alone, {1}},
    {"setp",           first,   next,    lane, untouched, {integer, alu, floats},            alone, {1, 2, 1, 1}},
    {"shf",            first,   next,    lane, untouched, {bit, alu},                        alone, {1}},
    {"shfl",           first,   next,    warp, untouched, {inter_thread, lsu},               alone, {1}},
    {"shl",            first,   next,    lane, untouched, {bit, alu},                        alone, {1, 2, 1, 1}},
    {"shr",            first,   next,    lane, untouched, {bit, alu},                        alone, {1, 2, 1, 1}},
    {"sin",            first,   next,    lane, untouched, {special_function, xu},            alone, {2}},
    {"slct",           first,   next,    lane, untouched, {bit, alu},                        alone, {2, 3, 2, 3}},
    {"sqrt",           first,   next,    lane, untouched, {special_function, xu, floats},    alone, {of_sqrt}},
    {"st",             nothing, next,    lane, stores,    {store, lsu},                      alone, {1}},
    {"stmatrix",       nothing, next,    warp, stores,    {store, lsu},                      alone, {1}},
    {"sub",            first,   next,    lane, untouched, {integer, alu, sums},              sum,   {1, 2, 1, 1}},
    {"subc",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"suld",           first,   next,    lane, untouched, {texture, tex},                    alone, {1}},
    {"suq",            first,   next,    lane, untouched, {other, tex},                      alone, {1}},
    {"sust",           nothing, next,    lane, untouched, {texture, tex},                    alone, {1}},
    {"szext",          first,   next,    lane, untouched, {bit, alu},                        alone, {1}},
    {"tanh",           first,   next,    lane, untouched, {special_function, xu},            alone, {1}},
    {"tensormap",      nothing, next,    lane, orders,    {other, lsu},                      alone, {1}},
    {"testp",          first,   next,    lane, untouched, {fp32_other, alu, floats},         alone, {1}},
    {"tex",            first,   next,    lane, untouched, {texture, tex},                    alone, {1}},
    {"tld4",           first,   next,    lane, untouched, {texture, tex},                    alone, {1}},
    {"trap",           nothing, trap,    lane, untouched, {control, cbu},                    alone, {1}},
    {"txq",            first,   next,    lane, untouched, {other, tex},                      alone, {1}},
    {"vabsdiff",       first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vabsdiff2",      first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vabsdiff4",      first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vadd",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vadd2",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vadd4",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_vadd4}},
    {"vavrg2",         first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vavrg4",         first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vmad",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vmax",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vmax2",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vmax4",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vmin",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vmin2",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vmin4",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vote",           first,   next,    warp, untouched, {inter_thread, alu},               alone, {1}},
    {"vset",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vset2",          first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vset4",          first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vshl",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vshr",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vsub",           first,   next,    lane, untouched, {integer, alu},                    alone, {1}},
    {"vsub2",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"vsub4",          first,   next,    lane, untouched, {integer, alu},                    alone, {of_parts}},
    {"wgmma",          updated, next,    warp, orders,    {matrix, tensor},                  alone, {of_wgmma}},
    {"wmma",           if_reg,  next,    warp, may_store, {matrix, tensor},                  alone, {of_wmma}},
    {"xor",            first,   next,    lane, untouched, {bit, alu, predicates},            logic, {of_logic}},
    });
    // clang-format on
}();

// Stands for every opcode that has no row. It cannot be decoded.
inline constexpr instruction_facts unknown_instruction{{},
                                                       result_operand::nothing,
                                                       control_effect::next,
                                                       executed_by::lane,
                                                       memory_effect::untouched,
                                                       {instruction_kind::other, pipe::none},
                                                       fusion::alone,
                                                       {1}};

static_assert(std::adjacent_find(instruction_set.begin(), instruction_set.end(),
                                 [](auto const& a, auto const& b) { return a.opcode >= b.opcode; }) ==
                  instruction_set.end(),
              "the instruction set's rows are to be in the order of their opcodes, each opcode once");

namespace detail {

// The number of the first row of each letter, and of the end.
inline constexpr auto first_rows = [] {
    std::array<std::size_t, 'z' - 'a' + 2> first{};
    for (auto const& row : instruction_set)
        for (auto letter = static_cast<std::size_t>(row.opcode[0] - 'a') + 1; letter < first.size(); ++letter)
            ++first[letter];
    return first;
}();

} // namespace detail

// The row of an opcode; instruction_set.size() when there is none. Every instruction is looked up
// once, when parsed.
[[nodiscard]] constexpr std::size_t row_of(std::string_view opcode) noexcept {
    if (opcode.empty() || opcode[0] < 'a' || opcode[0] > 'z') return instruction_set.size();
    auto const letter = static_cast<std::size_t>(opcode[0] - 'a');
    for (std::size_t row = detail::first_rows[letter]; row < detail::first_rows[letter + 1]; ++row)
        if (instruction_set[row].opcode == opcode) return row;
    return instruction_set.size();
}

// Instructions of PTX 9.0 that the embedded GPU does not execute: a module with them is loaded, a
// kernel with them cannot run.
// clang-format off
inline constexpr auto other_opcodes = std::to_array<std::string_view>({
    "alloca", "clusterlaunchcontrol", "istypep", "multimem", "spcompress",
    "stackrestore", "stacksave", "sured", "tcgen05"
});
// clang-format on
static_assert(std::none_of(other_opcodes.begin(), other_opcodes.end(),
                           [](std::string_view name) { return row_of(name) < instruction_set.size(); }),
              "gpuprof: an opcode of other_opcodes has a row");

// Whether PTX has such an instruction.
[[nodiscard]] constexpr bool is_opcode(std::string_view opcode) noexcept {
    return row_of(opcode) < instruction_set.size() ||
           std::find(other_opcodes.begin(), other_opcodes.end(), opcode) != other_opcodes.end();
}

[[nodiscard]] constexpr instruction_facts const& facts_of(std::string_view opcode) noexcept {
    std::size_t const row = row_of(opcode);
    return row < instruction_set.size() ? instruction_set[row] : unknown_instruction;
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_INSTRUCTION_SET_HPP
