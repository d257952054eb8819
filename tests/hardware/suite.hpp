// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that counters are compared on, and how they are launched. Shared by the program that Nsight Compute
// profiles and the one that measures with gpuprof, so that both do the same.
#ifndef GPUPROF_TESTS_HARDWARE_SUITE_HPP
#define GPUPROF_TESTS_HARDWARE_SUITE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/status.hpp>
#include <gpuprof/hw/machine/device.hpp>

struct extent {
    unsigned x;
    unsigned y = 1;
    unsigned z = 1;
    [[nodiscard]] constexpr std::size_t size() const { return std::size_t{x} * y * z; }
};

// One launch. All kernels take (pointer read, pointer written, 32-bit number); what the number means is the kernel's.
struct kernel_launch {
    char const* name;
    extent grid;
    extent block;
    unsigned shared; // dynamic shared memory, bytes
    std::uint32_t number;
    bool of_hot_loop = false; // from the example's PTX instead of kernels.ptx

    [[nodiscard]] constexpr std::size_t warps() const { return grid.size() * ((block.size() + 31) / 32); }
};

inline constexpr kernel_launch suite_kernels[] = {
    {"empty", {1}, {32}, 0, 0},
    {"copy_float4", {16384}, {256}, 0, 0},
    {"copy_bytes", {16384}, {256}, 0, 3},
    {"transpose_naive", {64, 64}, {32, 8}, 0, 2048},
    {"transpose_conflicts", {64, 64}, {32, 8}, 0, 2048},
    {"transpose_padded", {64, 64}, {32, 8}, 0, 2048},
    {"reduce", {16384}, {256}, 0, 0},
    {"histogram", {1024}, {256}, 0, 16},
    {"global_atomics", {1024}, {256}, 0, 256},
    {"stencil", {8, 32, 64}, {32, 8, 4}, 0, 256},
    {"matmul", {32, 32}, {16, 16}, 2048, 512},
    {"divergent", {1024}, {256}, 0, 16},
    {"uneven_loops", {1024}, {256}, 0, 0},
    {"local_array", {512}, {128}, 0, 7},
    {"double_fma", {1024}, {256}, 0, 256},
    {"half2_math", {1024}, {256}, 0, 256},
    {"special_functions", {1024}, {256}, 0, 32},
    {"tensor_product", {512}, {128}, 0, 64},
    {"warp_scan", {4096}, {256}, 0, 0},
    {"constants", {1024}, {256}, 0, 64},
    {"grid_stride", {100}, {100}, 0, 1000003},
    {"early_exit", {4096}, {256}, 0, 5},
    // The example's own kernels in its own grids; 0x40000000 is 2.0f.
    {"saxpy", {4096}, {256}, 0, 0x40000000, true},
    {"gather", {4096}, {256}, 0, (1u << 20) - 1, true},
};

// The kernels of the suite, loaded on a device, with the memory they read and write.
// Throws std::runtime_error that says which call failed and why.
class kernel_suite {
public:
    static constexpr std::size_t bytes = std::size_t{64} << 20; // of each of the two buffers; more than an L2 cache

    // @param folder tests/hardware of the sources: kernels.ptx is there, and the example not far
    // @param pad    MiB of device memory to take before the buffers, so that they lie elsewhere in another run
    kernel_suite(gpuprof::device const& gpu, std::string const& folder, int pad = 0) : driver_{gpu.driver()} {
        if (pad > 0) check("cuMemAlloc", driver_.MemAlloc(&pad_, static_cast<std::size_t>(pad) << 20));
        check("cuModuleLoadData of kernels.ptx",
              driver_.ModuleLoadData(&module_, read(folder + "/kernels.ptx").c_str()));
        // The example's text itself, so that what is compared is what it launches.
        std::string const example = read(folder + "/../../examples/hot_loop.cpp");
        std::size_t const begin = example.find("R\"("), end = example.find(")\"", begin);
        if (begin == example.npos || end == example.npos) fail("no PTX text in examples/hot_loop.cpp");
        check("cuModuleLoadData of hot_loop's PTX",
              driver_.ModuleLoadData(&hot_loop_, example.substr(begin + 3, end - begin - 3).c_str()));
        for (kernel_launch const& each : suite_kernels) {
            functions_.emplace_back();
            check(std::string{"cuModuleGetFunction "} + each.name,
                  driver_.ModuleGetFunction(&functions_.back(), each.of_hot_loop ? hot_loop_ : module_, each.name));
        }
        // A slack for kernels that read or write a little beyond.
        check("cuMemAlloc", driver_.MemAlloc(&in_, bytes + 4096));
        check("cuMemAlloc", driver_.MemAlloc(&out_, bytes + 4096));
        std::vector<std::uint32_t> random(bytes / sizeof(std::uint32_t));
        std::uint32_t state = 1;
        for (std::uint32_t& each : random) each = state = state * 1664525u + 1013904223u;
        check("cuMemcpyHtoD", driver_.MemcpyHtoD(in_, random.data(), bytes));
        check("cuMemsetD8", driver_.MemsetD8(out_, 0, bytes + 4096));
        wait();
    }
    kernel_suite(kernel_suite const&) = delete;
    kernel_suite& operator=(kernel_suite const&) = delete;
    ~kernel_suite() {
        if (scratch_ != 0) static_cast<void>(driver_.MemFree(scratch_));
        if (pad_ != 0) static_cast<void>(driver_.MemFree(pad_));
        static_cast<void>(driver_.MemFree(out_));
        static_cast<void>(driver_.MemFree(in_));
        static_cast<void>(driver_.ModuleUnload(hot_loop_));
        static_cast<void>(driver_.ModuleUnload(module_));
    }

    // Launches one kernel and does not wait. @param at its place in suite_kernels
    void launch(std::size_t at) {
        kernel_launch const& what = suite_kernels[at];
        std::uint32_t number = what.number;
        void* arguments[] = {&in_, &out_, &number};
        check(what.name, driver_.LaunchKernel(functions_[at], what.grid.x, what.grid.y, what.grid.z, what.block.x,
                                              what.block.y, what.block.z, what.shared, nullptr, arguments, nullptr));
    }
    [[nodiscard]] gpuprof::abi::CUfunction function(std::size_t at) const { return functions_[at]; }
    void launch_all() {
        for (std::size_t at = 0; at < std::size(suite_kernels); ++at) launch(at);
    }
    void wait() { check("cuCtxSynchronize", driver_.CtxSynchronize()); }

    // Gives the L2 cache a known content, clean lines of a buffer that no kernel of the suite touches; does not wait.
    void evict() {
        if (scratch_ == 0) {
            check("cuModuleGetFunction evict", driver_.ModuleGetFunction(&evict_, module_, "evict"));
            check("cuMemAlloc", driver_.MemAlloc(&scratch_, scratch_bytes));
            check("cuMemsetD8", driver_.MemsetD8(scratch_, 0, scratch_bytes));
        }
        unsigned const grid = 4096, block = 256;
        std::uint32_t replay_passes = static_cast<std::uint32_t>(scratch_bytes / 16 / grid / block);
        void* arguments[] = {&scratch_, &out_, &replay_passes};
        check("evict", driver_.LaunchKernel(evict_, grid, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr));
    }

private:
    [[noreturn]] static void fail(std::string const& why) {
#if GPUPROF_EXCEPTIONS
        throw std::runtime_error{why};
#else
        std::fprintf(stderr, "%s\n", why.c_str());
        std::abort();
#endif
    }
    static std::string read(std::string const& path) {
        std::ifstream file{path};
        std::string text{std::istreambuf_iterator<char>{file}, {}};
        if (text.empty()) fail("cannot read " + path);
        return text;
    }
    static void check(std::string const& call, gpuprof::abi::CUresult status) {
        if (status) fail(gpuprof::hw::explain(call, status).message());
    }

    gpuprof::abi::driver_table const& driver_;
    gpuprof::abi::CUmodule module_ = nullptr;
    gpuprof::abi::CUmodule hot_loop_ = nullptr;
    std::vector<gpuprof::abi::CUfunction> functions_;
    gpuprof::abi::CUdeviceptr in_ = 0;
    gpuprof::abi::CUdeviceptr out_ = 0;
    static constexpr std::size_t scratch_bytes = std::size_t{256} << 20; // several L2 caches
    gpuprof::abi::CUfunction evict_ = nullptr;
    gpuprof::abi::CUdeviceptr scratch_ = 0;
    gpuprof::abi::CUdeviceptr pad_ = 0;
};

#endif // GPUPROF_TESTS_HARDWARE_SUITE_HPP
