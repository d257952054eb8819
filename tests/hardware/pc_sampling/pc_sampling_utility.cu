// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of CUPTI's sample pc_sampling_utility: reads files of samples, adds them, and shows the lines of the source, with code
// out of cubins. No GPU is asked for anything.
//   pc_sampling_utility SAMPLES.json SAMPLES.json CUBIN...
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>

#include "judge.hpp"

int main(int argc, char** argv) {
    if (argc < 3) return 3;
    // sampling begins
    auto const first = gpuprof::io::try_read_pc_samples(argv[1]).value();
    auto const second = gpuprof::io::try_read_pc_samples(argv[2]).value();
    auto all = first;
    all.try_merge(second).value();
    auto code = gpuprof::module_code::try_open(gpuprof::open_device()).value();
    for (int i = 3; i < argc; ++i) {
        std::ifstream in{argv[i], std::ios::binary};
        std::string const cubin{std::istreambuf_iterator<char>{in}, {}};
        static_cast<void>(code.try_add(std::as_bytes(std::span{cubin})).value());
    }
    auto const lines = gpuprof::lines_of(all, code);
    std::cout << gpuprof::io::table(all) << gpuprof::io::table(lines) << std::flush;
    // sampling ends
    char const* const job = "pc_sampling_utility";
    row(job, "samples of two files", std::to_string(all.samples()),
        first.samples() > 0 && all.samples() == first.samples() + second.samples());
    row(job, "total of two files", std::to_string(all.total), all.total == first.total + second.total);
    std::uint64_t placed = 0;
    for (auto const& file : lines.files) placed += file.samples;
    row(job, "samples with a line, from cubins", std::to_string(placed), placed > all.samples() / 2);
    return failures != 0;
}
