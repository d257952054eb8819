// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decoder of every instruction, and the decoding of a whole function. Layer: embedded GPU, decoder.
#ifndef GPUPROF_HW_SIM_DECODE_DECODE_HPP
#define GPUPROF_HW_SIM_DECODE_DECODE_HPP

#include <algorithm> // std::find
#include <array>     // decoders
#include <cstddef>   // std::size_t
#include <cstdint>   // std::uint32_t
#include <optional>  // a fault
#include <span>      // lists of decoders
#include <string>    // fault texts
#include <vector>    // where instructions went

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
#include "texture.hpp"
#include "warp.hpp"
#include "wmma.hpp"
#include "../ptx/instruction_set.hpp"
#include "../sass/liveness.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace decode {

using decoder_array = std::array<decoder_pointer, ptx::instruction_set.size()>;

// The decoders of some lists, each at its row of the instruction set. Counts those without a row, and those whose
// row is taken.
struct joined_decoders {
    decoder_array at{};
    unsigned without_row = 0;
    unsigned repeated = 0;

    constexpr void add(std::span<decoder_row const> list) {
        for (decoder_row const& row : list) {
            std::size_t const found = ptx::row_of(row.opcode);
            if (found == at.size()) ++without_row;
            else if (at[found] != nullptr) ++repeated;
            else at[found] = row.decode;
        }
    }
};

// Those of all lists. Does not compile unless every row has one decoder and every decoder a row.
template <auto const&... Lists>
[[nodiscard]] consteval decoder_array join_decoders() {
    constexpr joined_decoders all = [] {
        joined_decoders join;
        (join.add(Lists), ...);
        return join;
    }();
    static_assert(all.without_row == 0, "gpuprof: an opcode with a decoder has no row in ptx/instruction_set.hpp");
    static_assert(all.repeated == 0, "gpuprof: an opcode has two decoders");
    static_assert(std::find(all.at.begin(), all.at.end(), nullptr) == all.at.end(),
                  "gpuprof: a row of ptx/instruction_set.hpp has no decoder in the lists of decode/");
    return all.at;
}
inline constexpr decoder_array decoders =
    join_decoders<bit_decoders, control_decoders, float_decoders, integer_decoders, matrix_decoders, mbarrier_decoders,
                  memory_decoders, select_decoders, texture_decoders, warp_decoders, wmma_decoders>();

} // namespace decode

// The decoder of an instruction, null for an opcode that is not supported.
[[nodiscard]] inline decoder_pointer decoder_of(ptx::instruction const& i) noexcept {
    if (i.facts == &ptx::unknown_instruction) return nullptr;
    return decode::decoders[static_cast<std::size_t>(i.facts - ptx::instruction_set.data())];
}

// Decodes one function of a kernel. The error is that of the first instruction that is malformed (invalid_argument) or, if
// none is, of the first that is not supported (unavailable).
[[nodiscard]] inline result<function_code> decode_function(link_context& link, ptx::function const& from) {
    if (from.fault) return *from.fault; // an operand of what follows may lack its declaration
    function_builder into{link, from};
    if (into.too_large) return ptx::not_supported_at(from.at, "the function's variables are too large");
    if (!from.inputs.empty() && !from.register_inputs.empty())
        return ptx::not_supported_at(from.at, "parameters in memory and in registers are not supported together");
    std::vector<std::uint32_t> first; // decoded instruction of each PTX instruction
    first.reserve(from.instructions.size() + 1);
    std::optional<error> not_supported;
    for (auto const& source : from.instructions) {
        first.push_back(static_cast<std::uint32_t>(into.code.code.size()));
        auto const decode_one = decoder_of(source);
        if (decode_one == nullptr) {
            std::string const name = "'" + std::string{source.opcode} + "'";
            if (!ptx::is_opcode(source.opcode)) return ptx::error_at(source.at, "there is no instruction " + name);
            if (!not_supported)
                not_supported = ptx::not_supported_at(source.at, "instruction " + name + " is not supported");
            continue;
        }
        instruction_decoder in{into, source};
        if (!decode_one(in)) {
            if (!in.fault) in.unsupported();
            if (in.fault->code != errc::unavailable) return *in.fault;
            if (!not_supported) not_supported = std::move(in.fault);
        }
    }
    if (not_supported) return *not_supported;
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
    control_flow const branches{done};
    static_cast<void>(branches); // its constructor does the work
    done.register_count = count_registers(from);
    return result<function_code>{std::move(done)};
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_DECODE_HPP
