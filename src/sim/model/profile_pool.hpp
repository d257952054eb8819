// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counts of a launch's instructions, one list for each host thread.
#ifndef GPUPROF_SRC_SIM_MODEL_PROFILE_POOL_HPP
#define GPUPROF_SRC_SIM_MODEL_PROFILE_POOL_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <gpuprof/hw/machine/platform/thread.hpp>

#include "instruction_profile.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An SM has a list while CTAs are resident on it. Only sums are asked for, so SMs that take turns on a host thread share one, which
// stays in the processor's cache: each CTA is on another SM than the one before.
class profile_pool {
public:
    // A list that nobody has, of `size` counts. It is the pool's. Costs no lock where the thread has given one back.
    [[nodiscard]] instruction_count* take(std::size_t size) {
        if (instruction_count* const mine = of_thread().exchange(nullptr)) return mine;
        std::lock_guard const lock{mutex_};
        if (free_.empty()) {
            constexpr std::size_t padding = 64 / sizeof(instruction_count) + 1; // against false sharing
            free_.push_back(all_.emplace_back(size + padding).data());
        }
        instruction_count* const list = free_.back();
        free_.pop_back();
        return list;
    }
    void give_back(instruction_count* list) {
        instruction_count* const other = of_thread().exchange(list);
        if (other == nullptr) return;
        std::lock_guard const lock{mutex_};
        free_.push_back(other);
    }
    // @pre no CTA is being executed
    void add_to(std::vector<instruction_count>& sums) const {
        for (auto const& list : all_)
            for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += list[i];
    }

private:
    struct alignas(64) place {
        std::atomic<instruction_count*> list{nullptr};
    };
    // By a hash: threads that share one have to ask for the lock at times.
    [[nodiscard]] std::atomic<instruction_count*>& of_thread() noexcept {
        return places_[std::uint64_t{platform::this_thread()} * 0x9e37'79b9'7f4a'7c15 >> 58].list;
    }

    std::array<place, 64> places_;
    std::mutex mutex_;
    std::vector<std::vector<instruction_count>> all_;
    std::vector<instruction_count*> free_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_PROFILE_POOL_HPP
