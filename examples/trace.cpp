// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ran, as a picture: scopes, kernels, copies and the calls that started them, in a file that a person can open.
// What you learn: tracer, scopes on it, flush(), trace_event_writer, activity_summary.
//
//     trace [FILE]     writes trace.json, or that file
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/io/activity_table.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/trace_event.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one
#include <gpuprof/trace.hpp>

#include "support/ptx_program.hpp"
#include "support/vector_kernels.hpp"

namespace activity = gpuprof::activity;

int main(int count, char** arguments) try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to trace.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;

    constexpr std::uint32_t n = 1u << 16;
    std::vector<float> host(n, 1.0f);
    device_buffer x{gpu, n * 4}, y{gpu, n * 4};
    ptx_program program{gpu, vector_kernels};

    gpuprof::tracer trace{gpu,
                          activity::kinds<activity::kernel, activity::memcpy, activity::memset, activity::api_call>};
    for (int i = 0; i < 3; ++i) {
        gpuprof::scope frame{trace, "frame"};
        {
            gpuprof::scope step{trace, "upload"};
            x.upload(host.data(), n * 4);
        }
        {
            gpuprof::scope step{trace, "compute"};
            program.launch("scale", n / 256, 256u, x.address(), 2.0f);
            program.launch("add", n / 256, 256u, x.address(), y.address());
        }
        gpuprof::scope step{trace, "download"};
        y.download(host.data(), n * 4);
    }

    std::string const path = count > 1 ? arguments[1] : "trace.json";
    auto file = gpuprof::io::file_sink::try_open(path).value();
    gpuprof::io::trace_event_writer picture{file.sink()};
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    picture.write(batch); // records of each kind, and scopes
    picture.finish().value();

    gpuprof::io::activity_summary summary;
    summary.add(batch);
    std::cout << table(summary) << "\nWrote " << path << ": open it in https://ui.perfetto.dev or chrome://tracing.\n";
    if (auto const lost = batch.losses(); !lost.complete())
        std::cout << "Lost: " << lost.dropped << " records, " << lost.scopes_dropped
                  << " scopes; without time: " << lost.without_time << '\n';
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
