// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an OpenACC runtime tells a tool: the structures of OpenACC 2.6's acc_prof.h, which a test compares to g++'s.
#ifndef GPUPROF_SRC_SIM_CUPTI_OPENACC_INTERFACE_HPP
#define GPUPROF_SRC_SIM_CUPTI_OPENACC_INTERFACE_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::openacc {

enum class event : int {
    device_init_start = 1,
    device_init_end,
    device_shutdown_start,
    device_shutdown_end,
    runtime_shutdown,
    create,
    remove, // acc_ev_delete
    alloc,
    free,
    enter_data_start,
    enter_data_end,
    exit_data_start,
    exit_data_end,
    update_start,
    update_end,
    compute_construct_start,
    compute_construct_end,
    enqueue_launch_start,
    enqueue_launch_end,
    enqueue_upload_start,
    enqueue_upload_end,
    enqueue_download_start,
    enqueue_download_end,
    wait_start,
    wait_end
};
inline constexpr int last_event = static_cast<int>(event::wait_end);

// acc_prof_info
struct profile_info {
    event type;
    int valid_bytes;
    int version;
    int device_type;
    int device_number;
    int thread_id;
    std::int64_t async;
    std::int64_t async_queue;
    char const* source_file; // null where the runtime does not know it
    char const* function_name;
    int line, end_line;
    int function_line, function_end_line;
};

// What all three of acc_event_info begin with, which is acc_other_event_info.
struct event_info {
    event type;
    int valid_bytes;
    int parent_construct;
    int implicit;
    void* tool_info;
};
// acc_data_event_info
struct data_event_info : event_info {
    char const* variable;
    std::uint64_t bytes;
    void const* host_address;
    void const* device_address;
};
// acc_launch_event_info
struct launch_event_info : event_info {
    char const* kernel;
    std::uint64_t gangs, workers, vector_length;
};

using callback = void (*)(profile_info*, event_info*, void* api_info);
using register_function = void (*)(event, callback, int how);

} // namespace sim::openacc
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_OPENACC_INTERFACE_HPP
