// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a function of one lane into a function of a warp.
#ifndef GPUPROF_SRC_SIM_OPS_LANE_MAP_HPP
#define GPUPROF_SRC_SIM_OPS_LANE_MAP_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "../code/decoded.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An operation is a function object. One whose instruction has modifiers takes them in its
// constructor.
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

// An argument, lane by lane: a number where it lies if the compiler can be told that results do not
// matter to it, else a copy.
template <class T>
class argument {
public:
    argument(registers const& r, operand_ref from) noexcept : at_{r.look<T>(from)} {}
    [[nodiscard]] T operator[](unsigned lane) const noexcept { return at_[lane]; }

private:
    typename lane_of<T>::type const* at_;
};
template <class T>
    requires(!std::is_arithmetic_v<T> || !GPUPROF_HAS_INDEPENDENT_ROUNDS)
class argument<T> {
public:
    argument(registers const& r, operand_ref from) noexcept : values_{r.read<T>(from)} {}
    [[nodiscard]] T operator[](unsigned lane) const noexcept { return values_[lane]; }

private:
    lanes<T> values_;
};

// A result, lane by lane; finish() when it has all of them. All 32 lanes are computed, whether
// active or not: operations have no side effect and are defined for every value, and a loop of
// fixed length is one the compiler vectorises. A number goes where it belongs at once if all lanes
// are active. It lies where an argument does or apart from it, so no lane waits for another.
template <class T>
class lane_result {
    static constexpr bool in_place = std::is_arithmetic_v<T> && !std::same_as<T, bool>;
    using lane = typename std::conditional_t<in_place, lane_of<T>, std::type_identity<T>>::type;

public:
    lane_result(registers const& r, operand_ref to, lane_mask mask) noexcept : r_{r}, to_{to}, mask_{mask} {
        if constexpr (in_place)
            if (mask == all_lanes) at_ = r.look_to_write<T>(to);
    }
    lane_result(lane_result const&) = delete;
    lane_result& operator=(lane_result const&) = delete;

    // Where the lanes go. A loop keeps it: as far as the compiler knows, lanes may lie where this
    // object does.
    [[nodiscard]] lane* place() noexcept { return at_; }
    void finish() noexcept {
        if constexpr (!in_place) write_result(r_, to_, values_, mask_);
        else if (mask_ != all_lanes) r_.merge(to_, values_, mask_);
    }

private:
    registers const& r_;
    operand_ref to_;
    lane_mask mask_;
    lanes<T> values_;
    lane* at_ = values_.data();
};

template <class Op, class A>
void map1(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    lane_result<decltype(f(A{}))> d{r, op.d, mask};
    auto* const to = d.place();
    GPUPROF_INDEPENDENT_ROUNDS
    for (unsigned i = 0; i < warp_size; ++i) to[i] = f(a[i]);
    d.finish();
}

template <class Op, class A, class B = A>
void map2(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    argument<B> const b{r, op.b};
    lane_result<decltype(f(A{}, B{}))> d{r, op.d, mask};
    auto* const to = d.place();
    GPUPROF_INDEPENDENT_ROUNDS
    for (unsigned i = 0; i < warp_size; ++i) to[i] = f(a[i], b[i]);
    d.finish();
}

// As map2(), where the second argument is a constant most of the time. A loop can be vectorised on processors that shift
// several numbers by one count alone.
template <class Op, class A, class B>
void map2_by_constant(registers const& r, decoded const& op, lane_mask mask) noexcept {
    if ((op.b.code & operand_ref::in_pool) == 0) return map2<Op, A, B>(r, op, mask);
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    B const b = argument<B>{r, op.b}[0];
    lane_result<decltype(f(A{}, B{}))> d{r, op.d, mask};
    auto* const to = d.place();
    GPUPROF_INDEPENDENT_ROUNDS
    for (unsigned i = 0; i < warp_size; ++i) to[i] = f(a[i], b);
    d.finish();
}

template <class Op, class A, class B = A, class C = A>
void map3(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    argument<B> const b{r, op.b};
    argument<C> const c{r, op.c};
    lane_result<decltype(f(A{}, B{}, C{}))> d{r, op.d, mask};
    auto* const to = d.place();
    GPUPROF_INDEPENDENT_ROUNDS
    for (unsigned i = 0; i < warp_size; ++i) to[i] = f(a[i], b[i], c[i]);
    d.finish();
}

template <class Op, class A, class B = A, class C = A, class E = A>
void map4(registers const& r, decoded const& op, lane_mask mask) noexcept {
    auto const f = make_operation<Op>(op);
    argument<A> const a{r, op.a};
    argument<B> const b{r, op.b};
    argument<C> const c{r, op.c};
    argument<E> const e{r, op.e};
    lane_result<decltype(f(A{}, B{}, C{}, E{}))> d{r, op.d, mask};
    auto* const to = d.place();
    GPUPROF_INDEPENDENT_ROUNDS
    for (unsigned i = 0; i < warp_size; ++i) to[i] = f(a[i], b[i], c[i], e[i]);
    d.finish();
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_LANE_MAP_HPP
