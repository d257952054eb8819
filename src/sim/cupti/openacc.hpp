// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded CUPTI hears an OpenACC runtime, and writes records of what it does (CUPTI 12.0, 2.3.4).
#ifndef GPUPROF_SRC_SIM_CUPTI_OPENACC_HPP
#define GPUPROF_SRC_SIM_CUPTI_OPENACC_HPP

#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// Between the two ends of an event, calls of the driver have an external id of kind OPENACC, which is the record's externalId.
// A missing function is OPENACC_UNDEFINED_ROUTINE; CUPTI 12.0 and 13.0 crash there.
[[nodiscard]] CUptiResult openacc_initialize(void* register_callback, void* unregister_callback, void* lookup);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_OPENACC_HPP
