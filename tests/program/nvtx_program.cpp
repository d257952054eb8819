// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of the CUDA runtime with ranges of NVTX, for tests of `gpuprof run --rows ranges`: pushed by each kind of name, in a
// domain, on two threads, and popped once too often. Each launch is one warp. With the argument "started" they are ranges of the process,
// which cross each other, and end on other threads than they were started on.
#include <thread>

#include <nvtx3/nvToolsExt.h>

#include "runtime_calls.hpp"

static void* memory = nullptr;
static unsigned count = 10;

static void launch() {
    void* arguments[]{&memory, &count};
    static_cast<void>(cudaLaunchKernel(program().scale_stub(), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr));
}

static int use_started_ranges() {
    launch();
    nvtxRangeId_t const load = nvtxRangeStartW(L"load");
    launch();
    std::thread{[load] {
        launch();
        nvtxRangeEnd(load);
    }}.join();
    nvtxDomainHandle_t const loader = nvtxDomainCreateA("loader");
    nvtxEventAttributes_t work = {};
    work.version = NVTX_VERSION;
    work.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    work.messageType = NVTX_MESSAGE_TYPE_ASCII;
    work.message.ascii = "work";
    nvtxRangeId_t of_thread = 0;
    std::thread{[&] { of_thread = nvtxDomainRangeStartEx(loader, &work); }}.join();
    launch();
    nvtxDomainRangeEnd(loader, of_thread);
    launch();
    nvtxRangeId_t const a = nvtxRangeStartA("a");
    launch();
    work.message.ascii = "b";
    nvtxRangeId_t const b = nvtxRangeStartEx(&work);
    launch();
    nvtxRangeEnd(a);
    launch();
    nvtxRangeEnd(b);
    nvtxRangeEnd(b);
    nvtxRangeEnd(12345);
    return cudaDeviceSynchronize();
}

int main(int argc, char**) {
    static_cast<void>(program());
    if (int const error = cudaMalloc(&memory, count * sizeof count)) return error;
    if (argc > 1) return use_started_ranges();
    launch();
    nvtxDomainHandle_t const loader = nvtxDomainCreateA("loader");
    nvtxEventAttributes_t batch = {};
    batch.version = NVTX_VERSION;
    batch.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    batch.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    batch.message.registered = nvtxDomainRegisterStringA(loader, "batch");
    nvtxEventAttributes_t epoch = batch;
    epoch.messageType = NVTX_MESSAGE_TYPE_ASCII;
    epoch.message.ascii = "epoch";
    nvtxRangePushEx(&epoch);
    for (int i = 0; i < 2; ++i) {
        nvtxRangePushW(L"w\u00e4rm \u20ac \U0001f600");
        launch();
        nvtxDomainRangePushEx(loader, &batch);
        launch();
        nvtxDomainRangePop(loader);
        nvtxRangePop();
    }
    std::thread{[] {
        launch();
        nvtxRangePushA("thread");
        launch();
        nvtxRangePop();
    }}.join();
    nvtxRangePop();
    nvtxRangePop();
    launch();
    return cudaDeviceSynchronize();
}
