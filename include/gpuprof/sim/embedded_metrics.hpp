// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of metrics that the embedded GPU has, and how far each can be trusted.
#ifndef GPUPROF_SIM_EMBEDDED_METRICS_HPP
#define GPUPROF_SIM_EMBEDDED_METRICS_HPP

#include <string_view>
#include <vector>

#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../metric/kind.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A base metric of an embedded chip. Texts are constants of the program.
struct embedded_metric {
    std::string_view name; // "l1tex__t_sectors", without roll-up
    metric_kind kind = metric_kind::counter;
    fidelity how = fidelity::exact; // how a value comes about
    std::string_view description;
};

// What an embedded chip has of the metrics that CUPTI lists for the real one, in the order of names. Everything else is
// not modelled, and asking for it fails with unknown_metric.
// @param chip as for open_embedded
// Errors: invalid_argument for a chip there is no model of; unavailable for one before capability 7.0, which counts events.
[[nodiscard]] result<std::vector<embedded_metric>> try_embedded_metrics(std::string_view chip);

// The name of every embedded chip, in the order of capabilities. The texts are constants of the program.
[[nodiscard]] std::vector<std::string_view> embedded_chip_names();

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_EMBEDDED_METRICS_HPP
