// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that enumerate and describe the events and event domains of the embedded GPU. Answers
// are those of the event API's reference (CUPTI 5.0), whose order of checks is not documented.
#ifndef GPUPROF_SRC_SIM_CUPTI_EVENT_QUERY_HPP
#define GPUPROF_SRC_SIM_CUPTI_EVENT_QUERY_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
class event_table;
}

namespace sim::cupti {
using namespace abi;

namespace detail {

// Every catalogue there is, whether the process has such a device or not: identifiers name a
// device's model, not a device.
[[nodiscard]] std::vector<event_table const*> all_catalogues();

} // namespace detail

CUptiResult get_num_event_domains(std::uint32_t* count);
CUptiResult enum_event_domains(std::size_t* size, CUpti_EventDomainID* domains);
CUptiResult device_get_num_event_domains(CUdevice device, std::uint32_t* count);
CUptiResult device_enum_event_domains(CUdevice device, std::size_t* size, CUpti_EventDomainID* domains);

CUptiResult device_get_event_domain_attribute(CUdevice device, CUpti_EventDomainID domain,
                                              CUpti_EventDomainAttribute attribute, std::size_t* size, void* value);

// Does not give the numbers of instances, which belong to a device.
CUptiResult event_domain_get_attribute(CUpti_EventDomainID domain, CUpti_EventDomainAttribute attribute,
                                       std::size_t* size, void* value);

CUptiResult event_domain_get_num_events(CUpti_EventDomainID domain, std::uint32_t* count);
CUptiResult event_domain_enum_events(CUpti_EventDomainID domain, std::size_t* size, CUpti_EventID* events);

CUptiResult event_get_attribute(CUpti_EventID event, CUpti_EventAttribute attribute, std::size_t* size, void* value);
CUptiResult event_get_id_from_name(CUdevice device, char const* name, CUpti_EventID* event);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_EVENT_QUERY_HPP
