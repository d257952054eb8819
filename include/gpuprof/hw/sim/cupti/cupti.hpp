// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUPTI table of the embedded GPU. Layer: hw/sim; the same table that the machine's own libcupti fills.
#ifndef GPUPROF_HW_SIM_CUPTI_CUPTI_HPP
#define GPUPROF_HW_SIM_CUPTI_CUPTI_HPP

#include "../../abi/cupti.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// A table with every call of the embedded GPU's CUPTI, which behaves like CUPTI 13.0. Calls are safe from any thread.
// The devices and contexts they work on are those of gpu_registry::instance().
[[nodiscard]] abi::cupti_table table() noexcept;

// The same calls, which say they are CUPTI 12.9: the last release that counts events.
[[nodiscard]] abi::cupti_table legacy_table() noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "cupti.inl.hpp"
#endif

#endif // GPUPROF_HW_SIM_CUPTI_CUPTI_HPP
