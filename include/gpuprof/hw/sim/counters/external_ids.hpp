// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ids that tools push around what a thread does: a stack for each kind (CUPTI 12.0, 2.3.6). Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_EXTERNAL_IDS_HPP
#define GPUPROF_HW_SIM_COUNTERS_EXTERNAL_IDS_HPP

#include <atomic>  // detaching
#include <cstddef> // std::size_t
#include <cstdint> // ids
#include <vector>  // stacks

#include "../../../detail/config.hpp"
#include "../../abi/cupti_activity.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

class external_ids {
public:
    static constexpr std::size_t kinds = abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2 + 1;

    [[nodiscard]] static constexpr bool is_kind(abi::CUpti_ExternalCorrelationKind kind) noexcept {
        return kind > abi::CUPTI_EXTERNAL_CORRELATION_KIND_INVALID && kind < kinds;
    }

    // The calling thread's; null when the thread is ending and has none any more.
    [[nodiscard]] static external_ids* mine() {
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
        if (stacks != nullptr) stacks->forget_if_detached();
        return stacks;
    }
    // Empties the stacks of all threads.
    static void clear_all() noexcept { detached_.fetch_add(1, std::memory_order_acq_rel); }

    // @pre is_kind(kind), of all below
    void push(abi::CUpti_ExternalCorrelationKind kind, std::uint64_t id) { stacks_[kind].push_back(id); }
    [[nodiscard]] bool empty(abi::CUpti_ExternalCorrelationKind kind) const noexcept { return stacks_[kind].empty(); }
    // @pre there is one
    std::uint64_t pop(abi::CUpti_ExternalCorrelationKind kind) noexcept {
        std::uint64_t const last = stacks_[kind].back();
        stacks_[kind].pop_back();
        return last;
    }
    // Calls f(kind, the id pushed last) for each kind that has one.
    template <class F>
    void for_each_last(F&& f) const {
        for (std::size_t kind = 0; kind < kinds; ++kind)
            if (!stacks_[kind].empty()) f(static_cast<abi::CUpti_ExternalCorrelationKind>(kind), stacks_[kind].back());
    }

private:
    inline static constinit std::atomic<std::uint64_t> detached_{0};

    void forget_if_detached() noexcept {
        std::uint64_t const now = detached_.load(std::memory_order_acquire);
        if (seen_ == now) return;
        for (auto& stack : stacks_) stack.clear();
        seen_ = now;
    }

    std::vector<std::uint64_t> stacks_[kinds];
    std::uint64_t seen_ = detached_.load(std::memory_order_acquire);
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_EXTERNAL_IDS_HPP
