// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded_chip.hpp"

#include <vector>

#include <gpuprof/metric/base_metric.hpp>
#include <gpuprof/metric/nearest.hpp>
#include <gpuprof/sim/check_set.hpp>
#include <gpuprof/text/printable.hpp>

#include "../sim/chip/chips.hpp"
#include "../sim/counters/metric_table.hpp"
#include "arguments.hpp"
#include "short_names.hpp"

namespace gpuprof::command {

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
    std::string spelled;
    for (std::string_view const name : list_parts(list, ',')) {
        std::string const full = full_name(name);
        if (!sim::find_metric(chip, full)) {
            std::vector<std::string_view> bases;
            std::span<std::string_view const> subs;
            for (sim::metric_row const& row : sim::metric_rows) {
                if (!row.is_on(chip)) continue;
                bases.push_back(row.name);
                if (row.name == base_name(full)) subs = sub_metrics(row.kind);
            }
            error why =
                unknown_metric(full, "the embedded " + std::string{chip.chip_name}, bases, subs, "does not model");
            std::string_view best[3];
            if (auto const shorts = nearest(name, short_names, best); !shorts.empty() && name.find("__") == name.npos)
                why.remedy = gpuprof::detail::perhaps(shorts);
            refuse(std::string{option} + ": " + why.message());
        }
        spelled += (spelled.empty() ? "" : ",") + full;
    }
    if (spelled.empty()) refuse(std::string{option} + " names no metric");
    return spelled;
}

void check_checks(std::string_view option, std::string_view list) {
    if (auto const known = sim::checks_named(list); !known)
        refuse(std::string{option} + ": " + known.error().what + "; " + known.error().remedy);
}

} // namespace gpuprof::command
