// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose allocations fail: allocation number n inside one call of CUDA, for every n, in a process of its own each. It
// prints how many calls were tried, and each that ended the process.
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

#include "runtime_calls.hpp"

// The next one that fails, from 0 on; below 0: none does.
static long allocations_left = -1;
static bool has_failed = false;

static bool fails() {
    if (allocations_left < 0) return false;
    if (allocations_left-- != 0) return false;
    has_failed = true;
    errno = ENOMEM;
    return true;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* malloc(std::size_t bytes) noexcept { return fails() ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) noexcept { return fails() ? nullptr : __libc_calloc(count, bytes); }
void* realloc(void* old, std::size_t bytes) noexcept { return fails() ? nullptr : __libc_realloc(old, bytes); }
int cuModuleLoadData(void** module, void const* image);
}

static void* memory = nullptr;
static void* managed = nullptr;
static stream in = nullptr;
static event mark = nullptr;
static graph captured = nullptr;
static graph_executable executable = nullptr;
static char registered[4096];

static int launch() {
    unsigned count = 4;
    void* arguments[]{&memory, &count};
    if (unsigned const error = __cudaPushCallConfiguration({1, 1, 1}, {32, 1, 1}, 0, in))
        return static_cast<int>(error);
    void* kernel = nullptr;
    dim3 grid, block;
    std::size_t shared = 0;
    stream popped = nullptr;
    if (int const error = __cudaGetKernel(&kernel, program().scale_stub())) return error;
    if (int const error = __cudaPopCallConfiguration(&grid, &block, &shared, &popped)) return error;
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared, popped);
}

struct step {
    char const* name;
    int (*call)();
};
static constexpr step steps[]{
    {"cudaMalloc", [] { return cudaMalloc(&memory, 4096); }},
    {"a launch", [] { return launch(); }},
    {"cudaStreamCreate", [] { return cudaStreamCreate(&in); }},
    {"cudaEventCreate", [] { return cudaEventCreate(&mark); }},
    {"cudaEventRecord", [] { return cudaEventRecord(mark, in); }},
    {"cudaMemset", [] { return cudaMemset(memory, 0, 64); }},
    {"cudaStreamBeginCapture", [] { return cudaStreamBeginCapture(in, 0); }},
    {"a captured launch", [] { return launch(); }},
    {"cudaStreamEndCapture", [] { return cudaStreamEndCapture(in, &captured); }},
    {"cudaGraphInstantiate", [] { return cudaGraphInstantiate(&executable, captured, 0); }},
    {"cudaGraphLaunch", [] { return cudaGraphLaunch(executable, in); }},
    {"cudaGraphAddEmptyNode",
     [] {
         graph_node node = nullptr;
         return cudaGraphAddEmptyNode(&node, captured, nullptr, 0);
     }},
    {"cudaMallocManaged", [] { return cudaMallocManaged(&managed, 4096, 1); }},
    {"cudaHostRegister", [] { return cudaHostRegister(registered, sizeof registered, 0); }},
    {"cudaMallocAsync",
     [] {
         void* made = nullptr;
         return cudaMallocAsync(&made, 256, in);
     }},
    {"cudaLaunchHostFunc",
     [] {
         return cudaLaunchHostFunc(
             in, [](void*) {}, nullptr);
     }},
    {"cuModuleLoadData",
     [] {
         void* module = nullptr;
         return cuModuleLoadData(&module, registered_program::text);
     }},
    {"a call that is not there", [] { return cudaMallocMipmappedArray(nullptr, nullptr, nullptr, 0); }},
    {"cudaDeviceReset", [] { return cudaDeviceReset(); }}};

// In the child: 0 if the allocation failed and the call came back, 1 if it has fewer allocations.
static int attempt(std::size_t number, long allocation) {
    alarm(60);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) return 2;
    for (std::size_t i = 0; i < number; ++i) static_cast<void>(steps[i].call());
    allocations_left = allocation;
    static_cast<void>(steps[number].call());
    allocations_left = -1;
    return has_failed ? 0 : 1;
}

int main() {
    static_cast<void>(program());
    int tries = 0, ended = 0;
    for (std::size_t number = 0; number < std::size(steps); ++number)
        for (long allocation = 0; allocation < 2000; ++allocation) {
            std::fflush(stdout);
            pid_t const child = fork();
            if (child < 0) return 2;
            if (child == 0) _exit(attempt(number, allocation));
            int status = 0;
            if (waitpid(child, &status, 0) != child) return 2;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 1) break;
            ++tries;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
            ++ended;
            std::printf("%s, allocation %ld: status %d\n", steps[number].name, allocation, status);
        }
    std::printf("%d processes of %d ended\n", ended, tries);
    return ended != 0 || tries < 100 ? 1 : 0;
}
