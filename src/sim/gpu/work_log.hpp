// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of each sampled device and its times. The driver table adds work; the CUPTI table
// samples it.
#ifndef GPUPROF_SRC_SIM_GPU_WORK_LOG_HPP
#define GPUPROF_SRC_SIM_GPU_WORK_LOG_HPP

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include <gpuprof/detail/config.hpp>

#include "../chip/chip_model.hpp"
#include "../counters/raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A kernel, a copy or a fill. Times are simulated nanoseconds.
struct timed_work {
    double begin = 0;
    double end = 0;
    counter_values counted{};
};

// The counts from `begin` to `end`: of each work its share, as if it had counted evenly. Shares are
// whole numbers; shares of consecutive times add up to the whole. Clocks count the time that
// passed, with or without work.
[[nodiscard]] counter_values counted_between(std::vector<timed_work> const& all, chip_model const& model, double begin,
                                             double end);

// Thread-safe.
class work_log {
public:
    [[nodiscard]] bool is_on() const noexcept { return on_.load(std::memory_order_acquire) != 0; }
    void begin(int device);
    void end(int device);

    void add(int device, timed_work const& work);
    // The work that ends after that time; the rest is forgotten.
    [[nodiscard]] std::vector<timed_work> since(int device, double time);

private:
    std::mutex mutex_;
    std::map<int, std::vector<timed_work>> work_;
    std::atomic<int> on_{0}; // sampled devices
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_WORK_LOG_HPP
