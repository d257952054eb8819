// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a PTX type to the C++ type an operation is instantiated for.
#ifndef GPUPROF_SRC_SIM_DECODE_TYPES_HPP
#define GPUPROF_SRC_SIM_DECODE_TYPES_HPP

#include <cstdint>

#include "../code/decoded.hpp"
#include "../ops/integer_ops.hpp"
#include "../ops/lane_map.hpp"
#include "../ptx/type.hpp"
#include "../ops/select_ops.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An operation at every type: Of::template function<T>.
template <class Op>
struct unary_of {
    template <class T>
    static constexpr lane_function function = map1<Op, T>;
};
template <class Op>
struct binary_of {
    template <class T>
    static constexpr lane_function function = map2<Op, T>;
};
template <class Op>
struct ternary_of {
    template <class T>
    static constexpr lane_function function = map3<Op, T>;
};
template <class Op>
struct widening_of { // the third operand is twice as wide
    template <class T>
    static constexpr lane_function function = map3<Op, T, T, ops::wide_of<T>>;
};
template <class Op>
struct shift_of {
    template <class T>
    static constexpr lane_function function = map2_by_constant<Op, T, std::uint32_t>;
};
template <class Op>
struct field_of {
    template <class T>
    static constexpr lane_function function = map3<Op, T, std::uint32_t, std::uint32_t>;
};
template <class Op>
struct insertion_of {
    template <class T>
    static constexpr lane_function function = map4<Op, T, T, std::uint32_t, std::uint32_t>;
};
template <class Sign>
struct select_by {
    template <class T>
    static constexpr lane_function function = map3<ops::select_by_sign, T, T, Sign>;
};
struct predicate_setter {
    template <class T>
    static constexpr lane_function function = set_predicate<T>;
};
struct value_setter {
    template <class T>
    static constexpr lane_function function = set_value<T>;
};
struct selector {
    template <class T>
    static constexpr lane_function function = select<T>;
};

// The function for a type; null for a type outside the family.
template <class Of>
[[nodiscard]] lane_function for_integer(ptx::type t) noexcept {
    switch (t) {
        case ptx::type::b16:
        case ptx::type::u16: return Of::template function<std::uint16_t>;
        case ptx::type::s16: return Of::template function<std::int16_t>;
        case ptx::type::b32:
        case ptx::type::u32: return Of::template function<std::uint32_t>;
        case ptx::type::s32: return Of::template function<std::int32_t>;
        case ptx::type::b64:
        case ptx::type::u64: return Of::template function<std::uint64_t>;
        case ptx::type::s64: return Of::template function<std::int64_t>;
        default: return nullptr;
    }
}

// By size alone, without a sign.
template <class Of>
[[nodiscard]] lane_function for_bits(ptx::type t) noexcept {
    switch (ptx::size_of(t)) {
        case 2: return Of::template function<std::uint16_t>;
        case 4: return Of::template function<std::uint32_t>;
        case 8: return Of::template function<std::uint64_t>;
        default: return nullptr;
    }
}

template <class Of>
[[nodiscard]] lane_function for_comparable(ptx::type t) noexcept {
    switch (t) {
        case ptx::type::f16: return Of::template function<half>;
        case ptx::type::bf16: return Of::template function<bfloat>;
        case ptx::type::f32: return Of::template function<float>;
        case ptx::type::f64: return Of::template function<double>;
        default: return for_integer<Of>(t);
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_TYPES_HPP
