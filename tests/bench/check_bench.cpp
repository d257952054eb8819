// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checks of the embedded GPU cost: processor time of launches with all of them on, over that of counting alone.
//
// A launch is what the driver table makes of one. Both kinds take turns in one run, and the fastest of the repetitions
// counts: other programs only ever take time away.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sim/chip/chips.hpp"
#include "sim/decode/program.hpp"
#include "sim/driver/checked_launch.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"

namespace {

namespace sim = gpuprof::sim;

std::string contents(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; } // of this process

class measurement {
public:
    explicit measurement(char const* file)
        : program_{
              sim::program::load(contents(std::string{GPUPROF_TEST_SOURCE_DIR "/kernels/"} + file), memory_).value()} {}

    template <class Value>
    std::uint64_t array(std::size_t n, Value value) {
        std::uint64_t const address = memory_.allocate(n * 4).value();
        shadow_.allocated(address, n * 4);
        shadow_.written(address, n * 4);
        for (std::size_t i = 0; i < n; ++i) {
            std::uint32_t const word = value(static_cast<std::uint32_t>(i));
            std::memcpy(memory_.translate(address + 4 * i, 4), &word, sizeof word);
        }
        return address;
    }
    template <class... Arguments>
    void run(char const* kernel, sim::extent3 grid, sim::extent3 block, Arguments... arguments) {
        sim::kernel const* const code = program_.find_kernel(kernel);
        std::vector<std::byte> parameters(code->parameter_bytes);
        std::size_t number = 0;
        (std::memcpy(parameters.data() + code->parameters.at(number++).offset, &arguments, sizeof arguments), ...);
        sim::launch_config const config{grid, block, 0, parameters, false};
        sim::execution_options options;
        options.sm_count = static_cast<unsigned>(sim::gh100.count(sim::hardware_unit::sm));
        sim::l2_cache l2{sim::gh100};
        std::vector<sim::finding> findings;
        auto const time = [&](bool checked) {
            double const begin = seconds();
            sim::launch_counters counters{sim::gh100, *code, config, 8, l2};
            if (checked)
                static_cast<void>(sim::driver::execute_checked(*code, config, memory_, counters, options,
                                                               sim::all_checks, shadow_, findings));
            else static_cast<void>(sim::execute(*code, config, memory_, counters, options));
            static_cast<void>(counters.finish());
            return seconds() - begin;
        };
        double plain = 1e9;
        double checked = 1e9;
        for (int i = 0; i < 5; ++i) plain = (std::min)(plain, time(false)), checked = (std::min)(checked, time(true));
        std::printf("%-16s %8.2f %8.2f %6.2f%s\n", kernel, plain * 1e3, checked * 1e3, checked / plain,
                    findings.empty() ? "" : "  (findings!)");
        for (auto const& one : findings) std::printf("    %s\n", one.message().c_str());
        worst = (std::max)(worst, checked / plain);
    }
    static inline double worst = 0;

private:
    sim::device_memory memory_;
    sim::memory_shadow shadow_;
    sim::program program_;
};

} // namespace

int main() {
    auto const zero = [](std::uint32_t) { return 0u; };
    auto const mixed = [](std::uint32_t i) { return i * 7919 % 1009; };
    std::printf("%-16s %8s %8s %6s\n", "kernel", "ms", "checked", "ratio");
    {
        measurement gpu{"bits.sm_75.ptx"};
        auto const seed = gpu.array(32768, [](std::uint32_t i) { return i * 2654435761u + 1; });
        gpu.run("xorshift", {256}, {128}, seed, gpu.array(32768, zero), 64);
    }
    {
        measurement gpu{"functions.sm_80.ptx"};
        gpu.run("mandelbrot", {16, 16}, {16, 8}, gpu.array(256 * 128, zero), 256u, 128u, 64);
    }
    {
        measurement gpu{"matrix.sm_80.ptx"};
        auto const one = [](std::uint32_t) { return 0x3f80'0000u; };
        auto const a = gpu.array(128 * 128, one), b = gpu.array(128 * 128, one), c = gpu.array(128 * 128, one);
        gpu.run("multiply_tiled", {8, 8}, {16, 16}, a, b, c, 128u);
    }
    {
        measurement gpu{"control.sm_75.ptx"};
        auto const in = gpu.array(8192, [](std::uint32_t i) { return i + 1; });
        gpu.run("collatz", {64}, {128}, in, gpu.array(8192, zero), 8192u);
    }
    {
        measurement gpu{"elementwise.sm_80.ptx"};
        auto const x = gpu.array(131072, zero), y = gpu.array(131072, zero);
        gpu.run("saxpy", {512}, {256}, 2.0f, x, y, 131072u);
    }
    {
        measurement gpu{"planted.sm_80.ptx"};
        auto const in = gpu.array(262144, mixed), out = gpu.array(262144, zero), aux = gpu.array(1024, zero);
        gpu.run("block_sum", {1024}, {256}, out, in, aux, 262144);
        gpu.run("histogram", {256}, {256}, out, in, aux, 262144);
        gpu.run("stencil", {2048}, {128}, out, in, aux, 262144);
        gpu.run("warp_exchange", {1024}, {128}, out, in, aux, 131072);
        gpu.run("warp_sum", {1024}, {128}, out, in, aux, 131072);
        gpu.run("vectors", {512}, {128}, out, in, aux, 262144);
        gpu.run("relax", {1024}, {256}, out, in, aux, 262144);
        gpu.run("sort", {1}, {128}, out, in, aux, 128);
        gpu.run("local_table", {1024}, {128}, out, in, aux, 131072);
        gpu.run("bytes", {1024}, {128}, out, in, aux, 131072);
    }
    std::printf("worst ratio %.2f, at most 5 is wanted\n", measurement::worst);
    return measurement::worst <= 5 ? 0 : 1;
}
