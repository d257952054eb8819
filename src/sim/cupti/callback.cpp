// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "callback.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <gpuprof/hw/abi/cupti_driver_calls.hpp>
#include "../gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

static CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, cupti_callback callback, void* user_data) {
    return shared().callbacks.subscribe(subscriber, callback, user_data);
}

// One subscriber is served here too: another one is told who that is, as "CUPTI for " and the first
// 53 characters of its name.
static CUptiResult subscribe_v2(CUpti_SubscriberHandle* subscriber, cupti_callback callback, void* user_data,
                                CUpti_SubscriberParams* params) {
    if (params == nullptr) return subscribe(subscriber, callback, user_data);
    if (params->structSize !=
        offsetof(CUpti_SubscriberParams, allowMultipleSubscribers)) // as CUPTI 13.0, larger ones too
        return CUPTI_ERROR_INVALID_PARAMETER;
    std::string_view const name = params->subscriberName == nullptr ? "" : params->subscriberName;
    return shared().callbacks.subscribe(subscriber, callback, user_data, name, params->oldSubscriberName,
                                        params->oldSubscriberSize);
}

static CUptiResult unsubscribe(CUpti_SubscriberHandle subscriber) { return shared().callbacks.unsubscribe(subscriber); }

// Calls of the runtime and of NVTX can be switched on and do not come: the embedded GPU has
// neither.
static CUptiResult enable_callback(std::uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                   CUpti_CallbackId id) {
    return shared().callbacks.enable(enable != 0, subscriber, domain, id);
}

static CUptiResult enable_domain(std::uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain) {
    return shared().callbacks.enable_domain(enable != 0, subscriber, domain);
}

// Not constant: CUPTI hands out its own table.
static constinit CUpti_CallbackDomain callback_domains[] = {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API,
                                                            CUPTI_CB_DOMAIN_RESOURCE,   CUPTI_CB_DOMAIN_SYNCHRONIZE,
                                                            CUPTI_CB_DOMAIN_NVTX,       CUPTI_CB_DOMAIN_STATE};

static CUptiResult enable_all_domains(std::uint32_t enable, CUpti_SubscriberHandle subscriber) {
    for (CUpti_CallbackDomain const domain : callback_domains)
        if (CUptiResult const status = enable_domain(enable, subscriber, domain)) return status;
    return CUPTI_SUCCESS;
}

static CUptiResult get_callback_state(std::uint32_t* enable, CUpti_SubscriberHandle subscriber,
                                      CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    if (enable == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    bool on = false;
    CUptiResult const status = shared().callbacks.is_enabled(on, subscriber, domain, id);
    if (status == CUPTI_SUCCESS) *enable = on ? 1 : 0;
    return status;
}

// Names the driver's calls that the table has.
static CUptiResult get_callback_name(CUpti_CallbackDomain domain, std::uint32_t id, char const** name) {
    if (name == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *name = nullptr;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        for_each_driver_call([&](char const* known, CUpti_CallbackId number) {
            if (number == id) *name = known;
        });
    return *name == nullptr ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

static CUptiResult supported_domains(std::size_t* count, CUpti_CallbackDomain** domains) {
    if (count == nullptr || domains == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *domains = callback_domains;
    *count = std::size(callback_domains);
    return CUPTI_SUCCESS;
}

void add_callback_calls(cupti_table& calls) {
    calls.Subscribe = subscribe;
    calls.Subscribe_v2 = subscribe_v2;
    calls.Unsubscribe = unsubscribe;
    calls.EnableCallback = enable_callback;
    calls.EnableDomain = enable_domain;
    calls.EnableAllDomains = enable_all_domains;
    calls.GetCallbackState = get_callback_state;
    calls.GetCallbackName = get_callback_name;
    calls.SupportedDomains = supported_domains;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
