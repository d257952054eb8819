// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hears of calls and happenings through CUPTI's callbacks; any number of listeners share the one that CUPTI serves. Layer: hw.
#ifndef GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP
#define GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP

#include <span>    // what to listen to
#include <utility> // std::exchange

#include "../../core/result.hpp"
#include "../abi/cupti_callback.hpp"
#include "../machine/machine.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What can be listened to: a call of the driver or the runtime, or something that happens to a context or a stream.
struct callback_id {
    abi::CUpti_CallbackDomain domain = abi::CUPTI_CB_DOMAIN_INVALID;
    abi::CUpti_CallbackId number = 0;

    friend bool operator==(callback_id const&, callback_id const&) = default;
};

// While it lives, a listener gets the callbacks that it named, at entry and at exit, on the thread that makes the call. CUPTI
// serves one subscriber a process: gpuprof is that one from the first subscription to the last, and tells each listener.
// A listener must be quick, must not throw, and must not begin or end a subscription; `data` is valid during the call.
// Errors: unavailable where CUPTI has no callbacks, busy where another tool is CUPTI's subscriber, and what
// cuptiEnableCallback says; a number that this CUPTI does not know is no error.
// Cost: 12 us on an H200 to begin and end, nothing after the end. Thread-safe. CUPTI 12.0, 2.4.
class subscription {
public:
    using listener = void (*)(void* self, callback_id id, void const* data);

    // @pre the machine outlives the subscription
    GPUPROF_DECLARE [[nodiscard]] static result<subscription>
    try_begin(machine const& on, std::span<callback_id const> ids, listener heard, void* self);

    subscription(subscription&& other) noexcept : hub_{std::exchange(other.hub_, nullptr)}, number_{other.number_} {}
    subscription& operator=(subscription&&) = delete;
    // After it the listener runs no more, on any thread.
    ~subscription() {
        if (hub_ != nullptr) end();
    }

    struct hub; // what this process has subscribed with one CUPTI

private:
    subscription(hub& of, unsigned number) noexcept : hub_{&of}, number_{number} {}
    void end() noexcept;

    hub* hub_;
    unsigned number_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "subscription.inl.hpp"
#endif

#endif // GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP
