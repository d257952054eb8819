// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the embedded GPU from text to execution: any text is parsed, loaded, and its kernels run for a few steps.
// Build: clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude tests/fuzz/ptx_fuzz.cpp -o ptx_fuzz
// Run:   ./ptx_fuzz -dict=tests/fuzz/ptx.dict tests/fuzz/ptx_corpus
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <gpuprof/hw/sim/counting_observer.hpp>
#include <gpuprof/hw/sim/execute.hpp>
#include <gpuprof/hw/sim/program.hpp>

namespace sim = gpuprof::sim;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    sim::device_memory memory{std::uint64_t{1} << 24};
    auto const loaded = sim::program::load({reinterpret_cast<char const*>(data), size}, memory);
    if (!loaded) return 0;
    auto const buffer = memory.allocate(4096);
    if (!buffer) return 0;
    for (auto const& k : loaded->kernels()) {
        std::vector<std::byte> parameters(k->parameter_bytes); // every aligned word of them points to the buffer
        for (std::size_t at = 0; at + 8 <= parameters.size(); at += 8) std::memcpy(parameters.data() + at, &*buffer, 8);
        sim::execution_options options;
        options.step_budget = 2000;
        options.stack_bytes = 16384;
        options.print = [](std::string_view) {};
        sim::counting_observer counts;
        auto const done = sim::execute(*k, {{2, 1, 1}, {48, 1, 1}, 64, parameters, false}, memory, counts, options);
        if (done.error && done.error->message().empty()) __builtin_trap();
    }
    return 0;
}
