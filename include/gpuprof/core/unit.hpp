// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units: small exponents over the dimensions that the profiler counts.
#ifndef GPUPROF_CORE_UNIT_HPP
#define GPUPROF_CORE_UNIT_HPP

#include <string_view>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// The clocks that cycles belong to. SM, L1TEX, TPC and GPC share the gpc clock; L2 slices and frame
// buffer partitions share the fbp clock. Cycles of different clocks neither add up nor cancel.
enum class clock_domain : unsigned char { gpc, sys, fbp, dram, pcie, nvlrx, nvltx, ctc, mcc };

// What can be counted. The names are the "dimensional units" of CUPTI 12.0, 2.8.1, without the unit
// that they were counted in: a sector is 32 bytes everywhere. `kilobyte` is what the hardware
// counts in kilobytes; no document says whether that is 1000 or 1024 bytes, so it does not convert.
enum class dimension : unsigned char {
    none,
    byte,
    kilobyte,
    instruction,
    warp,
    thread,
    cta,
    cluster,
    sector,
    request,
    wavefront,
    tag,
    operation,
    branch_target,
    bank_conflict,
    access,
    reg,
    line,
    event,
    sample,
    second,
    cycle_gpc,
    cycle_sys,
    cycle_fbp,
    cycle_dram,
    cycle_pcie,
    cycle_nvlrx,
    cycle_nvltx,
    cycle_ctc,
    cycle_mcc
};

// The cycles of a clock, as a dimension.
[[nodiscard]] constexpr dimension cycle_of(clock_domain clock) noexcept {
    return static_cast<dimension>(static_cast<int>(dimension::cycle_gpc) + static_cast<int>(clock));
}

// Whether a dimension is cycles of some clock.
[[nodiscard]] constexpr bool is_cycle(dimension of) noexcept { return of >= dimension::cycle_gpc; }

[[nodiscard]] constexpr std::string_view name(dimension of) noexcept {
    constexpr std::string_view names[]{
        "",           "byte",       "kilobyte",   "instruction", "warp",        "thread",       "CTA",
        "cluster",    "sector",     "request",    "wavefront",   "tag",         "operation",    "branch target",
        "conflict",   "access",     "register",   "line",        "event",       "sample",       "s",
        "cycle(gpc)", "cycle(sys)", "cycle(fbp)", "cycle(dram)", "cycle(pcie)", "cycle(nvlrx)", "cycle(nvltx)",
        "cycle(ctc)", "cycle(mcc)"};
    return names[static_cast<unsigned>(of)];
}

// A product of powers of dimensions, times a power of ten: bytes per nanosecond is byte^1 second^-1
// 10^9, percent is 10^-2 and nothing else. Structural, so that it can be a template argument;
// always in canonical form (factors by ascending dimension, none with exponent 0), so that equal
// units compare equal. An aggregate, because nvcc spells template arguments out as brace lists.
struct unit {
    static constexpr int max_factors = 6; // twice as many as any documented metric has

    struct factor {
        dimension of = dimension::none;
        signed char exponent = 0;
        friend constexpr bool operator==(factor const&, factor const&) = default;
    };

    factor factors[max_factors]{};
    signed char power_of_ten = 0;

    friend constexpr bool operator==(unit const&, unit const&) = default;

    // Whether something is divided by something: sector/request, byte/ns.
    [[nodiscard]] constexpr bool is_quotient() const noexcept {
        for (factor const& each : factors)
            if (each.exponent < 0) return true;
        return false;
    }

    // @pre at most max_factors dimensions remain. A larger product does not compile as a template
    // argument, and stops the program at run time.
    friend constexpr unit operator*(unit const& left, unit const& right) noexcept { return combine(left, right, 1); }
    friend constexpr unit operator/(unit const& left, unit const& right) noexcept { return combine(left, right, -1); }

private:
    static constexpr unit combine(unit const& left, unit const& right, int sign) noexcept {
        unit product;
        product.power_of_ten = static_cast<signed char>(left.power_of_ten + sign * right.power_of_ten);
        int n = 0;
        int l = 0;
        int r = 0;
        for (;;) {
            factor a; // not `?:` with a temporary: an internal error of g++ 13.3
            factor b;
            if (l < max_factors) a = left.factors[l];
            if (r < max_factors) b = right.factors[r];
            if (a.exponent == 0 && b.exponent == 0) return product;
            bool const use_a = b.exponent == 0 || (a.exponent != 0 && a.of <= b.of);
            bool const use_b = a.exponent == 0 || (b.exponent != 0 && b.of <= a.of);
            int const exponent = (use_a ? a.exponent : 0) + (use_b ? sign * b.exponent : 0);
            l += use_a;
            r += use_b;
            if (exponent == 0) continue;
            if (n >= max_factors) detail::trap();
            product.factors[n++] = {use_a ? a.of : b.of, static_cast<signed char>(exponent)};
        }
    }
};

// One dimension to the first power: `unit_of(dimension::second, -9)` is the nanosecond.
[[nodiscard]] constexpr unit unit_of(dimension of, int power_of_ten = 0) noexcept {
    unit result;
    if (of != dimension::none) result.factors[0] = {of, 1};
    result.power_of_ten = static_cast<signed char>(power_of_ten);
    return result;
}

// Whether the two differ by a power of ten at most, so that one converts to the other.
[[nodiscard]] constexpr bool same_dimension(unit left, unit const& right) noexcept {
    left.power_of_ten = right.power_of_ten;
    return left == right;
}

// The units of pure numbers: of a ratio, and of a percentage.
inline constexpr unit one{};
inline constexpr unit percent_unit = unit_of(dimension::none, -2);

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_UNIT_HPP
