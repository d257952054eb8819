// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUPTI that has callbacks and nothing else: a test fires them, looks what is enabled, and makes calls fail. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_CALLBACK_CUPTI_HPP
#define GPUPROF_TESTS_SUPPORT_CALLBACK_CUPTI_HPP

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <gpuprof/hw/machine/machine.hpp>

namespace test {

namespace abi = gpuprof::abi;

// One at a time. Its machine's calls answer from it; with `names` false it is a CUPTI before 13.0.
class callback_cupti {
public:
    explicit callback_cupti(bool names = true) {
        current() = this;
        on.cupti.Subscribe = [](abi::CUpti_SubscriberHandle* handle, abi::cupti_callback callback, void* data) {
            return current()->subscribe(handle, callback, data);
        };
        if (names) on.cupti.Subscribe_v2 = subscribe_v2;
        on.cupti.Unsubscribe = [](abi::CUpti_SubscriberHandle) {
            auto& self = *current();
            if (auto const status = self.next()) return status;
            std::lock_guard const held{self.mutex};
            self.callback = nullptr;
            self.enabled.clear();
            self.domains.clear();
            return abi::CUPTI_SUCCESS;
        };
        on.cupti.EnableCallback = [](std::uint32_t enable, abi::CUpti_SubscriberHandle,
                                     abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) {
            auto& self = *current();
            if (id == self.unknown) return abi::CUPTI_ERROR_INVALID_PARAMETER;
            if (auto const status = self.next()) return status;
            std::lock_guard const held{self.mutex};
            if (enable != 0) self.enabled.emplace(domain, id);
            else self.enabled.erase({domain, id}), self.off.emplace(domain, id);
            return abi::CUPTI_SUCCESS;
        };
        on.cupti.EnableDomain = [](std::uint32_t enable, abi::CUpti_SubscriberHandle,
                                   abi::CUpti_CallbackDomain domain) {
            auto& self = *current();
            if (domain == abi::CUPTI_CB_DOMAIN_STATE && !self.has_state) return abi::CUPTI_ERROR_INVALID_PARAMETER;
            if (auto const status = self.next()) return status;
            std::lock_guard const held{self.mutex};
            for (auto at = self.enabled.begin(); at != self.enabled.end();)
                at = at->first == domain ? self.enabled.erase(at) : std::next(at);
            for (auto at = self.off.begin(); at != self.off.end();)
                at = at->first == domain ? self.off.erase(at) : std::next(at);
            if (enable != 0) self.domains.insert(domain);
            else self.domains.erase(domain);
            return abi::CUPTI_SUCCESS;
        };
    }
    ~callback_cupti() { current() = nullptr; }
    callback_cupti(callback_cupti const&) = delete;
    callback_cupti& operator=(callback_cupti const&) = delete;

    [[nodiscard]] bool subscribed() const { return callback != nullptr; }
    [[nodiscard]] bool is_on(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) {
        std::lock_guard const held{mutex};
        return enabled.contains({domain, id}) || (domains.contains(domain) && !off.contains({domain, id}));
    }

    // Tells the subscriber, as CUPTI does from any thread.
    void fire(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id, void const* data) {
        abi::cupti_callback told = nullptr;
        void* to = nullptr;
        {
            std::lock_guard const held{mutex};
            told = callback;
            to = user_data;
        }
        if (told != nullptr && is_on(domain, id)) told(to, domain, id, data);
    }
    // A whole call: its entry, what happens inside, its exit.
    template <class Inside>
    void call(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id, Inside inside,
              void const* parameters = nullptr, int status = 0) {
        static std::atomic<std::uint32_t> correlation{0};
        std::uint64_t word = 0;
        abi::CUpti_CallbackData data;
        data.functionName = "call";
        data.functionParams = parameters;
        data.functionReturnValue = &status;
        data.correlationData = &word;
        data.correlationId = ++correlation;
        fire(domain, id, &data);
        inside();
        data.callbackSite = abi::CUPTI_API_EXIT;
        fire(domain, id, &data);
    }

    gpuprof::hw::machine on;
    std::string holder;         // another subscriber; empty: none
    bool holder_shares = false; // it allows others beside it (CUPTI 13.2 and later)
    std::string own_name;       // what the last subscriber said it is called
    bool has_state = true;
    abi::CUpti_CallbackId unknown = ~0u;   // a function that this CUPTI does not know
    std::size_t calls = 0;                 // so far
    std::size_t failing = ~std::size_t{0}; // which of them fails
    abi::CUptiResult failure = abi::CUPTI_ERROR_UNKNOWN;

private:
    [[nodiscard]] static callback_cupti*& current() {
        static callback_cupti* one = nullptr;
        return one;
    }
    [[nodiscard]] abi::CUptiResult next() { return calls++ == failing ? failure : abi::CUPTI_SUCCESS; }

    abi::CUptiResult subscribe(abi::CUpti_SubscriberHandle* handle, abi::cupti_callback told, void* data,
                               bool shares = false) {
        if (auto const status = next()) return status;
        if ((!holder.empty() && !(shares && holder_shares)) || callback != nullptr)
            return abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
        std::lock_guard const held{mutex};
        callback = told;
        user_data = data;
        *handle = reinterpret_cast<abi::CUpti_SubscriberHandle>(this);
        return abi::CUPTI_SUCCESS;
    }
    static abi::CUptiResult subscribe_v2(abi::CUpti_SubscriberHandle* handle, abi::cupti_callback told, void* data,
                                         abi::CUpti_SubscriberParams* names) {
        auto& self = *current();
        self.own_name = names->subscriberName;
        auto const status =
            self.subscribe(handle, told, data, names->structSize == 40 && names->allowMultipleSubscribers != 0);
        if (status == abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED &&
            names->oldSubscriberSize > self.holder.size())
            std::strcpy(names->oldSubscriberName, self.holder.c_str());
        return status;
    }

    std::mutex mutex;
    abi::cupti_callback callback = nullptr;
    void* user_data = nullptr;
    std::set<std::pair<abi::CUpti_CallbackDomain, abi::CUpti_CallbackId>> enabled, off; // off: of enabled domains
    std::set<abi::CUpti_CallbackDomain> domains;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_CALLBACK_CUPTI_HPP
