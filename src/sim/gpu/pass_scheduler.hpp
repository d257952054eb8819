// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of a configuration: which counters are collected together.
#ifndef GPUPROF_SRC_SIM_GPU_PASS_SCHEDULER_HPP
#define GPUPROF_SRC_SIM_GPU_PASS_SCHEDULER_HPP

#include <optional>
#include <span>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/sim/collection.hpp>

#include "../chip/chip_model.hpp"
#include "../counters/metric_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

using pass = std::vector<row_number>; // counters and ratios collected in one run of the ranges

// The rows behind evaluable names; nothing if one of them is null or no metric of the chip.
[[nodiscard]] std::optional<std::vector<row_number>> find_rows(chip_model const& model,
                                                               std::span<char const* const> names);

// The counters and ratios that metrics are made of, each once, in the order first needed: a
// throughput stands for its breakdown.
[[nodiscard]] std::vector<row_number> constituents(chip_model const& model, std::span<row_number const> metrics);

// The passes of metrics. At once: one pass of everything. In passes: packs what the metrics need as
// the hardware does, first come, first served. The instances of a unit hold a fixed number of
// counters at once, and units count side by side. A ratio takes two counters, if the unit has two;
// clocks and times take none. Metrics that patch the program share one last pass with nothing else
// (CUPTI 12.0, 2.7 and 2.9). Deterministic.
[[nodiscard]] std::vector<pass> schedule(chip_model const& model, std::span<row_number const> metrics, collection how);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_PASS_SCHEDULER_HPP
