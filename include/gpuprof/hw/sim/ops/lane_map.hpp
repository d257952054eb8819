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

// An argument, lane by lane: a number where it lies, anything else copied first.
template <class T>
class argument {
public:
    argument(registers const& r, operand_ref from) noexcept : at_{r.look<T>(from)} {}
    [[nodiscard]] T operator[](unsigned lane) const noexcept { return at_[lane]; }

private:
    typename lane_of<T>::type const* at_;
};
template <class T>
    requires(!std::is_arithmetic_v<T>)
class argument<T> {
public:
    argument(registers const& r, operand_ref from) noexcept : values_{r.read<T>(from)} {}
    [[nodiscard]] T operator[](unsigned lane) const noexcept { return values_[lane]; }

private:
    lanes<T> values_;
};

// Computes value_of(lane) and writes it. All 32 lanes are computed, whether active or not: operations have no side effect and
// are defined for every value, and a loop of fixed length is one the compiler vectorises. A result lies where an argument does or
// apart from it, so that no lane waits for another.
template <class T, class Value>
void compute_lanes(registers const& r, operand_ref to, lane_mask mask, Value const& value_of) noexcept {
    lanes<T> values;
    if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool>) {
        typename lane_of<T>::type* const d = mask == all_lanes ? r.look_to_write<T>(to) : values.data();
        GPUPROF_INDEPENDENT_ROUNDS
        for (unsigned i = 0; i < warp_size; ++i) d[i] = value_of(i);
        if (mask != all_lanes) r.merge(to, values, mask);
    } else {
        for (unsigned i = 0; i < warp_size; ++i) values[i] = value_of(i);
        write_result(r, to, values, mask);
    }
}

template <class Op, class A>
void map1(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    compute_lanes<decltype(f(A{}))>(r, op.d, mask, [&](unsigned i) { return f(a[i]); });
}

template <class Op, class A, class B = A>
void map2(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    argument<B> const b{r, op.b};
    compute_lanes<decltype(f(A{}, B{}))>(r, op.d, mask, [&](unsigned i) { return f(a[i], b[i]); });
}

template <class Op, class A, class B = A, class C = A>
void map3(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    argument<B> const b{r, op.b};
    argument<C> const c{r, op.c};
    compute_lanes<decltype(f(A{}, B{}, C{}))>(r, op.d, mask, [&](unsigned i) { return f(a[i], b[i], c[i]); });
}

template <class Op, class A, class B = A, class C = A, class E = A>
void map4(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    argument<B> const b{r, op.b};
    argument<C> const c{r, op.c};
    argument<E> const e{r, op.e};
    compute_lanes<decltype(f(A{}, B{}, C{}, E{}))>(r, op.d, mask,
                                                   [&](unsigned i) { return f(a[i], b[i], c[i], e[i]); });
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_OPS_LANE_MAP_HPP
