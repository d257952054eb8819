// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the groups of metrics of Nsight Compute's guide stand for.
#ifndef GPUPROF_EXPLAIN_METRIC_GROUPS_HPP
#define GPUPROF_EXPLAIN_METRIC_GROUPS_HPP

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../metric/catalogue.hpp"
#include "../metric/nearest.hpp"
#include "../metric/provider_metrics.hpp"
#include "memory_chart_metrics.hpp"
#include "memory_tables.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// The metrics of a group, in the order in which the table or chart shows them: "group:memory__dram_table" are the cells of the
// table of device memory, "group:smsp__pcsamp_warp_stall_reasons" the stall reasons of samples. A chip need not have all of
// them: see try_measurable(). Errors: unknown_metric with the nearest group. Allocates; thread-safe. Guide, chapter 4.
[[nodiscard]] inline result<std::vector<std::string>> try_members_of_group(std::string_view group) {
    std::vector<std::string> members;
    auto const add = [&](std::string_view metric) {
        if (std::find(members.begin(), members.end(), metric) == members.end()) members.emplace_back(metric);
    };
    auto const add_table = [&](memory_table const& table) {
        for (table_row const& row : table.rows)
            for (char const* const cell : row.cells)
                if (cell != nullptr && std::string_view{cell} != above) add(cell);
    };
    if (group == "group:memory__chart") {
        for (chart_unit_row const& each : memory_chart_metrics::units)
            for (char const* const metric : {each.value, each.port})
                if (metric != nullptr) add(metric);
        for (chart_link_row const& each : memory_chart_metrics::links) {
            for (char const* const metric : each.metrics)
                if (metric != nullptr) add(metric);
            if (each.of_peak != nullptr) add(each.of_peak);
        }
    } else if (group == "group:memory__dram_table") {
        add_table(memory_tables::device_memory);
    } else if (group == "group:memory__first_level_cache_table") {
        add_table(memory_tables::l1);
    } else if (group == "group:memory__l2_cache_evict_policy_table") {
        add_table(memory_tables::l2_eviction);
    } else if (group == "group:memory__l2_cache_table") {
        add_table(memory_tables::l2);
    } else if (group == "group:memory__shared_table") {
        add_table(memory_tables::shared_memory);
    } else if (group.starts_with("group:smsp__pcsamp_warp_stall_reasons")) {
        bool const latency = group.ends_with("_not_issued");
        if (group != "group:smsp__pcsamp_warp_stall_reasons" &&
            group != "group:smsp__pcsamp_warp_stall_reasons_not_issued")
            return error{errc::unknown_metric, 0, group, "there is no group of that name", ""};
        for (provider_metric const& each : provider_metrics)
            if (std::string_view const name = each.name;
                name.starts_with("smsp__pcsamp_warps_issue_stalled_") && name.ends_with("_not_issued") == latency)
                add(name);
    } else {
        return error{errc::unknown_metric, 0, group, "there is no group of that name",
                     gpuprof::detail::perhaps(group, provider_metrics)};
    }
    return members;
}

// The base metrics of a triage group of a chip, in the order of their names: of "SM_A.TriageCompute", or of all groups of that
// kind, "TriageCompute". What samples a group takes its members at the same moments. GH100 and GB100 have such groups.
// Errors: unknown_metric with the groups of that chip. Cost: one look at each metric of the chip.
// Guide, chapter 5.1; which metrics are in a group is in CUPTI's data of the chip.
[[nodiscard]] inline result<std::vector<std::string>> try_members_of_group(catalogue const& of,
                                                                           std::string_view group) {
    std::vector<std::string> members;
    std::vector<std::string_view> groups;
    for (base_metric const each : of) {
        std::string_view const trigger = each.name.substr(0, each.name.rfind('.'));
        if (trigger.size() == each.name.size()) continue; // in no group
        bool const is_of_kind = trigger.substr(trigger.rfind('.') + 1) == group;
        if (trigger == group || is_of_kind) members.emplace_back(each.name);
        if (std::find(groups.begin(), groups.end(), trigger) == groups.end()) groups.push_back(trigger);
    }
    if (!members.empty()) return result<std::vector<std::string>>{std::move(members)};
    if (groups.empty())
        return error{errc::unknown_metric, 0, group,
                     gpuprof::detail::joined({name(of.chip()), " has no triage groups"}),
                     "ask for its metrics by their names"};
    return error{errc::unknown_metric, 0, group, "this chip has no triage group of that name",
                 gpuprof::detail::perhaps(std::span<std::string_view const>{groups})};
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_METRIC_GROUPS_HPP
