// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of subscription.hpp. Layer: hw.
#ifndef GPUPROF_HW_CALLBACKS_SUBSCRIPTION_INL_HPP
#define GPUPROF_HW_CALLBACKS_SUBSCRIPTION_INL_HPP

#include <cstddef> // std::size_t
#include <vector>  // who listens to what

#include "../abi/cupti.hpp"
#include "../machine/platform/mutex.hpp"
#include "../machine/status.hpp"
#include "subscription.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// One for each CUPTI that this process has met, never destroyed: a callback may be on its way when the last listener goes.
struct subscription::hub {
    struct entry {
        unsigned number;
        std::vector<callback_id> ids;
        listener heard;
        void* self;
    };

    // The calls, not the table: that is its machine's, which a hub may outlive.
    decltype(abi::cupti_table::Subscribe) subscribe = nullptr;
    decltype(abi::cupti_table::Unsubscribe) unsubscribe = nullptr;
    decltype(abi::cupti_table::EnableCallback) enable = nullptr;
    abi::CUpti_SubscriberHandle handle = nullptr;
    platform::mutex listening{}; // the only one that callbacks take; never held while CUPTI is called
    std::vector<entry> entries{};
    unsigned last_number = 0;

    // @pre the control mutex is held: nobody else changes the entries
    [[nodiscard]] bool listens_to(callback_id id) const {
        for (entry const& each : entries)
            for (callback_id const& listened : each.ids)
                if (listened == id) return true;
        return false;
    }

    static void called(void* self, abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId number, void const* data) {
        auto& of = *static_cast<hub*>(self);
        callback_id const id{domain, number};
        platform::lock const held{of.listening};
        for (entry const& each : of.entries)
            for (callback_id const& listened : each.ids)
                if (listened == id) each.heard(each.self, id, data);
    }
};

} // namespace hw

namespace detail {
// Held while a subscription begins or ends.
inline constinit platform::mutex subscriptions_mutex{};
// One a process, also where header-only files and the compiled library meet.
inline constinit std::vector<hw::subscription::hub*>* subscription_hubs = nullptr;
} // namespace detail

namespace hw {

GPUPROF_DEFINE result<subscription> subscription::try_begin(machine const& on, std::span<callback_id const> ids,
                                                            listener heard, void* self) {
    abi::cupti_table const& cupti = on.cupti;
    if (cupti.Subscribe == nullptr || cupti.Unsubscribe == nullptr || cupti.EnableCallback == nullptr)
        return unavailable_call(on, "cuptiSubscribe");
    platform::lock const control{gpuprof::detail::subscriptions_mutex};
    auto*& hubs = gpuprof::detail::subscription_hubs;
    if (hubs == nullptr) hubs = new std::vector<hub*>;
    hub* found = nullptr;
    for (hub* const each : *hubs) // machines may share one CUPTI
        if (each->subscribe == cupti.Subscribe) found = each;
    if (found == nullptr) {
        hubs->reserve(hubs->size() + 1);
        found = new hub;
        found->subscribe = cupti.Subscribe;
        hubs->push_back(found);
    }
    hub::entry made{++found->last_number, {ids.begin(), ids.end()}, heard, self};
    {
        platform::lock const held{found->listening};
        found->entries.reserve(found->entries.size() + 1); // nothing below may fail for want of memory
    }
    bool const first = found->handle == nullptr;
    if (first) {
        found->unsubscribe = cupti.Unsubscribe;
        found->enable = cupti.EnableCallback;
        if (auto const status = cupti.Subscribe(&found->handle, &hub::called, found)) {
            found->handle = nullptr;
            return explain("cuptiSubscribe", status);
        }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto const status = found->listens_to(ids[i])
                                ? abi::CUPTI_SUCCESS
                                : cupti.EnableCallback(1, found->handle, ids[i].domain, ids[i].number);
        // An older CUPTI does not know the newest calls, which then do not happen.
        if (status == abi::CUPTI_SUCCESS || status == abi::CUPTI_ERROR_INVALID_PARAMETER) continue;
        if (first) static_cast<void>(cupti.Unsubscribe(std::exchange(found->handle, nullptr)));
        for (std::size_t k = 0; !first && k < i; ++k)
            if (!found->listens_to(ids[k]))
                static_cast<void>(cupti.EnableCallback(0, found->handle, ids[k].domain, ids[k].number));
        return explain("cuptiEnableCallback", status);
    }
    unsigned const number = made.number;
    platform::lock const held{found->listening};
    found->entries.push_back(std::move(made));
    return subscription{*found, number};
}

GPUPROF_INLINE void subscription::end() noexcept {
    platform::lock const control{gpuprof::detail::subscriptions_mutex};
    hub& of = *hub_;
    hub::entry ended{};
    {
        platform::lock const held{of.listening};
        for (std::size_t i = 0; i < of.entries.size(); ++i)
            if (of.entries[i].number == number_) {
                ended = std::move(of.entries[i]);
                of.entries.erase(of.entries.begin() + static_cast<std::ptrdiff_t>(i));
                break;
            }
    }
    if (of.handle == nullptr) return;
    if (of.entries.empty()) {
        if (of.unsubscribe(of.handle) == abi::CUPTI_SUCCESS) of.handle = nullptr; // else the next one goes on with it
        return;
    }
    for (callback_id const id : ended.ids)
        if (!of.listens_to(id)) static_cast<void>(of.enable(0, of.handle, id.domain, id.number));
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_SUBSCRIPTION_INL_HPP
