// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counts of a launch's instructions, one list for each host thread.
#ifndef GPUPROF_SRC_SIM_MODEL_PROFILE_POOL_HPP
#define GPUPROF_SRC_SIM_MODEL_PROFILE_POOL_HPP

#include <cstddef>
#include <mutex>
#include <vector>

#include "instruction_profile.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An SM has a list while CTAs are resident on it. Only sums are asked for, so SMs that take turns on a host thread share one, which
// stays in the processor's cache: each CTA is on another SM than the one before.
class profile_pool {
public:
    // A list that nobody has, of `size` counts. It is the pool's.
    [[nodiscard]] instruction_count* take(std::size_t size) {
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
        std::lock_guard const lock{mutex_};
        free_.push_back(list);
    }
    // @pre no CTA is being executed
    void add_to(std::vector<instruction_count>& sums) const {
        for (auto const& list : all_)
            for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += list[i];
    }

private:
    std::mutex mutex_;
    std::vector<std::vector<instruction_count>> all_;
    std::vector<instruction_count*> free_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_PROFILE_POOL_HPP
