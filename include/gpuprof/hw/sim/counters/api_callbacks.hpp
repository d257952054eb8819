// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who hears of the embedded GPU's driver calls and happenings. Layer: hw/sim; between the driver table, which makes them
// known, and the CUPTI table, through which tools subscribe.
#ifndef GPUPROF_HW_SIM_COUNTERS_API_CALLBACKS_HPP
#define GPUPROF_HW_SIM_COUNTERS_API_CALLBACKS_HPP

#include <algorithm>   // std::min
#include <array>       // the subscriber's name
#include <atomic>      // calls look without a lock
#include <cstddef>     // std::size_t
#include <cstdint>     // subscriptions are numbered
#include <string_view> // names
#include <type_traits> // static_assert

#include "../../../detail/config.hpp"
#include "../../abi/cupti_callback.hpp"
#include "../../abi/results.hpp"
#include "../../machine/platform/mutex.hpp"
#include "call_trace.hpp"
#include "callback_switches.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One subscriber a process, as CUPTI has. Thread-safe. Nothing is locked while the subscriber is called: it may make driver
// calls, which it hears of too, and unsubscribe. A callback that was on its way when its subscriber left may still arrive.
class api_callbacks {
public:
    constexpr api_callbacks() = default;
    api_callbacks(api_callbacks const&) = delete;
    api_callbacks& operator=(api_callbacks const&) = delete;

    [[nodiscard]] static api_callbacks& instance() noexcept;

    // @param old_name null, or room for the name of who holds CUPTI, which is cut to it
    [[nodiscard]] abi::CUptiResult subscribe(abi::CUpti_SubscriberHandle* handle, abi::cupti_callback callback,
                                             void* user_data, std::string_view name = {}, char* old_name = nullptr,
                                             std::size_t old_name_room = 0) {
        platform::lock const held{mutex_};
        if (old_name_room == 0) old_name = nullptr;
        if (old_name != nullptr) *old_name = '\0';
        if (handle == nullptr || callback == nullptr) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        if (subscribed()) {
            if (old_name != nullptr) old_name[std::string_view{name_.data()}.copy(old_name, old_name_room - 1)] = '\0';
            return abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
        }
        set_name(name);
        callback_.store(callback, std::memory_order_release);
        user_data_.store(user_data, std::memory_order_release);
        *handle = next();
        return abi::CUPTI_SUCCESS;
    }

    [[nodiscard]] abi::CUptiResult unsubscribe(abi::CUpti_SubscriberHandle handle) {
        platform::lock const held{mutex_};
        if (!is_current(handle)) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        clear();
        return abi::CUPTI_SUCCESS;
    }

    [[nodiscard]] abi::CUptiResult enable(bool on, abi::CUpti_SubscriberHandle handle, abi::CUpti_CallbackDomain domain,
                                          abi::CUpti_CallbackId id) {
        platform::lock const held{mutex_};
        if (!is_current(handle) || !is_callback(domain, id)) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        switches_.set(on, domain, id);
        return abi::CUPTI_SUCCESS;
    }

    [[nodiscard]] abi::CUptiResult enable_domain(bool on, abi::CUpti_SubscriberHandle handle,
                                                 abi::CUpti_CallbackDomain domain) {
        platform::lock const held{mutex_};
        if (!is_current(handle) || callback_id_end(domain) == 0) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        switches_.set_domain(on, domain);
        return abi::CUPTI_SUCCESS;
    }

    [[nodiscard]] abi::CUptiResult is_enabled(bool& on, abi::CUpti_SubscriberHandle handle,
                                              abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) {
        platform::lock const held{mutex_};
        if (!is_current(handle) || !is_callback(domain, id)) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        on = switches_.is_on(domain, id);
        return abi::CUPTI_SUCCESS;
    }

    // As cuptiFinalize does.
    void reset() {
        platform::lock const held{mutex_};
        if (subscribed()) clear();
    }

    // One relaxed load.
    [[nodiscard]] bool subscribed() const noexcept { return (subscription_.load(std::memory_order_relaxed) & 1) != 0; }

    // Whether somebody hears of it, at the cost of two relaxed loads.
    [[nodiscard]] bool is_heard(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) const noexcept {
        return subscribed() && switches_.is_on(domain, id);
    }

    // Calls the subscriber, if it hears of this. Returns the number of its subscription, 0 if nobody was called. @param
    // expected the subscription for which `word`, the one between entry and exit, was written; for another it is cleared
    std::uint64_t tell(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id, void const* data,
                       std::uint64_t expected = 0, std::uint64_t* word = nullptr) const {
        // Read in one piece: as long as the number stays, so do the callback and its data.
        std::uint64_t const number = subscription_.load(std::memory_order_acquire);
        if ((number & 1) == 0 || !switches_.is_on(domain, id)) return 0;
        abi::cupti_callback const callback = callback_.load(std::memory_order_acquire);
        void* const user_data = user_data_.load(std::memory_order_acquire);
        if (subscription_.load(std::memory_order_relaxed) != number) return 0;
        if (word != nullptr && number != expected) *word = 0;
        callback(user_data, domain, id, data);
        return number;
    }

private:
    // The handle is the number of the subscription, which is odd: one that was given back is found out.
    [[nodiscard]] bool is_current(abi::CUpti_SubscriberHandle handle) const noexcept {
        return subscribed() &&
               reinterpret_cast<std::uintptr_t>(handle) == subscription_.load(std::memory_order_relaxed);
    }
    abi::CUpti_SubscriberHandle next() noexcept {
        std::uint64_t const number = subscription_.load(std::memory_order_relaxed) + 1;
        subscription_.store(number, std::memory_order_release);
        set_reason(somebody_subscribed, (number & 1) != 0);
        return reinterpret_cast<abi::CUpti_SubscriberHandle>(static_cast<std::uintptr_t>(number));
    }
    void clear() noexcept {
        static_cast<void>(next()); // first: who reads the rest sees that it was too late
        callback_.store(nullptr, std::memory_order_release);
        user_data_.store(nullptr, std::memory_order_release);
        switches_.clear();
    }
    void set_name(std::string_view name) noexcept {
        constexpr std::string_view prefix = "CUPTI for ";
        std::size_t end = prefix.copy(name_.data(), name.empty() ? 5 : prefix.size());
        end += name.copy(name_.data() + end, name_.size() - 1 - end);
        name_[end] = '\0';
    }

    platform::mutex mutex_;                      // a std::mutex is no constant everywhere
    std::atomic<std::uint64_t> subscription_{0}; // odd while somebody is subscribed
    std::atomic<abi::cupti_callback> callback_{nullptr};
    std::atomic<void*> user_data_{nullptr};
    callback_switches switches_;
    std::array<char, 64> name_{};
};

// An application may still call the tables while its statics go away.
static_assert(std::is_trivially_destructible_v<api_callbacks>);

namespace detail {
inline constinit api_callbacks all_callbacks{};
} // namespace detail

inline api_callbacks& api_callbacks::instance() noexcept { return detail::all_callbacks; }

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_API_CALLBACKS_HPP
