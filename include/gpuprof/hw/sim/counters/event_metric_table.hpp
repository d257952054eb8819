// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of an embedded chip's events, with identifiers, and their values. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_EVENT_METRIC_TABLE_HPP
#define GPUPROF_HW_SIM_COUNTERS_EVENT_METRIC_TABLE_HPP

#include <array>       // terms
#include <cstddef>     // std::size_t
#include <map>         // catalogues by chip
#include <mutex>       // made once
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // metrics

#include "../../../detail/config.hpp"
#include "../../../legacy/lookup.hpp"
#include "../../abi/cupti_metric.hpp"
#include "event_table.hpp"
#include "event_metric_rows.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct chip_metric {
    abi::CUpti_MetricID id;
    event_metric_row const* row;
    std::vector<chip_event const*> events; // each once, by term
    std::vector<std::size_t> term_of;      // of each event
    abi::CUpti_MetricEvaluationMode mode;
    double fact = 0; // of the chip, after the terms
    std::size_t fact_at = 0;

    [[nodiscard]] std::vector<abi::CUpti_MetricPropertyID> properties() const {
        std::vector<abi::CUpti_MetricPropertyID> all;
        for (int const each : row->properties)
            if (each >= 0) all.push_back(static_cast<abi::CUpti_MetricPropertyID>(each));
        return all;
    }
    // @pre a value for each event, and for each property
    [[nodiscard]] double value(std::vector<double> const& counts, std::vector<double> const& facts) const {
        std::array<double, event_metric_row::most_terms + 1> terms{};
        for (std::size_t i = 0; i < counts.size(); ++i) terms[term_of[i]] += counts[i];
        if (row->fact != nullptr) terms[fact_at] = fact;
        return row->value(terms.data(), facts.data());
    }
};

// The metrics whose events a chip has. Immutable once made.
class event_metric_table {
public:
    // Made when first asked for. Thread-safe.
    [[nodiscard]] static event_metric_table const& of(event_table const& events) {
        static auto* const all = new std::map<event_table const*, event_metric_table>;
        static auto* const mutex = new std::mutex;
        std::lock_guard const lock{*mutex};
        auto found = all->find(&events);
        if (found == all->end()) found = all->emplace(&events, event_metric_table{events}).first;
        return found->second;
    }

    [[nodiscard]] std::vector<chip_metric> const& metrics() const noexcept { return metrics_; }

    // Null for what the chip does not have.
    [[nodiscard]] chip_metric const* find(abi::CUpti_MetricID id) const noexcept {
        return id >= base_ && id - base_ < metrics_.size() ? &metrics_[id - base_] : nullptr;
    }
    [[nodiscard]] chip_metric const* find(std::string_view name) const noexcept {
        for (chip_metric const& each : metrics_)
            if (each.row->name == name) return &each;
        return nullptr;
    }

private:
    explicit event_metric_table(event_table const& events) : base_{events.id_base() * 100} {
        auto const family = events.chip().events.family();
        for (event_metric_row const& row : event_metrics::rows)
            if (row.first <= family && family <= row.last && exists(events.chip(), row.name)) add(events, row);
    }

    // What the documents say that devices of this capability lack, the chip lacks.
    [[nodiscard]] static bool exists(chip_model const& chip, std::string_view name) noexcept {
        legacy_metric_row const* const known = legacy::metrics_of(*chip.events.family()).find(name);
        return known == nullptr || is_among(known->only, chip.capability());
    }

    void add(event_table const& events, event_metric_row const& row) {
        chip_metric made{base_ + static_cast<unsigned>(metrics_.size()), &row, {}, {}, {}};
        if (row.fact != nullptr) made.fact = row.fact(events.chip());
        bool one_domain = true;
        for (std::size_t term = 0; term < row.terms.size() && row.terms[term] != nullptr; ++term) {
            std::size_t const before = made.events.size();
            for (chip_event const& each : events.events()) {
                if (!event_table::matches(row.terms[term], each.name)) continue;
                one_domain = one_domain && (made.events.empty() || made.events.front()->domain == each.domain);
                made.events.push_back(&each);
                made.term_of.push_back(term);
            }
            if (made.events.size() == before) return; // the chip lacks it
            made.fact_at = term + 1;
        }
        // Of one instance where that makes sense: one domain, and no time or peak of the whole device.
        bool const single = one_domain && row.properties[0] <= 1;
        unsigned const mode = abi::CUPTI_METRIC_EVALUATION_MODE_AGGREGATE;
        made.mode = static_cast<abi::CUpti_MetricEvaluationMode>(
            single ? mode | abi::CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE : mode);
        metrics_.push_back(std::move(made));
    }

    abi::CUpti_MetricID base_;
    std::vector<chip_metric> metrics_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_EVENT_METRIC_TABLE_HPP
