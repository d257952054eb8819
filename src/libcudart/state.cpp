// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of the runtime: one a device, made when a thread needs it.
#include <atomic>
#include <map>
#include <mutex>

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

abi::CUresult start() {
    static abi::CUresult const started = driver().Init(0);
    return started;
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

thread_state& this_thread() {
    thread_local thread_state mine;
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
