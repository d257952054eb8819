// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the decoders of computing instructions share: their class, and operands by their number. Layer: embedded GPU,
// decoder.
#ifndef GPUPROF_HW_SIM_DECODE_OPERANDS_HPP
#define GPUPROF_HW_SIM_DECODE_OPERANDS_HPP

#include "../code/decoded.hpp"
#include "instruction_decoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

using ptx::type;

// d, a and b of one type.
inline bool binary(instruction_decoder& in, type t, lane_function f) {
    if (!in.expect_operands(3, 3) || f == nullptr) return in.unsupported();
    in.op.compute = f;
    in.op.a = in.read(1, t);
    in.op.b = in.read(2, t);
    in.op.d = in.write(0, t);
    return in.finish();
}
inline bool unary(instruction_decoder& in, type t, type result, lane_function f) {
    if (!in.expect_operands(2, 2) || f == nullptr) return in.unsupported();
    in.op.compute = f;
    in.op.a = in.read(1, t);
    in.op.d = in.write(0, result);
    return in.finish();
}
inline bool ternary(instruction_decoder& in, type a, type b, type c, type d, lane_function f) {
    if (!in.expect_operands(4, 4) || f == nullptr) return in.unsupported();
    in.op.compute = f;
    in.op.a = in.read(1, a);
    in.op.b = in.read(2, b);
    in.op.c = in.read(3, c);
    in.op.d = in.write(0, d);
    return in.finish();
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DECODE_OPERANDS_HPP
