// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample callback_timestamp: when copies and a kernel began, how long they took, and how much was copied,
// as callbacks at the entries and exits of calls tell.
#include <iostream>
#include <string>

#include <gpuprof/trace.hpp>
#include <gpuprof/trace/callbacks.hpp>
#include <gpuprof/trace/function_families.hpp>
#include <gpuprof/trace/function_names.hpp>

#include "workload.hpp"

// tracing begins
struct timed_call {
    std::string name;
    std::uint64_t begin, end;
    std::optional<gpuprof::copy_parameters> copy;
};
std::vector<timed_call> timed; // the program has one thread
std::uint64_t now() {
    std::uint64_t nanoseconds = 0;
    gpuprof::hw::real_machine().cupti.GetTimestamp(&nanoseconds);
    return nanoseconds;
}
auto const hear = [](gpuprof::api_call_event const& call) {
    if (call.enter()) call.word() = now();
    else if (call.is(gpuprof::calls<"cudaDeviceSynchronize">) && !timed.empty()) timed.back().end = now();
    else if (call.launch()) timed.push_back({std::string{call.symbol()}, call.word(), now(), {}});
    else if (call.copy()) timed.push_back({std::string{call.name()}, call.word(), now(), call.copy()});
};
// tracing ends

int main() {
    // tracing begins
    auto const what = gpuprof::runtime_calls::launches | gpuprof::calls<"cudaMemcpy"> |
                      gpuprof::calls<"cudaDeviceSynchronize"> | gpuprof::callback_domain::state;
    gpuprof::callbacks const heard{
        gpuprof::hw::real_machine(), what,
        gpuprof::overloaded{hear, [](gpuprof::state_event const& s) { std::cerr << s.message() << '\n'; }}};
    // tracing ends
    using workload::size;
    CUcontext context = nullptr;
    CHECKED(cuInit(0));
    CHECKED(cuCtxCreate(&context, nullptr, 0, 0));
    std::vector<int> a(workload::count, 1), b(workload::count, 2), c(workload::count);
    int *on_a = nullptr, *on_b = nullptr, *on_c = nullptr;
    CHECKED(cudaMalloc(&on_a, size));
    CHECKED(cudaMalloc(&on_b, size));
    CHECKED(cudaMalloc(&on_c, size));
    CHECKED(cudaMemcpy(on_a, a.data(), size, cudaMemcpyHostToDevice));
    CHECKED(cudaMemcpy(on_b, b.data(), size, cudaMemcpyHostToDevice));
    workload::add<<<workload::blocks, workload::threads>>>(on_a, on_b, on_c, workload::count);
    CHECKED(cudaGetLastError());
    CHECKED(cudaDeviceSynchronize());
    CHECKED(cudaMemcpy(c.data(), on_c, size, cudaMemcpyDeviceToHost));
    for (int const sum : c)
        if (sum != 3) return std::cout << "the sum is " << sum << '\n', 1;
    // tracing begins
    for (auto const& [name, begin, end, copy] : timed) {
        std::cout << "call " << name << ' ' << begin << ' ' << end - begin << ' ';
        if (!copy) std::cout << "NA NA\n";
        else if (copy->direction == gpuprof::copy_direction::host_to_device)
            std::cout << copy->bytes << " HostToDevice\n";
        else std::cout << copy->bytes << " DeviceToHost\n";
    }
    // tracing ends
    CHECKED(cudaFree(on_a));
    CHECKED(cudaFree(on_b));
    CHECKED(cudaFree(on_c));
    CHECKED(cudaDeviceSynchronize());
}
