// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ids that tools push around what a thread does: a stack for each kind (CUPTI 12.0, 2.3.6).
#ifndef GPUPROF_SRC_SIM_GPU_EXTERNAL_IDS_HPP
#define GPUPROF_SRC_SIM_GPU_EXTERNAL_IDS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_activity.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

class external_ids {
public:
    static constexpr std::size_t kinds = abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2 + 1;

    [[nodiscard]] static constexpr bool is_kind(abi::CUpti_ExternalCorrelationKind kind) noexcept {
        return kind > abi::CUPTI_EXTERNAL_CORRELATION_KIND_INVALID && kind < kinds;
    }

    // The calling thread's stacks; null when the thread is ending and has none any more.
    [[nodiscard]] static external_ids* mine();
    // Empties the stacks of all threads.
    static void clear_all() noexcept;

    // @pre is_kind(kind), of all below
    void push(abi::CUpti_ExternalCorrelationKind kind, std::uint64_t id) { stacks_[kind].push_back(id); }
    [[nodiscard]] bool empty(abi::CUpti_ExternalCorrelationKind kind) const noexcept { return stacks_[kind].empty(); }
    // @pre !empty(kind)
    std::uint64_t pop(abi::CUpti_ExternalCorrelationKind kind) noexcept;
    // Calls f(kind, the id pushed last) for each kind that has one.
    template <class F>
    void for_each_last(F&& f) const {
        for (std::size_t kind = 0; kind < kinds; ++kind)
            if (!stacks_[kind].empty()) f(static_cast<abi::CUpti_ExternalCorrelationKind>(kind), stacks_[kind].back());
    }

private:
    external_ids() noexcept;
    void clear_if_outdated() noexcept;

    std::vector<std::uint64_t> stacks_[kinds];
    std::uint64_t epoch_; // gpu_state::external_id_epoch when the stacks were last empty for all threads
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_EXTERNAL_IDS_HPP
