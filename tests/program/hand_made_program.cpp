// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of the CUDA runtime without nvcc, for tests of `gpuprof run`: it scales numbers on the GPU, twice, prints "PASSED", or
// what went wrong, and ends. Its first argument says what else it does:
//   fault       writes past the end of an allocation of 40 bytes
//   blocks      launches once more, with blocks of 64 threads
//   array       keeps its numbers in an array, from which and to which it copies around a launch
//   profiled    launches once more, with blocks of 64 threads, between cuProfilerStart and cuProfilerStop
//   quick       ends by std::quick_exit
//   long N      launches once more, N blocks
//   few N       launches N blocks with 48 KiB of shared memory, and nothing else
//   killed      waits a second, and kills itself
//   keep FILE   has the fault, keeps lines for FILE and one for std::cout that their destructors write, and returns 0
//   late        launches once more in the destructor of a global object, and has the fault there
//   clearenv    has the fault, empties its environment and returns 0
//   fork        has a child that exits, while other threads launch, two hundred times; prints how many did not end
//   child       has a child that exits
//   idle        allocates memory, and launches nothing
//   strided     launches a kernel whose threads write 128 bytes apart, and nothing else; lined: many
//               blocks of one that has lines of source
//   devices     works with two devices: their calls, copies between them, kernels that access the other one's memory
//   handler     launches once more in an exit handler, between blocks of the heap that nobody else may write to
//   library FILE  uses a library of kernels; tables: asks for the driver's tables itself. Both do nothing else.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime_calls.hpp"

namespace {

int fail(char const* what, int error) {
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    return 1;
}

void* memory = nullptr;
unsigned numbers[10], count = 10;
void* arguments[]{&memory, &count};

int launch(void const* kernel, unsigned threads = 32) {
    return cudaLaunchKernel(kernel, {1, 1, 1}, {threads, 1, 1}, arguments, 0, nullptr);
}

// Made before all calls of CUDA, so destroyed after all of them.
struct results {
    std::ofstream file;
    ~results() {
        if (file.is_open()) file << "last line\n";
    }
} kept;
struct late_launches {
    bool wanted = false;
    ~late_launches() {
        if (!wanted) return;
        static_cast<void>(launch(program().scale_stub()));
        static_cast<void>(launch(program().past_the_end_stub()));
        static_cast<void>(cudaDeviceSynchronize());
    }
} at_the_end;

// @return whether a child that only exits did
bool child_ends(unsigned seconds) {
    pid_t const child = ::fork();
    if (child == 0) {
        ::alarm(seconds);
        std::exit(0);
    }
    int status = -1;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int fork_while_others_launch() {
    std::atomic<bool> stops{false};
    std::thread others[2];
    for (std::thread& one : others)
        one = std::thread{[&] {
            while (!stops) static_cast<void>(launch(program().scale_stub()));
        }};
    int hang = 0;
    for (int i = 0; i < 200; ++i) hang += child_ends(5) ? 0 : 1;
    stops = true;
    for (std::thread& one : others) one.join();
    std::printf("%d children hang\n", hang);
    return 0;
}

// Launches as <<<>>> does, after the thread's objects are gone, between blocks of the heap that nobody else may write to.
void launch_late() {
    constexpr int bytes = 40;
    char* blocks[64];
    for (char*& block : blocks) {
        block = static_cast<char*>(std::malloc(bytes));
        std::memset(block, 77, bytes);
    }
    dim3 grid, threads;
    std::size_t shared = 0;
    stream in = nullptr;
    bool const is_launched = __cudaPushCallConfiguration({1, 1, 1}, {32, 1, 1}, 0, nullptr) == 0 &&
                             __cudaPopCallConfiguration(&grid, &threads, &shared, &in) == 0 &&
                             cudaLaunchKernel(program().scale_stub(), grid, threads, arguments, shared, in) == 0;
    int changed = 0;
    for (char const* const block : blocks)
        for (int i = 0; i < bytes; ++i) changed += block[i] != 77;
    for (char* const block : blocks) std::free(block);
    std::printf("late: %s, %d bytes changed\n", is_launched ? "launched" : "not launched", changed);
}

// So that the thread has the storage of settings.
void use_a_setting() {
    dim3 grid, threads;
    std::size_t shared = 0;
    stream in = nullptr;
    static_cast<void>(__cudaPushCallConfiguration({1, 1, 1}, {32, 1, 1}, 0, nullptr));
    static_cast<void>(__cudaPopCallConfiguration(&grid, &threads, &shared, &in));
}

struct channel_format { // cudaChannelFormatDesc
    int x, y, z, w, kind;
};

} // namespace

extern "C" {
int cudaMallocArray(struct CUarray_st** made, channel_format const* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaMemcpy2DToArray(struct CUarray_st* to, std::size_t x, std::size_t y, void const* from, std::size_t pitch,
                        std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DFromArray(void* to, std::size_t pitch, struct CUarray_st* from, std::size_t x, std::size_t y,
                          std::size_t width, std::size_t height, int kind);
}

namespace {

// The array's numbers are three times as large after it, however often the calls between are repeated with what was before.
int use_array() {
    constexpr channel_format words{32, 0, 0, 0, 1};
    constexpr std::size_t row = 5 * sizeof(unsigned);
    CUarray_st* array = nullptr;
    if (int const error = cudaMallocArray(&array, &words, 5, 2, 0)) return fail("cudaMallocArray", error);
    for (unsigned i = 0; i < count; ++i) numbers[i] = i;
    if (int const error = cudaMemcpy2DToArray(array, 0, 0, numbers, row, row, 2, host_to_device))
        return fail("to the array", error);
    static_cast<void>(launch(program().scale_stub())); // a range may begin here
    if (int const error = cudaMemcpy2DFromArray(memory, row, array, 0, 0, row, 2, device_to_device))
        return fail("from the array", error);
    static_cast<void>(launch(program().scale_stub()));
    if (int const error = cudaMemcpy2DToArray(array, 0, 0, memory, row, row, 2, device_to_device))
        return fail("back to the array", error);
    static_cast<void>(cudaDeviceSynchronize());
    if (int const error = cudaMemcpy2DFromArray(numbers, row, array, 0, 0, row, 2, device_to_host))
        return fail("to the host", error);
    for (unsigned i = 0; i < count; ++i)
        if (numbers[i] != 3 * i) return fail("a wrong number in the array", 0);
    return 0;
}

// Errors by their numbers: 1 invalid value, 101 invalid device, 700 illegal address, 704 already enabled, 705 not enabled.
int use_devices() {
    struct answer {
        char const* call;
        int expected, error;
    };
    int devices = 0, can = 0, same = 1, of_thread = -1;
    void* there = nullptr;
    answer const answers[]{{"count", 0, cudaGetDeviceCount(&devices)},
                           {"no third", 101, cudaSetDevice(2)},
                           {"no device before the first", 101, cudaSetDevice(-1)},
                           {"can access", 0, cudaDeviceCanAccessPeer(&can, 0, 1)},
                           {"itself", 0, cudaDeviceCanAccessPeer(&same, 1, 1)},
                           {"a peer that is none", 101, cudaDeviceCanAccessPeer(&same, 0, 2)},
                           {"not enabled", 705, cudaDeviceDisablePeerAccess(1)},
                           {"flags", 1, cudaDeviceEnablePeerAccess(1, 1)},
                           {"enable itself", 101, cudaDeviceEnablePeerAccess(0, 0)},
                           {"enable", 0, cudaDeviceEnablePeerAccess(1, 0)},
                           {"enable again", 704, cudaDeviceEnablePeerAccess(1, 0)},
                           {"second device", 0, cudaSetDevice(1)},
                           {"its memory", 0, cudaMalloc(&there, sizeof numbers)},
                           {"copy", 0, cudaMemcpyPeer(there, 1, memory, 0, sizeof numbers)},
                           {"copy to none", 101, cudaMemcpyPeer(there, 2, memory, 0, sizeof numbers)},
                           {"copy to another's", 1, cudaMemcpyPeer(there, 0, memory, 0, sizeof numbers)}};
    for (answer const& each : answers)
        if (each.error != each.expected) return fail(each.call, each.error);
    if (devices != 2 || can != 1 || same != 0) return fail("two devices that can access each other", devices);
    std::thread{[&] { static_cast<void>(cudaGetDevice(&of_thread)); }}.join();
    if (of_thread != 0) return fail("a thread begins with the first device", of_thread);
    void* of_second[]{&there, &count};
    auto const scale_there = [&] {
        return cudaLaunchKernel(program().scale_stub(), {1, 1, 1}, {32, 1, 1}, of_second, 0, nullptr);
    };
    if (int const error = scale_there()) return fail("on the second device", error);
    if (int const error = cudaSetDevice(0)) return fail("back", error);
    if (int const error = scale_there()) return fail("on the first device, in the second one's memory", error);
    if (int const error = cudaMemcpyPeerAsync(memory, 0, there, 1, sizeof numbers, nullptr)) return fail("copy", error);
    if (int const error = cudaMemcpy(numbers, memory, sizeof numbers, device_to_host)) return fail("back", error);
    for (unsigned i = 0; i < count; ++i)
        if (numbers[i] != 9 * i) return fail("a wrong number", static_cast<int>(numbers[i]));
    if (int const error = cudaDeviceDisablePeerAccess(1)) return fail("disable", error);
    static_cast<void>(scale_there());
    if (int const error = cudaDeviceSynchronize(); error != 700) return fail("no access any more", error);
    if (int const error = cudaSetDevice(1)) return fail("the second device goes on", error);
    if (int const error = cudaFree(there)) return fail("cudaFree", error);
    std::puts("PASSED");
    return 0;
}

int use_library(char const* path) {
    void* const library = dlopen(path, RTLD_NOW);
    auto* const use = library == nullptr ? nullptr : reinterpret_cast<int (*)()>(dlsym(library, "use_kernel_library"));
    if (use == nullptr) return fail(dlerror(), 0);
    std::printf("%d\n", use());
    return 0;
}

} // namespace

extern "C" int cuGetExportTable(void const** table, void const* name);
extern "C" int cuProfilerStart();
extern "C" int cuProfilerStop();
extern "C" int cuModuleLoadData(struct CUmod_st** made, void const* image);

int main(int argc, char** argv) {
    if (argc > 2 && std::string{argv[1]} == "library") return use_library(argv[2]);
    if (argc > 1 && std::string{argv[1]} == "tables") {
        void const* table = nullptr;
        std::printf("%d\n", cuGetExportTable(&table, nullptr));
        return 0;
    }
    std::string const how = argc > 1 ? argv[1] : "";
    if (how == "handler") {
        static_cast<void>(std::atexit(launch_late));
        use_a_setting();
    }
    static_cast<void>(program());
    for (unsigned i = 0; i < count; ++i) numbers[i] = i;
    if (int const error = cudaMalloc(&memory, sizeof numbers)) return fail("cudaMalloc", error);
    if (int const error = cudaMemcpy(memory, numbers, sizeof numbers, host_to_device)) return fail("copy", error);
    if (how == "idle") return 0;
    if (how == "machine code") {
        struct CUmod_st* module = nullptr;
        return cuModuleLoadData(&module, "\x7f"
                                         "ELF") == 209
                   ? 0
                   : fail("cuModuleLoadData", 0);
    }
    if (how == "devices") return use_devices();
    if (how == "strided" || how == "lined") {
        constexpr std::size_t enough = 256 * 128;
        if (int const error = cudaMalloc(&memory, enough)) return fail("cudaMalloc", error);
        if (how == "strided") return launch(program().strided_stub());
        return cudaLaunchKernel(program().lined_stub(), {1024, 1, 1}, {256, 1, 1}, arguments, 0, nullptr);
    }
    if (how == "few" && argc > 2)
        return cudaLaunchKernel(program().scale_stub(), {static_cast<unsigned>(std::atoi(argv[2])), 1, 1}, {32, 1, 1},
                                arguments, 48 * 1024, nullptr);
    for (int i = 0; i < 2; ++i)
        if (int const error = launch(program().scale_stub())) return fail("launch", error);
    if (int const error = cudaMemcpy(numbers, memory, sizeof numbers, device_to_host)) return fail("copy back", error);
    for (unsigned i = 0; i < count; ++i)
        if (numbers[i] != 9 * i) return fail("a wrong number", 0);
    if (how == "blocks") static_cast<void>(launch(program().scale_stub(), 64));
    if (how == "array" && use_array() != 0) return 1;
    if (how == "profiled") {
        static_cast<void>(cuProfilerStart());
        static_cast<void>(launch(program().scale_stub(), 64));
        static_cast<void>(cuProfilerStop());
    }
    if (how == "quick") std::quick_exit(4);
    if (how == "long" && argc > 2)
        if (int const error =
                cudaLaunchKernel(program().scale_stub(), {static_cast<unsigned>(std::atoi(argv[2])), 1, 1}, {32, 1, 1},
                                 arguments, 0, nullptr))
            return fail("long", error);
    if (how == "killed") {
        ::sleep(1);
        ::kill(::getpid(), SIGKILL);
    }
    if (how == "fork") return fork_while_others_launch();
    if (how == "child" && !child_ends(5)) return 1;
    at_the_end.wanted = how == "late";
    if (how == "keep" && argc > 2) {
        std::ios::sync_with_stdio(false);
        std::cout << "kept by std::cout\n";
        kept.file.open(argv[2]);
        kept.file << "first line\n";
    }
    if (how == "fault" || how == "clearenv" || how == "keep") {
        static_cast<void>(launch(program().past_the_end_stub()));
        int const error = cudaDeviceSynchronize();
        if (how == "fault" && error != 0) return fail("past the end", error);
    }
    if (how == "clearenv") ::clearenv();
    if (how != "keep") std::puts("PASSED");
}
