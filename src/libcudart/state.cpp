// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of the runtime: one a device, made when a thread needs it.
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <type_traits>

#include "runtime.hpp"

// Of the driver library, src/libcuda/start.cpp.
extern "C" gpuprof::abi::driver_table const* gpuprof_embedded_driver(std::size_t table_bytes);

namespace gpuprof::runtime {
namespace {

// Never destroyed: the program's own statics may use the runtime while they go away.
struct process_state {
    std::mutex mutex;
    std::map<int, abi::CUcontext> primaries;
    std::atomic<unsigned long> generation{
        1}; // grows when contexts are gone, so that every thread looks for its own again
    static process_state& instance() {
        static auto* const one = new process_state;
        return *one;
    }
};

// A failure is no fact for ever: the host may have memory later.
abi::CUresult start() {
    static std::atomic<bool> is_started{false};
    if (is_started.load(std::memory_order_acquire)) return abi::CUDA_SUCCESS;
    sim::gpu_process.claim();
    abi::CUresult const status = driver().Init(0);
    if (status == abi::CUDA_SUCCESS) is_started.store(true, std::memory_order_release);
    return status;
}

} // namespace

abi::driver_table const& driver() {
    static abi::driver_table const none;
    static abi::driver_table const* const found = gpuprof_embedded_driver(sizeof(abi::driver_table));
    if (found == nullptr) {
        tell_once("libcudart and libcuda.so.1 are of different versions of gpuprof");
        return none;
    }
    return *found;
}

void launch_settings::push(launch_setting const& one) noexcept {
    if (count == all.size()) {
        std::move(all.begin() + 1, all.end(), all.begin());
        --count;
    }
    all[count++] = one;
}
launch_setting const* launch_settings::pop() noexcept { return count == 0 ? nullptr : &all[--count]; }

thread_state& this_thread() noexcept {
    static_assert(std::is_trivially_destructible_v<thread_state>);
    thread_local constinit thread_state mine{};
    return mine;
}

cuda_error keep(cuda_error error) noexcept {
    if (error != cudaSuccess) this_thread().last = error;
    return error;
}

abi::CUresult primary_context(int device, abi::CUcontext& context) {
    process_state& all = process_state::instance();
    std::lock_guard const held{all.mutex};
    if (auto const found = all.primaries.find(device); found != all.primaries.end()) {
        context = found->second;
        return abi::CUDA_SUCCESS;
    }
    abi::CUresult const status = driver().DevicePrimaryCtxRetain(&context, device);
    if (status == abi::CUDA_SUCCESS) all.primaries.emplace(device, context);
    return status;
}

void forget_contexts() {
    process_state& all = process_state::instance();
    std::lock_guard const held{all.mutex};
    all.primaries.clear();
    ++all.generation;
}

cuda_error enter() {
    if (driver().Init == nullptr) return cudaErrorInsufficientDriver;
    if (abi::CUresult const status = start()) return error_of(status);
    thread_state& mine = this_thread();
    unsigned long const now = process_state::instance().generation.load(std::memory_order_acquire);
    abi::CUcontext current = nullptr;
    if (abi::CUresult const status = driver().CtxGetCurrent(&current)) return error_of(status);
    if (current != nullptr && (mine.generation == now || mine.generation == 0)) {
        mine.generation = now;
        return cudaSuccess; // the runtime's, or one that the application made current
    }
    if (abi::CUresult const status = primary_context(mine.device, current)) return error_of(status);
    if (abi::CUresult const status = driver().CtxSetCurrent(current)) return error_of(status);
    mine.generation = now;
    return cudaSuccess;
}

} // namespace gpuprof::runtime
