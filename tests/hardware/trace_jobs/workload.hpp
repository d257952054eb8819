// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the traced programs of this folder share: checked calls, two kernels, and one pass over vectors.
#ifndef GPUPROF_TESTS_HARDWARE_TRACE_JOBS_WORKLOAD_HPP
#define GPUPROF_TESTS_HARDWARE_TRACE_JOBS_WORKLOAD_HPP

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

namespace workload {

inline void check(cudaError_t status, char const* call) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
    std::exit(1);
}
inline void check(CUresult status, char const* call) {
    if (status == CUDA_SUCCESS) return;
    std::fprintf(stderr, "%s: CUresult %d\n", call, static_cast<int>(status));
    std::exit(1);
}
#define CHECKED(call) ::workload::check((call), #call)

// Templates: a program has only the kernels that it launches, and so the runtime makes only their calls of the driver.
template <class T>
__global__ void add(T const* a, T const* b, T* sum, int count) {
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) sum[i] = a[i] + b[i];
}
template <class T>
__global__ void subtract(T const* a, T const* b, T* difference, int count) {
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) difference[i] = a[i] - b[i];
}

inline constexpr int count = 50000;
inline constexpr std::size_t size = count * sizeof(int);
inline constexpr unsigned threads = 256;
inline constexpr unsigned blocks = (count + threads - 1) / threads;

// Three allocations, two copies in, two kernels, one copy out, a wait, three frees: 13 calls of the runtime with the two
// reads of the last error.
inline void vector_pass(cudaStream_t stream) {
    std::vector<int> a(count), b(count), c(count);
    int *on_a = nullptr, *on_b = nullptr, *on_c = nullptr;
    CHECKED(cudaMalloc(&on_a, size));
    CHECKED(cudaMalloc(&on_b, size));
    CHECKED(cudaMalloc(&on_c, size));
    CHECKED(cudaMemcpyAsync(on_a, a.data(), size, cudaMemcpyHostToDevice, stream));
    CHECKED(cudaMemcpyAsync(on_b, b.data(), size, cudaMemcpyHostToDevice, stream));
    add<<<blocks, threads, 0, stream>>>(on_a, on_b, on_c, count);
    CHECKED(cudaGetLastError());
    subtract<<<blocks, threads, 0, stream>>>(on_a, on_b, on_c, count);
    CHECKED(cudaGetLastError());
    CHECKED(cudaMemcpyAsync(c.data(), on_c, size, cudaMemcpyDeviceToHost, stream));
    if (stream == nullptr) CHECKED(cudaDeviceSynchronize());
    else CHECKED(cudaStreamSynchronize(stream));
    CHECKED(cudaFree(on_a));
    CHECKED(cudaFree(on_b));
    CHECKED(cudaFree(on_c));
}

} // namespace workload

#endif // GPUPROF_TESTS_HARDWARE_TRACE_JOBS_WORKLOAD_HPP
