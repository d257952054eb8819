// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The NVLink topology of all GPUs, from the records of a trace.
#ifndef GPUPROF_EXPLAIN_TRACED_LINKS_HPP
#define GPUPROF_EXPLAIN_TRACED_LINKS_HPP

#include <cstddef>
#include <span>
#include <string>

#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../hw/activity/nvlink.hpp"
#include "link_chart.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
[[nodiscard]] inline std::size_t end_of(link_chart& of, activity::link_end type, activity::uuid const& id) {
    bool const is_gpu = type == activity::link_end::gpu;
    auto const kind = is_gpu                            ? link_chart_end_kind::gpu
                      : type == activity::link_end::npu ? link_chart_end_kind::cpu
                                                        : link_chart_end_kind::network_switch;
    std::size_t alike = 0;
    for (std::size_t i = 0; i < of.ends.size(); ++i) {
        if (of.ends[i].kind != kind) continue;
        if (of.ends[i].id == id || kind == link_chart_end_kind::network_switch) return i;
        ++alike;
    }
    link_chart_end& added = of.ends.emplace_back();
    added.name = kind == link_chart_end_kind::network_switch
                     ? std::string{"Switch"}
                     : gpuprof::detail::joined({is_gpu ? "GPU " : "CPU ", std::to_string(alike)});
    added.kind = kind;
    added.id = id;
    return of.ends.size() - 1;
}

} // namespace detail

// Of all GPUs, by the records of a trace (CUPTI 12.0, 2.3.3). GPUs are named by their order. Ends and links are each once, however
// many records there are of them.
[[nodiscard]] inline link_chart link_chart_of(std::span<activity::nvlink const> records) {
    link_chart chart;
    for (activity::nvlink const& each : records) {
        bool const two_gpus = each.second_type != activity::link_end::invalid && !(each.first_uuid == each.second_uuid);
        std::size_t const from = detail::end_of(chart, each.first_type, each.first_uuid);
        std::size_t const to =
            detail::end_of(chart, two_gpus ? each.second_type : activity::link_end::invalid, each.second_uuid);
        bool known = false;
        for (link_chart_link const& link : chart.links)
            known = known || (link.from == from && link.to == to) || (link.from == to && link.to == from);
        if (known) continue;
        link_chart_link& added = chart.links.emplace_back();
        added.from = from;
        added.to = to;
        added.links = each.links;
        if (each.bandwidth != 0) added.peak = 1000.0 * static_cast<double>(each.bandwidth);
        added.through_switch = each.switch_connected && two_gpus;
    }
    if (chart.links.empty())
        chart.missing = error{errc::not_collected, 0, "the topology of NVLink", "the trace has no record of a link",
                              "trace activity::nvlink on GPUs with NVLink"};
    return chart;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_TRACED_LINKS_HPP
