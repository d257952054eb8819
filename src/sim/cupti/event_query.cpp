// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_query.hpp"

#include <string_view>

#include "../chip/chips.hpp"
#include "../counters/event_table.hpp"
#include "answer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

namespace detail {

std::vector<event_table const*> all_catalogues() {
    std::vector<event_table const*> all;
    for (chip_model const* const chip : embedded_chips)
        if (auto const* const catalogue = event_table::of(*chip)) all.push_back(catalogue);
    return all;
}

} // namespace detail

struct found_domain {
    event_table const* catalogue = nullptr;
    chip_domain const* domain = nullptr;
};

[[nodiscard]] static found_domain find_domain(CUpti_EventDomainID id) {
    for (auto const* const catalogue : detail::all_catalogues())
        if (auto const* const domain = catalogue->find_domain(id)) return {catalogue, domain};
    return {};
}

struct found_event {
    event_table const* catalogue = nullptr;
    chip_event const* event = nullptr;
};

[[nodiscard]] static found_event find_event(CUpti_EventID id) {
    for (auto const* const catalogue : detail::all_catalogues())
        if (auto const* const event = catalogue->find_event(id)) return {catalogue, event};
    return {};
}

[[nodiscard]] static std::vector<CUpti_EventDomainID> listed_domains(event_table const& catalogue) {
    std::vector<CUpti_EventDomainID> ids;
    for (std::size_t i = 0; i < catalogue.listed_domains(); ++i) ids.push_back(catalogue.domains()[i].id);
    return ids;
}

[[nodiscard]] static CUptiResult put_domain_attribute(chip_domain const& domain, CUpti_EventDomainAttribute attribute,
                                                      bool of_device, std::size_t* size, void* value) {
    switch (attribute) {
        case CUPTI_EVENT_DOMAIN_ATTR_NAME: return detail::put_text(domain.name, size, value);
        case CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD: return detail::put(domain.method, size, value);
        case CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT:
            return of_device ? detail::put(std::uint32_t{domain.limits.profiled}, size, value)
                             : CUPTI_ERROR_INVALID_PARAMETER;
        case CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT:
            return of_device ? detail::put(std::uint32_t{domain.limits.total}, size, value)
                             : CUPTI_ERROR_INVALID_PARAMETER;
        default: return CUPTI_ERROR_INVALID_PARAMETER;
    }
}

CUptiResult get_num_event_domains(std::uint32_t* count) {
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *count = 0;
    for (auto const* const catalogue : detail::all_catalogues())
        *count += static_cast<std::uint32_t>(catalogue->listed_domains());
    return CUPTI_SUCCESS;
}

CUptiResult enum_event_domains(std::size_t* size, CUpti_EventDomainID* domains) {
    if (size == nullptr || domains == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    std::vector<CUpti_EventDomainID> ids;
    for (auto const* const catalogue : detail::all_catalogues())
        for (auto const id : listed_domains(*catalogue)) ids.push_back(id);
    return detail::put_all(ids, size, domains);
}

CUptiResult device_get_num_event_domains(CUdevice device, std::uint32_t* count) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *count = static_cast<std::uint32_t>(of.catalogue->listed_domains());
    return CUPTI_SUCCESS;
}

CUptiResult device_enum_event_domains(CUdevice device, std::size_t* size, CUpti_EventDomainID* domains) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (size == nullptr || domains == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    return detail::put_all(listed_domains(*of.catalogue), size, domains);
}

CUptiResult device_get_event_domain_attribute(CUdevice device, CUpti_EventDomainID domain,
                                              CUpti_EventDomainAttribute attribute, std::size_t* size, void* value) {
    auto const of = detail::of_device(device);
    if (of.status != CUPTI_SUCCESS) return of.status;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = of.catalogue->find_domain(domain);
    if (found == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    return put_domain_attribute(*found, attribute, true, size, value);
}

CUptiResult event_domain_get_attribute(CUpti_EventDomainID domain, CUpti_EventDomainAttribute attribute,
                                       std::size_t* size, void* value) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = find_domain(domain);
    if (found.domain == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    return put_domain_attribute(*found.domain, attribute, false, size, value);
}

CUptiResult event_domain_get_num_events(CUpti_EventDomainID domain, std::uint32_t* count) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = find_domain(domain);
    if (found.domain == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    *count = static_cast<std::uint32_t>(found.domain->events.size());
    return CUPTI_SUCCESS;
}

CUptiResult event_domain_enum_events(CUpti_EventDomainID domain, std::size_t* size, CUpti_EventID* events) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || events == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const found = find_domain(domain);
    if (found.domain == nullptr) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
    std::vector<CUpti_EventID> ids;
    for (std::size_t const i : found.domain->events) ids.push_back(found.catalogue->events()[i].id);
    return detail::put_all(ids, size, events);
}

CUptiResult event_get_attribute(CUpti_EventID event, CUpti_EventAttribute attribute, std::size_t* size, void* value) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (size == nullptr || value == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const* const found = find_event(event).event;
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

CUptiResult event_get_id_from_name(CUdevice device, char const* name, CUpti_EventID* event) {
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
