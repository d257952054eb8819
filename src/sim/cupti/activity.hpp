// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded CUPTI's activity calls (CUPTI 12.0, 2.3).
#ifndef GPUPROF_SRC_SIM_CUPTI_ACTIVITY_HPP
#define GPUPROF_SRC_SIM_CUPTI_ACTIVITY_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void add_activity_calls(abi::cupti_table& calls);

// Replaces the calls by which a tool begins: through these it gets the layouts of the legacy
// table's release.
void add_legacy_activity_calls(abi::cupti_table& calls);

// The same for the target table.
void add_target_activity_calls(abi::cupti_table& calls);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_ACTIVITY_HPP
