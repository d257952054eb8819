// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample pc_sampling_continuous: a whole run on several streams, fetched now and then, written to a file; and
// the lines of the source, with the code that the run loaded.
//   pc_sampling_continuous SAMPLES.json [LINES.html]
#include "judge.hpp"

#include <iostream>

int main(int argc, char** argv) {
    if (argc < 2) return 3;
    // sampling begins
    auto const gpu = gpuprof::open_device();
    auto const code = gpuprof::module_code::try_watch(gpu).value();
    auto sampler = gpuprof::pc_sampler::try_open(gpu).value();
    auto all = sampler.none();
    // sampling ends
    kernels::workload const work;
    cudaStream_t streams[2];
    for (auto& stream : streams) CHECKED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int round = 0; round < 10; ++round) {
        work.run_all(streams[round % 2]);
        // sampling begins
        all.try_merge(sampler.try_take_at_hand().value()).value();
        // sampling ends
    }
    // sampling begins
    all.try_merge(sampler.try_finish().value()).value();
    gpuprof::io::try_write(all, argv[1]).value();
    auto const lines = gpuprof::lines_of(all, code);
    if (argc > 2) gpuprof::io::try_write_html(lines, argv[2]).value();
    // sampling ends
    std::cout << gpuprof::io::table(all) << gpuprof::io::table(lines) << std::flush;
    char const* const job = "pc_sampling_continuous";
    judge_samples(job, all, {"chase", "barrier", "sleep", "multiply"});
    row(job, "period", "2^" + std::to_string(all.period), all.period >= 5 && all.period <= 31);
    row(job, "modules kept", std::to_string(code.modules()) + ", missed " + std::to_string(code.missed()),
        code.modules() > 0 && code.missed() == 0);
    auto const of_chase = gpuprof::lines_of(
        all, code, {"kernels::chase(unsigned int const*, unsigned int*, unsigned int, unsigned int)", 1u << 20});
    std::uint32_t hottest = 0;
    std::uint64_t most = 0;
    for (auto const& file : of_chase.files)
        for (auto const& line : file.lines)
            if (line.samples > most) most = line.samples, hottest = line.line;
    row(job, "hottest line of chase, line " + std::to_string(kernels::chase_line) + " by construction",
        std::to_string(hottest), hottest == kernels::chase_line);
    row(job, "its text could be read", "", !of_chase.files.empty() && !of_chase.files[0].text.empty());
    return failures != 0;
}
