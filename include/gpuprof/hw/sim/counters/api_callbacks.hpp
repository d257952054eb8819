// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who hears of the embedded GPU's driver calls. Layer: hw/sim; between the driver table, which makes the calls known, and the
// CUPTI table, through which tools subscribe.
#ifndef GPUPROF_HW_SIM_COUNTERS_API_CALLBACKS_HPP
#define GPUPROF_HW_SIM_COUNTERS_API_CALLBACKS_HPP

#include <algorithm> // std::find
#include <atomic>    // a quick look without the lock
#include <cstdint>   // correlation ids
#include <mutex>     // one lock for subscribing
#include <vector>    // what is enabled

#include "../../../detail/config.hpp"
#include "../../abi/cupti_callback.hpp"
#include "../../abi/results.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One subscriber a process, as CUPTI has. Thread-safe; a call costs one load while nobody listens.
class api_callbacks {
public:
    // Never destroyed: an application may still call the tables while its statics go away.
    [[nodiscard]] static api_callbacks& instance() {
        static auto* const one = new api_callbacks;
        return *one;
    }

    [[nodiscard]] abi::CUptiResult subscribe(abi::CUpti_SubscriberHandle* handle, abi::cupti_callback callback,
                                             void* user_data) {
        std::lock_guard const held{mutex_};
        if (handle == nullptr || callback == nullptr) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        if (callback_ != nullptr) return abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
        callback_ = callback;
        user_data_ = user_data;
        *handle = this_handle();
        return abi::CUPTI_SUCCESS;
    }

    [[nodiscard]] abi::CUptiResult unsubscribe(abi::CUpti_SubscriberHandle handle) {
        std::lock_guard const held{mutex_};
        if (callback_ == nullptr || handle != this_handle()) return abi::CUPTI_ERROR_INVALID_PARAMETER;
        clear();
        return abi::CUPTI_SUCCESS;
    }

    [[nodiscard]] abi::CUptiResult enable(bool on, abi::CUpti_SubscriberHandle handle, abi::CUpti_CallbackDomain domain,
                                          abi::CUpti_CallbackId id) {
        std::lock_guard const held{mutex_};
        if (callback_ == nullptr || handle != this_handle() || domain == abi::CUPTI_CB_DOMAIN_INVALID)
            return abi::CUPTI_ERROR_INVALID_PARAMETER;
        auto const known = std::find(enabled_.begin(), enabled_.end(), key(domain, id));
        if (on && known == enabled_.end()) enabled_.push_back(key(domain, id));
        if (!on && known != enabled_.end()) enabled_.erase(known);
        listened_.store(!enabled_.empty(), std::memory_order_release);
        return abi::CUPTI_SUCCESS;
    }

    // As cuptiFinalize does.
    void reset() {
        std::lock_guard const held{mutex_};
        clear();
    }

    // Makes a driver call known before and after it. @param symbol gives the kernel's name. @param call does the call, and
    // returns its status
    template <class Parameters, class Symbol, class Call>
    abi::CUresult driver_call(abi::CUpti_CallbackId id, char const* name, Parameters const& parameters,
                              abi::CUcontext context, Symbol symbol, Call call) {
        if (!listened_.load(std::memory_order_acquire)) return call();
        std::uint64_t word = 0;
        abi::CUresult status = abi::CUDA_SUCCESS;
        abi::CUpti_CallbackData data{abi::CUPTI_API_ENTER,
                                     name,
                                     &parameters,
                                     &status,
                                     symbol(),
                                     context,
                                     0,
                                     &word,
                                     next_correlation_.fetch_add(1, std::memory_order_relaxed)};
        emit(id, data);
        status = call();
        data.callbackSite = abi::CUPTI_API_EXIT;
        emit(id, data);
        return status;
    }

private:
    api_callbacks() = default;

    [[nodiscard]] static std::uint64_t key(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept {
        return (std::uint64_t{domain} << 32) | id;
    }
    [[nodiscard]] abi::CUpti_SubscriberHandle this_handle() noexcept {
        return reinterpret_cast<abi::CUpti_SubscriberHandle>(this);
    }
    void clear() {
        callback_ = nullptr;
        enabled_.clear();
        listened_.store(false, std::memory_order_release);
    }
    // The lock is not held while the tool is called: it may subscribe and launch.
    void emit(abi::CUpti_CallbackId id, abi::CUpti_CallbackData const& data) {
        std::unique_lock held{mutex_};
        abi::cupti_callback const callback = callback_;
        void* const user_data = user_data_;
        if (std::find(enabled_.begin(), enabled_.end(), key(abi::CUPTI_CB_DOMAIN_DRIVER_API, id)) == enabled_.end())
            return;
        held.unlock();
        callback(user_data, abi::CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
    }

    std::mutex mutex_;
    std::atomic<bool> listened_{false};
    std::atomic<std::uint32_t> next_correlation_{1};
    abi::cupti_callback callback_ = nullptr;
    void* user_data_ = nullptr;
    std::vector<std::uint64_t> enabled_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_API_CALLBACKS_HPP
