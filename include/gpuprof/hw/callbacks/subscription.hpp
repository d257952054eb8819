// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscriptions to CUPTI's callbacks. Any number of listeners share the one subscriber that CUPTI
// serves.
#ifndef GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP
#define GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP

#include <cstdint>
#include <span>
#include <utility>

#include "../../core/result.hpp"
#include "../abi/cupti_callback.hpp"
#include "../machine/machine.hpp"
#include "callback_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

struct listener_entry;

// While it lives, its listener gets the callbacks that it named, at entry and at exit, on the
// thread that makes the call. CUPTI serves one subscriber a process: gpuprof is that one from the
// first subscription to the last, and calls each listener. A listener must be quick and must not
// throw; `data` is valid during the call. It may begin, change and end subscriptions, its own too.
// Listeners of several threads run at the same time, without a lock.
//
// In a forked child the parent's subscriptions do nothing, and none can begin: CUPTI does not work
// there.
//
// Errors: unavailable where CUPTI has no callbacks; busy where another tool is CUPTI's subscriber
// (with its name, from CUPTI 13.0 on); inside_callback if the call would have to wait there; what
// cuptiEnableCallback says. A number that this CUPTI does not know is no error. Cost: 12 us on an
// H200 to begin and end, nothing after the end. Thread-safe. CUPTI 12.0, 2.4.
class subscription {
public:
    using listener = void (*)(void* self, callback_id id, void const* data);

    // Optional services for a listener.
    struct extras {
        // Called once after the end, when the listener runs on no thread any more.
        void (*released)(void* self) = nullptr;
        // Keeps a word for each call from its entry to its exit: see word_of_call(). Eight
        // listeners at most.
        bool words = false;
    };

    // @pre the machine outlives the subscription
    [[nodiscard]] static result<subscription> try_begin(machine const& on, callback_set const& ids, listener heard,
                                                        void* self, extras more);
    [[nodiscard]] static result<subscription> try_begin(machine const& on, std::span<callback_id const> ids,
                                                        listener heard, void* self) {
        callback_set set;
        for (callback_id const id : ids) set.add(id);
        return try_begin(on, set, heard, self, extras{});
    }

    subscription(subscription&& other) noexcept
        : hub_{std::exchange(other.hub_, nullptr)}, entry_{std::exchange(other.entry_, nullptr)} {}
    subscription& operator=(subscription&&) = delete;
    // After it the listener runs on no thread: it waits for those that run. Inside a callback it
    // does not wait for a thread that is itself ending a subscription inside a callback: that
    // thread's listener may run on to its end.
    ~subscription() {
        if (hub_ != nullptr) end();
    }

    // Adds or removes callbacks. An error changes nothing. Running callbacks are not interrupted.
    [[nodiscard]] result<void> try_enable(callback_set const& more);
    [[nodiscard]] result<void> try_disable(callback_set const& less);
    // The callbacks that are enabled now.
    [[nodiscard]] callback_set heard() const;

    // CUPTI's handle of this process's subscriber while it shares CUPTI with another tool, for calls
    // that take one; null where it is alone, or there is none. Valid until the last subscription ends.
    [[nodiscard]] static abi::CUpti_SubscriberHandle shared_handle(machine const& on);

    // For cuptiFinalize: forgets the subscriber, which ended with it. Listeners get no callbacks
    // until try_resume(), or until another subscription begins. @pre cuptiFinalize has returned
    static void suspend(machine const& on);
    // Subscribes again if there are listeners.
    [[nodiscard]] static result<void> try_resume(machine const& on);

    struct hub; // this process's subscriber of one CUPTI
    using entry = listener_entry;

private:
    subscription(hub& of, entry& at) noexcept : hub_{&of}, entry_{&at} {}
    void end() noexcept;

    hub* hub_;
    entry* entry_;
};

// The listener's own word for the current call: 0 at the call's entry; at its exit what the
// listener stored at the entry. Null outside of listeners, without extras::words, and in domains
// other than the driver's and the runtime's.
[[nodiscard]] std::uint64_t* word_of_call() noexcept;

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "subscription.inl.hpp"
#endif

#endif // GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP
