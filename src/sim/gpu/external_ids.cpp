// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "external_ids.hpp"

#include <atomic>
#include <cstdint>

#include "gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

external_ids* external_ids::mine() {
    static thread_local constinit external_ids* stacks = nullptr;
    static thread_local constinit bool ended = false;
    struct owner {
        ~owner() {
            delete stacks;
            stacks = nullptr;
            ended = true;
        }
    };
    if (stacks == nullptr && !ended) {
        static thread_local owner const at_end;
        static_cast<void>(at_end);
        stacks = new external_ids;
    }
    if (stacks != nullptr) stacks->clear_if_outdated();
    return stacks;
}

void external_ids::clear_all() noexcept { shared().external_id_epoch.fetch_add(1, std::memory_order_acq_rel); }

std::uint64_t external_ids::pop(abi::CUpti_ExternalCorrelationKind kind) noexcept {
    std::uint64_t const last = stacks_[kind].back();
    stacks_[kind].pop_back();
    return last;
}

external_ids::external_ids() noexcept : epoch_{shared().external_id_epoch.load(std::memory_order_acquire)} {}

void external_ids::clear_if_outdated() noexcept {
    std::uint64_t const now = shared().external_id_epoch.load(std::memory_order_acquire);
    if (epoch_ == now) return;
    for (auto& stack : stacks_) stack.clear();
    epoch_ = now;
}

} // namespace sim
GPUPROF_NAMESPACE_END
