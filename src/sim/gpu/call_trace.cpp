// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_trace.hpp"

#include <atomic>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void set_listener(listener bit, bool on) noexcept {
    auto const mask = static_cast<unsigned>(bit);
    if (on) listeners.fetch_or(mask, std::memory_order_relaxed);
    else listeners.fetch_and(~mask, std::memory_order_relaxed);
}

void call_trace::record(call_recorder const* by) noexcept {
    recorder.store(by, std::memory_order_release);
    set_listener(listener::activity, by != nullptr);
}

} // namespace sim
GPUPROF_NAMESPACE_END
