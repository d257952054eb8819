// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints every launch__ metric of the kernels of the suite, and every device__attribute_, nvlink__ and numa__ metric of the
// device: what compare_provided.py holds against Nsight Compute. A line each, comma-separated, the value last:
//   about,WHAT,TEXT    device,METRIC,VALUE    launch,KERNEL,METRIC,VALUE
//   driver,KERNEL,BLOCKS,OURS          (blocks that an SM holds, by the driver's calculation and by gpuprof's)
//   refused,KERNEL,METRIC,WHY  instances,KERNEL,METRIC,KEY=VALUE;KEY=VALUE...     (KERNEL is empty for the device)
// On the embedded GPU with GPUPROF_DEVICE=sim.
//
//   provided TESTS/HARDWARE
#include <cstddef>
#include <exception>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/callbacks/launch_facts.hpp>
#include <gpuprof/hw/counters/uncounted/provided.hpp>
#include <gpuprof/metric/device_attributes.hpp>
#include <gpuprof/metric/provider_metrics.hpp>
#include <gpuprof/sim.hpp>

#include "suite.hpp"

namespace {
using gpuprof::hw::provided::provided_value;

std::string written(double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
}

void print(std::string const& kernel, std::string_view metric, gpuprof::result<provided_value> const& value) {
    if (!value) {
        std::cout << "refused," << kernel << ',' << metric << ',' << value.error().message() << '\n';
        return;
    }
    std::string const what = kernel.empty() ? "device," : "launch," + kernel + ',';
    if (value->number) std::cout << what << metric << ',' << written(*value->number) << '\n';
    else if (!value->text.empty()) std::cout << what << metric << ',' << value->text << '\n';
    if (value->instances.empty()) return;
    std::cout << "instances," << kernel << ',' << metric << ',';
    for (auto const& each : value->instances)
        std::cout << each.key << '=' << (each.text.empty() ? written(each.number) : each.text) << ';';
    std::cout << '\n';
}

// What the suite launches, as the callbacks of CUPTI would tell it.
gpuprof::hw::kernel_launch known_of(gpuprof::device const& gpu, kernel_suite const& suite, std::size_t at) {
    kernel_launch const& row = suite_kernels[at];
    gpuprof::hw::kernel_launch launch;
    launch.kernel = row.name;
    launch.grid = {row.grid.x, row.grid.y, row.grid.z};
    launch.block = {row.block.x, row.block.y, row.block.z};
    launch.dynamic_shared = row.shared;
    launch.context = gpu.context();
    gpuprof::hw::ask_driver(gpu.driver(), suite.function(at), launch);
    return launch;
}
// driver,KERNEL,BLOCKS,OURS: blocks of an SM as the driver calculates them, and as the waves of the launch say.
void compare_with_driver(gpuprof::device const& gpu, gpuprof::hw::kernel_launch const& launch,
                         gpuprof::abi::CUfunction function) {
    int blocks = 0;
    auto const waves = gpuprof::hw::provided::try_launch_value(gpu, launch, "launch__waves_per_multiprocessor");
    int const threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
    if (!waves ||
        gpu.driver().OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, launch.dynamic_shared) != 0)
        return;
    double const grid = double{1} * launch.grid[0] * launch.grid[1] * launch.grid[2];
    int const multiprocessors = gpu.attribute(gpuprof::abi::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    std::cout << "driver," << launch.kernel << ',' << blocks << ',' << written(grid / multiprocessors / *waves->number)
              << '\n';
}
} // namespace

int main(int count, char** words) try {
    using namespace gpuprof;
    if (count != 2) throw std::runtime_error{"usage: provided TESTS/HARDWARE"};
    auto const gpu = try_open_device();
    if (!gpu) {
        std::cout << "skipped: " << gpu.error().message() << '\n';
        return 77;
    }
    std::cout << "about,device," << gpu->name() << "\nabout,chip," << gpu->chip() << '\n';
    bool const embedded = gpu->source() == device_source::embedded;
    std::cout << "about,source," << (embedded ? "embedded" : "hardware") << '\n';
    for (device_attribute const& row : device_attributes) {
        std::string const metric = std::string{"device__attribute_"} + row.name;
        print("", metric, hw::provided::try_device_value(*gpu, metric));
    }
    for (provider_metric const& row : provider_metrics) {
        bool const of_device = row.source == metric_source::device || row.source == metric_source::nvlink ||
                               row.source == metric_source::numa;
        if (of_device) print("", row.name, hw::provided::try_device_value(*gpu, row.name));
    }
    kernel_suite suite{*gpu, words[1]};
    for (std::size_t at = 0; at < std::size(suite_kernels); ++at) {
        hw::kernel_launch const launch = known_of(*gpu, suite, at);
        for (provider_metric const& row : provider_metrics)
            if (row.source == metric_source::launch)
                print(launch.kernel, row.name, hw::provided::try_launch_value(*gpu, launch, row.name));
        compare_with_driver(*gpu, launch, suite.function(at));
    }
} catch (std::exception const& problem) {
    std::cerr << "provided: " << problem.what() << '\n';
    return 1;
}
