// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several GPUs of one process measured, side by side. Needs no communicator.
#ifndef GPUPROF_RANKS_DEVICE_REPORT_HPP
#define GPUPROF_RANKS_DEVICE_REPORT_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "../metric/info.hpp"
#include "value_summary.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// A metric of a range on all GPUs.
struct device_row {
    std::string range; // its path
    metric_info metric{};
    std::vector<double> values{}; // of GPU i; NaN where it has none
    value_summary all{};          // of those that have one; its ranks are the numbers of GPUs

    // What the GPUs counted together, in the metric's unit. Nothing for what does not add up: rates, ratios, minima, maxima, and
    // times, since GPUs work at the same time.
    [[nodiscard]] std::optional<double> sum() const;
};

// Reports of GPUs, in the order in which they were given. A value.
struct device_report {
    std::vector<std::string> devices{}; // their names
    device_source source = device_source::hardware;
    std::vector<device_row> rows{}; // ranges in the order of the first report that has them, metrics within them
    std::vector<error> problems{};  // what is missing in a report, with the number of its GPU

    [[nodiscard]] bool complete() const noexcept { return problems.empty(); }
    // Errors: not_collected where no GPU has a value.
    [[nodiscard]] result<device_row> try_row(std::string_view range, std::string_view metric) const;
};

// Sums up a report of each GPU, of a profiler of its own. Ranges are joined by their paths, metrics by their names; what some GPU
// lacks is NaN there. Cost: in the number of values.
[[nodiscard]] device_report side_by_side(std::span<report const> of);

#if !GPUPROF_ENABLED
inline std::optional<double> device_row::sum() const { return {}; }
inline result<device_row> device_report::try_row(std::string_view, std::string_view) const {
    return gpuprof::detail::compiled_out();
}
inline device_report side_by_side(std::span<report const>) { return {}; }
#endif

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "device_report.inl.hpp"
#endif

#endif // GPUPROF_RANKS_DEVICE_REPORT_HPP
