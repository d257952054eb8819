// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api_callbacks.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <gpuprof/hw/machine/platform/mutex.hpp>

#include "call_trace.hpp"
#include "callback_switches.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void callback_switches::set(bool on, abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept {
    std::uint64_t const bit = std::uint64_t{1} << (id % 64);
    auto& word = words_[index(domain, id)];
    if (on) word.fetch_or(bit, std::memory_order_relaxed);
    else word.fetch_and(~bit, std::memory_order_relaxed);
}
void callback_switches::set_domain(bool on, abi::CUpti_CallbackDomain domain) noexcept {
    for (abi::CUpti_CallbackId id = 1; id < callback_id_end(domain); ++id) set(on, domain, id);
}
void callback_switches::clear() noexcept {
    for (auto& word : words_) word.store(0, std::memory_order_relaxed);
}

abi::CUptiResult api_callbacks::subscribe(abi::CUpti_SubscriberHandle* handle, abi::cupti_callback callback,
                                          void* user_data, std::string_view name, char* old_name,
                                          std::size_t old_name_room) {
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

abi::CUptiResult api_callbacks::unsubscribe(abi::CUpti_SubscriberHandle handle) {
    platform::lock const held{mutex_};
    if (!is_current(handle)) return abi::CUPTI_ERROR_INVALID_PARAMETER;
    clear();
    return abi::CUPTI_SUCCESS;
}

abi::CUptiResult api_callbacks::enable(bool on, abi::CUpti_SubscriberHandle handle, abi::CUpti_CallbackDomain domain,
                                       abi::CUpti_CallbackId id) {
    platform::lock const held{mutex_};
    if (!is_current(handle) || !is_callback(domain, id)) return abi::CUPTI_ERROR_INVALID_PARAMETER;
    switches_.set(on, domain, id);
    return abi::CUPTI_SUCCESS;
}

abi::CUptiResult api_callbacks::enable_domain(bool on, abi::CUpti_SubscriberHandle handle,
                                              abi::CUpti_CallbackDomain domain) {
    platform::lock const held{mutex_};
    if (!is_current(handle) || callback_id_end(domain) == 0) return abi::CUPTI_ERROR_INVALID_PARAMETER;
    switches_.set_domain(on, domain);
    return abi::CUPTI_SUCCESS;
}

abi::CUptiResult api_callbacks::is_enabled(bool& on, abi::CUpti_SubscriberHandle handle,
                                           abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) {
    platform::lock const held{mutex_};
    if (!is_current(handle) || !is_callback(domain, id)) return abi::CUPTI_ERROR_INVALID_PARAMETER;
    on = switches_.is_on(domain, id);
    return abi::CUPTI_SUCCESS;
}

void api_callbacks::reset() {
    platform::lock const held{mutex_};
    if (subscribed()) clear();
}

std::uint64_t api_callbacks::tell(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id, void const* data,
                                  std::uint64_t expected, std::uint64_t* word) const {
    // Callback and user data belong together as long as the number of the subscription stays the
    // same.
    std::uint64_t const number = subscription_.load(std::memory_order_acquire);
    if ((number & 1) == 0 || !switches_.is_on(domain, id)) return 0;
    abi::cupti_callback const callback = callback_.load(std::memory_order_acquire);
    void* const user_data = user_data_.load(std::memory_order_acquire);
    if (subscription_.load(std::memory_order_relaxed) != number) return 0;
    if (word != nullptr && number != expected) *word = 0;
    callback(user_data, domain, id, data);
    return number;
}

bool api_callbacks::is_current(abi::CUpti_SubscriberHandle handle) const noexcept {
    return subscribed() && reinterpret_cast<std::uintptr_t>(handle) == subscription_.load(std::memory_order_relaxed);
}
abi::CUpti_SubscriberHandle api_callbacks::next() noexcept {
    std::uint64_t const number = subscription_.load(std::memory_order_relaxed) + 1;
    subscription_.store(number, std::memory_order_release);
    set_listener(listener::callbacks, (number & 1) != 0);
    return reinterpret_cast<abi::CUpti_SubscriberHandle>(static_cast<std::uintptr_t>(number));
}
void api_callbacks::clear() noexcept {
    static_cast<void>(next()); // first: who reads the rest sees that it was too late
    callback_.store(nullptr, std::memory_order_release);
    user_data_.store(nullptr, std::memory_order_release);
    switches_.clear();
}
void api_callbacks::set_name(std::string_view name) noexcept {
    constexpr std::string_view prefix = "CUPTI for ";
    std::size_t end = prefix.copy(name_.data(), name.empty() ? 5 : prefix.size());
    end += name.copy(name_.data() + end, name_.size() - 1 - end);
    name_[end] = '\0';
}

} // namespace sim
GPUPROF_NAMESPACE_END
