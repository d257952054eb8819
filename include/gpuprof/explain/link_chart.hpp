// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which GPUs are joined by NVLink, by how many links, and what went over them: the data behind the picture.
#ifndef GPUPROF_EXPLAIN_LINK_CHART_HPP
#define GPUPROF_EXPLAIN_LINK_CHART_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../hw/activity/field_types.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
// The kinds of ends that links have.
enum class link_chart_end_kind : unsigned char { gpu, cpu, network_switch, unknown };

// What links end at.
struct link_chart_end {
    std::string name{}; // "GPU 0"
    link_chart_end_kind kind = link_chart_end_kind::gpu;
    activity::uuid id{};              // zeros if it is not known
    std::optional<double> sent{};     // by all links together, in bytes a second
    std::optional<double> received{}; // the same
};

// The links between two ends: what NVIDIA calls a logical link.
struct link_chart_link {
    std::size_t from = 0; // a place in link_chart::ends
    std::size_t to = 0;
    unsigned links = 0;            // physical ones
    std::optional<double> peak{};  // bytes a second in one direction, of all of them
    std::optional<double> there{}; // bytes a second that went from `from` to `to`
    std::optional<double> back{};  // and the other way
    bool through_switch = false;   // between two GPUs, where the driver does not tell of the switch itself
};

// A value: it needs neither a device nor a report. Change its names and numbers as you like.
struct link_chart {
    std::vector<link_chart_end> ends{};
    std::vector<link_chart_link> links{};
    std::optional<error> missing{}; // why there is no link, if so
};

// Of the device that a range was measured on, by the metrics of sections::nvlink_topology and sections::nvlink: its own links.
// What one link carried is known where it is the only one.
[[nodiscard]] link_chart link_chart_of(range_view const& range);

#if !GPUPROF_ENABLED
inline link_chart link_chart_of(range_view const&) { return {}; }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "link_chart.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_LINK_CHART_HPP
