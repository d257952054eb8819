// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who launched what: from a kernel to the call that launched it, to the scope the call was made in, and to an id of one's own.
// What you learn: correlation numbers, scope_of(), external ids, visiting with one function a kind.
#include <cstdint>
#include <iostream>
#include <map>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one
#include <gpuprof/trace.hpp>
#include <gpuprof/trace/function_names.hpp>

#include "support/ptx_program.hpp"
#include "support/vector_kernels.hpp"

namespace activity = gpuprof::activity;

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to trace.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;

    constexpr std::uint32_t n = 1u << 12;
    device_buffer x{gpu, n * 4}, y{gpu, n * 4};
    ptx_program program{gpu, vector_kernels};

    constexpr auto of_requests = gpuprof::external_kind::custom0;
    gpuprof::tracer trace{gpu, activity::kinds<activity::kernel, activity::driver_calls>};
    for (std::uint64_t request = 101; request <= 102; ++request) { // of a server, say
        // For all calls that this thread makes meanwhile.
        gpuprof::external_id const handled{trace, of_requests, request};
        gpuprof::scope serve{trace, "serve"};
        {
            gpuprof::scope step{trace, "scale"};
            program.launch("scale", n / 256, 256u, x.address(), 2.0f);
        }
        program.launch("add", n / 256, 256u, x.address(), y.address());
    }
    program.wait();

    // Records come in no order: first all, then the answer.
    std::map<std::uint32_t, activity::api_call> call_of; // by the correlation number, which what a call started shares
    std::map<std::uint64_t, activity::kernel> kernels;   // by their starts
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{[&](activity::kernel const& each) { kernels.emplace(each.time.start.ticks, each); },
                                    [&](activity::api_call const& each) { call_of.emplace(each.correlation, each); }});
    for (auto const& [start, kernel] : kernels) {
        auto const call = static_cast<gpuprof::driver_function>(call_of.at(kernel.correlation).callback);
        std::cout << kernel.name << ": launched by " << gpuprof::name(call) << " in "
                  << batch.scope_path(batch.scope_of(kernel)) << " for request "
                  << batch.external_id_of(kernel, of_requests).value_or(0) << '\n';
    }
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
