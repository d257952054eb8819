// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "decode.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../ptx/cursor.hpp"
#include "../sass/contraction.hpp"
#include "../sass/expansion.hpp"
#include "../sass/predicated_select.hpp"
#include "../sass/liveness.hpp"
#include "../sass/slow_way.hpp"
#include "control_flow.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace decode {

static constexpr decoder_array decoders =
    join_decoders<bit_decoders, control_decoders, float_decoders, integer_decoders, matrix_decoders, mbarrier_decoders,
                  memory_decoders, select_decoders, texture_decoders, video_decoders, warp_decoders, wgmma_decoders,
                  wmma_decoders>();

} // namespace decode

// The decoder of an instruction, null for an opcode that is not supported.
static decoder_pointer decoder_of(ptx::instruction const& i) noexcept {
    if (i.facts == &ptx::unknown_instruction) return nullptr;
    return decode::decoders[static_cast<std::size_t>(i.facts - ptx::instruction_set.data())];
}

// The same of a contracted sum.
static decoder_pointer decoder_of(ptx::instruction const& i, contracted_sum const& sum) noexcept {
    if (i.opcode == "add") return decode::fma;
    return sum.product_is_second ? decode::subtract_product : decode::multiply_subtract;
}

// The contracted sum as an instruction: its result, both factors, the other part.
static ptx::instruction fuse(ptx::instruction const& i, contracted_sum const& sum) {
    ptx::instruction fused = i;
    fused.facts = &ptx::facts_of("fma");
    fused.operands = {i.operands[0], sum.product->operands[1], sum.product->operands[2],
                      i.operands[sum.product_is_second ? 1 : 2]};
    return fused;
}

// Puts what counts the lanes that are scaled before the approximation that was decoded last. sass_estimator says what they count.
static void count_scaled_lanes(function_builder& builder, bool is_power) {
    std::vector<decoded>& code = builder.code.code;
    decoded const approximation = code.back();
    code.pop_back();
    decoded finds;
    finds.info = approximation.info;
    finds.info.kind = instruction_kind::other;
    finds.info.pipe = pipe::none;
    finds.guard_only_counts = true; // it finds them for the next one
    finds.opcode = approximation.opcode;
    finds.compute = decode::find_scaled_lanes;
    finds.mode = is_power ? 1 : 0;
    finds.a = approximation.a;
    finds.d = builder.scratch(4);
    decoded counts = finds;
    counts.action = action::nothing;
    counts.mode = 0;
    counts.compute = nullptr;
    counts.guarded = true;
    counts.guard = finds.d;
    code.push_back(finds);
    code.push_back(counts);
    code.push_back(approximation);
}

// Puts what counts the lanes that take the slow way before the division or root that was decoded last: two instructions for each part,
// of which the second counts one of the lanes, so that it counts warps.
static void count_slow_lanes(function_builder& builder, slow_way way) {
    std::vector<decoded>& code = builder.code.code;
    decoded operation = code.back();
    code.pop_back();
    auto const predicates = static_cast<std::uint32_t>(2 * slow_parts(way).size());
    decoded finds;
    finds.info = operation.info;
    finds.info.kind = instruction_kind::other;
    finds.info.pipe = pipe::none;
    finds.guard_only_counts = true; // it finds them for the next ones
    finds.opcode = operation.opcode;
    finds.action = action::find_slow_lanes;
    finds.compute = decode::find_slow_lanes;
    finds.mode = static_cast<std::uint8_t>(way);
    finds.a = operation.a;
    finds.b = operation.b;
    finds.d = builder.scratch(4);
    finds.immediate = predicates;
    code.push_back(finds);
    decoded counts = finds;
    counts.action = action::nothing;
    counts.mode = 0;
    counts.immediate = 0;
    counts.compute = nullptr;
    counts.guarded = true;
    for (std::uint32_t i = 0; i < predicates; ++i) {
        counts.guard = {finds.d.code + i * std::uint32_t{sizeof(lane_mask)}};
        code.push_back(counts);
    }
    if (skips_fast_way(way)) { // so its arithmetic counts for the other lanes
        operation.guarded = operation.guard_negated = operation.guard_only_counts = true;
        operation.guard = finds.d;
    }
    code.push_back(operation);
}

// The choice that was decoded last counts as the operation of single precision that computes its value, for the lanes that take it.
static void count_as_value(std::vector<decoded>& code, std::uint32_t value, operand_ref condition, bool is_second) {
    instruction_info const& computes = code[value].info;
    using enum instruction_kind;
    if (computes.kind != fadd && computes.kind != fmul && computes.kind != ffma) return;
    decoded& choice = code.back();
    choice.info.kind = computes.kind;
    choice.info.pipe = computes.pipe;
    choice.guarded = choice.guard_only_counts = true;
    choice.guard_negated = is_second;
    choice.guard = condition;
}

result<function_code> decode_function(link_context& link, ptx::function const& from) {
    if (from.fault) return *from.fault; // an operand of what follows may lack its declaration
    function_builder builder{link, from};
    if (builder.too_large) return ptx::not_supported_at(from.at, "the function's variables are too large");
    if (!from.inputs.empty() && !from.register_inputs.empty())
        return ptx::not_supported_at(from.at, "parameters in memory and in registers are not supported together");
    std::vector<std::uint32_t> first; // decoded instruction of each PTX instruction
    first.reserve(from.instructions.size() + 1);
    std::optional<error> not_supported;
    contraction const contracted{from};
    predicated_select const selects{from};
    for (std::uint32_t number = 0; auto const& source : from.instructions) {
        std::uint32_t const i = number++;
        first.push_back(static_cast<std::uint32_t>(builder.code.code.size()));
        contracted_sum const sum = contracted.sum(i);
        ptx::instruction const fused = sum.product != nullptr ? fuse(source, sum) : ptx::instruction{};
        auto const decode_instruction = contracted.is_taken(i)   ? decode::taken_product
                                        : sum.product != nullptr ? decoder_of(source, sum)
                                                                 : decoder_of(source);
        if (decode_instruction == nullptr) {
            std::string const name = "'" + std::string{source.opcode} + "'";
            if (!ptx::is_opcode(source.opcode)) return ptx::error_at(source.at, "there is no instruction " + name);
            if (!not_supported)
                not_supported = ptx::not_supported_at(source.at, "instruction " + name + " is not supported");
            continue;
        }
        instruction_decoder in{builder, sum.product != nullptr ? fused : source};
        if (!decode_instruction(in)) {
            if (!in.fault) in.unsupported();
            if (in.fault->code != errc::unavailable) return *in.fault;
            if (!not_supported) not_supported = std::move(in.fault);
        } else if (scales_lanes(source) && source.guard == ptx::instruction::no_guard) {
            count_scaled_lanes(builder, source.opcode == "ex2");
        } else if (slow_way const way = slow_way_of(source); way != slow_way::none) {
            count_slow_lanes(builder, way);
        } else if (std::uint32_t const value = selects.value(i); value != predicated_select::nobody) {
            count_as_value(builder.code.code, first[value + 1] - 1, builder.slot(source.operands[3].index),
                           selects.is_second(i));
        }
    }
    if (not_supported) return *not_supported;
    first.push_back(static_cast<std::uint32_t>(builder.code.code.size()));
    decoded end;
    end.action = from.is_entry ? action::exit : action::ret;
    end.info.kind = instruction_kind::control;
    end.info.line = from.instructions.empty() ? from.at.line : from.instructions.back().at.line;
    builder.code.code.push_back(end);

    for (auto& op : builder.code.code)
        if (op.action == action::branch) op.target = first[op.target];
    for (auto& table : builder.code.branch_tables)
        for (auto& target : table) target = first[target];
    auto const value = [&](bool memory, std::uint32_t i) {
        if (memory)
            return call_value{true,
                              static_cast<std::uint32_t>(builder.variable_offset(i)),
                              static_cast<std::uint32_t>(from.variables[i].bytes),
                              {}};
        return call_value{false, 0, ptx::size_of(from.registers[i].type), builder.slot(i)};
    };
    if (!from.is_entry) {
        for (auto const i : from.inputs) builder.code.inputs.push_back(value(true, i));
        for (auto const i : from.register_inputs) builder.code.inputs.push_back(value(false, i));
        for (auto const i : from.outputs) builder.code.outputs.push_back(value(true, i));
        for (auto const i : from.register_outputs) builder.code.outputs.push_back(value(false, i));
    }
    register_liveness const live = liveness_of(from);
    function_code done = builder.finish(live, first);
    find_reconvergence(done);
    done.register_count = live.demand;
    return result<function_code>{std::move(done)};
}

} // namespace sim
GPUPROF_NAMESPACE_END
