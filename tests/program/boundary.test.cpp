// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The boundary of libcuda and libcudart: no exception leaves a call, no forked child waits in one, and files are read as files.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime_calls.hpp"
#include "support/sanitized.hpp"

extern "C" {
int cuGetErrorName(int error, char const** name);
int cuDriverGetVersion(int* version);
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes);
int cuInit(unsigned flags);
int cuModuleLoad(void** module, char const* path);
int cuLinkCreate_v2(unsigned count, int* options, void** values, void** made);
int cuLinkAddFile_v2(void* state, int type, char const* path, unsigned count, int* options, void** values);
int cuLinkDestroy(void* state);
}

namespace boundary_test {

static int launch(void* memory) {
    unsigned count = 1;
    void* arguments[]{&memory, &count};
    if (unsigned const error = __cudaPushCallConfiguration({1, 1, 1}, {32, 1, 1}, 0, nullptr))
        return static_cast<int>(error);
    void* kernel = nullptr;
    dim3 grid, block;
    std::size_t shared = 0;
    stream in = nullptr;
    if (int const error = __cudaGetKernel(&kernel, program().scale_stub())) return error;
    if (int const error = __cudaPopCallConfiguration(&grid, &block, &shared, &in)) return error;
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared, in);
}

// The number of the first answer that is not an H100's (driver 580.159, CUDA 13.0), or 0.
static int answers_of_a_child() {
    ::alarm(10); // a deadlock ends
    void* memory = nullptr;
    unsigned long long address = 0;
    char const* name = nullptr;
    int version = 0;
    static_cast<void>(cudaGetLastError());
    if (launch(nullptr) != 3) return 1; // cudaErrorInitializationError
    if (cudaPeekAtLastError() != 3 || cudaGetLastError() != 3 || cudaGetLastError() != 0) return 2;
    if (cudaMalloc(&memory, 64) != 3 || cudaFree(nullptr) != 3 || cudaDeviceSynchronize() != 3) return 3;
    if (std::strcmp(cudaGetErrorName(3), "cudaErrorInitializationError") != 0) return 4;
    if (cuInit(0) != 3 || cuMemAlloc_v2(&address, 64) != 3) return 5;
    if (cuGetErrorName(3, &name) != 0 || std::strcmp(name, "CUDA_ERROR_NOT_INITIALIZED") != 0) return 6;
    if (cuDriverGetVersion(&version) != 0 || version == 0) return 7;
    int devices = 0, device = -1;
    if (cudaGetDeviceCount(&devices) != 0 || devices == 0) return 8; // the parent was told how many there are
    if (cudaGetDevice(&device) != 3 || device != -1) return 9;
    return 0;
}

TEST_CASE("a child that is forked while threads launch gets an error of each call, and waits in none") {
    REQUIRE(cudaFree(nullptr) == 0);
    int devices = 0;
    REQUIRE(cudaGetDeviceCount(&devices) == 0);
    std::atomic<bool> is_over{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
        threads.emplace_back([&] {
            void* memory = nullptr;
            static_cast<void>(cudaMalloc(&memory, 4096));
            while (!is_over) static_cast<void>(launch(memory));
            static_cast<void>(cudaFree(memory));
        });
    int wrong = 0;
    for (int i = 0; i < 200 && wrong == 0; ++i) {
        pid_t const child = ::fork();
        if (child == 0) ::_exit(answers_of_a_child());
        REQUIRE(child > 0);
        REQUIRE(::waitpid(child, &wrong, 0) == child);
    }
    is_over = true;
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(cudaDeviceSynchronize() == 0); // the parent goes on
    CHECK(cudaGetLastError() == 0);
}

TEST_CASE("a call whose allocations fail comes back, whichever fails") {
#if !defined(__cpp_exceptions)
    MESSAGE("skipped: without exceptions, want of memory ends a program");
    return;
#endif
    if constexpr (sanitized) MESSAGE("skipped: a sanitizer has an allocator of its own");
    else CHECK(std::system(GPUPROF_TEST_NO_MEMORY " >&2") == 0);
}

TEST_CASE("a folder is no module, and nothing to link") {
    REQUIRE(cudaFree(nullptr) == 0);
    void *module = nullptr, *state = nullptr;
    CHECK(cuModuleLoad(&module, "/tmp") == 301); // CUDA_ERROR_FILE_NOT_FOUND
    REQUIRE(cuLinkCreate_v2(0, nullptr, nullptr, &state) == 0);
    CHECK(cuLinkAddFile_v2(state, 1, "/tmp", 0, nullptr, nullptr) == 301);
    CHECK(cuLinkDestroy(state) == 0);
}

TEST_CASE("settings of launches that never came about make room for others") {
    for (unsigned i = 1; i <= 1000; ++i) CHECK(__cudaPushCallConfiguration({i, 1, 1}, {1, 1, 1}, 0, nullptr) == 0);
    dim3 grid, block;
    std::size_t shared = 0;
    stream in = nullptr;
    CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &in) == 0);
    CHECK(grid.x == 1000);
    while (__cudaPopCallConfiguration(&grid, &block, &shared, &in) == 0) continue;
    CHECK(cudaGetLastError() == 52);
}

} // namespace boundary_test
