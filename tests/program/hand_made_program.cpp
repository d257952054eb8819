// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of the CUDA runtime without nvcc, for tests of `gpuprof run`: it scales numbers on the GPU, twice, and with an
// argument also writes past the end of an allocation of 40 bytes, or, if that is "quick", ends by std::quick_exit. It prints "PASSED", or what went wrong.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime_calls.hpp"

static int fail(char const* what, int error) {
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    return 1;
}

int main(int argc, char** argv) {
    static_cast<void>(program());
    void* memory = nullptr;
    unsigned numbers[10], count = 10;
    for (unsigned i = 0; i < count; ++i) numbers[i] = i;
    if (int const error = cudaMalloc(&memory, sizeof numbers)) return fail("cudaMalloc", error);
    if (int const error = cudaMemcpy(memory, numbers, sizeof numbers, host_to_device)) return fail("copy", error);
    void* arguments[]{&memory, &count};
    for (int i = 0; i < 2; ++i)
        if (int const error = cudaLaunchKernel(program().scale_stub(), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr))
            return fail("launch", error);
    if (int const error = cudaMemcpy(numbers, memory, sizeof numbers, device_to_host)) return fail("copy back", error);
    for (unsigned i = 0; i < count; ++i)
        if (numbers[i] != 9 * i) return fail("a wrong number", 0);
    if (argc > 1 && std::strcmp(argv[1], "quick") == 0) std::quick_exit(4);
    if (argc > 1) {
        static_cast<void>(
            cudaLaunchKernel(program().past_the_end_stub(), {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr));
        if (int const error = cudaDeviceSynchronize()) return fail("past the end", error);
    }
    std::puts("PASSED");
}
