// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver table of the embedded GPU. Layer: hw/sim; the same table that the machine's own libcuda fills.
#ifndef GPUPROF_HW_SIM_DRIVER_DRIVER_HPP
#define GPUPROF_HW_SIM_DRIVER_DRIVER_HPP

#include "../../abi/driver.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// A table with every call of the embedded GPU's driver, which says it is CUDA 13.0. Calls are safe from any thread; one
// lock orders them, held while a kernel runs but not while a host function does. Work is done when the call that gives it
// to a stream returns, so a kernel's failure is the status of its own launch; every later call in that context returns it
// again. The devices are those of gpu_registry::instance(); addresses of two contexts may be equal.
[[nodiscard]] abi::driver_table table() noexcept;

// The same calls, which say they are CUDA 12.9: the last one for devices before capability 7.5.
[[nodiscard]] abi::driver_table legacy_table() noexcept;

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "driver.inl.hpp"
#endif

#endif // GPUPROF_HW_SIM_DRIVER_DRIVER_HPP
