// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample cupti_trace_injection, a library that traces any program: CUDA_INJECTION64_PATH names it, and the
// driver calls InitializeInjection() when the program initialises CUDA. For NVTX, NVTX_INJECTION64_PATH names libcupti.so.
#include <cstdlib>
#include <iostream>

#include <gpuprof/trace.hpp>

// tracing begins
namespace activity = gpuprof::activity;
constexpr auto kinds = activity::kinds<activity::api_call, activity::overhead, activity::kernel, activity::memset,
                                       activity::memcpy, activity::peer_memcpy, activity::memory_operation,
                                       activity::object_name, activity::marker, activity::marker_data>;
using program_tracer = gpuprof::tracer<std::remove_const_t<decltype(kinds)>>;
program_tracer* trace = nullptr; // never destroyed: threads of the program may run longer than exit()

auto const print = gpuprof::overloaded{
    [](activity::api_call const& c) { std::cout << activity::name_of(c.kind) << ' ' << c.callback << '\n'; },
    [](activity::kernel const& k) { std::cout << activity::name_of(k.kind) << ' ' << k.name << '\n'; },
    [](activity::marker const& m) { std::cout << "marker " << m.id << ' ' << m.name << '\n'; },
    [](gpuprof::traced_scope const&) {},
    [](auto const& other) { std::cout << activity::name_of(other.kinds[0]) << '\n'; }};

void write_at_exit() {
    static_cast<void>(trace->try_stop());
    auto const batch = trace->try_flush(gpuprof::flush_mode::forced);
    if (!batch) return;
    batch->visit(print);
    std::cout << "lost " << batch->losses().dropped << std::endl;
}

extern "C" int InitializeInjection() {
    if (trace != nullptr) return 1;
    auto begun = program_tracer::try_begin(gpuprof::hw::real_machine(), kinds);
    if (!begun) return std::cerr << begun.error().message() << '\n', 1;
    trace = new program_tracer{*std::move(begun)};
    std::atexit(&write_at_exit);
    return 1;
}
// tracing ends
