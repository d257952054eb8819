// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process-wide state of the embedded GPU that the driver table and the CUPTI table share.
#ifndef GPUPROF_SRC_SIM_GPU_GPU_STATE_HPP
#define GPUPROF_SRC_SIM_GPU_GPU_STATE_HPP

#include <atomic>
#include <cstdint>

#include <gpuprof/detail/config.hpp>

#include "activity_log.hpp"
#include "activity_pc_sampling.hpp"
#include "api_callbacks.hpp"
#include "call_trace.hpp"
#include "driver_objects.hpp"
#include "gpu_registry.hpp"
#include "host_clock.hpp"
#include "pc_sampling_state.hpp"
#include "sass_metric_state.hpp"
#include "work_log.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A part of the one embedded_gpu. Outside of it stand `listeners` (call_trace.hpp), the word that every driver call looks at, and the
// variables of each thread: its current context, its correlation id, its stacks of external ids and
// whether it is asking the tool for a buffer.
struct gpu_state {
    gpu_registry registry;
    host_clock clock;
    activity_log activity;
    activity_pc_sampling activity_sampling;
    api_callbacks callbacks;
    call_trace calls;
    work_log work;
    pc_sampling_state pc_sampling;
    sass_metric_state sass_metrics;
    std::atomic<driver_objects const*> objects_of_driver{nullptr}; // null until there is a driver table
    std::atomic<std::uint64_t> external_id_epoch{0};               // grows when the stacks of all threads are emptied
};

[[nodiscard]] gpu_state& shared() noexcept;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_GPU_STATE_HPP
