// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that knows nothing of gpuprof: a range of NVTX that one thread starts and another one ends, with copies from and to an
// array, and fills and copies of rows. Exit status 1 if its results are not those of one execution.
//
//     nvcc -cudart shared -gencode arch=compute_80,code=compute_80 replayed_ranges.cu -o replayed_ranges
//     gpuprof replay --mode range --range nvtx --metrics ... -- ./replayed_ranges     one range, "work": 4 launches of 1 warp,
//                                                                                    and kernels by which the driver fills and copies
//     gpuprof replay --mode range --range waits --metrics ... -- ./replayed_ranges    the same work, until the program waits
#include <cstdio>
#include <thread>

#include <nvtx3/nvToolsExt.h>

// One warp, whose first threads triple a number each; it loops as often as the first number says.
__global__ void triple(unsigned* numbers, unsigned count, float* sums) {
    float sum = 1;
    for (unsigned i = 0; i < numbers[0]; ++i) sum = sum * sum + sum;
    sums[threadIdx.x] = sum;
    __syncwarp();
    if (threadIdx.x < count) numbers[threadIdx.x] *= 3;
}

static bool failed = false;
static void check(cudaError_t status, char const* what) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    failed = true;
}

int main() {
    constexpr unsigned width = 5, height = 2, count = width * height;
    constexpr std::size_t row = width * sizeof(unsigned), pitch = 512;
    unsigned numbers[count], back[count] = {};
    for (unsigned i = 0; i < count; ++i) numbers[i] = i + 2;
    unsigned *work = nullptr, *rows = nullptr;
    float* sums = nullptr;
    cudaArray_t array = nullptr;
    cudaStream_t stream = nullptr;
    cudaChannelFormatDesc const words = cudaCreateChannelDesc<unsigned>();
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    check(cudaMalloc(&work, sizeof numbers), "memory");
    check(cudaMalloc(&rows, pitch * 4), "rows");
    check(cudaMalloc(&sums, 32 * sizeof *sums), "sums");
    check(cudaMallocArray(&array, &words, width, height), "array");
    check(cudaMemcpy2DToArray(array, 0, 0, numbers, row, row, height, cudaMemcpyHostToDevice), "to the array");
    check(cudaMemset(rows, 0, pitch * 4), "clear");
    check(cudaMemcpy(work, numbers, sizeof numbers, cudaMemcpyHostToDevice), "to the device");
    check(cudaDeviceSynchronize(), "before");

    nvtxRangeId_t const range = nvtxRangeStartA("work");
    triple<<<1, 32, 0, stream>>>(work, count, sums);
    check(cudaMemcpy2DFromArrayAsync(work, row, array, 0, 0, row, height, cudaMemcpyDeviceToDevice, stream),
          "from the array");
    triple<<<1, 32, 0, stream>>>(work, count, sums); // 2, 3, ... become 6, 9, ...
    check(cudaMemcpy2DToArrayAsync(array, 0, 0, work, row, row, height, cudaMemcpyDeviceToDevice, stream), "back");
    check(cudaMemset2DAsync(rows, pitch, 1, 4, 3, stream), "fill"); // 0x01010101 in three rows
    check(cudaMemcpy2DAsync(rows, pitch, work, row, 4, height, cudaMemcpyDeviceToDevice, stream), "copy"); // 6, 21
    triple<<<1, 32, 0, stream>>>(rows, 1, sums); // 6 becomes 18
    std::thread{[&] {
        triple<<<1, 32, 0, stream>>>(rows + pitch / sizeof *rows, 1, sums); // 21 becomes 63
        nvtxRangeEnd(range);
    }}.join();
    check(cudaDeviceSynchronize(), "the work");

    check(cudaMemcpy2DFromArray(back, row, array, 0, 0, row, height, cudaMemcpyDeviceToHost), "result");
    for (unsigned i = 0; i < count; ++i) failed = failed || back[i] != 3 * numbers[i];
    unsigned filled[3] = {};
    check(cudaMemcpy2D(filled, 4, rows, pitch, 4, 3, cudaMemcpyDeviceToHost), "rows");
    failed = failed || filled[0] != 18 || filled[1] != 63 || filled[2] != 0x01010101;
    std::puts(failed ? "WRONG" : "PASSED");
    return failed ? 1 : 0;
}
