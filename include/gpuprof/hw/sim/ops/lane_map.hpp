// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a function of one lane into a function of a warp. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_OPS_LANE_MAP_HPP
#define GPUPROF_HW_SIM_OPS_LANE_MAP_HPP

#include <concepts>    // a predicate result
#include <cstdint>     // masks
#include <type_traits> // stateless operations

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An operation is a function object. One whose instruction has modifiers takes them in its constructor.
template <class Op>
[[nodiscard]] Op make_operation(decoded const& op) noexcept {
    if constexpr (std::is_constructible_v<Op, decoded const&>) return Op{op};
    else return Op{};
}

template <class T>
void write_result(registers const& r, operand_ref to, lanes<T> const& values, lane_mask mask) noexcept {
    if constexpr (std::same_as<T, bool>) {
        lane_mask bits = 0;
        for (unsigned i = 0; i < warp_size; ++i) bits |= values[i] ? lane_bits[i] : 0;
        r.write_predicate(to, bits, mask);
    } else {
        r.write(to, values, mask);
    }
}

// All 32 lanes are computed, whether active or not: operations have no side effect and are defined for every value, and
// a loop of fixed length is one the compiler vectorises.
template <class Op, class A>
void map1(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    auto const a = r.read<A>(op.a);
    lanes<decltype(f(A{}))> d;
    for (unsigned i = 0; i < warp_size; ++i) d[i] = f(a[i]);
    write_result(r, op.d, d, mask);
}

template <class Op, class A, class B = A>
void map2(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    auto const a = r.read<A>(op.a);
    auto const b = r.read<B>(op.b);
    lanes<decltype(f(A{}, B{}))> d;
    for (unsigned i = 0; i < warp_size; ++i) d[i] = f(a[i], b[i]);
    write_result(r, op.d, d, mask);
}

template <class Op, class A, class B = A, class C = A>
void map3(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    auto const a = r.read<A>(op.a);
    auto const b = r.read<B>(op.b);
    auto const c = r.read<C>(op.c);
    lanes<decltype(f(A{}, B{}, C{}))> d;
    for (unsigned i = 0; i < warp_size; ++i) d[i] = f(a[i], b[i], c[i]);
    write_result(r, op.d, d, mask);
}

template <class Op, class A, class B = A, class C = A, class E = A>
void map4(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    auto const a = r.read<A>(op.a);
    auto const b = r.read<B>(op.b);
    auto const c = r.read<C>(op.c);
    auto const e = r.read<E>(op.e);
    lanes<decltype(f(A{}, B{}, C{}, E{}))> d;
    for (unsigned i = 0; i < warp_size; ++i) d[i] = f(a[i], b[i], c[i], e[i]);
    write_result(r, op.d, d, mask);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_OPS_LANE_MAP_HPP
