// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long CTAs are resident on an SM whose units prefer the older ones.
#ifndef GPUPROF_SRC_SIM_MODEL_RESIDENCY_HPP
#define GPUPROF_SRC_SIM_MODEL_RESIDENCY_HPP

#include <algorithm>
#include <cmath>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace detail {
// CTAs end one after the other, at 1, 2, 3 and so on, but the first `together` at the same time. The sum of the first n ends.
[[nodiscard]] inline double sum_of_ends(double n, double together) noexcept {
    if (n <= together) return n * together;
    return together * together + (n * (n + 1) - together * (together + 1)) / 2;
}
} // namespace detail

// CTAs that are resident on average, of `ctas` alike ones that an SM executes in the time that it has a CTA. A scheduler takes
// the warps of the oldest CTA first, and memory serves requests in their order: older CTAs end sooner, and so many fewer are
// left towards the end. That is how an H200 does it (last_short_launches.txt: eight CTAs that begin together and keep the issue
// slots busy are 61 % resident, two 75 %).
// @param places that the SM has for CTAs. @param together CTAs that take no longer than one of them alone
// @pre ctas >= 1, places >= 1
[[nodiscard]] inline double resident_ctas(double ctas, double places, double together) noexcept {
    double const alone = std::clamp(together, 1.0, (std::min)(ctas, places));
    double const begins = ctas > places ? detail::sum_of_ends(ctas - places, alone) : 0; // each where one has ended
    return (detail::sum_of_ends(ctas, alone) - begins) / (std::max)(ctas, alone);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_RESIDENCY_HPP
