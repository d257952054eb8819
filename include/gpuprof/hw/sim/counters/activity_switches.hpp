// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kinds of activity are recorded, for all contexts and for single ones, and which driver calls. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_ACTIVITY_SWITCHES_HPP
#define GPUPROF_HW_SIM_COUNTERS_ACTIVITY_SWITCHES_HPP

#include <array>   // driver calls
#include <atomic>  // looked at without the lock
#include <cstddef> // std::size_t
#include <cstdint> // one bit a kind
#include <map>     // contexts
#include <mutex>   // one lock for setting

#include "../../../detail/config.hpp"
#include "../../abi/cupti_activity.hpp"
#include "../../abi/cupti_callback.hpp"
#include "../../abi/types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Thread-safe. While nothing is enabled, asking costs a load.
class activity_switches {
public:
    static constexpr std::size_t driver_call_limit = 1024; // more than there are callback ids

    // For every context that has no setting of its own.
    void set(abi::CUpti_ActivityKind kind, bool on) {
        std::lock_guard const held{mutex_};
        if (on) everywhere_.fetch_or(bit(kind), std::memory_order_relaxed);
        else everywhere_.fetch_and(~bit(kind), std::memory_order_relaxed);
        if (kind == abi::CUPTI_ACTIVITY_KIND_DRIVER) // it overrides what was said of single calls before
            for (auto& call : calls_) call.store(by_kind, std::memory_order_relaxed);
        note();
    }
    // For one context; supersedes the setting for all.
    void set(abi::CUcontext context, abi::CUpti_ActivityKind kind, bool on) {
        std::lock_guard const held{mutex_};
        auto& own = contexts_[context];
        own.known |= bit(kind);
        own.on = on ? own.on | bit(kind) : own.on & ~bit(kind);
        note();
    }
    // For one driver call, until the kind DRIVER is set again. @pre id is less than driver_call_limit
    void set_call(abi::CUpti_CallbackId id, bool on) {
        std::lock_guard const held{mutex_};
        calls_[id].store(on ? always : never, std::memory_order_relaxed);
        note();
    }
    void clear() {
        std::lock_guard const held{mutex_};
        everywhere_.store(0, std::memory_order_relaxed);
        contexts_.clear();
        for (auto& call : calls_) call.store(by_kind, std::memory_order_relaxed);
        note();
    }
    void forget(abi::CUcontext context) {
        std::lock_guard const held{mutex_};
        contexts_.erase(context);
        note();
    }

    // Whether anything is recorded at all.
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

    // For things of no context, `context` is null.
    [[nodiscard]] bool records(abi::CUpti_ActivityKind kind, abi::CUcontext context) const {
        if (!any()) return false;
        if (own_settings_.load(std::memory_order_acquire)) {
            std::lock_guard const held{mutex_};
            auto const own = contexts_.find(context);
            if (own != contexts_.end() && (own->second.known & bit(kind)) != 0)
                return (own->second.on & bit(kind)) != 0;
        }
        return (everywhere_.load(std::memory_order_relaxed) & bit(kind)) != 0;
    }
    [[nodiscard]] bool records_call(abi::CUpti_CallbackId id, abi::CUcontext context) const {
        auto const own = id < driver_call_limit ? calls_[id].load(std::memory_order_relaxed) : by_kind;
        return own == by_kind ? records(abi::CUPTI_ACTIVITY_KIND_DRIVER, context) : own == always;
    }
    // For any context.
    [[nodiscard]] bool records_anywhere(abi::CUpti_ActivityKind kind) const {
        std::lock_guard const held{mutex_};
        for (auto const& own : contexts_)
            if ((own.second.on & bit(kind)) != 0) return true;
        return (everywhere_.load(std::memory_order_relaxed) & bit(kind)) != 0;
    }

private:
    struct own_setting {
        std::uint64_t known = 0;
        std::uint64_t on = 0;
    };
    enum call_setting : unsigned char { by_kind, always, never };

    [[nodiscard]] static constexpr std::uint64_t bit(abi::CUpti_ActivityKind kind) noexcept {
        return std::uint64_t{1} << kind;
    }
    void note() {
        bool any = everywhere_.load(std::memory_order_relaxed) != 0;
        for (auto const& own : contexts_) any |= own.second.on != 0;
        for (auto const& call : calls_) any |= call.load(std::memory_order_relaxed) == always;
        own_settings_.store(!contexts_.empty(), std::memory_order_release);
        any_.store(any, std::memory_order_release);
    }

    mutable std::mutex mutex_;
    std::atomic<bool> any_{false};
    std::atomic<bool> own_settings_{false};
    std::atomic<std::uint64_t> everywhere_{0};
    std::map<abi::CUcontext, own_setting> contexts_;
    std::array<std::atomic<call_setting>, driver_call_limit> calls_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_ACTIVITY_SWITCHES_HPP
