// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five kernels that are each bound by one unit, or by none (tests/kernels/bound.cu), as objects of one experiment: the
// verdict of the simplified experiments must be right for each.
//   bottleneck FOLDER-OF-KERNELS     exit status 0 if all are right, 1 if not, 2 if nothing could be measured
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>

#include "../../examples/support/ptx_program.hpp"

namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;
constexpr std::string_view expected[]{"DRAM", "L2", "FMA pipe", "shared memory", "latency"};
constexpr char const* kernels[]{"bound_by_dram", "bound_by_l2", "bound_by_fma", "bound_by_shared", "bound_by_latency"};

} // namespace

int main(int argc, char** argv) try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "no GPU: " << opened.error().message() << '\n';
        return 2;
    }
    gpuprof::device const& gpu = *opened;
    std::ifstream file{std::string{argc > 1 ? argv[1] : "tests/kernels"} + "/bound.sm_80.ptx"};
    std::string const ptx{std::istreambuf_iterator<char>{file}, {}};
    if (ptx.empty()) {
        std::cout << "bound.sm_80.ptx is not there\n";
        return 2;
    }
    ptx_program program{gpu, ptx.c_str()};
    device_buffer in{gpu, 4 * gibibyte}, out{gpu, 4096};
    constexpr unsigned full = 132 * 8; // blocks of 256 threads; each kernel takes about a millisecond on an H200
    auto const launch = [&](std::size_t id) {
        std::uint64_t const from = in.address(), to = out.address();
        switch (id) {
            case 0: program.launch(kernels[0], full, 256, from, to, static_cast<unsigned>(4 * gibibyte / 16)); break;
            case 1: program.launch(kernels[1], full, 256, from, to, 1u << 20, 1200u); break; // 16 MiB
            case 2: program.launch(kernels[2], full, 256, from, to, 16'000u); break;
            case 3: program.launch(kernels[3], full, 256, from, to, 4'000u); break;
            default: program.launch(kernels[4], 4, 64, from, to, 4'000u); break;
        }
    };

    auto const metrics = gpuprof::explain::try_bottleneck_metrics(gpu);
    if (!metrics) {
        std::cout << metrics.error().message() << '\n';
        return 2;
    }
    gpuprof::experiment frozen{gpu};
    frozen.enable(*metrics);
    frozen.reserve_objects(std::size(kernels));
    auto const ran = frozen.run([&] {
        for (std::size_t id = 0; id < std::size(kernels); ++id) {
            frozen.begin_object(id);
            launch(id);
            frozen.end_object(id);
        }
    });
    std::cout << gpu.name() << ", " << gpu.chip() << ", " << metrics->size() << " metrics, " << frozen.passes()
              << " passes\n";
    if (!ran) {
        std::cout << (frozen.refusal() ? frozen.refusal()->message() : ran.message()) << '\n';
        return 2;
    }
    std::size_t wrong = 0;
    for (auto const& each : frozen.mistakes()) {
        std::cout << "mistake: " << each.first.message() << ", " << each.times << " times\n";
        ++wrong;
    }
    if (auto const report = frozen.try_report(); report)
        for (auto const& each : report->completeness().problems) std::cout << "problem: " << each.message() << '\n';
    std::vector<std::string> tables;
    std::cout << "kernel | expected | verdict | judged\n";
    for (std::size_t id = 0; id < std::size(kernels); ++id) {
        auto const range = frozen.try_object(id);
        if (!range) {
            std::cout << kernels[id] << " | " << expected[id] << " | " << range.error().message() << " | wrong\n";
            ++wrong;
            continue;
        }
        auto const found = gpuprof::explain::find_bottleneck(*range);
        bool const right = found.verdict() == expected[id];
        std::cout << kernels[id] << " | " << expected[id] << " | " << found.verdict() << " | "
                  << (right ? "right" : "wrong") << '\n';
        wrong += right ? 0 : 1;
        tables.push_back(std::string{kernels[id]} + "\n" + gpuprof::io::table(found));
    }
    for (std::string const& each : tables) std::cout << '\n' << each;
    return wrong == 0 ? 0 : 1;
} catch (std::exception const& problem) {
    std::cout << problem.what() << '\n';
    return 2;
}
