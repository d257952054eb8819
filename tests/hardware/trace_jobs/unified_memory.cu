// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample unified_memory: bytes that moved between the host and the GPU. Exit status 2: not supported here.
#include <iostream>

#include <gpuprof/trace.hpp>

#include "workload.hpp"

__global__ void check_and_negate(int* data, int bytes, int expected) {
    for (int i = 0; i < bytes / static_cast<int>(sizeof(int)); ++i) {
        if (data[i] != expected) {
            printf("GPU: %d instead of %d\n", data[i], expected);
            break;
        }
    }
    for (int i = 0; i < bytes / static_cast<int>(sizeof(int)); ++i) data[i] = -expected;
}

int main() {
    constexpr int bytes = 64 * 1024;
    constexpr int value = 123;
    CHECKED(cuInit(0));
    // tracing begins
    namespace activity = gpuprof::activity;
    using memory_tracer = gpuprof::tracer<activity::kind_list<activity::unified_memory_counter>>;
    gpuprof::tracer_options options;
    options.unified_memory = gpuprof::unified_memory_counters{
        .page_faults = false, .thrashing = false, .remote_maps = false}; // transfers alone
    auto begun = memory_tracer::try_begin(gpuprof::hw::real_machine(),
                                          activity::kinds<activity::unified_memory_counter>, options);
    if (!begun) return std::cout << begun.error().message() << '\n', 2;
    memory_tracer& trace = *begun;
    // tracing ends
    int* data = nullptr;
    CHECKED(cudaMallocManaged(&data, bytes));
    for (int i = 0; i < bytes / static_cast<int>(sizeof(int)); ++i) data[i] = value;
    check_and_negate<<<1, 1>>>(data, bytes, value);
    CHECKED(cudaGetLastError());
    CHECKED(cudaDeviceSynchronize());
    for (int i = 0; i < bytes / static_cast<int>(sizeof(int)); ++i)
        if (data[i] != -value) return std::cout << "host: " << data[i] << '\n', 1;
    CHECKED(cudaFree(data));
    // tracing begins
    static_cast<void>(trace.try_stop());
    // tracing ends
    CHECKED(cudaDeviceReset());
    // tracing begins
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit([](activity::unified_memory_counter const& u) {
        std::cout << "unified_memory_counter " << to_text(u.kind) << ' ' << u.value << " bytes at " << u.address
                  << '\n';
    });
    std::cout << "lost " << batch.losses().dropped << '\n';
    // tracing ends
}
