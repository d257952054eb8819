// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives a fuzz target every file of the folders named, once: what was found stays found, without a fuzzer.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

int main(int argc, char** argv) {
    int inputs = 0;
    for (int i = 1; i < argc; ++i)
        for (auto const& file : std::filesystem::directory_iterator{argv[i]}) {
            std::fprintf(stderr, "%s\n", file.path().c_str()); // the last one named is the one that failed
            std::ifstream in{file.path(), std::ios::binary};
            std::string const text{std::istreambuf_iterator<char>{in}, {}};
            LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(text.data()), text.size());
            ++inputs;
        }
    std::fprintf(stderr, "%d inputs, no findings\n", inputs);
    return inputs == 0 ? 1 : 0;
}
