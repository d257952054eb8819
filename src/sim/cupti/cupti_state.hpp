// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state that the embedded CUPTI keeps for the process.
#ifndef GPUPROF_SRC_SIM_CUPTI_CUPTI_STATE_HPP
#define GPUPROF_SRC_SIM_CUPTI_CUPTI_STATE_HPP

#include <atomic>
#include <set>
#include <string>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/activity/release.hpp>
#include "attribute_values.hpp"
#include "decoded_module.hpp"
#include "event_objects.hpp"
#include "host_objects.hpp"
#include "pm_sampling_objects.hpp"
#include "range_objects.hpp"
#include "target_sessions.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// A part of the one embedded_gpu. Only the status of the last call that failed is elsewhere: it belongs to a thread
// (last_error.hpp).
struct cupti_state {
    // Guarded by the registry's lock.
    event_objects events;
    range_objects ranges;
    target_sessions targets;
    pm_sampling_objects pm_sampling;
    std::set<std::string> function_names; // of PC sampling records; tools may keep them, so none is ever removed

    // Guarded by locks of their own.
    host_objects hosts;
    decoded_module source_module;

    // Atomic.
    attribute_values attributes;
    std::atomic<bool> profiler_initialized{false};
    std::atomic<activity::cuda_release> chosen_release{}; // set_release(): release 0 means each table's own
};

[[nodiscard]] cupti_state& state() noexcept;

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_CUPTI_STATE_HPP
