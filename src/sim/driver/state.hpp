// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the embedded GPU's driver, and how a call gets at it.
#ifndef GPUPROF_SRC_SIM_DRIVER_STATE_HPP
#define GPUPROF_SRC_SIM_DRIVER_STATE_HPP

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include <gpuprof/hw/abi/driver.hpp>
#include <gpuprof/sim/execution_settings.hpp>
#include <gpuprof/sim/launch_error.hpp>

#include "../check/finding_list.hpp"
#include "../code/graph_conditions.hpp"
#include "../gpu/activity_batch.hpp"
#include "../gpu/gpu_registry.hpp"
#include "clock.hpp"
#include "handles.hpp"
#include "objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct kernel_end;
}

namespace sim::driver {

struct graph_launches;

struct primary_context {
    CUcontext handle = nullptr;
    unsigned users = 0;
    unsigned flags = 0;
};

// All state of the driver, behind one lock. A call holds the lock from beginning to end, kernels
// included, but not while a host function runs. A part of the one embedded_gpu.
struct state {
    std::mutex mutex;
    bool initialized = false;
    handle_table<CUcontext, context_state> contexts{1};
    handle_table<CUmodule, module_state> modules{2};
    handle_table<CUfunction, function_state> functions{3};
    handle_table<CUstream, stream_state> streams{4};
    handle_table<CUevent, event_state> events{5};
    handle_table<CUgraph, graph_state> graphs{6};
    handle_table<CUgraphExec, graph_state> executables{7};
    std::map<CUgraphNode, std::vector<void*>> told_parameters; // of graphs' kernel nodes, by cuGraphKernelNodeGetParams
    handle_table<CUarray, array_state> arrays{8};
    // Tools know contexts, streams, events, modules, functions and graphs by numbers from 1 on. No
    // number is used twice.
    std::uint32_t context_count = 0;
    std::uint32_t stream_count = 0;
    std::uint32_t event_count = 0;
    std::uint64_t event_record_count = 0;
    std::uint32_t module_count = 0;
    std::uint32_t function_count = 0;
    std::uint32_t graph_count = 0;            // executables too
    std::map<int, primary_context> primaries; // by device
    std::map<int, device_clock> clocks;
    // Pools by number. A device's own pool has the number of the device; the application's have
    // greater ones.
    std::map<int, memory_pool> pools;
    std::map<int, int> current_pools; // by device, where it is not the device's own
    graph_conditions conditions;      // of all graphs
    execution_settings execution;
    bool cold_caches = false;                               // every kernel begins with empty caches
    machine_code_use machine_code = machine_code_use::none; // of modules that are loaded from now on
    // Called as execution_options::progress while a kernel runs, under the lock; with 0 of 0 before the kernel prints, and with all
    // CTAs at its end, however it ends.
    void (*on_progress)(std::uint64_t ended, std::uint64_t ctas) = nullptr;
    finding_list findings;
    std::uint64_t failed_launches = 0;
    void (*on_failure)(launch_error const&) = nullptr; // called for each of these, under the lock
    void (*on_end)(kernel_end const&) = nullptr;       // called for each kernel that ended, under the lock
    void (*on_image)(void const* image) = nullptr;     // called for each image that was loaded, under the lock
    void (*on_refused_image)(error const&) = nullptr;  // called for each that could not be, under the lock
};

[[nodiscard]] state& process_state() noexcept;

// The contexts under the current one of the calling thread; the current one is
// gpu_registry::current(). Plain data, so that it outlives a thread's other objects.
struct context_stack {
    static constexpr int depth_limit = 64;
    CUcontext below[depth_limit] = {};
    int depth = 0;

    [[nodiscard]] static context_stack& mine() noexcept; // of the calling thread
    // Makes the context current. False if the stack is full.
    [[nodiscard]] bool push(CUcontext context) noexcept;
    void pop() noexcept;
};

// A call in progress: it holds the lock, and has a status if it cannot go on.
struct call {
    activity_batch records; // destroyed last, after the lock is released
    std::unique_lock<std::mutex> held;
    driver::state& driver;
    context_state* context = nullptr;
    CUresult status = CUDA_SUCCESS;
    double earliest = 0;             // when the operation at hand may begin, in nanoseconds
    graph_launches* graph = nullptr; // of the graph whose nodes run; null: none

    [[nodiscard]] bool ready() const noexcept { return status == CUDA_SUCCESS; }

    // Looks up the context again after the lock was released meanwhile.
    void refresh(CUcontext handle);
};

// For calls that need no context.
[[nodiscard]] call enter();

// For calls that work on the current context. In a lost context the status is the error that lost
// it.
[[nodiscard]] call enter_context();

// The model of a device, or null.
[[nodiscard]] chip_model const* find_device(CUdevice device);

// The stream of a handle in the context: its default stream, the calling thread's, or a created
// one. Null if there is none.
[[nodiscard]] stream_state* find_stream(call& in, CUstream handle);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_STATE_HPP
