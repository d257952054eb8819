// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ran on each device and when, while a sampler wants to know. Layer: hw/sim; between the driver table, where work has
// its time, and the CUPTI table, which samples it.
#ifndef GPUPROF_HW_SIM_COUNTERS_WORK_LOG_HPP
#define GPUPROF_HW_SIM_COUNTERS_WORK_LOG_HPP

#include <algorithm> // std::clamp, std::erase_if
#include <atomic>    // whether anyone wants to know
#include <cmath>     // std::floor
#include <cstddef>   // std::size_t
#include <cstdint>   // counts
#include <map>       // by device
#include <mutex>     // devices work at the same time
#include <vector>    // work

#include "../../../detail/config.hpp"
#include "../chip/chip_model.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A kernel, a copy or a fill. Times are simulated nanoseconds.
struct timed_work {
    double begin = 0;
    double end = 0;
    counter_values counted{};
};

// What was counted from `begin` to `end`: of each work its share, as if it had counted evenly. Shares are whole numbers, and
// those of times that follow one another add up to the whole. What clocks count is what passed, work or none.
[[nodiscard]] inline counter_values counted_between(std::vector<timed_work> const& all, chip_model const& model,
                                                    double begin, double end) {
    using enum raw_counter;
    counter_values sum;
    for (timed_work const& each : all) {
        if (each.end <= begin || each.begin >= end) continue;
        auto const share = [&](double at) { return std::clamp((at - each.begin) / (each.end - each.begin), 0.0, 1.0); };
        double const from = share(begin), to = share(end);
        for (std::size_t i = 0; i < raw_counters; ++i) {
            auto const whole = static_cast<double>(each.counted.values[i]);
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

// Work of the devices that are sampled. There is one a process. Thread-safe.
class work_log {
public:
    [[nodiscard]] static work_log& instance() {
        static auto* const one = new work_log; // outlives every static that may still call
        return *one;
    }

    [[nodiscard]] bool is_on() const noexcept { return on_.load(std::memory_order_acquire) != 0; }
    void begin(int device) {
        std::lock_guard const held{mutex_};
        if (work_.try_emplace(device).second) on_.fetch_add(1, std::memory_order_acq_rel);
    }
    void end(int device) {
        std::lock_guard const held{mutex_};
        if (work_.erase(device) != 0) on_.fetch_sub(1, std::memory_order_acq_rel);
    }

    void add(int device, timed_work const& one) {
        std::lock_guard const held{mutex_};
        if (auto const found = work_.find(device); found != work_.end()) found->second.push_back(one);
    }
    // What ends after that time; the rest is forgotten.
    [[nodiscard]] std::vector<timed_work> since(int device, double time) {
        std::lock_guard const held{mutex_};
        auto const found = work_.find(device);
        if (found == work_.end()) return {};
        std::erase_if(found->second, [&](timed_work const& each) { return each.end <= time; });
        return found->second;
    }

private:
    work_log() = default;

    std::mutex mutex_;
    std::map<int, std::vector<timed_work>> work_;
    std::atomic<int> on_{0};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_WORK_LOG_HPP
