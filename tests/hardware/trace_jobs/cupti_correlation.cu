// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample cupti_correlation: beside each kernel and copy, the call that started it.
#include <iostream>
#include <map>

#include <gpuprof/trace.hpp>

#include "workload.hpp"

int main() {
    // tracing begins
    namespace activity = gpuprof::activity;
    gpuprof::tracer trace{gpuprof::hw::real_machine(),
                          activity::kinds<activity::api_call, activity::kernel, activity::memcpy>};
    // tracing ends
    CHECKED(cuInit(0));
    CUdevice device = 0;
    char name[256];
    CHECKED(cuDeviceGet(&device, 0));
    CHECKED(cuDeviceGetName(name, sizeof name, device));
    CHECKED(cudaSetDevice(0));
    workload::vector_pass(nullptr);
    cudaStream_t stream = nullptr;
    CHECKED(cudaStreamCreate(&stream));
    workload::vector_pass(stream);
    CHECKED(cudaDeviceSynchronize());
    // tracing begins
    std::map<std::uint32_t, activity::api_call> calls;
    std::map<std::uint32_t, activity::kernel> kernels;
    std::map<std::uint32_t, activity::memcpy> copies;
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{[&](activity::api_call const& c) { calls[c.correlation] = c; },
                                    [&](activity::kernel const& k) { kernels[k.correlation] = k; },
                                    [&](activity::memcpy const& m) { copies[m.correlation] = m; }});
    auto const print_call = [&](std::uint32_t correlation) {
        if (calls.count(correlation) == 0) return;
        auto const& call = calls[correlation];
        std::cout << "correlated " << correlation << '\n'
                  << activity::name_of(call.kind) << ' ' << call.callback << '\n';
    };
    for (auto const& [correlation, k] : kernels) {
        std::cout << activity::name_of(k.kind) << ' ' << k.name << '\n';
        print_call(correlation);
    }
    for (auto const& [correlation, m] : copies) {
        std::cout << "memcpy " << to_text(m.direction) << ' ' << m.size.value() << '\n';
        print_call(correlation);
    }
    std::cout << "lost " << batch.losses().dropped << '\n';
    // tracing ends
}
