// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which metrics of a list a device has.
#ifndef GPUPROF_EXPLAIN_MEASURABLE_HPP
#define GPUPROF_EXPLAIN_MEASURABLE_HPP

#include <string>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../hw/counters/range_mode.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/info.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// The metrics of the list that the device has, in its order, for ranges of this mode. What it lacks or cannot plan is left
// out, and what it cannot plan beside those before it. Errors: permission, busy, device_lost, version_mismatch; the first
// name's, if the device has none of them. Cost: one plan if it has all, two where the chip lacks
// some. For names that the chip has and cannot plan together, a plan for each half of the list, and so on. What was found is
// remembered in this process, and where GPUPROF_CACHE_DIR is set, for others: then it is one plan.
[[nodiscard]] result<std::vector<metric_info>> try_measurable(device const& gpu, std::vector<std::string> const& names,
                                                              range_mode ranges = range_mode::user_range);

#if !GPUPROF_ENABLED
inline result<std::vector<metric_info>> try_measurable(device const&, std::vector<std::string> const&, range_mode) {
    return std::vector<metric_info>{};
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "measurable.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_MEASURABLE_HPP
