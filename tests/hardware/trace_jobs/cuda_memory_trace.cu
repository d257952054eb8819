// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample cuda_memory_trace: prints allocations and releases of all sorts of memory, and of pools.
#include <iostream>

#include <gpuprof/trace.hpp>

#include "workload.hpp"

namespace {

constexpr int elements = 1048576;
constexpr std::size_t bytes = elements * sizeof(float);

void allocate_each_kind() {
    int managed = 0;
    CHECKED(cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, 0));
    if (managed == 0) return;
    void *host = nullptr, *portable = nullptr, *device = nullptr, *everywhere = nullptr;
    CHECKED(cudaMallocHost(&host, bytes));
    CHECKED(cudaHostAlloc(&portable, bytes, cudaHostAllocPortable));
    CHECKED(cudaMalloc(&device, bytes));
    CHECKED(cudaMallocManaged(&everywhere, bytes, cudaMemAttachGlobal));
    CHECKED(cudaFreeHost(host));
    CHECKED(cudaFreeHost(portable));
    CHECKED(cudaFree(device));
    CHECKED(cudaFree(everywhere));
}

void allocate_from_pool() {
    int pools = 0;
    if (cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0) != cudaSuccess || pools == 0) return;
    std::vector<float> a(elements, 1.0f), b(elements, 2.0f), c(elements);
    cudaStream_t stream = nullptr;
    CHECKED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    float *on_a = nullptr, *on_b = nullptr, *on_c = nullptr;
    CHECKED(cudaMallocAsync(&on_a, bytes, stream));
    CHECKED(cudaMallocAsync(&on_b, bytes, stream));
    CHECKED(cudaMallocAsync(&on_c, bytes, stream));
    CHECKED(cudaMemcpyAsync(on_a, a.data(), bytes, cudaMemcpyHostToDevice, stream));
    CHECKED(cudaMemcpyAsync(on_b, b.data(), bytes, cudaMemcpyHostToDevice, stream));
    workload::add<<<elements / 256, 256, 0, stream>>>(on_a, on_b, on_c, elements);
    CHECKED(cudaFreeAsync(on_a, stream));
    CHECKED(cudaFreeAsync(on_b, stream));
    CHECKED(cudaMemcpyAsync(c.data(), on_c, bytes, cudaMemcpyDeviceToHost, stream));
    CHECKED(cudaStreamSynchronize(stream));
    CHECKED(cudaFree(on_c));
    CHECKED(cudaStreamDestroy(stream));
}

} // namespace

int main() {
    // tracing begins
    namespace activity = gpuprof::activity;
    gpuprof::tracer trace{gpuprof::hw::real_machine(),
                          activity::kinds<activity::memory_operation, activity::memory_pool>};
    // tracing ends
    CHECKED(cuInit(0));
    CHECKED(cudaSetDevice(0));
    allocate_each_kind();
    allocate_from_pool();
    // tracing begins
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{[](activity::memory_operation const& m) {
                                        std::cout << "memory2 " << to_text(m.type) << ' ' << to_text(m.memory) << ' '
                                                  << m.size.value() << " bytes at " << m.address << " pool "
                                                  << to_text(m.pool) << '\n';
                                    },
                                    [](activity::memory_pool const& p) {
                                        std::cout << "memory_pool " << to_text(p.operation) << ' ' << to_text(p.type)
                                                  << ' ' << p.size.value() << " bytes at " << p.address << '\n';
                                    }});
    std::cout << "lost " << batch.losses().dropped << '\n';
    // tracing ends
}
