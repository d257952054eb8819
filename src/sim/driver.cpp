// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled embedded GPU: the driver's table, opening a device, and what it models.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_ENABLED // else nothing is left to compile

#include <gpuprof/hw/sim/driver/driver.inl.hpp>
#include <gpuprof/hw/sim/embedded_metrics.inl.hpp>
#include <gpuprof/hw/sim/open.inl.hpp>

#endif
