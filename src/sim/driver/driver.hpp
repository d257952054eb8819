// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver table of the embedded GPU, in place of the one that the machine's own libcuda fills.
#ifndef GPUPROF_SRC_SIM_DRIVER_DRIVER_HPP
#define GPUPROF_SRC_SIM_DRIVER_DRIVER_HPP

#include <gpuprof/hw/abi/driver.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// A table with every call of the embedded GPU's driver, which says it is CUDA 13.0. Calls are safe
// from any thread. One lock orders them; it is held while a kernel runs but not while a host
// function does. Work has run when the call that enqueues it returns. The launch of a kernel that
// fails succeeds; every later call in that context returns the error. The devices are those of
// the registry in gpu/gpu_state.hpp; addresses of two contexts may be equal.
[[nodiscard]] abi::driver_table table() noexcept;

// The same calls, which say they are CUDA 12.9, the last release for devices before capability 7.5.
[[nodiscard]] abi::driver_table legacy_table() noexcept;

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_DRIVER_HPP
