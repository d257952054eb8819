// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches every kernel of the suite, in order; what Nsight Compute profiles. Counts nothing itself and loads no CUPTI.
//   conformance_app TESTS/HARDWARE [--repeat N] [--warm-up N] [--kernel NAME] [--pad MIB] [--evict]
// --evict: every kernel finds the L2 cache full of other data, as it does in conformance's groups of kind "spread".
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "suite.hpp"

int main(int count, char** words) try {
    std::string folder;
    std::string_view only;
    int repeat = 1, warm_up = 3, pad = 0;
    bool evict = false;
    for (int i = 1; i < count; ++i) {
        std::string_view const word = words[i];
        bool const more = i + 1 < count;
        if (word == "--repeat" && more) repeat = std::atoi(words[++i]);
        else if (word == "--warm-up" && more) warm_up = std::atoi(words[++i]);
        else if (word == "--kernel" && more) only = words[++i];
        else if (word == "--pad" && more) pad = std::atoi(words[++i]);
        else if (word == "--evict") evict = true;
        else if (folder.empty() && !word.starts_with('-')) folder = word;
        else
            throw std::runtime_error{"usage: conformance_app TESTS/HARDWARE [--repeat N] [--warm-up N] [--kernel NAME] "
                                     "[--pad MIB] [--evict]"};
    }

    // The driver alone: a second CUPTI must not come between a profiler and what it profiles.
    gpuprof::hw::load_options driver_alone;
    driver_alone.with_cupti = false;
    gpuprof::hw::machine const machine = gpuprof::hw::try_load_machine(driver_alone).value();
    gpuprof::device const gpu = gpuprof::device::try_open(machine).value();
    kernel_suite suite{gpu, folder, pad};
    for (int i = 0; i < warm_up; ++i) suite.launch_all();
    suite.wait();

    static_cast<void>(gpu.driver().ProfilerStart());
    for (int i = 0; i < repeat; ++i)
        for (std::size_t at = 0; at < std::size(suite_kernels); ++at)
            if (only.empty() || only == suite_kernels[at].name) {
                if (evict) {
                    suite.evict();
                    suite.wait();
                }
                suite.launch(at);
            }
    suite.wait();
    static_cast<void>(gpu.driver().ProfilerStop());
} catch (std::exception const& problem) {
    std::cerr << "conformance_app: " << problem.what() << '\n';
    return 1;
}
