// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of subscription.hpp.
#ifndef GPUPROF_HW_CALLBACKS_SUBSCRIPTION_INL_HPP
#define GPUPROF_HW_CALLBACKS_SUBSCRIPTION_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../abi/cupti.hpp"
#include "../machine/platform/fork.hpp"
#include "../machine/platform/mutex.hpp"
#include "../machine/status.hpp"
#include "call_words.hpp"
#include "inside.hpp"
#include "listener_entry.hpp"
#include "subscription.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
// Held while a subscription begins, changes or ends; callbacks do not take it.
inline constinit platform::mutex subscriptions_mutex{};

// Holds the mutex. Inside a callback it waits 50 ms at most: the holder may be in a CUPTI call that
// waits for callbacks.
class [[nodiscard]] subscriptions_lock {
public:
    subscriptions_lock() noexcept : held_{acquire()} {}
    ~subscriptions_lock() {
        if (held_) subscriptions_mutex.release();
    }
    subscriptions_lock(subscriptions_lock const&) = delete;
    subscriptions_lock& operator=(subscriptions_lock const&) = delete;

    [[nodiscard]] explicit operator bool() const noexcept { return held_; }

private:
    [[nodiscard]] static bool acquire() noexcept {
        if (!hw::inside_callback()) {
            subscriptions_mutex.acquire();
            return true;
        }
        for (unsigned round = 0; round < 1000; ++round) {
            if (subscriptions_mutex.try_acquire()) return true;
            platform::wait_a_little(round);
        }
        return false;
    }

    bool held_;
};
} // namespace detail

namespace hw {

// The subscriber of one CUPTI. Never destroyed: a callback may be on its way when the last listener
// goes.
struct subscription::hub {
    // Single calls, since a hub may outlive the machine, which owns the table.
    decltype(abi::cupti_table::Subscribe) subscribe = nullptr;
    decltype(abi::cupti_table::Subscribe_v2) subscribe_v2 = nullptr;
    decltype(abi::cupti_table::Unsubscribe) unsubscribe = nullptr;
    decltype(abi::cupti_table::EnableCallback) enable_callback = nullptr;
    decltype(abi::cupti_table::EnableDomain) enable_domain = nullptr;
    abi::CUpti_SubscriberHandle handle = nullptr;
    bool shared = false;    // with another tool
    unsigned forks = 0;     // platform::forks_so_far() of the process that subscribed
    callback_set enabled{}; // in CUPTI
    entry* first = nullptr; // grows at its end, never shrinks
    unsigned with_words = 0;

    [[nodiscard]] bool of_this_process() const noexcept { return forks == platform::forks_so_far(); }

    static void called(void* self, abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId number, void const* data) {
        auto& of = *static_cast<hub*>(self);
        if (!callback_set::known(domain) || !of.of_this_process()) return;
        bool const api = domain <= abi::CUPTI_CB_DOMAIN_RUNTIME_API && data != nullptr;
        gpuprof::detail::callback_frame frame{{domain, number, abi::CUPTI_API_ENTER}};
        if (api) frame.site = static_cast<abi::CUpti_CallbackData const*>(data)->callbackSite;
        frame.outer = gpuprof::detail::current_callback;
        if (api && gpuprof::detail::load_relaxed(of.with_words) != 0)
            frame.words = gpuprof::detail::words_of_calls.of(*static_cast<abi::CUpti_CallbackData const*>(data));
        gpuprof::detail::current_callback = &frame;
        callback_id const id{domain, number};
        for (entry* each = gpuprof::detail::load_acquire(of.first); each != nullptr;
             each = gpuprof::detail::load_acquire(each->next))
            if (each->hears(id)) each->call(frame, id, data);
        gpuprof::detail::current_callback = frame.outer;
        if (frame.words != nullptr && frame.site == abi::CUPTI_API_EXIT)
            gpuprof::detail::words_of_calls.leave(*static_cast<abi::CUpti_CallbackData const*>(data));
    }

    // @pre of all that follows: subscriptions_mutex is held

    [[nodiscard]] callback_set listened() const {
        callback_set all;
        for (entry const* each = first; each != nullptr; each = each->next)
            if (gpuprof::detail::load_relaxed(each->now) == entry::live) all |= each->ids();
        return all;
    }
    [[nodiscard]] bool any_listener() const {
        for (entry const* each = first; each != nullptr; each = each->next)
            if (gpuprof::detail::load_relaxed(each->now) == entry::live) return true;
        return false;
    }
    [[nodiscard]] entry& vacancy() {
        entry** at = &first;
        for (; *at != nullptr; at = &(*at)->next)
            if (gpuprof::detail::load_acquire((*at)->now) == entry::vacant) return **at;
        auto* const added = new entry;
        gpuprof::detail::store_release(*at, added);
        return *added;
    }
    // An index among a call's words that no live or ending entry has.
    [[nodiscard]] unsigned free_words() const {
        unsigned taken = 0;
        for (entry const* each = first; each != nullptr; each = each->next)
            if (gpuprof::detail::load_acquire(each->now) != entry::vacant && each->index != entry::no_words)
                taken |= 1u << each->index;
        unsigned index = 0;
        while ((taken >> index & 1u) != 0) ++index;
        return index;
    }

    [[nodiscard]] result<void> try_subscribe();
    [[nodiscard]] abi::CUptiResult enable(bool on, abi::CUpti_CallbackDomain domain, unsigned number) const {
        auto const status = enable_callback(on ? 1 : 0, handle, domain, number);
        // An older CUPTI does not know the newest calls, which then never happen.
        return status == abi::CUPTI_ERROR_INVALID_PARAMETER ? abi::CUPTI_SUCCESS : status;
    }
    [[nodiscard]] result<void> try_sync(callback_set const& wanted);
    [[nodiscard]] result<void> try_sync_domain(callback_set const& wanted, abi::CUpti_CallbackDomain domain);
    void sync_with_cupti();
};

} // namespace hw

namespace detail {
// One a process, even where header-only files and the compiled library meet.
inline constinit std::vector<hw::subscription::hub*>* subscription_hubs = nullptr;

// @pre the mutex is held
[[nodiscard]] inline hw::subscription::hub* hub_of(abi::cupti_table const& cupti) {
    if (subscription_hubs == nullptr) return nullptr;
    for (hw::subscription::hub* const each : *subscription_hubs) // machines may share one CUPTI
        if (each->subscribe == cupti.Subscribe) return each;
    return nullptr;
}
[[nodiscard]] inline hw::subscription::hub& make_hub(abi::cupti_table const& cupti) {
    if (subscription_hubs == nullptr) {
        subscription_hubs = new std::vector<hw::subscription::hub*>;
        platform::watch_forks();
        static_cast<void>(
            platform::hold_over_fork([] { subscriptions_mutex.acquire(); }, [] { subscriptions_mutex.release(); }));
    }
    subscription_hubs->reserve(subscription_hubs->size() + 1);
    auto* const added = new hw::subscription::hub;
    added->subscribe = cupti.Subscribe;
    added->forks = platform::forks_so_far();
    subscription_hubs->push_back(added);
    return *added;
}
// The error in a process that was forked from one that had subscribed.
[[nodiscard]] inline error refused_after_fork() {
    return {errc::unavailable, 0, "cuptiSubscribe",
            "this process was forked from one that had subscribed to CUPTI, which does not work in the child",
            "use CUDA in processes that were started anew (exec, or the start method \"spawn\")"};
}
} // namespace detail

namespace hw {

GPUPROF_INLINE result<void> subscription::hub::try_subscribe() {
    // First exclusively: CUPTI's other interfaces know only one client. Then beside another tool,
    // if that tool allows it (13.2).
    char other[128] = {};
    auto status = abi::CUPTI_ERROR_NOT_SUPPORTED;
    for (std::uint8_t const beside : {std::uint8_t{0}, std::uint8_t{1}}) {
        if (subscribe_v2 == nullptr || (beside != 0 && status != abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED))
            break;
        char name[sizeof other] = {};
        abi::CUpti_SubscriberParams names;
        if (beside == 0) names.structSize = offsetof(abi::CUpti_SubscriberParams, allowMultipleSubscribers);
        names.subscriberName = "gpuprof";
        names.oldSubscriberName = beside != 0 ? name : other;
        names.oldSubscriberSize = sizeof other - 1;
        names.allowMultipleSubscribers = beside;
        auto const answer = subscribe_v2(&handle, &hub::called, this, &names);
        if (beside == 0 || answer == abi::CUPTI_SUCCESS) status = answer;
        shared = beside != 0 && answer == abi::CUPTI_SUCCESS;
    }
    if (status != abi::CUPTI_SUCCESS && status != abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        status = subscribe(&handle, &hub::called, this);
    if (status == abi::CUPTI_SUCCESS) {
        enabled = {};
        return {};
    }
    handle = nullptr;
    error why = explain("cuptiSubscribe", status);
    if (status == abi::CUPTI_ERROR_MAX_LIMIT_REACHED) { // what CUPTI before 11.0 says of a second subscriber
        why = explain("cuptiSubscribe", abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
        why.status = status;
    }
    if (other[0] != '\0') why.cause = std::string{"CUPTI serves one subscriber, and that is \""} + other + '"';
    return why;
}

// @pre the process has subscribed
GPUPROF_INLINE result<void> subscription::hub::try_sync_domain(callback_set const& wanted,
                                                               abi::CUpti_CallbackDomain domain) {
    bool const whole = wanted.whole(domain);
    auto const change = [&](bool on) -> result<void> {
        if (enable_domain == nullptr) {
            error why{errc::unavailable, 0, "cuptiEnableDomain", "this CUPTI lacks the call", "use a newer CUPTI"};
            return why;
        }
        auto const status = enable_domain(on ? 1 : 0, handle, domain);
        if (status == abi::CUPTI_SUCCESS) return {};
        error why = explain("cuptiEnableDomain", status);
        if (status == abi::CUPTI_ERROR_INVALID_PARAMETER) {
            why.code = errc::unavailable;
            why.cause = "this CUPTI has no callbacks of that kind";
            why.remedy = "use a newer CUPTI";
        }
        return why;
    };
    if (whole && !enabled.whole(domain)) {
        if (auto changed = change(true); !changed) return changed;
        enabled |= callback_set::all_of(domain);
        return {};
    }
    if (whole) return {};
    if (enabled.whole(domain) && !wanted.any(domain)) {
        if (auto changed = change(false); !changed) return changed;
        enabled -= callback_set::all_of(domain);
        return {};
    }
    // One by one, even where a whole domain shrinks: the remaining callbacks must not pause.
    bool const shrinking = enabled.whole(domain);
    for (unsigned number = 0; number < callback_set::room(domain); ++number) {
        callback_id const id{domain, number};
        bool const on = wanted.has(id);
        if (on == enabled.has(id)) continue;
        if (auto const status = enable(on, domain, number); status != abi::CUPTI_SUCCESS)
            return explain("cuptiEnableCallback", status);
        if (shrinking) continue;
        if (on) enabled.add(id);
        else enabled -= callback_set{id};
    }
    if (shrinking) {
        enabled -= callback_set::all_of(domain);
        for (unsigned number = 0; number < callback_set::room(domain); ++number)
            if (wanted.has({domain, number})) enabled.add({domain, number});
    }
    return {};
}

GPUPROF_INLINE result<void> subscription::hub::try_sync(callback_set const& wanted) {
    for (unsigned d = 1; d < gpuprof::detail::callback_domains; ++d) {
        auto const domain = static_cast<abi::CUpti_CallbackDomain>(d);
        if (!wanted.any(domain) && !enabled.any(domain)) continue;
        if (auto synced = try_sync_domain(wanted, domain); !synced) return synced;
    }
    return {};
}

// Enables in CUPTI what the listeners want; failures are ignored.
GPUPROF_INLINE void subscription::hub::sync_with_cupti() {
    if (handle == nullptr) return;
    if (any_listener()) static_cast<void>(try_sync(listened()));
    else if (unsubscribe(handle) == abi::CUPTI_SUCCESS) handle = nullptr; // else the next subscription uses it
}

GPUPROF_INLINE result<subscription> subscription::try_begin(machine const& on, callback_set const& ids, listener heard,
                                                            void* self, extras more) {
    abi::cupti_table const& cupti = on.cupti;
    if (cupti.Subscribe == nullptr || cupti.Unsubscribe == nullptr || cupti.EnableCallback == nullptr)
        return unavailable_call(on, "cuptiSubscribe");
    gpuprof::detail::subscriptions_lock const control;
    if (!control) return refused_inside_callback("beginning to listen");
    hub* found = gpuprof::detail::hub_of(cupti);
    if (found == nullptr) found = &gpuprof::detail::make_hub(cupti);
    if (!found->of_this_process()) return gpuprof::detail::refused_after_fork();
    entry& place = found->vacancy();
    unsigned const index = more.words ? found->free_words() : entry::no_words;
    if (more.words && index >= gpuprof::detail::call_words::listeners) {
        error why{errc::busy, 0, "beginning to listen",
                  "there are eight listeners that share words between entry and exit", "end one of them"};
        return why;
    }
    if (found->handle == nullptr) {
        found->subscribe_v2 = cupti.Subscribe_v2;
        found->unsubscribe = cupti.Unsubscribe;
        found->enable_callback = cupti.EnableCallback;
        found->enable_domain = cupti.EnableDomain;
        if (auto subscribed = found->try_subscribe(); !subscribed) return std::move(subscribed).error();
    }
    if (auto synced = found->try_sync(found->listened() | ids); !synced) {
        found->sync_with_cupti();
        return std::move(synced).error();
    }
    place.heard = heard;
    place.self = self;
    place.released = more.released;
    place.index = index;
    place.set(ids);
    if (more.words) gpuprof::detail::add_relaxed(found->with_words, 1u);
    gpuprof::detail::store_ordered(place.now, entry::live);
    return subscription{*found, place};
}

GPUPROF_INLINE void subscription::end() noexcept {
    entry& place = *entry_;
    if (place.index != entry::no_words) gpuprof::detail::add_relaxed(hub_->with_words, ~0u);
    gpuprof::detail::store_ordered(place.now, entry::ended);
    if (hub_->of_this_process()) {
        {
            gpuprof::detail::subscriptions_lock const control;
            if (control) hub_->sync_with_cupti(); // else the next change disables the callbacks
        }
        place.wait_for_others();
    }
    place.release();
}

GPUPROF_INLINE result<void> subscription::try_enable(callback_set const& more) {
    gpuprof::detail::subscriptions_lock const control;
    if (!control) return refused_inside_callback("changing what is listened to");
    if (!hub_->of_this_process()) return gpuprof::detail::refused_after_fork();
    callback_set const ids = entry_->ids() | more;
    if (hub_->handle != nullptr) // else the next subscription, or try_resume, enables them
        if (auto synced = hub_->try_sync(hub_->listened() | ids); !synced) {
            hub_->sync_with_cupti();
            return synced;
        }
    entry_->set(ids);
    return {};
}

GPUPROF_INLINE result<void> subscription::try_disable(callback_set const& less) {
    gpuprof::detail::subscriptions_lock const control;
    if (!control) return refused_inside_callback("changing what is listened to");
    if (!hub_->of_this_process()) return gpuprof::detail::refused_after_fork();
    entry_->set(entry_->ids() - less);
    hub_->sync_with_cupti();
    return {};
}

GPUPROF_INLINE callback_set subscription::heard() const { return entry_->ids(); }

GPUPROF_INLINE abi::CUpti_SubscriberHandle subscription::shared_handle(machine const& on) {
    gpuprof::detail::subscriptions_lock const control;
    hub const* const found = gpuprof::detail::hub_of(on.cupti);
    return control && found != nullptr && found->shared && found->of_this_process() ? found->handle : nullptr;
}

GPUPROF_INLINE void subscription::suspend(machine const& on) {
    gpuprof::detail::subscriptions_lock const control;
    if (hub* const found = gpuprof::detail::hub_of(on.cupti); control && found != nullptr) found->handle = nullptr;
}

GPUPROF_INLINE result<void> subscription::try_resume(machine const& on) {
    gpuprof::detail::subscriptions_lock const control;
    if (!control) return refused_inside_callback("beginning to listen");
    hub* const found = gpuprof::detail::hub_of(on.cupti);
    if (found == nullptr || found->handle != nullptr || !found->any_listener()) return {};
    if (!found->of_this_process()) return gpuprof::detail::refused_after_fork();
    if (auto subscribed = found->try_subscribe(); !subscribed) return subscribed;
    return found->try_sync(found->listened());
}

GPUPROF_INLINE std::uint64_t* word_of_call() noexcept {
    if (gpuprof::detail::current_callback == nullptr) return nullptr;
    auto const& frame = static_cast<gpuprof::detail::callback_frame const&>(*gpuprof::detail::current_callback);
    if (frame.in == nullptr || frame.words == nullptr || frame.in->index == subscription::entry::no_words)
        return nullptr;
    return frame.words + frame.in->index;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_SUBSCRIPTION_INL_HPP
