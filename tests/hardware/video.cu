// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -arch=compute_90
// The video instructions in 1,536 forms (../support/video_forms.hpp), 512 operands each: a line a form with a digest of the
// results, for last_video.txt. With a path, all results are written to it. Exits with 0 if the driver takes all forms.
#include <fstream>

#include "../support/video_forms.hpp"
#include "driver_calls.hpp"

int main(int argc, char** argv) {
    cudaFree(nullptr); // makes the context that the driver's calls need
    auto const forms = video_forms::every_form();
    on_device<std::uint32_t> const operands{video_forms::operands()};
    std::ofstream all;
    if (argc > 1) all.open(argv[1], std::ios::binary);
    std::size_t failed = 0;
    constexpr std::size_t in_module = 128;
    for (std::size_t begin = 0; begin < forms.size(); begin += in_module) {
        loaded_module module{video_forms::module(forms, begin, begin + in_module)};
        for (std::size_t i = begin; i < begin + in_module && i < forms.size(); ++i) {
            on_device<std::uint32_t> const results{std::vector<std::uint32_t>(video_forms::threads)};
            CUresult const status =
                module.run("f" + std::to_string(i), 1, video_forms::threads, {&operands.at, &results.at});
            auto const values = results.values();
            if (all.is_open())
                all.write(reinterpret_cast<char const*>(values.data()), static_cast<std::streamsize>(results.bytes));
            if (status == CUDA_SUCCESS)
                std::printf("%016llx %s\n", static_cast<unsigned long long>(video_forms::digest(values)),
                            forms[i].c_str());
            else ++failed, std::printf("error %d %s\n", static_cast<int>(status), forms[i].c_str());
        }
    }
    std::printf("%zu of %zu failed\n", failed, forms.size());
    return failed != 0;
}
