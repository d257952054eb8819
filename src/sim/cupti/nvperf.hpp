// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's libnvperf_host: plans and evaluates metrics for the calls of target.hpp.
#ifndef GPUPROF_SRC_SIM_CUPTI_NVPERF_HPP
#define GPUPROF_SRC_SIM_CUPTI_NVPERF_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/nvperf_host.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// A raw counter is a base metric that is no throughput. Numbers of metrics mean something to this table only. Statuses are
// NVPA_Status: 8 for an argument, 14 for a chip, 22 for a buffer that is too small. Calls are safe from any thread.
[[nodiscard]] abi::nvperf_table const& nvperf_calls() noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_NVPERF_HPP
