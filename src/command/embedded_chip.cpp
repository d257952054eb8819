// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded_chip.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gpuprof/metric/base_metric.hpp>
#include <gpuprof/metric/info.hpp>
#include <gpuprof/metric/metric_sets.hpp>
#include <gpuprof/metric/nearest.hpp>
#include <gpuprof/sim/check_set.hpp>
#include <gpuprof/text/printable.hpp>

#include "../sim/chip/chips.hpp"
#include "../sim/counters/metric_table.hpp"
#include "arguments.hpp"
#include "short_names.hpp"

namespace gpuprof::command {
namespace {

// Tells that the chip has no such metric, and which names are near the word that the user wrote.
[[noreturn]] void refuse_metric(std::string_view option, std::string_view word, std::string const& metric,
                                sim::chip_model const& chip) {
    std::vector<std::string_view> bases;
    std::span<std::string_view const> subs;
    for (sim::metric_row const& row : sim::metric_rows) {
        if (!row.is_on(chip)) continue;
        bases.push_back(row.name);
        if (row.name == base_name(metric)) subs = sub_metrics(row.kind);
    }
    error why = unknown_metric(metric, "the embedded " + std::string{chip.chip_name}, bases, subs, "does not model");
    if (word.find("__") == word.npos) {
        std::vector<std::string_view> names;
        for (named_metric_set const& each : all_metric_sets) names.push_back(each.name);
        for (short_name const& each : short_names) names.push_back(each.name);
        if (std::string near = gpuprof::detail::perhaps(word, names); !near.empty()) why.remedy = std::move(near);
    }
    refuse(std::string{option} + ": " + why.message());
}

std::string joined_by_commas(std::vector<std::string> const& metrics) {
    std::string spelled;
    for (std::string const& metric : metrics) spelled += (spelled.empty() ? "" : ",") + metric;
    return spelled;
}

} // namespace

sim::chip_model const& embedded_chip(std::string_view name) {
    if (name.empty()) return sim::gh100;
    if (sim::chip_model const* const found = sim::find_embedded_chip(name)) return *found;
    std::string text = "there is no embedded GPU named \"" + gpuprof::detail::printable(name) + "\"; there are:";
    for (sim::chip_model const* const model : sim::embedded_chips)
        text += (model == sim::embedded_chips[0] ? " " : ", ") + std::string{model->chip_name};
    refuse(text);
}

std::string embedded_metrics(std::string_view option, std::string_view list, sim::chip_model const& chip) {
    if (!chip.has_range_profiling())
        refuse(std::string{option} + ": " + chip.chip_name + " counts events, and has none of these metrics");
    std::vector<std::string> metrics;
    for (std::string_view const word : list_parts(list, ',')) {
        auto const add = [&](std::string const& metric) {
            if (!sim::find_metric(chip, metric)) refuse_metric(option, word, metric, chip);
            if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
        };
        auto const set = find_metric_set(word);
        for (std::string_view const metric : set) add(std::string{metric});
        if (set.empty()) add(full_name(word));
    }
    if (metrics.empty()) refuse(std::string{option} + " names no metric");
    return joined_by_commas(metrics);
}

std::string any_metrics(std::string_view option, std::string_view list) {
    std::vector<std::string> metrics;
    for (std::string_view const word : list_parts(list, ',')) {
        auto const add = [&](std::string const& metric) {
            if (auto const known = try_metric(metric); !known)
                refuse(std::string{option} + ": " + known.error().message());
            if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
        };
        auto const set = find_metric_set(word);
        for (std::string_view const metric : set) add(std::string{metric});
        if (set.empty()) add(full_name(word));
    }
    if (metrics.empty()) refuse(std::string{option} + " names no metric");
    return joined_by_commas(metrics);
}

void check_checks(std::string_view option, std::string_view list) {
    if (auto const known = sim::checks_named(list); !known)
        refuse(std::string{option} + ": " + known.error().what + "; " + known.error().remedy);
}

} // namespace gpuprof::command
