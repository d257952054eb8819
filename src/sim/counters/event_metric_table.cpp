// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_metric_table.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/abi/cupti_metric.hpp>
#include <gpuprof/legacy/lookup.hpp>

#include "../chip/chip_model.hpp"
#include "event_metric_rows.hpp"
#include "event_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::vector<abi::CUpti_MetricPropertyID> chip_metric::properties() const {
    std::vector<abi::CUpti_MetricPropertyID> all;
    for (int const property : row->properties)
        if (property >= 0) all.push_back(static_cast<abi::CUpti_MetricPropertyID>(property));
    return all;
}

double chip_metric::value(std::vector<double> const& counts, std::vector<double> const& facts) const {
    std::array<double, event_metric_row::most_terms + 1> terms{};
    for (std::size_t i = 0; i < counts.size(); ++i) terms[term_of[i]] += counts[i];
    if (row->fact != nullptr) terms[fact_at] = fact;
    return row->value(terms.data(), facts.data());
}

event_metric_table const& event_metric_table::of(event_table const& events) {
    static auto* const tables = new std::map<event_table const*, event_metric_table>;
    static auto* const mutex = new std::mutex;
    std::lock_guard const lock{*mutex};
    auto found = tables->find(&events);
    if (found == tables->end()) found = tables->emplace(&events, event_metric_table{events}).first;
    return found->second;
}

chip_metric const* event_metric_table::find(std::string_view name) const noexcept {
    for (chip_metric const& metric : metrics_)
        if (metric.row->name == name) return &metric;
    return nullptr;
}

// Whether the documents say that devices of the chip's capability have the metric.
[[nodiscard]] static bool has_event_metric(chip_model const& chip, std::string_view name) noexcept {
    legacy_metric_row const* const known = legacy::metrics_of(*chip.events.family()).find(name);
    return known == nullptr || is_among(known->only, chip.capability());
}

event_metric_table::event_metric_table(event_table const& events) : base_{events.id_base() * 100} {
    auto const family = events.chip().events.family();
    for (event_metric_row const& row : event_metric_rows())
        if (row.first <= family && family <= row.last && has_event_metric(events.chip(), row.name)) add(events, row);
}

void event_metric_table::add(event_table const& events, event_metric_row const& row) {
    chip_metric metric{base_ + static_cast<unsigned>(metrics_.size()), &row, {}, {}, {}};
    if (row.fact != nullptr) metric.fact = row.fact(events.chip());
    bool one_domain = true;
    for (std::size_t term = 0; term < row.terms.size() && row.terms[term] != nullptr; ++term) {
        std::size_t const before = metric.events.size();
        for (chip_event const& event : events.events()) {
            if (!event_table::matches(row.terms[term], event.name)) continue;
            one_domain = one_domain && (metric.events.empty() || metric.events.front()->domain == event.domain);
            metric.events.push_back(&event);
            metric.term_of.push_back(term);
        }
        if (metric.events.size() == before) return; // the chip lacks it
        metric.fact_at = term + 1;
    }
    // One instance has a value of its own if all events are of one domain and no property is a time
    // or peak of the device.
    bool const single = one_domain && row.properties[0] <= 1;
    unsigned const mode = abi::CUPTI_METRIC_EVALUATION_MODE_AGGREGATE;
    metric.mode = static_cast<abi::CUpti_MetricEvaluationMode>(
        single ? mode | abi::CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE : mode);
    metrics_.push_back(std::move(metric));
}

} // namespace sim
GPUPROF_NAMESPACE_END
