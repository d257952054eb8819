// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample activity_trace_async: prints what the driver, the runtime and the GPU did.
#include <iostream>

#include <gpuprof/trace.hpp>

#include "workload.hpp"

// tracing begins
namespace activity = gpuprof::activity;
std::ostream& operator<<(std::ostream& to, activity::interval const& time) {
    return to << " [ " << time.start.ticks << ", " << time.end.ticks << " ] ";
}
auto const print = gpuprof::overloaded{
    [](activity::device const& d) { std::cout << "device " << d.id << ' ' << d.name << '\n'; },
    [](activity::context const& c) { std::cout << "context " << c.id << " null stream " << c.null_stream << '\n'; },
    [](activity::api_call const& c) {
        std::cout << activity::name_of(c.kind) << c.time << c.callback << " correlation " << c.correlation << '\n';
    },
    [](activity::kernel const& k) {
        std::cout << activity::name_of(k.kind) << k.time << k.name << " stream " << k.stream << " correlation "
                  << k.correlation << '\n';
    },
    [](activity::memcpy const& m) {
        std::cout << "memcpy" << m.time << to_text(m.direction) << ' ' << m.size.value() << '\n';
    },
    [](activity::memset const& m) { std::cout << "memset" << m.time << m.value << ' ' << m.size.value() << '\n'; },
    [](activity::object_name const& n) { std::cout << "name " << n.name << '\n'; },
    [](activity::marker const& m) { std::cout << "marker " << m.id << ' ' << m.name << '\n'; },
    [](activity::overhead const& o) { std::cout << "overhead" << o.time << to_text(o.kind) << '\n'; }};
constexpr auto kinds =
    activity::kinds<activity::device, activity::context, activity::api_call, activity::kernel, activity::memcpy,
                    activity::memset, activity::object_name, activity::marker, activity::overhead>;
// tracing ends

int main() {
    // tracing begins
    gpuprof::tracer trace{gpuprof::hw::real_machine(),
                          kinds}; // before CUDA initialises, as the records of devices need it
    // tracing ends
    CHECKED(cuInit(0));
    int devices = 0;
    CHECKED(cudaGetDeviceCount(&devices));
    for (int number = 0; number < devices; ++number) {
        CUdevice device = 0;
        char name[256];
        CHECKED(cuDeviceGet(&device, number));
        CHECKED(cuDeviceGetName(name, sizeof name, device));
        CHECKED(cudaSetDevice(number));
        workload::vector_pass(nullptr);
        cudaStream_t stream = nullptr;
        CHECKED(cudaStreamCreate(&stream));
        workload::vector_pass(stream);
        CHECKED(cudaDeviceSynchronize());
        CHECKED(cudaDeviceReset());
    }
    // tracing begins
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(print);
    std::cout << "lost " << batch.losses().dropped << '\n';
    // tracing ends
}
