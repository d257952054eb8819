// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A running loop with a display of its last frames: times, calls of the driver, counters, and the sampler's own cost of its
// budget. On a terminal it is written anew ten times a second; else a few plain lines come at the end.
// What you learn: frame_sampler, scopes on worker threads, write_hud() and write_bars(), counters by name.
//
//     frame_hud [FRAMES] [COUNTER...]      600 frames; the counters are events below capability 7.5, metrics from there on
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gpuprof/frames.hpp>
#include <gpuprof/sim.hpp>

#include "support/ptx_program.hpp"
#include "support/terminal.hpp"
#include "support/vector_kernels.hpp"

int main(int argc, char** argv) try {
    int const count = argc > 1 ? std::atoi(argv[1]) : 600;
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to measure on.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;
    bool const embedded = gpu.source() == gpuprof::device_source::embedded;

    gpuprof::frame_options options;
    options.records = gpuprof::frame_records::own; // busy times, also of scopes; a launch costs more
    options.budget_us = embedded ? 0 : 50;         // what the embedded GPU takes of the host says nothing
    options.expected_frame_us = embedded ? 20 : 16'667;
    gpuprof::frame_sampler frames{gpu, options};

    // Counters by name: what the hardware does not have is said, and the program goes on.
    bool const has_events = gpu.capability().has_event_hardware();
    std::vector<std::string> names{argv + (argc > 2 ? 2 : argc), argv + argc};
    if (names.empty())
        names = has_events ? std::vector<std::string>{"warps_launched", "inst_executed", "active_cycles"}
                           : std::vector<std::string>{"smsp__warps_launched.sum", "lts__t_sectors.sum"};
    for (std::string const& name : names)
        if (auto enabled = frames.try_enable(name); !enabled) std::cout << enabled.error().message() << '\n';
    if (gpuprof::error const* const why = frames.new_problem()) std::cout << why->message() << '\n';

    ptx_program program{gpu, vector_kernels};
    device_buffer x{gpu, 1 << 14}, y{gpu, 1 << 14};
    bool const live = terminal_rewrites();
    char text[4000], bars[400];
    for (int n = 0; n < count; ++n) {
        frames.begin_frame();
        std::thread worker{[&] { gpuprof::scope const physics{frames, "physics"}; }};
        {
            gpuprof::scope const draw{frames, "draw"};
            program.launch("add", 16, 256, x.address(), y.address());
            gpuprof::scope const shadows{frames, "shadows"};
            for (int i = 0; i < 1 + n % 4; ++i) program.launch("add", 16, 256, x.address(), y.address());
        }
        worker.join();
        program.wait();
        frames.end_frame();
        if (live && n % 6 == 0) {
            auto const lines = gpuprof::write_hud(text, frames);
            auto const row = gpuprof::write_bars(bars, frames[gpuprof::frame_quantity::gpu_time].history, 70);
            std::cout << "\033[H\033[2J" << lines << "  " << row << '\n' << std::flush;
        }
    }
    auto const lines = gpuprof::write_hud(text, frames);
    auto const row =
        gpuprof::write_bars(bars, frames[gpuprof::frame_quantity::launches].history, 40, 5, gpuprof::bar_style::ascii);
    std::cout << gpu.name() << (embedded ? ", embedded: times and samples are modelled" : "") << '\n'
              << lines << "  launches of the last 40 frames: " << row << '\n';
    return 0;
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
