// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's CUPTI, as the table of C functions that a real libcupti fills, too.
#ifndef GPUPROF_SRC_SIM_CUPTI_CUPTI_HPP
#define GPUPROF_SRC_SIM_CUPTI_CUPTI_HPP

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// A table with every call of the embedded GPU's CUPTI, which behaves like CUPTI 13.0. Calls are
// safe from any thread. They work on the devices and contexts of the gpu_registry.
[[nodiscard]] abi::cupti_table table() noexcept;

// The same calls, which say they are CUPTI 12.9: the last release that counts events.
[[nodiscard]] abi::cupti_table legacy_table() noexcept;

// The same calls but those that CUPTI 12.6 brought, which say they are CUPTI 12.5: the last release without the range
// profiler.
[[nodiscard]] abi::cupti_table target_table() noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_CUPTI_HPP
