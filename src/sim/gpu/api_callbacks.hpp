// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool that subscribed to the embedded GPU's callbacks.
#ifndef GPUPROF_SRC_SIM_GPU_API_CALLBACKS_HPP
#define GPUPROF_SRC_SIM_GPU_API_CALLBACKS_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_callback.hpp>
#include <gpuprof/hw/abi/results.hpp>
#include <gpuprof/hw/machine/platform/mutex.hpp>

#include "callback_switches.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One subscriber a process, as CUPTI has. Thread-safe. Nothing is locked while the subscriber is
// called: it may make driver calls, which it hears of too, and unsubscribe. A callback that was on
// its way when its subscriber left may still arrive.
class api_callbacks {
public:
    api_callbacks() = default;
    api_callbacks(api_callbacks const&) = delete;
    api_callbacks& operator=(api_callbacks const&) = delete;

    // @param old_name null, or room for the name of who holds CUPTI, which is cut to it
    [[nodiscard]] abi::CUptiResult subscribe(abi::CUpti_SubscriberHandle* handle, abi::cupti_callback callback,
                                             void* user_data, std::string_view name = {}, char* old_name = nullptr,
                                             std::size_t old_name_room = 0);
    [[nodiscard]] abi::CUptiResult unsubscribe(abi::CUpti_SubscriberHandle handle);
    [[nodiscard]] abi::CUptiResult enable(bool on, abi::CUpti_SubscriberHandle handle, abi::CUpti_CallbackDomain domain,
                                          abi::CUpti_CallbackId id);
    [[nodiscard]] abi::CUptiResult enable_domain(bool on, abi::CUpti_SubscriberHandle handle,
                                                 abi::CUpti_CallbackDomain domain);
    [[nodiscard]] abi::CUptiResult is_enabled(bool& on, abi::CUpti_SubscriberHandle handle,
                                              abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id);
    // As cuptiFinalize does.
    void reset();

    // One relaxed load.
    [[nodiscard]] bool subscribed() const noexcept { return (subscription_.load(std::memory_order_relaxed) & 1) != 0; }

    // Whether the subscriber hears of it, at the cost of two relaxed loads.
    [[nodiscard]] bool is_heard(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) const noexcept {
        return subscribed() && switches_.is_on(domain, id);
    }

    // Calls the subscriber, if it hears of this. Returns the number of its subscription, 0 if
    // nobody was called.
    // @param expected the subscription for which `word`, the one between entry and exit, was
    // written; for another subscription the word is cleared
    std::uint64_t tell(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id, void const* data,
                       std::uint64_t expected = 0, std::uint64_t* word = nullptr) const;

private:
    // The handle is the number of the subscription, which is odd: a handle that was given back is
    // not current.
    [[nodiscard]] bool is_current(abi::CUpti_SubscriberHandle handle) const noexcept;
    abi::CUpti_SubscriberHandle next() noexcept;
    void clear() noexcept;
    void set_name(std::string_view name) noexcept;

    platform::mutex mutex_;
    std::atomic<std::uint64_t> subscription_{0}; // odd while somebody is subscribed
    std::atomic<abi::cupti_callback> callback_{nullptr};
    std::atomic<void*> user_data_{nullptr};
    callback_switches switches_;
    std::array<char, 64> name_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_API_CALLBACKS_HPP
