// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that choose which activity the embedded GPU records.
#ifndef GPUPROF_SRC_SIM_CUPTI_ACTIVITY_KINDS_HPP
#define GPUPROF_SRC_SIM_CUPTI_ACTIVITY_KINDS_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

[[nodiscard]] CUptiResult refuse_context(CUcontext context);

} // namespace detail

CUptiResult activity_enable(CUpti_ActivityKind kind);
CUptiResult activity_disable(CUpti_ActivityKind kind);
CUptiResult activity_enable_context(CUcontext context, CUpti_ActivityKind kind);
CUptiResult activity_disable_context(CUcontext context, CUpti_ActivityKind kind);

// Records the devices, contexts, streams and the bus that there are, at once. There are no NVLinks.
CUptiResult activity_enable_and_dump(CUpti_ActivityKind kind);

// 0 and numbers beyond every call are CUPTI_ERROR_INVALID_PARAMETER.
CUptiResult activity_enable_driver_api(CUpti_CallbackId id, std::uint8_t enable);

// The embedded GPU has no runtime, so there is nothing to record.
CUptiResult activity_enable_runtime_api(CUpti_CallbackId id, std::uint8_t);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_ACTIVITY_KINDS_HPP
