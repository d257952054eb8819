// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics that an embedded chip derives from events: their identifiers, events and values.
#ifndef GPUPROF_SRC_SIM_COUNTERS_EVENT_METRIC_TABLE_HPP
#define GPUPROF_SRC_SIM_COUNTERS_EVENT_METRIC_TABLE_HPP

#include <cstddef>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_metric.hpp>

#include "event_metric_rows.hpp"
#include "event_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct chip_metric {
    abi::CUpti_MetricID id;
    event_metric_row const* row;
    std::vector<chip_event const*> events; // each once, in the order of the row's terms
    std::vector<std::size_t> term_of;      // the term that an event belongs to, for each event
    abi::CUpti_MetricEvaluationMode mode;
    double fact = 0;         // the row's fact of the chip
    std::size_t fact_at = 0; // its position after the terms

    [[nodiscard]] std::vector<abi::CUpti_MetricPropertyID> properties() const;
    // @pre a value for each event, and for each property
    [[nodiscard]] double value(std::vector<double> const& counts, std::vector<double> const& facts) const;
};

// The metrics whose events a chip has. Immutable.
class event_metric_table {
public:
    // Built at the first call. Thread-safe.
    [[nodiscard]] static event_metric_table const& of(event_table const& events);

    [[nodiscard]] std::vector<chip_metric> const& metrics() const noexcept { return metrics_; }

    // Null for what the chip does not have.
    [[nodiscard]] chip_metric const* find(abi::CUpti_MetricID id) const noexcept {
        return id >= base_ && id - base_ < metrics_.size() ? &metrics_[id - base_] : nullptr;
    }
    [[nodiscard]] chip_metric const* find(std::string_view name) const noexcept;

private:
    explicit event_metric_table(event_table const& events);
    void add(event_table const& events, event_metric_row const& row);

    abi::CUpti_MetricID base_;
    std::vector<chip_metric> metrics_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_EVENT_METRIC_TABLE_HPP
