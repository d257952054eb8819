// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the embedded GPU's driver remembers, and how a call gets at it. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_STATE_HPP
#define GPUPROF_HW_SIM_DRIVER_STATE_HPP

#include <cstddef>  // std::size_t
#include <cstdint>  // handles as numbers
#include <map>      // by device
#include <mutex>    // one lock for all of it
#include <optional> // the last failure, or none
#include <thread>   // which thread calls

#include "../../abi/driver.hpp"
#include "../check/finding.hpp"
#include "../code/graph_conditions.hpp"
#include "clock.hpp"
#include "handles.hpp"
#include "object_records.hpp"
#include "objects.hpp"
#include "../counters/activity_batch.hpp"
#include "../counters/gpu_registry.hpp"
#include "../counters/host_clock.hpp"
#include "../counters/kernel_end.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct primary_context {
    CUcontext handle = nullptr;
    unsigned users = 0;
    unsigned flags = 0;
};

// Everything the driver has, behind one lock, which a call holds from beginning to end (kernels included) but for host
// functions. Like sim::gpu_registry there is one a process, never destroyed.
struct state {
    [[nodiscard]] static state& instance() {
        static auto* const one = new state;
        return *one;
    }

    std::mutex mutex;
    bool initialized = false;
    handle_table<CUcontext, context_state> contexts{1};
    handle_table<CUmodule, module_state> modules{2};
    handle_table<CUfunction, function_state> functions{3};
    handle_table<CUstream, stream_state> streams{4};
    handle_table<CUevent, event_state> events{5};
    handle_table<CUgraph, graph_state> graphs{6};
    handle_table<CUgraphExec, graph_state> executables{7};
    handle_table<CUarray, array_state> arrays{8};
    // Tools know contexts, streams, events, modules, functions and graphs by numbers, from 1 on, which are not used again.
    std::uint32_t context_count = 0;
    std::uint32_t stream_count = 0;
    std::uint32_t event_count = 0;
    std::uint64_t event_record_count = 0;
    std::uint32_t module_count = 0;
    std::uint32_t function_count = 0;
    std::uint32_t graph_count = 0;            // executables too
    std::map<int, primary_context> primaries; // by device
    std::map<int, device_clock> clocks;
    // By number: a device's own has the device's, those that the application makes have greater ones. Which a device's
    // asynchronous allocations are from, where it is not its own.
    std::map<int, memory_pool> pools;
    std::map<int, int> current_pools;
    graph_conditions conditions; // of all graphs
    execution_settings execution;
    bool cold_caches = false; // as every kernel begins
    finding_list findings;
    std::uint64_t failed_launches = 0;
    void (*on_failure)(launch_error const&) = nullptr; // hears of each of these, under the lock
    void (*on_end)(kernel_end const&) = nullptr;       // hears of each kernel that ran to its end, under the lock
};

// The contexts under the current one of the calling thread; the current one is gpu_registry::current(). Plain data, so that
// it is still there when a thread's other objects are gone.
struct context_stack {
    static constexpr int depth_limit = 64;
    CUcontext below[depth_limit] = {};
    int depth = 0;

    [[nodiscard]] static context_stack& mine() noexcept {
        thread_local context_stack stack;
        return stack;
    }
    [[nodiscard]] bool push(CUcontext context) noexcept {
        if (depth == depth_limit) return false;
        below[depth++] = gpu_registry::current();
        gpu_registry::set_current(context);
        return true;
    }
    void pop() noexcept { gpu_registry::set_current(depth > 0 ? below[--depth] : nullptr); }
};

// A call in progress: the lock, and what stands in the way of it.
struct call {
    activity_batch records; // goes last, after the lock
    std::unique_lock<std::mutex> held;
    driver::state& driver;
    context_state* context = nullptr;
    CUresult status = CUDA_SUCCESS;
    double earliest = 0; // when the operation at hand may begin, in nanoseconds

    [[nodiscard]] bool ready() const noexcept { return status == CUDA_SUCCESS; }

    // Looks up the context again after the lock was given away.
    void refresh(CUcontext handle) {
        context = driver.contexts.find(handle);
        status = context == nullptr ? CUDA_ERROR_CONTEXT_IS_DESTROYED : context->lost;
    }
};

// For calls that need no context.
[[nodiscard]] inline call enter() {
    auto& all = state::instance();
    call begun{{}, std::unique_lock{all.mutex}, all};
    if (!all.initialized) begun.status = CUDA_ERROR_NOT_INITIALIZED;
    return begun;
}

// For calls that work on the current context. One that was lost answers every call with the error that it was lost by.
[[nodiscard]] inline call enter_context() {
    call begun = enter();
    if (!begun.ready()) return begun;
    CUcontext const current = gpu_registry::current();
    if (current == nullptr) begun.status = CUDA_ERROR_INVALID_CONTEXT;
    else begun.refresh(current);
    return begun;
}

// The model of a device, or null.
[[nodiscard]] inline chip_model const* find_device(CUdevice device) {
    return device < 0 ? nullptr : gpu_registry::instance().device(static_cast<std::size_t>(device));
}

// The stream that a handle means in the context: its default stream, the calling thread's, or one that was created.
[[nodiscard]] inline stream_state* find_stream(call& in, CUstream handle) {
    auto const number = reinterpret_cast<std::uintptr_t>(handle);
    if (number <= 1) return &in.context->default_stream;
    if (number == 2) {
        auto& mine = in.context->thread_streams[std::this_thread::get_id()];
        mine.context = in.context->handle;
        if (mine.id == 0) {
            mine.id = ++in.driver.stream_count;
            record_stream(in.records, *in.context, mine);
        }
        return &mine;
    }
    stream_state* const found = in.driver.streams.find(handle);
    return found != nullptr && found->context == in.context->handle ? found : nullptr;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_STATE_HPP
