// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of which it is known by construction what their warps wait for, and how the programs beside this file print and judge.
#ifndef GPUPROF_TESTS_HARDWARE_PC_SAMPLING_KERNELS_HPP
#define GPUPROF_TESTS_HARDWARE_PC_SAMPLING_KERNELS_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cuda_runtime.h>

#define CHECKED(call)                                                                                                  \
    do {                                                                                                               \
        if (auto const status_ = (call)) std::printf("%s: %d\n", #call, static_cast<int>(status_)), std::exit(3);      \
    } while (false)

namespace kernels {

// Waits for global memory: each load's address comes from the load before.
constexpr std::uint32_t chase_line = __LINE__ + 3;
__global__ void chase(std::uint32_t const* next, std::uint32_t* out, std::uint32_t steps, std::uint32_t mask) {
    std::uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) * 977u & mask;
    for (std::uint32_t i = 0; i < steps; ++i) at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
// Waits at a barrier for one warp, which computes alone.
__global__ void barrier(float* out, std::uint32_t steps) {
    float x = static_cast<float>(threadIdx.x);
    for (std::uint32_t i = 0; i < steps; ++i) {
        if (threadIdx.x < 32)
            for (int j = 0; j < 64; ++j) x = x * 1.0001f + 0.5f;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// Sleeps.
__global__ void sleep(float* out, std::uint32_t steps) {
    for (std::uint32_t i = 0; i < steps; ++i) __nanosleep(1000);
    out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(steps);
}
// Computes.
__global__ void multiply(float* out, std::uint32_t steps) {
    float a = static_cast<float>(threadIdx.x), b = a + 1, c = a + 2, d = a + 3;
    for (std::uint32_t i = 0; i < steps; ++i) a = a * b + c, b = b * c + d, c = c * d + a, d = d * a + b;
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

// Memory for all of them, and launches of some milliseconds each.
struct workload {
    static constexpr unsigned blocks = 264, threads = 256;
    static constexpr std::uint32_t words = 1u << 24;
    std::uint32_t* next = nullptr;
    float* out = nullptr;

    workload() {
        CHECKED(cudaMalloc(&next, words * sizeof *next));
        CHECKED(cudaMalloc(&out, blocks * threads * sizeof *out));
        auto* const host = static_cast<std::uint32_t*>(std::malloc(words * sizeof(std::uint32_t)));
        for (std::uint32_t i = 0; i < words; ++i) host[i] = (i * 1664525u + 1013904223u) & (words - 1);
        CHECKED(cudaMemcpy(next, host, words * sizeof *next, cudaMemcpyHostToDevice));
        std::free(host);
    }
    void run_chase(cudaStream_t in = nullptr) const {
        chase<<<blocks, threads, 0, in>>>(next, reinterpret_cast<std::uint32_t*>(out), 2000, words - 1);
    }
    void run_barrier(cudaStream_t in = nullptr) const { barrier<<<blocks, threads, 0, in>>>(out, 10000); }
    void run_sleep(cudaStream_t in = nullptr) const { sleep<<<blocks, threads, 0, in>>>(out, 2000); }
    void run_multiply(cudaStream_t in = nullptr) const { multiply<<<blocks, threads, 0, in>>>(out, 100000); }
    void run_all(cudaStream_t in = nullptr) const { run_chase(in), run_barrier(in), run_sleep(in), run_multiply(in); }
};

} // namespace kernels

// A row of the table; the exit status of a program is whether one said NO.
inline int failures = 0;
inline void row(char const* job, std::string const& what, std::string const& value, bool good) {
    std::printf("%s | %s | %s | %s\n", job, what.c_str(), value.c_str(), good ? "yes" : "NO");
    failures += good ? 0 : 1;
}

#endif // GPUPROF_TESTS_HARDWARE_PC_SAMPLING_KERNELS_HPP
