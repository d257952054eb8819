// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every opcode the embedded GPU knows, and the decoding of a whole function. Layer: embedded GPU, decoder.
#ifndef GPUPROF_HW_SIM_DECODE_DECODE_HPP
#define GPUPROF_HW_SIM_DECODE_DECODE_HPP

#include <optional>      // a fault
#include <string>        // fault texts
#include <string_view>   // opcodes
#include <unordered_map> // opcodes by name
#include <vector>        // where instructions went

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
#include "../sass/liveness.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

using decode_function_pointer = bool (*)(instruction_decoder&);

// The decoder of an opcode, null for one that is not supported.
[[nodiscard]] inline decode_function_pointer decoder_of(std::string_view opcode) {
    using namespace decode;
    static std::unordered_map<std::string_view, decode_function_pointer> const table{
        {"add", decode::add},
        {"sub", decode::sub},
        {"mul", decode::mul},
        {"mad", decode::mad},
        {"fma", decode::fma},
        {"addc", addc},
        {"subc", subc},
        {"madc", madc},
        {"mul24", mul24},
        {"mad24", mad24},
        {"sad", sad},
        {"div", decode::div},
        {"rem", rem},
        {"abs", decode::abs},
        {"neg", neg},
        {"min", decode::min},
        {"max", decode::max},
        {"and", logic<ops::bit_and, 0b1000>},
        {"or", logic<ops::bit_or, 0b1110>},
        {"xor", logic<ops::bit_xor, 0b0110>},
        {"not", not_},
        {"cnot", cnot},
        {"shl", shl},
        {"shr", shr},
        {"shf", shf},
        {"lop3", lop3},
        {"popc", popc},
        {"clz", clz},
        {"brev", brev},
        {"bfind", bfind},
        {"fns", fns},
        {"bfe", bfe},
        {"bfi", bfi},
        {"szext", szext},
        {"bmsk", bmsk},
        {"prmt", prmt},
        {"dp4a", dp4a},
        {"dp2a", dp2a},
        {"rcp", rcp},
        {"sqrt", decode::sqrt},
        {"rsqrt", rsqrt},
        {"copysign", decode::copysign},
        {"testp", testp},
        {"sin", special_function<ops::sine>},
        {"cos", special_function<ops::cosine>},
        {"lg2", special_function<ops::log2>},
        {"ex2", special_function<ops::exp2>},
        {"tanh", special_function<ops::hyperbolic_tangent>},
        {"mov", mov},
        {"cvt", cvt},
        {"cvta", cvta},
        {"isspacep", isspacep},
        {"setp", setp},
        {"set", decode::set},
        {"selp", selp},
        {"slct", slct},
        {"ld", ld},
        {"ldu", ld},
        {"st", st},
        {"atom", atom},
        {"red", red},
        {"cp", cp_async},
        {"prefetch", hint},
        {"prefetchu", hint},
        {"applypriority", hint},
        {"discard", hint},
        {"createpolicy", createpolicy},
        {"shfl", shfl},
        {"vote", decode::vote},
        {"match", decode::match},
        {"redux", redux},
        {"activemask", activemask},
        {"elect", decode::elect},
        {"bar", bar},
        {"barrier", bar},
        {"membar", fence},
        {"fence", fence},
        {"mbarrier", decode::mbarrier},
        {"mma", mma},
        {"ldmatrix", ldmatrix},
        {"stmatrix", stmatrix},
        {"movmatrix", movmatrix},
        {"wmma", wmma},
        {"bra", bra},
        {"brx", brx},
        {"call", call},
        {"ret", ret},
        {"exit", simple<action::exit>},
        {"trap", simple<action::trap>},
        {"brkpt", nothing},
        {"nanosleep", nothing},
        {"pmevent", nothing},
        {"griddepcontrol", nothing},
        {"setmaxnreg", nothing},
    };
    auto const found = table.find(opcode);
    return found == table.end() ? nullptr : found->second;
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
        auto const decode_one = decoder_of(source.opcode);
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
