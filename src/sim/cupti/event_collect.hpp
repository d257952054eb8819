// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that count events on the embedded GPU: enable, read, reset, disable. Answers are
// those of the reference (CUPTI 5.0, and 12 for values that a kernel's start resets); a context
// that was lost or destroyed is CUPTI_ERROR_HARDWARE.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_COLLECT_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_COLLECT_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// A group that is enabled already begins again. Range profiling on another context of the device
// has the counters: CUPTI_ERROR_HARDWARE_BUSY.
CUptiResult event_group_enable(CUpti_EventGroup group);

// A group that is not enabled stays so. A group of a dead context is disabled, too, and can then be
// destroyed.
CUptiResult event_group_disable(CUpti_EventGroup group);

CUptiResult event_group_reset_all_events(CUpti_EventGroup group);

// A value for each instance that the group counts; then the event counts from zero again.
CUptiResult event_group_read_event(CUpti_EventGroup group, CUpti_ReadEventFlags flags, CUpti_EventID event,
                                   std::size_t* size, std::uint64_t* values);

// Values by instance and, within one, by event.
CUptiResult event_group_read_all_events(CUpti_EventGroup group, CUpti_ReadEventFlags flags, std::size_t* values_size,
                                        std::uint64_t* values, std::size_t* events_size, CUpti_EventID* events,
                                        std::size_t* events_read);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_COLLECT_HPP
