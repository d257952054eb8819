// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that knows nothing of gpuprof and has NVTX ranges of all sorts: which of them work belongs to is known beforehand.
// trace_ranges.sh runs it under the injection library and compares the table by scope.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

__global__ void add(float* to, float what) { to[threadIdx.x] += what; }

static void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(status));
    std::exit(1);
}

static void push(nvtxDomainHandle_t domain, char const* name) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name;
    nvtxDomainRangePushEx(domain, &attributes);
}

int main() {
    float* data = nullptr;
    float host[32] = {};
    check(cudaMalloc(&data, sizeof host));
    check(cudaMemset(data, 0, sizeof host)); // in no range
    add<<<1, 32>>>(data, 1);
    nvtxDomainHandle_t const loader = nvtxDomainCreateA("loader");
    nvtxRangeId_t const epoch = nvtxRangeStartA("epoch"); // of the process: holds no work
    for (int step = 0; step < 1000; ++step) {
        nvtxRangePushA("step");
        push(loader, "batch");
        check(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
        nvtxDomainRangePop(loader);
        nvtxRangePushA("forward");
        for (int layer = 0; layer < 2; ++layer) add<<<1, 32>>>(data, 1);
        nvtxRangePop();
        add<<<1, 32>>>(data, 1);
        nvtxRangePop();
    }
    std::thread worker{[data, epoch] {
        nvtxRangePushA("worker");
        for (int i = 0; i < 40; ++i) add<<<1, 32>>>(data, 1);
        nvtxRangePop();
        nvtxRangeEnd(epoch); // on another thread than it began
    }};
    worker.join();

    cudaStream_t stream{};
    cudaGraph_t graph{};
    cudaGraphExec_t ready{};
    check(cudaStreamCreate(&stream));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int node = 0; node < 5; ++node) add<<<1, 32, 0, stream>>>(data, 1);
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
    nvtxRangePushA("replay");
    for (int launch = 0; launch < 10; ++launch) check(cudaGraphLaunch(ready, stream));
    nvtxRangePop();
    nvtxRangePushA("left open");
    check(cudaDeviceSynchronize());
    add<<<1, 32>>>(data, 1);
    check(cudaDeviceSynchronize());
    std::puts("done");
}
