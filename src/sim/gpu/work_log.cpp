// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_log.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../counters/raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

counter_values counted_between(std::vector<timed_work> const& all, chip_model const& model, double begin, double end) {
    using enum raw_counter;
    counter_values sum;
    for (timed_work const& work : all) {
        if (work.end <= begin || work.begin >= end) continue;
        auto const share = [&](double at) { return std::clamp((at - work.begin) / (work.end - work.begin), 0.0, 1.0); };
        double const from = share(begin), to = share(end);
        for (std::size_t i = 0; i < raw_counters; ++i) {
            auto const whole = static_cast<double>(work.counted.values[i]);
            if (whole != 0)
                sum.values[i] += static_cast<std::uint64_t>(std::floor(whole * to) - std::floor(whole * from));
        }
    }
    auto const passed = [&](double hertz) {
        return static_cast<std::uint64_t>(std::floor(end * hertz * 1e-9) - std::floor(begin * hertz * 1e-9));
    };
    sum[gpu_time_ns] = passed(1e9);
    sum[gpu_cycles_elapsed] = passed(model.sys_hz);
    sum[sm_cycles_elapsed] = passed(model.gpc_hz);
    sum[l2_cycles_elapsed] = passed(model.l2_hz);
    sum[dram_cycles_elapsed] = passed(model.dram_hz);
    return sum;
}

void work_log::begin(int device) {
    std::lock_guard const held{mutex_};
    if (work_.try_emplace(device).second) on_.fetch_add(1, std::memory_order_acq_rel);
}
void work_log::end(int device) {
    std::lock_guard const held{mutex_};
    if (work_.erase(device) != 0) on_.fetch_sub(1, std::memory_order_acq_rel);
}

void work_log::add(int device, timed_work const& work) {
    std::lock_guard const held{mutex_};
    if (auto const found = work_.find(device); found != work_.end()) found->second.push_back(work);
}

std::vector<timed_work> work_log::since(int device, double time) {
    std::lock_guard const held{mutex_};
    auto const found = work_.find(device);
    if (found == work_.end()) return {};
    std::erase_if(found->second, [&](timed_work const& work) { return work.end <= time; });
    return found->second;
}

} // namespace sim
GPUPROF_NAMESPACE_END
