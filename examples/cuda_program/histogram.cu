// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordinary CUDA program, which knows nothing of gpuprof: a histogram of bytes, with shared memory, atomics, a stream and
// events. CMakeLists.txt beside it makes it a test that needs no GPU. With the argument "fault" it counts into too few bins.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int bins = 257; // one more than bytes have values: the last one counts nothing

__constant__ unsigned weight = 1;

__global__ void count_bytes(unsigned char const* bytes, int count, unsigned* histogram, int used_bins) {
    __shared__ unsigned own[bins];
    for (int i = threadIdx.x; i < used_bins; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&own[bytes[i]], weight);
    __syncthreads();
    for (int i = threadIdx.x; i < used_bins; i += blockDim.x) atomicAdd(&histogram[i], own[i]);
}

static void check(cudaError_t status, char const* what) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

int main(int argc, char**) {
    int const allocated_bins = argc > 1 ? bins - 1 : bins;
    std::vector<unsigned char> bytes(100000);
    std::vector<unsigned> expected(bins), counted(bins);
    for (std::size_t i = 0; i < bytes.size(); ++i) ++expected[bytes[i] = static_cast<unsigned char>(i * i % 251)];

    unsigned char* device_bytes = nullptr;
    unsigned* histogram = nullptr;
    check(cudaMalloc(&device_bytes, bytes.size()), "cudaMalloc");
    check(cudaMalloc(&histogram, static_cast<std::size_t>(allocated_bins) * sizeof(unsigned)), "cudaMalloc");
    check(cudaMemset(histogram, 0, static_cast<std::size_t>(allocated_bins) * sizeof(unsigned)), "cudaMemset");

    cudaStream_t stream;
    cudaEvent_t begin, end;
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    unsigned const once = 1;
    check(cudaMemcpyToSymbol(weight, &once, sizeof once), "cudaMemcpyToSymbol");
    check(cudaMemcpyAsync(device_bytes, bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
    check(cudaEventRecord(begin, stream), "cudaEventRecord");
    count_bytes<<<16, 128, 0, stream>>>(device_bytes, static_cast<int>(bytes.size()), histogram, bins);
    check(cudaGetLastError(), "the launch");
    check(cudaEventRecord(end, stream), "cudaEventRecord");
    check(cudaStreamSynchronize(stream), "the kernel");

    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    check(cudaMemcpy(counted.data(), histogram, bins * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaFree(device_bytes), "cudaFree");
    check(cudaFree(histogram), "cudaFree");
    if (counted != expected) {
        std::puts("the histogram is wrong");
        return 1;
    }
    std::printf("%zu bytes counted, %.3f ms by events\n", bytes.size(), static_cast<double>(milliseconds));
}
