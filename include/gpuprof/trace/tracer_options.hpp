// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a tracer collects.
#ifndef GPUPROF_TRACE_TRACER_OPTIONS_HPP
#define GPUPROF_TRACE_TRACER_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include "../hw/abi/cupti_activity.hpp"
#include "../hw/callbacks/callback_set.hpp"

GPUPROF_NAMESPACE_BEGIN

// CUPTI's settings, each left as it is where nothing is given (CUPTI 12.0, 2.3; cuptiActivitySetAttribute). They are the
// process's, are put back when the tracer ends, and those of device memory count for contexts that are made later.
struct activity_settings {
    std::optional<std::size_t> device_buffer_bytes = {};      // of device memory, each: 3,200,000
    std::optional<std::size_t> device_buffer_limit = {};      // how many a context: 250
    std::optional<std::size_t> device_buffers_at_start = {};  // how many a context at once: 3
    std::optional<std::size_t> semaphore_pool_kernels = {};   // kernels a pool: 25,000; before CUDA 12.3
    std::optional<std::size_t> semaphore_pool_limit = {};     // pools a context: 250; before CUDA 12.3
    std::optional<std::size_t> semaphore_pools_at_start = {}; // 3; before CUDA 12.3
    std::optional<bool> pinned_host_memory = {};              // instead of device memory; CUDA 11.2 and later
    std::optional<bool> buffer_per_thread = {};               // CUDA 12.3 and later
};

// What of unified memory is recorded; without it, activity::unified_memory_counter gives nothing
// (cuptiActivityConfigureUnifiedMemoryCounter; CUPTI 12.0, 2.3).
struct unified_memory_counters {
    bool transfers = true;       // bytes between the host and devices
    bool peer_transfers = false; // bytes between devices
    bool page_faults = true;     // of the host and of devices
    bool thrashing = true;       // and what is throttled because of it
    bool remote_maps = true;
    std::optional<std::uint32_t> device = 0; // CUPTI's number of the device; nothing: all devices
};

// Memory: buffers * buffer_bytes, taken when the tracer begins (the system gives pages as they are written), and what the
// scopes need. Nothing is allocated while the program runs, but for the first scope of a thread or of a name.
struct tracer_options {
    std::size_t buffer_bytes = std::size_t{4} << 20;  // of a buffer: 19,000 kernels of 13.0; CUPTI advises 1 to 10 MB
    std::size_t buffers = 32;                         // the most there are: without a free one CUPTI drops records
    std::uint32_t flush_period_ms = 0;                // CUPTI hands full buffers over this often; 0: as it decides
    bool kernel_latency = false;                      // kernel::queued and submitted are known
    bool launch_attributes = false;                   // kernel::access_policy is known
    bool allocation_source = false;                   // memory_operation::source is known
    bool device_graphs = false;                       // graphs that the device launches
    bool all_synchronizations = false;                // also those that did not wait
    bool event_times = false;                         // cuda_event has the device's time
    bool hardware_trace = false;                      // times of kernels by hardware events; Blackwell, CUDA 12.8
    abi::CUpti_TimestampCallbackFunc clock = nullptr; // tells the time instead of CUPTI's clock
    bool system_thread_numbers = true;    // thread numbers as the system's tools show them, else the thread library's
    std::size_t scopes_per_thread = 8192; // ended scopes that a thread can hold until they are visited
    std::size_t scope_names = 65536;      // different scopes, by their names and those around them
    abi::CUpti_ExternalCorrelationKind scope_kind =
        abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2; // whose ids scopes push
    // Of activity::pc_sampling: 2 to that power cycles, 5 to 31, in the current context (CUPTI 12.0, 2.3.2).
    std::optional<std::uint32_t> pc_sampling_period = {};
    std::optional<unified_memory_counters> unified_memory = {};
    // Of driver_calls and runtime_calls that the tracer asks for, only these have records: cheaper than all. Scopes and
    // external ids then know only what these calls start. A function that this CUPTI does not know has none.
    std::optional<hw::callback_set> recorded_calls = {};
    activity_settings settings = {};
};

// Which buffers CUPTI hands over: those whose records are all complete, or all of them, with records of what still runs (their
// times are 0).
enum class flush_mode : unsigned char { completed, forced };

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_TRACER_OPTIONS_HPP
