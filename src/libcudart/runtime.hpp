// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's CUDA runtime, over its driver library. Calls are those of NVIDIA's documentation of the runtime API, and
// the few of crt/host_runtime.h by which host code that nvcc made registers and launches kernels.
#ifndef GPUPROF_SRC_LIBCUDART_RUNTIME_HPP
#define GPUPROF_SRC_LIBCUDART_RUNTIME_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include <gpuprof/hw/abi/driver.hpp>

#include "../libcuda/program_call.hpp"
#include "types.hpp"

namespace gpuprof::runtime {

using program::call;
using program::tell_once;
using enum cuda_error;

// 11, 12 or 13: whose libcudart this library is. Some structures and a few calls differ.
extern int const toolkit;

// The driver's calls. Null pointers in it: calls that this driver library does not have.
[[nodiscard]] abi::driver_table const& driver();

// What a thread has of its own.
struct launch_setting {
    dim3 grid;
    dim3 block;
    std::size_t shared;
    abi::CUstream stream;
};
// Launches on their way, between <<<>>> and the kernel's stub: more than one where a launch's arguments launch. An exception out
// of them leaves its setting behind, so the oldest one makes room.
struct launch_settings {
    std::array<launch_setting, 32> all{};
    std::size_t count = 0;

    void push(launch_setting const& one) noexcept;
    [[nodiscard]] launch_setting const* pop() noexcept; // null if there is none
};
struct thread_state {
    int device = 0;
    unsigned long generation = 0; // see process_state::generation; 0: no context was made current yet
    cuda_error last = cudaSuccess;
    launch_settings settings;
};
// Plain data without a destructor: exit handlers and destructors of global objects launch kernels after a thread's other
// objects are gone.
[[nodiscard]] thread_state& this_thread() noexcept;

// Makes the context of the thread's device current, if none of the application's is: what each call begins with. Errors:
// cudaErrorNoDevice and other reasons why there is no context.
[[nodiscard]] cuda_error enter();

// Forgets the contexts that there are: the primary context of a device was reset.
void forget_contexts();

// The primary context of a device, retained once a process.
[[nodiscard]] abi::CUresult primary_context(int device, abi::CUcontext& context);

// The runtime's number for the driver's: it is the same one.
[[nodiscard]] constexpr cuda_error error_of(abi::CUresult status) noexcept {
    return static_cast<cuda_error>(static_cast<int>(status));
}
// Keeps an error for cudaGetLastError; gives it back.
cuda_error keep(cuda_error error) noexcept;
inline cuda_error keep(abi::CUresult status) noexcept { return keep(error_of(status)); }

} // namespace gpuprof::runtime

// What a call of the runtime returns that fails: an error that the thread keeps. __cudaPushCallConfiguration returns a number.
template <>
[[nodiscard]] inline gpuprof::runtime::cuda_error gpuprof::program::failure_of(abi::CUresult why) noexcept {
    return runtime::keep(why);
}
template <>
[[nodiscard]] inline unsigned gpuprof::program::failure_of(abi::CUresult why) noexcept {
    return static_cast<unsigned>(runtime::keep(why));
}

namespace gpuprof::runtime {

// A call that is one of the driver's, in the thread's context.
template <class... P, class... A>
cuda_error forward(abi::CUresult (*abi::driver_table::*call)(P...), A... arguments) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep((driver().*call)(static_cast<P>(arguments)...));
}
// One that the driver's table does not have.
template <class... P, class... A>
cuda_error forward(abi::CUresult (*call)(P...), A... arguments) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep(call(static_cast<P>(arguments)...));
}

// Which memory each side of a copy must be in, for a cudaMemcpyKind. What is called the host's may be any memory, as an H100's
// driver (580.159) takes it.
struct direction {
    abi::CUmemorytype to = abi::CU_MEMORYTYPE_UNIFIED;
    abi::CUmemorytype from = abi::CU_MEMORYTYPE_UNIFIED;
};
[[nodiscard]] constexpr direction direction_of(int kind) noexcept {
    switch (kind) {
        case host_to_device: return {abi::CU_MEMORYTYPE_DEVICE, abi::CU_MEMORYTYPE_HOST};
        case device_to_host: return {abi::CU_MEMORYTYPE_HOST, abi::CU_MEMORYTYPE_DEVICE};
        case device_to_device: return {abi::CU_MEMORYTYPE_DEVICE, abi::CU_MEMORYTYPE_DEVICE};
        default: return {};
    }
}

[[nodiscard]] inline abi::CUdeviceptr device_address(void const* pointer) noexcept {
    return static_cast<abi::CUdeviceptr>(reinterpret_cast<std::size_t>(pointer));
}
[[nodiscard]] inline void* pointer_to(abi::CUdeviceptr address) noexcept {
    return reinterpret_cast<void*>(static_cast<std::size_t>(address));
}

// A kernel of the program by its host function, or by the handle that cudaGetKernel gives, in the current context.
// Errors: cudaErrorInvalidDeviceFunction for what was never registered, and why its module cannot be loaded.
[[nodiscard]] cuda_error find_function(void const* host_function, abi::CUfunction& function);

// A variable of the program by its host variable, in the current context: where it is, and its bytes. Errors:
// cudaErrorInvalidSymbol.
struct found_variable {
    abi::CUdeviceptr address = 0;
    std::size_t bytes = 0;
};
[[nodiscard]] cuda_error find_variable(void const* host_variable, found_variable& found);

// The calls, a list a file.
[[nodiscard]] std::span<call const> registration_calls();
[[nodiscard]] std::span<call const> error_calls();
[[nodiscard]] std::span<call const> device_calls();
[[nodiscard]] std::span<call const> memory_calls();
[[nodiscard]] std::span<call const> copy_calls();
[[nodiscard]] std::span<call const> stream_calls();
[[nodiscard]] std::span<call const> launch_calls();
[[nodiscard]] std::span<call const> graph_calls();
[[nodiscard]] std::span<call const> graph_node_calls();
[[nodiscard]] std::span<call const> pool_calls();
[[nodiscard]] std::span<call const> texture_calls();
[[nodiscard]] std::span<call const> memory_node_calls();

} // namespace gpuprof::runtime

#endif // GPUPROF_SRC_LIBCUDART_RUNTIME_HPP
