// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's calls that enumerate event domains and events and tell what they are, for the embedded GPU. Layer: hw/sim.
// Answers are those of the event API's reference (CUPTI 5.0), whose order of checks is not documented.
#ifndef GPUPROF_HW_SIM_CUPTI_EVENT_QUERY_HPP
#define GPUPROF_HW_SIM_CUPTI_EVENT_QUERY_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // values
#include <string_view> // names
#include <vector>      // identifiers

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "answer.hpp"
#include "../counters/event_table.hpp"
#include "../chip/chips.hpp"
#include "../counters/gpu_registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

// Every catalogue there is, whether the process has such a device or not: identifiers name a device's model, not a
// device.
[[nodiscard]] inline std::vector<event_table const*> all_catalogues() {
    std::vector<event_table const*> all;
    for (chip_model const* const chip : embedded_chips)
        if (auto const* const each = event_table::of(*chip)) all.push_back(each);
    return all;
}

struct found_domain {
    event_table const* catalogue = nullptr;
    chip_domain const* domain = nullptr;
};
[[nodiscard]] inline found_domain find_domain(CUpti_EventDomainID id) {
    for (auto const* const each : all_catalogues())
        if (auto const* const domain = each->find_domain(id)) return {each, domain};
    return {};
}

struct found_event {
    event_table const* catalogue = nullptr;
    chip_event const* event = nullptr;
};
[[nodiscard]] inline found_event find_event(CUpti_EventID id) {
    for (auto const* const each : all_catalogues())
        if (auto const* const event = each->find_event(id)) return {each, event};
    return {};
}

[[nodiscard]] inline std::vector<CUpti_EventDomainID> listed_domains(event_table const& catalogue) {
    std::vector<CUpti_EventDomainID> ids;
    for (std::size_t i = 0; i < catalogue.listed_domains(); ++i) ids.push_back(catalogue.domains()[i].id);
    return ids;
}

[[nodiscard]] inline CUptiResult put_domain_attribute(chip_domain const& domain, CUpti_EventDomainAttribute attribute,
                                                      bool of_device, std::size_t* size, void* value) {
    switch (attribute) {
        case CUPTI_EVENT_DOMAIN_ATTR_NAME: return put_text(domain.name, size, value);
        case CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD: return put(domain.method, size, value);
        case CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT:
            return of_device ? put(std::uint32_t{domain.limits.profiled}, size, value) : CUPTI_ERROR_INVALID_PARAMETER;
        case CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT:
            return of_device ? put(std::uint32_t{domain.limits.total}, size, value) : CUPTI_ERROR_INVALID_PARAMETER;
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

} // namespace detail

inline CUptiResult get_num_event_domains(std::uint32_t* count) {
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *count = 0;
    for (auto const* const each : detail::all_catalogues())
        *count += static_cast<std::uint32_t>(each->listed_domains());
    return CUPTI_SUCCESS;
}

inline CUptiResult enum_event_domains(std::size_t* size, CUpti_EventDomainID* domains) {
    if (size == nullptr || domains == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    std::vector<CUpti_EventDomainID> ids;
    for (auto const* const each : detail::all_catalogues())
        for (auto const id : detail::listed_domains(*each)) ids.push_back(id);
    return detail::put_all(ids, size, domains);
}

inline CUptiResult device_get_num_event_domains(CUdevice device, std::uint32_t* count) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *count = static_cast<std::uint32_t>(of.catalogue->listed_domains());
    return CUPTI_SUCCESS;
}

inline CUptiResult device_enum_event_domains(CUdevice device, std::size_t* size, CUpti_EventDomainID* domains) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (size == nullptr || domains == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    return detail::put_all(detail::listed_domains(*of.catalogue), size, domains);
}

inline CUptiResult device_get_event_domain_attribute(CUdevice device, CUpti_EventDomainID domain,
                                                     CUpti_EventDomainAttribute attribute, std::size_t* size,
                                                     void* value) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = of.catalogue->find_domain(domain);
    if (found == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    return detail::put_domain_attribute(*found, attribute, true, size, value);
}

// Not the numbers of instances, which are a device's.
inline CUptiResult event_domain_get_attribute(CUpti_EventDomainID domain, CUpti_EventDomainAttribute attribute,
                                              std::size_t* size, void* value) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_domain(domain);
    if (found.domain == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    return detail::put_domain_attribute(*found.domain, attribute, false, size, value);
}

inline CUptiResult event_domain_get_num_events(CUpti_EventDomainID domain, std::uint32_t* count) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_domain(domain);
    if (found.domain == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    *count = static_cast<std::uint32_t>(found.domain->events.size());
    return CUPTI_SUCCESS;
}

inline CUptiResult event_domain_enum_events(CUpti_EventDomainID domain, std::size_t* size, CUpti_EventID* events) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || events == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = detail::find_domain(domain);
    if (found.domain == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    std::vector<CUpti_EventID> ids;
    for (std::size_t const i : found.domain->events) ids.push_back(found.catalogue->events()[i].id);
    return detail::put_all(ids, size, events);
}

inline CUptiResult event_get_attribute(CUpti_EventID event, CUpti_EventAttribute attribute, std::size_t* size,
                                       void* value) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = detail::find_event(event).event;
    if (found == nullptr) return CUPTI_ERROR_INVALID_EVENT_ID;
    switch (attribute) {
        case CUPTI_EVENT_ATTR_NAME: return detail::put_text(found->name, size, value);
        case CUPTI_EVENT_ATTR_SHORT_DESCRIPTION: return detail::put_text(found->short_description, size, value);
        case CUPTI_EVENT_ATTR_LONG_DESCRIPTION: return detail::put_text(found->long_description, size, value);
        case CUPTI_EVENT_ATTR_CATEGORY: return detail::put(found->category, size, value);
        case CUPTI_EVENT_ATTR_PROFILING_SCOPE: return detail::put(CUPTI_EVENT_PROFILING_SCOPE_CONTEXT, size, value);
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

inline CUptiResult event_get_id_from_name(CUdevice device, char const* name, CUpti_EventID* event) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (name == nullptr || event == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = of.catalogue->find_event(std::string_view{name});
    if (found == nullptr) return CUPTI_ERROR_INVALID_EVENT_NAME;
    *event = found->id;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_EVENT_QUERY_HPP
