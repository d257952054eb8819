// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts PTX for compute_80 into a fat binary, by NVIDIA's library for that (since CUDA 12.4).
//
//   pack KERNELS.PTX KERNELS.FATBIN
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <nvFatbin.h>

int main(int count, char** arguments) {
    if (count != 3) return 2;
    std::ifstream file{arguments[1], std::ios::binary};
    std::string const ptx{std::istreambuf_iterator<char>{file}, {}};
    nvFatbinHandle handle;
    char const* options[]{"-64"};
    if (nvFatbinCreate(&handle, options, 1) != NVFATBIN_SUCCESS) return 1;
    if (nvFatbinAddPTX(handle, ptx.c_str(), ptx.size() + 1, "80", "kernels", "") != NVFATBIN_SUCCESS) return 1;
    std::size_t bytes = 0;
    if (nvFatbinSize(handle, &bytes) != NVFATBIN_SUCCESS) return 1;
    std::vector<char> packed(bytes);
    if (nvFatbinGet(handle, packed.data()) != NVFATBIN_SUCCESS) return 1;
    std::ofstream{arguments[2], std::ios::binary}.write(packed.data(), static_cast<std::streamsize>(bytes));
}
