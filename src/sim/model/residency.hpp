// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many CTAs of an SM are resident on average, and how late the last of several is.
#ifndef GPUPROF_SRC_SIM_MODEL_RESIDENCY_HPP
#define GPUPROF_SRC_SIM_MODEL_RESIDENCY_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// By how many standard deviations the last of n normally distributed ones is later than their mean.
[[nodiscard]] inline double latest_of(double n) noexcept {
    constexpr double of_powers_of_two[]{0,     0.564, 1.029, 1.424, 1.766, 2.070, 2.344,
                                        2.594, 2.826, 3.042, 3.247, 3.442, 3.628, 3.805};
    std::size_t power = 0;
    for (; n >= 2 && power + 1 < std::size(of_powers_of_two); n /= 2) ++power;
    if (power + 1 == std::size(of_powers_of_two)) return of_powers_of_two[power];
    double const below = of_powers_of_two[power], above = of_powers_of_two[power + 1];
    return below + (above - below) * (std::max)(n - 1, 0.0);
}

namespace detail {
// CTAs end one after the other, at 1, 2, 3 and so on, but the first `together` at the same time. The sum of the first n ends.
[[nodiscard]] inline double sum_of_ends(double n, double together) noexcept {
    if (n <= together) return n * together;
    return together * together + (n * (n + 1) - together * (together + 1)) / 2;
}
} // namespace detail

// Where older CTAs go first: they end sooner, and so many fewer are left towards the end. The schedulers of an H200 take the
// warps of the oldest CTA first (last_short_launches.txt: eight CTAs that begin together and keep the issue slots busy are 61 %
// resident, two 75 %).
// @param ctas alike ones of an SM, `places` that it has for them. @param together CTAs that take no longer than one of them alone
// @return CTAs that are resident on average while it has one. @pre ctas >= 1, places >= 1
[[nodiscard]] inline double resident_in_order(double ctas, double places, double together) noexcept {
    double const alone = std::clamp(together, 1.0, (std::min)(ctas, places));
    double const begins = ctas > places ? detail::sum_of_ends(ctas - places, alone) : 0; // each where one has ended
    return (detail::sum_of_ends(ctas, alone) - begins) / ctas;
}

// The same where all of a wave end together, because what they wait for serves them in turn. A last wave of fewer CTAs has less
// to do, but takes no less time than one of them alone. In its last wait CTAs are served one after the other.
// @param waits of a warp, one after the other. @pre waits >= 1
[[nodiscard]] inline double resident_in_waves(double ctas, double places, double together, double waits) noexcept {
    double const before = std::ceil(ctas / places) - 1, last = ctas - before * places;
    double const length = (std::max)(last, (std::min)(together, places)); // of the last wave
    double const ended = (1 - (std::min)(together / length, 1.0)) / (2 * waits);
    return (before * places * places + last * length * (1 - ended)) / (before * places + length);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_RESIDENCY_HPP
