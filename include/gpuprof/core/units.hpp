// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantities: numbers with a unit, and arithmetic that checks units.
#ifndef GPUPROF_CORE_UNITS_HPP
#define GPUPROF_CORE_UNITS_HPP

#include <compare>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "unit.hpp"
#include "unit_symbol.hpp"

GPUPROF_NAMESPACE_BEGIN

// A number of `Unit`s. Quantities of the same unit compare, add and subtract; those of any units
// multiply and divide, and the result's unit is the product or quotient (bytes / nanoseconds is a
// bandwidth, sectors / sectors a ratio). Only unit_cast rescales: percent + ratio and bytes +
// percent do not compile. A value type as cheap as a double.
template <unit Unit>
class quantity {
public:
    constexpr quantity() = default;
    constexpr explicit quantity(double value) noexcept : value_{value} {}

    // The number itself, in the unit that symbol() spells.
    [[nodiscard]] constexpr double value() const noexcept { return value_; }

    // The number as an integer, for counters: rounded to nearest; 0 if it is not positive or NaN;
    // the largest integer if it is beyond that. Exact up to 2^53.
    [[nodiscard]] constexpr std::uint64_t count() const noexcept {
        if (!(value_ > 0)) return 0;
        if (value_ >= 18446744073709551616.0) return ~std::uint64_t{0};
        auto const whole = static_cast<std::uint64_t>(value_);
        return value_ - static_cast<double>(whole) < 0.5 ? whole : whole + 1;
    }

    [[nodiscard]] static constexpr gpuprof::unit unit() noexcept { return Unit; }
    // "byte", "sector/request", "cycle(dram)", "%", "byte/ns". Lives as long as the program.
    [[nodiscard]] static constexpr std::string_view symbol() noexcept { return symbol_.view(); }

    friend constexpr bool operator==(quantity const&, quantity const&) = default;
    friend constexpr std::partial_ordering operator<=>(quantity const&, quantity const&) = default;

    // A ratio compares with a number. A percentage does not: write `percent{80}`.
    friend constexpr bool operator==(quantity left, double right) noexcept requires(Unit == one) {
        return left.value_ == right;
    }
    friend constexpr std::partial_ordering operator<=>(quantity left, double right) noexcept requires(Unit == one) {
        return left.value_ <=> right;
    }

    constexpr quantity& operator+=(quantity other) noexcept { return *this = *this + other; }
    constexpr quantity& operator-=(quantity other) noexcept { return *this = *this - other; }
    constexpr quantity& operator*=(double factor) noexcept { return *this = *this * factor; }
    constexpr quantity& operator/=(double divisor) noexcept { return *this = *this / divisor; }

    friend constexpr quantity operator-(quantity of) noexcept { return quantity{-of.value_}; }
    friend constexpr quantity operator+(quantity a, quantity b) noexcept { return quantity{a.value_ + b.value_}; }
    friend constexpr quantity operator-(quantity a, quantity b) noexcept { return quantity{a.value_ - b.value_}; }
    friend constexpr quantity operator*(quantity a, double b) noexcept { return quantity{a.value_ * b}; }
    friend constexpr quantity operator*(double a, quantity b) noexcept { return quantity{a * b.value_}; }
    friend constexpr quantity operator/(quantity a, double b) noexcept { return quantity{a.value_ / b}; }
    friend constexpr quantity<one / Unit> operator/(double a, quantity b) noexcept {
        return quantity<one / Unit>{a / b.value_};
    }

private:
    static constexpr unit_symbol symbol_{Unit};
    double value_ = 0;
};

template <unit Left, unit Right>
[[nodiscard]] constexpr quantity<Left * Right> operator*(quantity<Left> a, quantity<Right> b) noexcept {
    return quantity<Left * Right>{a.value() * b.value()};
}
template <unit Left, unit Right>
[[nodiscard]] constexpr quantity<Left / Right> operator/(quantity<Left> a, quantity<Right> b) noexcept {
    return quantity<Left / Right>{a.value() / b.value()};
}

// A plain number has no unit. (A ratio compares with one.)
namespace detail {
template <class Number>
concept bare_number = std::integral<Number> || std::floating_point<Number>;
template <class>
inline constexpr bool says_what_it_counts = false;
} // namespace detail
template <unit Unit, detail::bare_number Number>
    requires(Unit != one)
constexpr bool operator==(quantity<Unit>, Number) noexcept {
    static_assert(
        detail::says_what_it_counts<Number>,
        "gpuprof: compare with a quantity of the same unit, 4096_sectors or sectors{4096}, or the bare .value()");
    return false;
}
template <unit Unit, detail::bare_number Number>
    requires(Unit != one)
constexpr std::partial_ordering operator<=>(quantity<Unit>, Number) noexcept {
    static_assert(
        detail::says_what_it_counts<Number>,
        "gpuprof: compare with a quantity of the same unit, 4096_sectors or sectors{4096}, or the bare .value()");
    return std::partial_ordering::unordered;
}

// Whether T is a `quantity`.
template <class T>
inline constexpr bool is_quantity = false;
template <unit Unit>
inline constexpr bool is_quantity<quantity<Unit>> = true;

// The same amount in another unit of the same dimension: unit_cast<seconds>(nanoseconds{3e9}) is 3
// s, unit_cast<ratio>(percent{50}) is 0.5. Cycles of different clocks do not convert.
template <class To, unit From>
    requires(is_quantity<To>&& same_dimension(To::unit(), From))
[[nodiscard]] constexpr To unit_cast(quantity<From> from) noexcept {
    double scale = 1;
    for (int i = To::unit().power_of_ten; i < From.power_of_ten; ++i) scale *= 10;
    double divisor = 1;
    for (int i = From.power_of_ten; i < To::unit().power_of_ten; ++i) divisor *= 10;
    return To{from.value() * scale / divisor};
}

// Quantities of the units that metrics have, each named after what it counts.
using ratio = quantity<one>;
using percent = quantity<percent_unit>;
using bytes = quantity<unit_of(dimension::byte)>;
using kilobytes = quantity<unit_of(dimension::kilobyte)>;
using instructions = quantity<unit_of(dimension::instruction)>;
using warps = quantity<unit_of(dimension::warp)>;
using threads = quantity<unit_of(dimension::thread)>;
using ctas = quantity<unit_of(dimension::cta)>;
using clusters = quantity<unit_of(dimension::cluster)>;
using sectors = quantity<unit_of(dimension::sector)>;
using requests = quantity<unit_of(dimension::request)>;
using wavefronts = quantity<unit_of(dimension::wavefront)>;
using tags = quantity<unit_of(dimension::tag)>;
using operations = quantity<unit_of(dimension::operation)>;
using branch_targets = quantity<unit_of(dimension::branch_target)>;
using bank_conflicts = quantity<unit_of(dimension::bank_conflict)>;
using accesses = quantity<unit_of(dimension::access)>;
using registers = quantity<unit_of(dimension::reg)>;
using cache_lines = quantity<unit_of(dimension::line)>;
using events = quantity<unit_of(dimension::event)>;
using samples = quantity<unit_of(dimension::sample)>;
using seconds = quantity<unit_of(dimension::second)>;
using nanoseconds = quantity<unit_of(dimension::second, -9)>;
using hertz = quantity<one / unit_of(dimension::second)>;
// Cycles of one clock: `cycles<clock_domain::gpc>`. Cycles of two clocks do not add up.
template <clock_domain Clock>
using cycles = quantity<unit_of(cycle_of(Clock))>;

// Quotients of these: bandwidths, the sectors of a request, the rate of instructions.
using bytes_per_nanosecond = quantity<unit_of(dimension::byte) / unit_of(dimension::second, -9)>;
using bytes_per_second = quantity<unit_of(dimension::byte) / unit_of(dimension::second)>;
using sectors_per_request = quantity<unit_of(dimension::sector) / unit_of(dimension::request)>;
using instructions_per_cycle = quantity<unit_of(dimension::instruction) / unit_of(dimension::cycle_gpc)>;

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_UNITS_HPP
