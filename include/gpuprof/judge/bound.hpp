// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a value may be: near something, at most, at least, between.
#ifndef GPUPROF_JUDGE_BOUND_HPP
#define GPUPROF_JUDGE_BOUND_HPP

#include <limits>
#include <string_view>

#include "../core/units.hpp"
#include "../detail/config.hpp"

// <windows.h> has a macro of this name. A program that includes it, too, can call near() after an #undef.
#pragma push_macro("near")
#undef near

GPUPROF_NAMESPACE_BEGIN

// How much more hardware may count than the program caused, as a share of another metric, and why. It widens the upper end
// of a bound for values of a GPU, not for those of the embedded GPU, which has no such noise. The other metric must be
// measured, too. A failure names the allowance and what it came to.
struct noise_allowance {
    std::string_view name;
    std::string_view why;
    double share = 0;
    std::string_view of{}; // the metric
};

namespace noise {
// On an H200, kernels whose addresses cause no bank conflict count up to 4 in 100 wavefronts as conflicts: a wavefront that
// waits for another unit's turn at the data stage is counted again. Which ones do differs from run to run.
inline constexpr noise_allowance arbitration{"noise::arbitration",
                                             "wavefronts that wait for others are counted again as bank conflicts",
                                             0.04, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"};
inline constexpr noise_allowance load_arbitration{"noise::load_arbitration",
                                                  "wavefronts that wait for others are counted again as bank conflicts",
                                                  0.04, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"};
inline constexpr noise_allowance store_arbitration{
    "noise::store_arbitration", "wavefronts that wait for others are counted again as bank conflicts", 0.04,
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};
} // namespace noise

namespace judge {
enum class bound_kind : unsigned char { around, at_most, at_least, between, exactly };
struct limits {
    bound_kind kind = bound_kind::exactly;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double middle = 0;    // of around
    double tolerance = 0; // of around, in percent
    noise_allowance const* allowance = nullptr;
};
} // namespace judge

// What a value of a unit may be, ends included. GPUPROF_CHECK(m[metric] == near(4096_sectors, 2_percent)).
template <unit Unit>
struct bound {
    judge::limits limits;
    // @param noise lives as long as the bound: one of namespace noise, or a constant of the project's own
    [[nodiscard]] constexpr bound allowing(noise_allowance const& noise) const noexcept {
        bound made = *this;
        made.limits.allowance = &noise;
        return made;
    }
};

// Within so many percent of a value. @pre tolerance is not negative
template <unit Unit>
[[nodiscard]] constexpr bound<Unit> near(quantity<Unit> value, percent tolerance) noexcept {
    double const middle = value.value();
    double const width = (middle < 0 ? -middle : middle) * tolerance.value() / 100;
    return {{judge::bound_kind::around, middle - width, middle + width, middle, tolerance.value(), nullptr}};
}
template <unit Unit>
[[nodiscard]] constexpr bound<Unit> at_most(quantity<Unit> value) noexcept {
    judge::limits made{judge::bound_kind::at_most};
    made.high = value.value();
    return {made};
}
template <unit Unit>
[[nodiscard]] constexpr bound<Unit> at_least(quantity<Unit> value) noexcept {
    judge::limits made{judge::bound_kind::at_least};
    made.low = value.value();
    return {made};
}
template <unit Unit>
[[nodiscard]] constexpr bound<Unit> between(quantity<Unit> low, quantity<Unit> high) noexcept {
    return {{judge::bound_kind::between, low.value(), high.value(), 0, 0, nullptr}};
}
// Equal; of the embedded GPU, only an exact value can be.
template <unit Unit>
[[nodiscard]] constexpr bound<Unit> exactly(quantity<Unit> value) noexcept {
    return {{judge::bound_kind::exactly, value.value(), value.value(), 0, 0, nullptr}};
}
// Of ratios.
[[nodiscard]] constexpr bound<one> near(double value, percent tolerance) noexcept {
    return near(ratio{value}, tolerance);
}
[[nodiscard]] constexpr bound<one> at_most(double value) noexcept { return at_most(ratio{value}); }
[[nodiscard]] constexpr bound<one> at_least(double value) noexcept { return at_least(ratio{value}); }
[[nodiscard]] constexpr bound<one> between(double low, double high) noexcept {
    return between(ratio{low}, ratio{high});
}
[[nodiscard]] constexpr bound<one> exactly(double value) noexcept { return exactly(ratio{value}); }

GPUPROF_NAMESPACE_END

#pragma pop_macro("near")

#endif // GPUPROF_JUDGE_BOUND_HPP
