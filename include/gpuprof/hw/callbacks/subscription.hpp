// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hears of calls and happenings through CUPTI's callbacks; any number of listeners share the one that CUPTI serves. Layer: hw.
#ifndef GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP
#define GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP

#include <cstdint> // words of a call
#include <span>    // what to listen to
#include <utility> // std::exchange

#include "../../core/result.hpp"
#include "../abi/cupti_callback.hpp"
#include "../machine/machine.hpp"
#include "callback_set.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

struct listener_entry; // a listener's place in a hub

// While it lives, a listener gets the callbacks that it named, at entry and at exit, on the thread that makes the call. CUPTI
// serves one subscriber a process: gpuprof is that one from the first subscription to the last, and tells each listener.
// A listener must be quick and must not throw; `data` is valid during the call. It may begin, change and end subscriptions,
// its own too. Listeners of many threads run side by side, without a lock.
//
// In a forked child a subscription of the parent does nothing, and none can begin: CUPTI does not work there.
//
// Errors: unavailable where CUPTI has no callbacks, busy where another tool is CUPTI's subscriber (the error names it, where
// CUPTI 13.0 or later does), inside_callback if the call would have to wait there, and what cuptiEnableCallback says; a
// number that this CUPTI does not know is no error. Cost: 12 us on an H200 to begin and end, nothing after the end.
// Thread-safe. CUPTI 12.0, 2.4.
class subscription {
public:
    using listener = void (*)(void* self, callback_id id, void const* data);

    // What else a listener may want.
    struct extras {
        void (*released)(void* self) =
            nullptr; // called once, after the end, when the listener runs on no thread any more
        bool words =
            false; // a word for each call, kept from its entry to its exit: see word_of_call(); eight listeners at most
    };

    // @pre the machine outlives the subscription
    GPUPROF_DECLARE [[nodiscard]] static result<subscription> try_begin(machine const& on, callback_set const& ids,
                                                                        listener heard, void* self, extras more);
    [[nodiscard]] static result<subscription> try_begin(machine const& on, std::span<callback_id const> ids,
                                                        listener heard, void* self) {
        callback_set set;
        for (callback_id const id : ids) set.add(id);
        return try_begin(on, set, heard, self, extras{});
    }

    subscription(subscription&& other) noexcept
        : hub_{std::exchange(other.hub_, nullptr)}, entry_{std::exchange(other.entry_, nullptr)} {}
    subscription& operator=(subscription&&) = delete;
    // After it the listener runs no more, on any thread: it waits for those that do. Ended inside a callback, it does not
    // wait for a thread that is itself ending a subscription inside a callback: that one's listener may run on to its end.
    ~subscription() {
        if (hub_ != nullptr) end();
    }

    // More to hear, or less. On an error nothing has changed. Callbacks that go on are not interrupted.
    GPUPROF_DECLARE [[nodiscard]] result<void> try_enable(callback_set const& more);
    GPUPROF_DECLARE [[nodiscard]] result<void> try_disable(callback_set const& less);
    // What is heard now.
    GPUPROF_DECLARE [[nodiscard]] callback_set heard() const;

    // For who detaches CUPTI by cuptiFinalize: forgets the subscriber, which went with it. Listeners hear nothing until
    // try_resume(), or until another subscription begins. @pre cuptiFinalize has returned
    GPUPROF_DECLARE static void suspend(machine const& on);
    // Subscribes anew if there are listeners.
    GPUPROF_DECLARE [[nodiscard]] static result<void> try_resume(machine const& on);

    struct hub; // what this process has subscribed with one CUPTI
    using entry = listener_entry;

private:
    subscription(hub& of, entry& at) noexcept : hub_{&of}, entry_{&at} {}
    void end() noexcept;

    hub* hub_;
    entry* entry_;
};

// The word of the call that this thread's listener is told of: 0 at the call's entry, and at its exit what the listener left
// there at the entry. Null outside of listeners, without extras::words, and in domains other than the driver's and the
// runtime's. Each listener has its own.
[[nodiscard]] std::uint64_t* word_of_call() noexcept;

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "subscription.inl.hpp"
#endif

#endif // GPUPROF_HW_CALLBACKS_SUBSCRIPTION_HPP
