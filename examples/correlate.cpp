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

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;

// An id of one's own, such as the number of a request that a server handles, for all calls that this thread makes meanwhile.
class request_id {
public:
    request_id(gpuprof::device const& gpu, std::uint64_t id) : cupti_{gpu.cupti()} {
        static_cast<void>(cupti_.ActivityPushExternalCorrelationId(kind, id));
    }
    ~request_id() { static_cast<void>(cupti_.ActivityPopExternalCorrelationId(kind, nullptr)); }
    request_id(request_id const&) = delete;
    request_id& operator=(request_id const&) = delete;
    // Scopes of the tracer use another one: tracer_options::scope_kind.
    static constexpr auto kind = abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;

private:
    abi::cupti_table const& cupti_;
};

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

    gpuprof::tracer trace{gpu,
                          activity::kinds<activity::kernel, activity::driver_calls, activity::external_correlation>};
    for (std::uint64_t request = 101; request <= 102; ++request) {
        request_id const handled{gpu, request};
        gpuprof::scope serve{trace, "serve"};
        {
            gpuprof::scope step{trace, "scale"};
            program.launch("scale", n / 256, 256u, x.address(), 2.0f);
        }
        program.launch("add", n / 256, 256u, x.address(), y.address());
    }
    program.wait();

    // Records come in no order: first all, then the answer.
    std::map<std::uint32_t, std::uint64_t> request_of; // by the correlation number, which what a call started shares
    std::map<std::uint32_t, activity::api_call> call_of;
    std::map<std::uint64_t, activity::kernel> kernels; // by their starts
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{[&](activity::kernel const& each) { kernels.emplace(each.time.start.ticks, each); },
                                    [&](activity::api_call const& each) { call_of.emplace(each.correlation, each); },
                                    [&](activity::external_correlation const& each) {
                                        if (each.kind == request_id::kind) request_of[each.correlation] = each.id;
                                    }});
    for (auto const& [start, kernel] : kernels) {
        auto const call = static_cast<gpuprof::driver_function>(call_of.at(kernel.correlation).callback);
        std::cout << kernel.name << ": launched by " << gpuprof::name(call) << " in "
                  << batch.scope_path(batch.scope_of(kernel)) << " for request " << request_of.at(kernel.correlation)
                  << '\n';
    }
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
