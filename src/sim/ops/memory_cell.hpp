// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, writes and read-modify-writes of single values in memory that several host threads share.
#ifndef GPUPROF_SRC_SIM_OPS_MEMORY_CELL_HPP
#define GPUPROF_SRC_SIM_OPS_MEMORY_CELL_HPP

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gpuprof/detail/builtin.hpp>
#include "../code/decoded.hpp"
#include "float_ops.hpp"
#include "integer_ops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Every access is atomic, as aligned accesses are on a GPU, so that a racy kernel is no race of the
// host. @pre `at` is aligned to T, which device_memory and the alignment checks see to.
template <class T>
[[nodiscard]] T load_cell(std::byte const* at, bool ordered) noexcept {
    T const* const cell = reinterpret_cast<T const*>(at);
    return ordered ? gpuprof::detail::load_acquire(*cell) : gpuprof::detail::load_relaxed(*cell);
}
template <class T>
void store_cell(std::byte* at, T value, bool ordered) noexcept {
    T* const cell = reinterpret_cast<T*>(at);
    if (ordered) gpuprof::detail::store_release(*cell, value);
    else gpuprof::detail::store_relaxed(*cell, value);
}

// All earlier accesses of this thread before all later ones. A read-modify-write, as thread
// sanitizers know no fences. It is no barrier by itself on AArch64; it is one here because every
// fence is on the same cell: of two fences, the later one reads what the earlier one wrote, and so
// sees all that came before it.
inline void fence_memory() noexcept {
    static std::atomic<std::uint32_t> cell{0};
    cell.fetch_add(0, std::memory_order_seq_cst);
}

namespace detail {

template <class T>
[[nodiscard]] T combine_floating(T old, T b, atomic_operation what) noexcept {
    switch (what) {
        case atomic_operation::add: return old + b;
        case atomic_operation::min: return b < old || old != old ? b : old;
        case atomic_operation::max: return b > old || old != old ? b : old;
        default: return b;
    }
}
template <class T>
[[nodiscard]] std::uint32_t combine_short(std::uint32_t old, std::uint32_t b, atomic_operation what) noexcept {
    T const x{static_cast<std::uint16_t>(old)};
    T const y{static_cast<std::uint16_t>(b)};
    double const d = what == atomic_operation::add ? add_odd(ops::value_of(x), ops::value_of(y))
                                                   : combine_floating(ops::value_of(x), ops::value_of(y), what);
    return ops::rounded_to<T>(d, rounding::nearest).bits;
}
template <class T>
[[nodiscard]] std::uint32_t combine_packed(std::uint32_t old, std::uint32_t b, atomic_operation what) noexcept {
    return combine_short<T>(old, b, what) | combine_short<T>(old >> 16, b >> 16, what) << 16;
}

// The new value of a cell. U is its unsigned type.
template <class U>
[[nodiscard]] U combine_cell(U old, U b, U c, decoded const& op) noexcept {
    using signed_t = std::make_signed_t<U>;
    auto const what = op.memory.operation;
    auto const t = op.memory.element;
    if (what == atomic_operation::exch) return b;
    if (what == atomic_operation::cas) return old == b ? c : old;
    if constexpr (sizeof(U) == 8)
        if (t == ptx::type::f64)
            return std::bit_cast<U>(combine_floating(std::bit_cast<double>(old), std::bit_cast<double>(b), what));
    if constexpr (sizeof(U) == 4) {
        if (t == ptx::type::f32) {
            bool const flushes = op.memory.space != ptx::space::shared; // only the unit at the L2 cache does
            auto x = std::bit_cast<float>(old);
            auto y = std::bit_cast<float>(b);
            if (flushes) x = ops::flush(x), y = ops::flush(y);
            float const sum = ops::canonical(combine_floating(x, y, what));
            return std::bit_cast<U>(flushes ? ops::flush(sum) : sum);
        }
        if (t == ptx::type::f16x2) return combine_packed<half>(old, b, what);
        if (t == ptx::type::bf16x2) return combine_packed<bfloat>(old, b, what);
    }
    if constexpr (sizeof(U) == 2) {
        if (t == ptx::type::f16) return static_cast<U>(combine_short<half>(old, b, what));
        if (t == ptx::type::bf16) return static_cast<U>(combine_short<bfloat>(old, b, what));
    }
    bool const is_signed = ptx::is_signed(t);
    switch (what) {
        case atomic_operation::add: return ops::add{}(old, b);
        case atomic_operation::min:
            return is_signed ? static_cast<U>(ops::minimum{}(static_cast<signed_t>(old), static_cast<signed_t>(b)))
                             : ops::minimum{}(old, b);
        case atomic_operation::max:
            return is_signed ? static_cast<U>(ops::maximum{}(static_cast<signed_t>(old), static_cast<signed_t>(b)))
                             : ops::maximum{}(old, b);
        case atomic_operation::inc: return old >= b ? U{0} : static_cast<U>(old + 1);
        case atomic_operation::dec: return old == 0 || old > b ? b : static_cast<U>(old - 1);
        case atomic_operation::and_: return static_cast<U>(old & b);
        case atomic_operation::or_: return static_cast<U>(old | b);
        case atomic_operation::xor_: return static_cast<U>(old ^ b);
        default: return b;
    }
}

} // namespace detail

// Calls f with what makes a cell's new value of the old one, b and c. An operation is asked for once a warp where it is
// a frequent one.
template <class U, class F>
auto with_combination(decoded const& op, F const& f) {
    if (op.memory.operation == atomic_operation::add && !ptx::is_floating(op.memory.element))
        return f([](U old, U b, U) { return ops::add{}(old, b); });
    return f([&op](U old, U b, U c) { return detail::combine_cell<U>(old, b, c, op); });
}

// Changes the cell; gives what was there before. @param is_own no other thread of the host reaches it
template <class U, class Combine>
U modify_cell(std::byte* at, U b, U c, Combine const& combine, bool is_own = false) noexcept {
    U* const cell = reinterpret_cast<U*>(at);
    U old = gpuprof::detail::load_relaxed(*cell);
    if (is_own) {
        gpuprof::detail::store_relaxed(*cell, combine(old, b, c));
        return old;
    }
    while (!gpuprof::detail::exchange_weak(*cell, old, combine(old, b, c))) {}
    return old;
}
template <class U>
U modify_cell(std::byte* at, U b, U c, decoded const& op) noexcept {
    return with_combination<U>(op, [&](auto const& combine) { return modify_cell<U>(at, b, c, combine); });
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_MEMORY_CELL_HPP
