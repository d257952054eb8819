// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validates a kernel launch, runs it, and turns its failure into the driver's error.
#ifndef GPUPROF_SRC_SIM_DRIVER_KERNEL_HPP
#define GPUPROF_SRC_SIM_DRIVER_KERNEL_HPP

#include <cstdint>
#include <string>

#include <gpuprof/hw/abi/results.hpp>
#include <gpuprof/sim/launch_error.hpp>

#include "operation.hpp"
#include "transfer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {
class device_runtime;
struct chip_model;
struct counter_values;
} // namespace sim

namespace sim::driver {

struct call;
struct function_state;

// Refuses a launch: keeps why as the context's last failure; returns the status.
CUresult refuse(call& in, CUresult status, launch_failure kind, std::string kernel, std::string detail);

// The function of the context with that handle; null, with the reason kept, when there is none.
[[nodiscard]] function_state const* find_function(call& in, CUfunction handle);

// Whether the launch can begin; if not, the reason is kept.
[[nodiscard]] CUresult check(call& in, kernel_operation const& launch);

// The number of warp instructions that GPUPROF_SIM_STEPS asks for. A text that is no positive
// number counts as not set.
[[nodiscard]] std::uint64_t step_budget_from(std::string const& text) noexcept;

// How many threads of the host a launch or a copy may take: the application's choice, else that of GPUPROF_SIM_THREADS.
[[nodiscard]] unsigned host_threads(call const& in);

// A kernel that fails loses its context: the launch itself succeeds, every later call there returns
// the error. If the host has too little memory, only the launch fails; what the kernel wrote stays.
[[nodiscard]] outcome run(call& in, kernel_operation const& launch);

// The same of one grid, without what it launches: adds what it counts to `counted`. @pre check() found nothing
// @param runtime of the grid, if it may launch kernels; else null
[[nodiscard]] outcome run_one(call& in, kernel_operation const& launch, device_runtime* runtime,
                              counter_values& counted);

// What is wrong with a launch's clusters; empty when nothing is.
[[nodiscard]] std::string misfit_of_cluster(function_state const& function, extent3 const& grid,
                                            extent3 const& cluster);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_KERNEL_HPP
