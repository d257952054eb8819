// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_switches.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void activity_switches::set(abi::CUpti_ActivityKind kind, bool on) {
    std::lock_guard const held{mutex_};
    if (on) everywhere_.fetch_or(bit(kind), std::memory_order_relaxed);
    else everywhere_.fetch_and(~bit(kind), std::memory_order_relaxed);
    if (kind == abi::CUPTI_ACTIVITY_KIND_DRIVER) // overrides the settings of single calls
        for (auto& call : calls_) call.store(by_kind, std::memory_order_relaxed);
    update_summary();
}

void activity_switches::set(abi::CUcontext context, abi::CUpti_ActivityKind kind, bool on) {
    std::lock_guard const held{mutex_};
    auto& own = contexts_[context];
    own.known |= bit(kind);
    own.on = on ? own.on | bit(kind) : own.on & ~bit(kind);
    update_summary();
}

void activity_switches::set_call(abi::CUpti_CallbackId id, bool on) {
    std::lock_guard const held{mutex_};
    calls_[id].store(on ? always : never, std::memory_order_relaxed);
    update_summary();
}

void activity_switches::clear() {
    std::lock_guard const held{mutex_};
    everywhere_.store(0, std::memory_order_relaxed);
    contexts_.clear();
    for (auto& call : calls_) call.store(by_kind, std::memory_order_relaxed);
    update_summary();
}

void activity_switches::forget(abi::CUcontext context) {
    std::lock_guard const held{mutex_};
    contexts_.erase(context);
    update_summary();
}

bool activity_switches::records(abi::CUpti_ActivityKind kind, abi::CUcontext context) const {
    if (!any()) return false;
    if (own_settings_.load(std::memory_order_acquire)) {
        std::lock_guard const held{mutex_};
        auto const own = contexts_.find(context);
        if (own != contexts_.end() && (own->second.known & bit(kind)) != 0) return (own->second.on & bit(kind)) != 0;
    }
    return (everywhere_.load(std::memory_order_relaxed) & bit(kind)) != 0;
}

bool activity_switches::records_call(abi::CUpti_CallbackId id, abi::CUcontext context) const {
    auto const own = id < driver_call_limit ? calls_[id].load(std::memory_order_relaxed) : by_kind;
    return own == by_kind ? records(abi::CUPTI_ACTIVITY_KIND_DRIVER, context) : own == always;
}

bool activity_switches::records_anywhere(abi::CUpti_ActivityKind kind) const {
    std::lock_guard const held{mutex_};
    for (auto const& own : contexts_)
        if ((own.second.on & bit(kind)) != 0) return true;
    return (everywhere_.load(std::memory_order_relaxed) & bit(kind)) != 0;
}

void activity_switches::update_summary() {
    bool any = everywhere_.load(std::memory_order_relaxed) != 0;
    for (auto const& own : contexts_) any |= own.second.on != 0;
    for (auto const& call : calls_) any |= call.load(std::memory_order_relaxed) == always;
    own_settings_.store(!contexts_.empty(), std::memory_order_release);
    any_.store(any, std::memory_order_release);
}

} // namespace sim
GPUPROF_NAMESPACE_END
