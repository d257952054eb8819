// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of the CUDA runtime, which toolkits.sh builds with the headers of older releases. Its kernels are compiled by the
// NVRTC of the same release, which reads this file up to the host's part.
__constant__ float factor;
__device__ int blocks;

extern "C" __global__ void scale(float const* from, float* to, int count) {
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = from[i] * factor;
    if (threadIdx.x == 0) atomicAdd(&blocks, 1);
}
template <int Threads>
__global__ void sums(float const* from, float* to) {
    __shared__ float part[Threads];
    part[threadIdx.x] = from[blockIdx.x * Threads + threadIdx.x];
    __syncthreads();
    for (unsigned step = Threads / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) to[blockIdx.x] = part[0];
}
template __global__ void sums<256>(float const*, float*);

#if !defined(__CUDACC_RTC__)
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

static bool is_good(cudaError_t error, int line) {
    if (error != cudaSuccess) std::printf("line %d: %s\n", line, cudaGetErrorString(error));
    return error == cudaSuccess;
}
#define MUST(call)                                                                                                     \
    if (!is_good(call, __LINE__)) return 1

int main() {
    constexpr int count = 2560, grid = 10, block = 256;
    std::vector<float> from(count), to(count), totals(grid);
    for (int i = 0; i < count; ++i) from[i] = static_cast<float>(i % 100);
    float *device_from, *device_to, *device_totals;
    float const two = 2;
    int const none = 0;
    int ran = 0, runtime = 0, driver = 0;
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    float milliseconds = 0;
    MUST(cudaRuntimeGetVersion(&runtime));
    MUST(cudaDriverGetVersion(&driver));
    MUST(cudaGetDeviceProperties(&properties, 0));
    MUST(cudaMalloc(&device_from, count * sizeof(float)));
    MUST(cudaMalloc(&device_to, count * sizeof(float)));
    MUST(cudaMallocManaged(&device_totals, grid * sizeof(float)));
    MUST(cudaMemcpyToSymbol(factor, &two, sizeof two));
    MUST(cudaMemcpyToSymbol(blocks, &none, sizeof none));
    MUST(cudaFuncGetAttributes(&attributes, scale));
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    MUST(cudaMemcpyAsync(device_from, from.data(), count * sizeof(float), cudaMemcpyHostToDevice, stream));
    MUST(cudaEventRecord(begin, stream));
    scale<<<grid, block, 0, stream>>>(device_from, device_to, count);
    MUST(cudaGetLastError());
    MUST(cudaEventRecord(end, stream));
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    sums<block><<<grid, block, 0, stream>>>(device_to, device_totals);
    MUST(cudaStreamEndCapture(stream, &graph));
#if CUDART_VERSION < 12000
    MUST(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
#else
    MUST(cudaGraphInstantiate(&executable, graph, 0));
#endif
    MUST(cudaGraphLaunch(executable, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaEventElapsedTime(&milliseconds, begin, end));
    MUST(cudaMemcpy(to.data(), device_to, count * sizeof(float), cudaMemcpyDeviceToHost));
    MUST(cudaMemcpyFromSymbol(&ran, blocks, sizeof ran));
    for (int i = 0; i < count; ++i)
        if (to[i] != 2 * from[i]) return std::printf("element %d is %g\n", i, to[i]), 1;
    for (int i = 0; i < grid; ++i) {
        float sum = 0;
        for (int k = 0; k < block; ++k) sum += 2 * from[i * block + k];
        if (device_totals[i] != sum) return std::printf("sum %d is %g\n", i, device_totals[i]), 1;
    }
    bool const is_sound = ran == grid && milliseconds > 0 && attributes.maxThreadsPerBlock == 1024 &&
                          properties.warpSize == 32 && properties.multiProcessorCount > 0 && properties.major >= 7 &&
                          runtime / 1000 == CUDART_VERSION / 1000;
    if (!is_sound) return std::printf("%d blocks, %g ms, runtime %d\n", ran, milliseconds, runtime), 1;
    std::printf("passed: headers of %d, runtime %d, driver %d, PTX %d on %s\n", CUDART_VERSION, runtime, driver,
                attributes.ptxVersion, properties.name);
}
#endif
