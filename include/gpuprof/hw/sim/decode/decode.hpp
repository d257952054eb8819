// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decoder of every instruction, and the decoding of a whole function. Layer: embedded GPU, decoder.
#ifndef GPUPROF_HW_SIM_DECODE_DECODE_HPP
#define GPUPROF_HW_SIM_DECODE_DECODE_HPP

#include <array>    // decoders
#include <cstddef>  // std::size_t
#include <optional> // a fault
#include <string>   // fault texts
#include <vector>   // where instructions went

#include "../../../core/result.hpp"
#include "control_flow.hpp"
#include "bits.hpp"
#include "control.hpp"
#include "float.hpp"
#include "integer.hpp"
#include "matrix.hpp"
#include "mbarrier.hpp"
#include "memory.hpp"
#include "select.hpp"
#include "warp.hpp"
#include "wmma.hpp"
#include "../ptx/instruction_set.hpp"
#include "../sass/liveness.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace decode {

// One decoder for each row of the instruction set, and how many rows of either side lack the other.
struct decoder_table {
    std::array<decoder_pointer, ptx::instruction_set.size()> decoders{};
    unsigned without_facts = 0;
    unsigned without_decoder = 0;
    unsigned with_two_decoders = 0;
};
template <std::size_t... Counts>
[[nodiscard]] consteval decoder_table join_decoders(decoder_row const (&... lists)[Counts]) {
    decoder_table table;
    auto const add = [&](decoder_row const& row) {
        std::size_t const at = ptx::row_of(row.opcode);
        if (at == table.decoders.size()) {
            ++table.without_facts;
            return;
        }
        if (table.decoders[at] != nullptr) ++table.with_two_decoders;
        table.decoders[at] = row.decode;
    };
    auto const add_all = [&](auto const& list) {
        for (decoder_row const& row : list) add(row);
    };
    (add_all(lists), ...);
    for (auto const decoder : table.decoders)
        if (decoder == nullptr) ++table.without_decoder;
    return table;
}
inline constexpr decoder_table all_decoders =
    join_decoders(bit_decoders, control_decoders, float_decoders, integer_decoders, matrix_decoders, mbarrier_decoders,
                  memory_decoders, select_decoders, warp_decoders, wmma_decoders);
static_assert(all_decoders.without_facts == 0, "an opcode with a decoder has no row in ptx/instruction_set.hpp");
static_assert(all_decoders.without_decoder == 0, "a row of ptx/instruction_set.hpp has no decoder in the lists above");
static_assert(all_decoders.with_two_decoders == 0, "an opcode has two decoders");

} // namespace decode

// The decoder of an instruction, null for an opcode that is not supported.
[[nodiscard]] inline decoder_pointer decoder_of(ptx::instruction const& i) noexcept {
    if (i.facts == &ptx::unknown_instruction) return nullptr;
    return decode::all_decoders.decoders[static_cast<std::size_t>(i.facts - ptx::instruction_set.data())];
}

// Decodes one function of a kernel. The error is that of the first instruction that is not supported.
[[nodiscard]] inline result<function_code> decode_function(link_context& link, ptx::function const& from) {
    if (from.fault) return *from.fault;
    function_builder into{link, from};
    if (into.too_large) return ptx::error_at(from.at, "the function's variables are too large");
    if (!from.inputs.empty() && !from.register_inputs.empty())
        return ptx::error_at(from.at, "parameters in memory and in registers are not supported together");
    std::vector<std::uint32_t> first; // decoded instruction of each PTX instruction
    first.reserve(from.instructions.size() + 1);
    for (auto const& source : from.instructions) {
        first.push_back(static_cast<std::uint32_t>(into.code.code.size()));
        auto const decode_one = decoder_of(source);
        if (decode_one == nullptr) {
            auto why = ptx::error_at(source.at, "instruction '" + std::string{source.opcode} + "' is not supported");
            why.code = errc::unavailable;
            return why;
        }
        instruction_decoder in{into, source};
        if (!decode_one(in)) {
            if (!in.fault) in.unsupported();
            return *in.fault;
        }
    }
    first.push_back(static_cast<std::uint32_t>(into.code.code.size()));
    decoded end;
    end.action = from.is_entry ? action::exit : action::ret;
    end.info.kind = instruction_kind::control;
    end.info.line = from.instructions.empty() ? from.at.line : from.instructions.back().at.line;
    into.code.code.push_back(end);

    for (auto& op : into.code.code)
        if (op.action == action::branch) op.target = first[op.target];
    for (auto& table : into.code.branch_tables)
        for (auto& target : table) target = first[target];
    auto const value = [&](bool memory, std::uint32_t i) {
        if (memory)
            return call_value{true,
                              static_cast<std::uint32_t>(into.variable_offset(i)),
                              static_cast<std::uint32_t>(from.variables[i].bytes),
                              {}};
        return call_value{false, 0, ptx::size_of(from.registers[i].type), into.slot(i)};
    };
    if (!from.is_entry) {
        for (auto const i : from.inputs) into.code.inputs.push_back(value(true, i));
        for (auto const i : from.register_inputs) into.code.inputs.push_back(value(false, i));
        for (auto const i : from.outputs) into.code.outputs.push_back(value(true, i));
        for (auto const i : from.register_outputs) into.code.outputs.push_back(value(false, i));
    }
    function_code done = into.finish();
    control_flow{done};
    done.register_count = count_registers(from);
    return result<function_code>{std::move(done)};
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_DECODE_HPP
