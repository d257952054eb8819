// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operands.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

void bind(instruction_decoder& in, ptx::operand const& o, binding b) {
    auto const reads = [&](unsigned which) { in.op.sources = static_cast<std::uint8_t>(in.op.sources | which); };
    if (is_written(b.to)) in.op.result_bytes = static_cast<std::uint8_t>(ptx::size_of(b.as));
    switch (b.to) {
        case place::d: in.op.d = in.write(o, b.as); break;
        case place::pair: {
            bool const two = o.kind == ptx::operand_kind::pair;
            in.op.d = in.write(two ? o.elements[0] : o, b.as);
            in.op.d2 = two ? in.write(o.elements[1], type::pred) : in.builder.scratch(1);
            break;
        }
        case place::negatable_a: in.op.negated = o.negated; [[fallthrough]];
        case place::a: in.op.a = in.read(o, b.as), reads(1); break;
        case place::b: in.op.b = in.read(o, b.as), reads(2); break;
        case place::negatable_c: in.op.negated = o.negated; [[fallthrough]];
        case place::c: in.op.c = in.read(o, b.as), reads(4); break;
        case place::members: in.op.collective = collective::groups; [[fallthrough]];
        case place::e: in.op.e = in.read(o, b.as), reads(8); break;
        case place::immediate:
            if (o.kind != ptx::operand_kind::integer) in.malformed(o.at, "a constant is expected here");
            in.op.immediate = static_cast<std::uint32_t>(o.bits & ((std::uint64_t{1} << ptx::size_of(b.as) * 8) - 1));
            break;
    }
}

bool compute(instruction_decoder& in, lane_function f, std::initializer_list<binding> operands, collective members) {
    if (f == nullptr) return in.unsupported();
    if (!in.expect_operands(operands.size(), operands.size())) return false;
    in.op.compute = f;
    for (bool const writes : {false, true}) {
        std::size_t i = 0;
        for (binding const& b : operands) {
            if (is_written(b.to) == writes) bind(in, i, b);
            ++i;
        }
    }
    if (in.op.collective != collective::none) in.op.collective = members;
    return in.finish();
}

bool unary(instruction_decoder& in, type t, type result, lane_function f) {
    return compute(in, f, {{place::d, result}, {place::a, t}});
}

bool binary(instruction_decoder& in, type t, lane_function f) {
    return compute(in, f, {{place::d, t}, {place::a, t}, {place::b, t}});
}

bool ternary(instruction_decoder& in, type a, type b, type c, type d, lane_function f) {
    return compute(in, f, {{place::d, d}, {place::a, a}, {place::b, b}, {place::c, c}});
}

operand_slot make_slot(instruction_decoder& in, ptx::operand const& o, type t, transfer way, width fits) {
    bool const writes = way == transfer::write;
    bool const is_sink = writes && o.kind == ptx::operand_kind::sink;
    type as = t;
    if (fits == width::at_least && o.kind == ptx::operand_kind::reg && in.register_type(o) != type::pred)
        as = in.register_type(o);
    if (ptx::size_of(as) < ptx::size_of(t)) in.malformed(o.at, "the register is too narrow for this access");
    return {writes ? in.write(o, as) : in.read(o, as), static_cast<std::uint8_t>(ptx::size_of(as)), is_sink};
}

bool bind_slots(instruction_decoder& in, std::size_t i, std::size_t count, type t, transfer way, width fits,
                std::size_t used) {
    auto const& o = in.operand(i);
    bool const is_vector = o.kind == ptx::operand_kind::vector;
    if ((is_vector ? o.elements.size() : 1) != count)
        return in.malformed(o.at,
                            std::to_string(count) + (count == 1 ? " register is" : " registers are") + " expected");
    for (std::size_t k = 0; k < count; ++k) {
        operand_slot const slot = make_slot(in, is_vector ? o.elements[k] : o, t, way, fits);
        if (k < used) in.add_slot(slot);
    }
    return true;
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
