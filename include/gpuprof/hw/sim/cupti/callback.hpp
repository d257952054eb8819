// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded CUPTI's callback calls. Layer: hw/sim, CUPTI table.
#ifndef GPUPROF_HW_SIM_CUPTI_CALLBACK_HPP
#define GPUPROF_HW_SIM_CUPTI_CALLBACK_HPP

#include <cstdint> // switches

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../counters/api_callbacks.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

inline CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, cupti_callback callback, void* user_data) {
    return api_callbacks::instance().subscribe(subscriber, callback, user_data);
}
inline CUptiResult unsubscribe(CUpti_SubscriberHandle subscriber) {
    return api_callbacks::instance().unsubscribe(subscriber);
}
// Of the driver's calls, those that launch work are made known; enabling others succeeds.
inline CUptiResult enable_callback(std::uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                   CUpti_CallbackId id) {
    return api_callbacks::instance().enable(enable != 0, subscriber, domain, id);
}

inline void add_callback_calls(cupti_table& calls) {
    calls.Subscribe = subscribe;
    calls.Unsubscribe = unsubscribe;
    calls.EnableCallback = enable_callback;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_CALLBACK_HPP
