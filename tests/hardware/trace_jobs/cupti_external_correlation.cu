// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample cupti_external_correlation: which calls belong to which phase of a program. Phases are scopes.
#include <iostream>
#include <map>
#include <set>

#include <gpuprof/scope.hpp>
#include <gpuprof/trace.hpp>

#include "workload.hpp"

int main() {
    using workload::size;
    std::vector<int> a(workload::count, 1), b(workload::count, 2), c(workload::count);
    int *on_a = nullptr, *on_b = nullptr, *on_c = nullptr;
    CUcontext context = nullptr;
    CUdevice device = 0;
    // tracing begins
    namespace activity = gpuprof::activity;
    gpuprof::tracer trace{
        gpuprof::hw::real_machine(),
        activity::kinds<activity::runtime_calls, activity::external_correlation, activity::kernel, activity::memcpy>};
    // tracing ends
    CHECKED(cuInit(0));
    CHECKED(cuDeviceGet(&device, 0));
    {
        // tracing begins
        gpuprof::scope const phase{trace, "initialization"};
        // tracing ends
        CHECKED(cuCtxCreate(&context, nullptr, 0, device));
        CHECKED(cudaMalloc(&on_a, size));
        CHECKED(cudaMalloc(&on_b, size));
        CHECKED(cudaMalloc(&on_c, size));
        CHECKED(cudaMemcpy(on_a, a.data(), size, cudaMemcpyHostToDevice));
        CHECKED(cudaMemcpy(on_b, b.data(), size, cudaMemcpyHostToDevice));
    }
    {
        // tracing begins
        gpuprof::scope const phase{trace, "execution"};
        // tracing ends
        workload::add<<<workload::blocks, workload::threads>>>(on_a, on_b, on_c, workload::count);
        CHECKED(cudaGetLastError());
        CHECKED(cuCtxSynchronize());
        CHECKED(cudaMemcpy(c.data(), on_c, size, cudaMemcpyDeviceToHost));
    }
    {
        // tracing begins
        gpuprof::scope const phase{trace, "cleanup"};
        // tracing ends
        CHECKED(cudaFree(on_a));
        CHECKED(cudaFree(on_b));
        CHECKED(cudaFree(on_c));
    }
    CHECKED(cuCtxSynchronize());
    CHECKED(cuCtxDestroy(context));
    // tracing begins
    std::set<std::uint32_t> runtime; // scopes trace the driver's calls too, which the sample does not
    std::map<std::uint64_t, std::set<std::uint32_t>> calls_of;
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{
        [&](activity::api_call const& call) { runtime.insert(call.correlation), std::cout << "runtime\n"; },
        [&](activity::external_correlation const& link) { calls_of[link.id].insert(link.correlation); },
        [&](activity::kernel const& k) { std::cout << "concurrent_kernel " << k.name << '\n'; },
        [&](activity::memcpy const& m) { std::cout << "memcpy " << m.size.value() << '\n'; }});
    for (auto const& [number, calls] : calls_of) {
        std::cout << "phase " << batch.scope_path(number) << ": ";
        for (auto const correlation : calls)
            if (runtime.count(correlation) != 0) std::cout << correlation << ' ';
        std::cout << '\n';
    }
    std::cout << "lost " << batch.losses().dropped << '\n';
    // tracing ends
}
