// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics that the embedded GPU's CUPTI derives from events.
#ifndef GPUPROF_SRC_SIM_COUNTERS_EVENT_METRIC_ROWS_HPP
#define GPUPROF_SRC_SIM_COUNTERS_EVENT_METRIC_ROWS_HPP

#include <array>
#include <cstddef>
#include <span>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_metric.hpp>
#include <gpuprof/legacy/capability_family.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct chip_model;

// A metric of chips of the families `first` to `last`. A term is the sum of the events of that
// name, where `*` stands for a digit. The formula gets terms and properties in their order, and the
// chip's fact after the terms. Nothing divided by nothing is not a number.
struct event_metric_row {
    static constexpr std::size_t most_terms = 11;
    static constexpr std::size_t most_properties = 3;

    char const* name;
    capability_family first;
    capability_family last;
    abi::CUpti_MetricCategory category;
    abi::CUpti_MetricValueKind kind;
    std::array<char const*, most_terms> terms;
    std::array<int, most_properties> properties; // CUpti_MetricPropertyID; -1 for none
    double (*value)(double const* term, double const* property);
    char const* meaning;
    double (*fact)(chip_model const&) = nullptr; // a rate of the chip that is no property of CUPTI
};

[[nodiscard]] std::span<event_metric_row const> event_metric_rows() noexcept;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_COUNTERS_EVENT_METRIC_ROWS_HPP
