// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that knows nothing of tracing, for libraries that trace any program.
//   target            allocations, copies, a memset, kernels, NVTX ranges
//   target bursts     100 launches 0.5 s, 3.5 s, 6.5 s and 9.5 s after its start; in between a query every 20 ms
#include <chrono>
#include <cstring>
#include <thread>

#include <nvtx3/nvToolsExt.h>

#include "workload.hpp"

namespace {

void all_kinds() {
    nvtxRangePushA("passes");
    cudaStream_t stream = nullptr;
    CHECKED(cudaStreamCreate(&stream));
    nvtxNameCategoryA(1, "category");
    for (int i = 0; i < 10; ++i) workload::vector_pass(i % 2 == 0 ? nullptr : stream);
    void* filled = nullptr;
    CHECKED(cudaMalloc(&filled, 1 << 20));
    CHECKED(cudaMemset(filled, 1, 1 << 20));
    CHECKED(cudaMemsetAsync(filled, 2, 1 << 20, stream));
    CHECKED(cudaDeviceSynchronize());
    CHECKED(cudaFree(filled));
    nvtxRangePop();
    nvtxMarkA("end");
    CHECKED(cudaStreamDestroy(stream));
}

void bursts() {
    using namespace std::chrono;
    int* data = nullptr;
    CHECKED(cudaMalloc(&data, workload::size));
    CHECKED(cudaMemset(data, 0, workload::size));
    auto const begin = steady_clock::now();
    for (int burst = 0; burst < 4; ++burst) {
        while (steady_clock::now() - begin < milliseconds(500 + 3000 * burst)) {
            cudaError_t const state = cudaStreamQuery(nullptr);
            if (state != cudaErrorNotReady) CHECKED(state);
            std::this_thread::sleep_for(milliseconds(20));
        }
        for (int i = 0; i < 100; ++i)
            workload::add<<<workload::blocks, workload::threads>>>(data, data, data, workload::count);
        CHECKED(cudaDeviceSynchronize());
    }
    CHECKED(cudaFree(data));
}

} // namespace

int main(int argument_count, char** arguments) {
    if (argument_count > 1 && std::strcmp(arguments[1], "bursts") == 0) bursts();
    else all_kinds();
    std::printf("target ends well\n");
}
