// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample cupti_finalize, a library that traces any program for three seconds, takes CUPTI out of it for
// three, attaches it again, and so on. CUDA_INJECTION64_PATH names it.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <thread>

#include <gpuprof/trace.hpp>
#include <gpuprof/trace/function_names.hpp>

// tracing begins
namespace activity = gpuprof::activity;
constexpr auto kinds = activity::kinds<activity::api_call, activity::kernel>;
using program_tracer = gpuprof::tracer<std::remove_const_t<decltype(kinds)>>;
auto& trace = *new std::optional<program_tracer>; // never destroyed: threads of the program may run longer than exit()
auto& cycle = *new std::thread;
std::atomic<bool> ended{false};

void print(program_tracer::batch const& batch) {
    batch.visit(
        gpuprof::overloaded{[](activity::kernel const& k) { std::cout << "concurrent_kernel " << k.name << '\n'; },
                            [](activity::api_call const& c) {
                                if (c.kind == gpuprof::abi::CUPTI_ACTIVITY_KIND_DRIVER) std::cout << "driver\n";
                                else std::cout << "runtime " << name(gpuprof::runtime_function{c.callback}) << '\n';
                            }});
    std::cout << "lost " << batch.losses().dropped << std::endl;
}
void attach() { trace.emplace(gpuprof::hw::real_machine(), kinds); }
void detach_and_attach() {
    while (std::this_thread::sleep_for(std::chrono::seconds(3)), !ended) {
        if (!trace) {
            attach(), std::cout << "attached\n";
            continue;
        }
        print(trace->try_detach().value()), std::cout << "detached\n";
        trace.reset();
    }
}
extern "C" int InitializeInjection() {
    if (trace) return 1;
    attach();
    cycle = std::thread{&detach_and_attach};
    std::atexit([] {
        ended = true, cycle.join();
        if (trace) print(trace->try_finish().value());
    });
    return 1;
}
// tracing ends
