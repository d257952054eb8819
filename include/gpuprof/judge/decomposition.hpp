// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the expression of a check apart.
#ifndef GPUPROF_JUDGE_DECOMPOSITION_HPP
#define GPUPROF_JUDGE_DECOMPOSITION_HPP

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../core/units.hpp"
#include "../detail/config.hpp"
#include "bound.hpp"
#include "comparison.hpp"
#include "observation.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// A number without a unit.
template <class Number>
concept bare_number = std::integral<Number> || std::floating_point<Number>;

// Whether a type is a quantity or an observed value.
template <class T>
inline constexpr bool has_unit = false;
template <unit Unit>
inline constexpr bool has_unit<quantity<Unit>> = true;
template <unit Unit>
inline constexpr bool has_unit<observed<Unit>> = true;

// What can stand on a side of a check.
template <class T>
concept sided = bare_number<T> || has_unit<T>;

// The unit of a bare number: one.
template <bare_number Number>
constexpr unit unit_on(Number const&) noexcept {
    return one;
}
// The unit of a side of a check.
template <sided T>
struct unit_of_side {
    static constexpr unit value = one;
};
template <unit Unit>
struct unit_of_side<quantity<Unit>> {
    static constexpr unit value = Unit;
};
template <unit Unit>
struct unit_of_side<observed<Unit>> {
    static constexpr unit value = Unit;
};

// A side of a check, for the comparison.
template <bare_number Number>
[[nodiscard]] constexpr side side_of(Number const& of) noexcept {
    return {static_cast<double>(of)};
}
template <unit Unit>
[[nodiscard]] constexpr side side_of(quantity<Unit> const& of) noexcept {
    return {of.value(), quantity<Unit>::symbol()};
}
template <unit Unit>
[[nodiscard]] side side_of(observed<Unit> const& of) noexcept {
    return {of.number(), quantity<Unit>::symbol(), &of.evidence()};
}

// Compares two sides of one unit.
template <class Left, class Right>
[[nodiscard]] outcome related(Left const& left, relation how, Right const& right) {
    static_assert(unit_of_side<Left>::value == unit_of_side<Right>::value,
                  "gpuprof: both sides of a check have one unit: compare sectors with 4096_sectors or sectors{4096}; "
                  "only a ratio compares with a bare number");
    return compared(side_of(left), how, side_of(right));
}

// The left side of an expression, waiting for what it is compared with.
template <class Left>
struct operand {
    Left const& left;

    template <sided Right>
    [[nodiscard]] outcome operator==(Right const& right) const {
        return related(left, relation::equal, right);
    }
    template <sided Right>
    [[nodiscard]] outcome operator!=(Right const& right) const {
        return related(left, relation::not_equal, right);
    }
    template <sided Right>
    [[nodiscard]] outcome operator<(Right const& right) const {
        return related(left, relation::less, right);
    }
    template <sided Right>
    [[nodiscard]] outcome operator<=(Right const& right) const {
        return related(left, relation::at_most, right);
    }
    template <sided Right>
    [[nodiscard]] outcome operator>(Right const& right) const {
        return related(left, relation::greater, right);
    }
    template <sided Right>
    [[nodiscard]] outcome operator>=(Right const& right) const {
        return related(left, relation::at_least, right);
    }
    template <unit Unit>
    [[nodiscard]] outcome operator==(bound<Unit> const& right) const {
        static_assert(unit_of_side<Left>::value == Unit, "gpuprof: the bound is of another unit than the value");
        return compared(side_of(left), right.limits);
    }
};

// Stands before a check's expression and takes its left side.
struct decomposer {
    template <class Left>
    [[nodiscard]] operand<Left> operator<<(Left const& left) const noexcept {
        return {left};
    }
};

// What a check's expression came to: a comparison, an outcome that a function gave, or a bool.
[[nodiscard]] inline outcome settled(outcome of) { return of; }
[[nodiscard]] inline outcome settled(operand<outcome> of) { return of.left; }
[[nodiscard]] inline outcome settled(operand<bool> of) { return decided(of.left); }

// GPUPROF_EXPECT(what, expectation): a value and a bound, or a range and what is expected of it.
template <sided Value, unit Unit>
[[nodiscard]] outcome expected(Value const& value, bound<Unit> const& of) {
    return operand<Value>{value} == of;
}
template <class Expectation>
    requires requires(Expectation const& of, observation const& range) {
        { of(range) } -> std::same_as<outcome>;
    }
[[nodiscard]] outcome expected(observation const& range, Expectation const& of) { return of(range); }

} // namespace judge
GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_DECOMPOSITION_HPP
