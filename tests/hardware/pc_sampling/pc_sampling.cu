// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample pc_sampling: serialised kernels, and for each launch the instructions with their stalls.
#include <iostream>

#include "judge.hpp"

int main() {
    kernels::workload const work;
    // sampling begins
    auto const gpu = gpuprof::open_device();
    gpuprof::pc_sampling_options options;
    options.mode = gpuprof::pc_sampling_mode::kernel_serialized;
    auto sampler = gpuprof::pc_sampler::try_open(gpu, options).value();
    auto all = sampler.none();
    // sampling ends
    for (int kernel = 0; kernel < 4; ++kernel) {
        kernel == 0   ? work.run_chase()
        : kernel == 1 ? work.run_barrier()
        : kernel == 2 ? work.run_sleep()
                      : work.run_multiply();
        // sampling begins
        all.try_merge(sampler.try_take().value()).value();
        // sampling ends
    }
    // sampling begins
    all.try_merge(sampler.try_finish().value()).value();
    for (gpuprof::pc_record const& record : all.records) {
        std::cout << record.launch << ' ' << record.function << '+' << record.pc_offset << ':';
        for (gpuprof::stall_count const& stall : record.stalls)
            std::cout << ' ' << all.reasons[stall.reason].name << ' ' << stall.samples << '/' << stall.latency_samples;
        std::cout << '\n';
    }
    // sampling ends
    std::cout << gpuprof::io::table(all) << std::flush;
    judge_samples("pc_sampling", all, {"chase", "barrier", "sleep", "multiply"});
    std::map<std::uint32_t, std::set<std::string>> launches;
    for (auto const& record : all.records) launches[record.launch].insert(record.function);
    row("pc_sampling", "launches told apart", std::to_string(launches.size()),
        launches.size() == 4 && launches.count(0) == 0);
    row("pc_sampling", "most of chase", top_reason(all, "chase"), top_reason(all, "chase") == "long_scoreboard");
    row("pc_sampling", "most of barrier", top_reason(all, "barrier"), top_reason(all, "barrier") == "barrier");
    row("pc_sampling", "most of sleep", top_reason(all, "sleep"), top_reason(all, "sleep") == "sleeping");
    return failures != 0;
}
