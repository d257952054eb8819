// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of link_chart.hpp.
#ifndef GPUPROF_EXPLAIN_LINK_CHART_INL_HPP
#define GPUPROF_EXPLAIN_LINK_CHART_INL_HPP

#include <algorithm>
#include <string_view>
#include <utility>

#include "link_chart.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {

// What a metric says of the logical link of that number.
[[nodiscard]] inline std::optional<double> of_link(range_view const& range, std::string_view metric,
                                                   std::string_view link) {
    auto const value = range.try_provided(metric);
    if (!value) return {};
    for (auto const& each : value->instances)
        if (each.key == link) return each.number;
    return {};
}
[[nodiscard]] inline std::optional<double> counted(range_view const& range, std::string_view metric) {
    auto const value = range.try_value(metric);
    return value ? std::optional<double>{value->value} : std::nullopt;
}
[[nodiscard]] inline error no_links(std::string_view cause) {
    return {errc::not_collected, 0, "the topology of NVLink", cause, "measure on a GPU with NVLink"};
}

// The place of an end; it is added if there is none of that name.
[[nodiscard]] inline std::size_t end_named(link_chart& of, std::string name, link_chart_end_kind kind) {
    for (std::size_t i = 0; i < of.ends.size(); ++i)
        if (of.ends[i].name == name) return i;
    link_chart_end& added = of.ends.emplace_back();
    added.name = std::move(name);
    added.kind = kind;
    return of.ends.size() - 1;
}

} // namespace detail

GPUPROF_INLINE link_chart link_chart_of(range_view const& range) {
    link_chart chart;
    auto const types = range.try_provided("nvlink__dev1type");
    if (!types || types->instances.empty()) {
        chart.missing = types ? detail::no_links("there is no link") : types.error();
        return chart;
    }
    for (auto const& each : types->instances) {
        std::string_view const link = each.key;
        auto const near = detail::of_link(range, "nvlink__dev0Id", link);
        auto const far = detail::of_link(range, "nvlink__dev1Id", link);
        auto const number = [](std::optional<double> of) {
            return of ? std::to_string(static_cast<unsigned>(*of)) : std::string{"elsewhere"};
        };
        link_chart_link& added = chart.links.emplace_back();
        added.from =
            detail::end_named(chart, gpuprof::detail::joined({"GPU ", number(near)}), link_chart_end_kind::gpu);
        added.to = each.number == 1   ? detail::end_named(chart, gpuprof::detail::joined({"GPU ", number(far)}),
                                                          link_chart_end_kind::gpu)
                   : each.number == 2 ? detail::end_named(chart, "CPU", link_chart_end_kind::cpu)
                                      : detail::end_named(chart, "Switch", link_chart_end_kind::network_switch);
        added.peak = detail::of_link(range, "nvlink__bandwidth", link);
        if (auto const ports = range.try_provided("nvlink__source_ports"))
            for (auto const& of_this : ports->instances)
                if (of_this.key == link)
                    added.links = 1 + static_cast<unsigned>(std::count(of_this.text.begin(), of_this.text.end(), ','));
    }
    link_chart_end& self = chart.ends[chart.links.front().from];
    self.sent = detail::counted(range, "nvltx__bytes.sum.per_second");
    self.received = detail::counted(range, "nvlrx__bytes.sum.per_second");
    if (chart.links.size() == 1) {
        chart.links[0].there = self.sent;
        chart.links[0].back = self.received;
    }
    return chart;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_LINK_CHART_INL_HPP
