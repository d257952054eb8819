// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample cupti_nvtx: prints NVTX ranges and names of objects. Set NVTX_INJECTION64_PATH to libcupti.so.
#include <iostream>

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>

#include <gpuprof/trace.hpp>

#include "workload.hpp"

int main() {
    // tracing begins
    namespace activity = gpuprof::activity;
    gpuprof::tracer trace{gpuprof::hw::real_machine(), activity::kinds<activity::marker, activity::object_name>};
    // tracing ends
    using workload::size;
    CHECKED(cuInit(0));
    CUcontext context = nullptr;
    CUdevice device = 0;
    CHECKED(cuDeviceGet(&device, 0));
    nvtxNameCuDeviceA(device, "first GPU");

    nvtxDomainHandle_t const domain = nvtxDomainCreateA("vectors");
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.color = 0xff;
    auto const push = [&](char const* name) {
        attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
        attributes.message.ascii = name;
        nvtxDomainRangePushEx(domain, &attributes);
    };
    push("addition");
    nvtxRangePushA("host memory");
    std::vector<int> a(workload::count, 1), b(workload::count, 2), c(workload::count);
    nvtxRangePop();
    CHECKED(cuCtxCreate(&context, nullptr, 0, device));
    nvtxNameCuContextA(context, "context");

    int *on_a = nullptr, *on_b = nullptr, *on_c = nullptr;
    push("device memory");
    CHECKED(cudaMalloc(&on_a, size));
    CHECKED(cudaMalloc(&on_b, size));
    CHECKED(cudaMalloc(&on_c, size));
    nvtxDomainRangePop(domain);

    nvtxStringHandle_t const copies = nvtxDomainRegisterStringA(domain, "copies");
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = copies;
    nvtxDomainRangePushEx(domain, &attributes);
    CHECKED(cudaMemcpy(on_a, a.data(), size, cudaMemcpyHostToDevice));
    CHECKED(cudaMemcpy(on_b, b.data(), size, cudaMemcpyHostToDevice));
    nvtxDomainRangePop(domain);

    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "launch";
    nvtxRangeId_t const launch = nvtxDomainRangeStartEx(domain, &attributes);
    workload::add<<<workload::blocks, workload::threads>>>(on_a, on_b, on_c, workload::count);
    CHECKED(cudaGetLastError());
    CHECKED(cuCtxSynchronize());
    nvtxDomainRangeEnd(domain, launch);

    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = copies;
    nvtxDomainRangePushEx(domain, &attributes);
    CHECKED(cudaMemcpy(c.data(), on_c, size, cudaMemcpyDeviceToHost));
    nvtxDomainRangePop(domain);

    push("free device memory");
    CHECKED(cudaFree(on_a));
    CHECKED(cudaFree(on_b));
    CHECKED(cudaFree(on_c));
    nvtxDomainRangePop(domain);
    nvtxRangePushA("free host memory");
    nvtxRangePop();
    CHECKED(cuCtxSynchronize());
    CHECKED(cuCtxDestroy(context));
    nvtxDomainRangePop(domain);
    // tracing begins
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{[](activity::marker const& m) {
                                        std::cout << "marker " << m.time.ticks << ' ' << m.id << ' ' << m.domain << ' '
                                                  << m.name << '\n';
                                    },
                                    [](activity::object_name const& n) {
                                        std::cout << "name " << to_text(n.object.kind) << ' ' << n.name << '\n';
                                    }});
    std::cout << "lost " << batch.losses().dropped << '\n';
    // tracing ends
}
