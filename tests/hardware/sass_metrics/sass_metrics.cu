// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample sass_metrics, with the sample's own kernels: what each instruction of the first two counts, and of
// the third, which runs when counting has ended, nothing. SASS_SAMPLE names the sample's source.
#include <iostream>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>

#include "rows.hpp"

#define main main_of_sample
#include SASS_SAMPLE
#undef main

int main() {
    int *a = nullptr, *b = nullptr, *c = nullptr;
    int const n = 32000, blocks = 125, threads = 256; // 1000 warps, as the sample's
    CHECKED(cudaMalloc(&a, n * sizeof *a));
    CHECKED(cudaMalloc(&b, n * sizeof *b));
    CHECKED(cudaMalloc(&c, n * sizeof *c));
    // counting begins
    auto const gpu = gpuprof::open_device();
    auto counter = gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed"}).value();
    VectorAdd<<<blocks, threads>>>(a, b, c, n);
    gpuprof::sass_counts const first = counter.try_take().value();
    VectorSubtract<<<blocks, threads>>>(a, b, c, n);
    gpuprof::sass_counts const second = counter.try_finish().value();
    VectorMultiply<<<blocks, threads>>>(a, b, c, n);
    for (gpuprof::sass_record const& each : first.records)
        std::cout << "record: 0x" << std::hex << each.pc_offset << std::dec << ' ' << each.values[0] << '\n';
    std::cout << gpuprof::io::table(first) << gpuprof::io::table(second);
    // counting ends
    CHECKED(cudaDeviceSynchronize());
    auto const only = [](gpuprof::sass_counts const& of, char const* name) {
        bool all = !of.records.empty();
        for (auto const& each : of.records) all = all && each.function.find(name) != std::string::npos;
        return all;
    };
    row("sass_metrics", "instructions of VectorAdd", std::to_string(first.records.size()), only(first, "VectorAdd"));
    row("sass_metrics", "instructions of VectorSubtract", std::to_string(second.records.size()),
        only(second, "VectorSubtract"));
    row("sass_metrics", "dropped", std::to_string(second.dropped), second.dropped == 0);
    return failures != 0;
}
