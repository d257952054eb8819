// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's driver where the host has no memory and no threads left: statuses, no exceptions.
#include <cstddef>
#include <cstdio>

#if !defined(_WIN32)
#include <sys/resource.h>
#include <unistd.h>

#include "support/driver_kernels.hpp"

#include "sim/driver/state.hpp"

namespace no_memory_test {

// Sanitizers take address space of their own, so a limit on it stops them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_LIMIT_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CAN_LIMIT_MEMORY 0
#endif
#endif
#ifndef CAN_LIMIT_MEMORY
#define CAN_LIMIT_MEMORY GPUPROF_EXCEPTIONS
#endif

#if CAN_LIMIT_MEMORY

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

// The process may have `more` bytes of address space beyond what it has now.
class memory_limit {
public:
    explicit memory_limit(std::size_t more) {
        REQUIRE(getrlimit(RLIMIT_AS, &before_) == 0);
        unsigned long pages = 0;
        std::FILE* const file = std::fopen("/proc/self/statm", "r");
        REQUIRE(file != nullptr);
        REQUIRE(std::fscanf(file, "%lu", &pages) == 1);
        std::fclose(file);
        rlimit now = before_;
        now.rlim_cur = pages * static_cast<unsigned long>(sysconf(_SC_PAGESIZE)) + more;
        REQUIRE(setrlimit(RLIMIT_AS, &now) == 0);
    }
    ~memory_limit() { setrlimit(RLIMIT_AS, &before_); }
    memory_limit(memory_limit const&) = delete;
    memory_limit& operator=(memory_limit const&) = delete;

private:
    rlimit before_{};
};

constexpr char deep[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                        ".visible .entry k() { .local .align 4 .b8 l[131072]; .reg .u32 %r<2>; mov.u32 %r1, l; "
                        "st.local.u32 [%r1], 5; ret; }";

} // namespace

// 132 blocks of 1024 threads with 128 KiB each are 17 GB.
TEST_CASE("a launch that needs more memory than the host has is CUDA_ERROR_OUT_OF_MEMORY, and the context goes on") {
    for (unsigned const threads : {1u, 4u}) {
        sim::set_execution({.threads = threads, .step_budget = 0});
        with_kernels gpu;
        CHECK(gpu.launch("empty", 132, 32) == CUDA_SUCCESS);
        CUmodule module = nullptr;
        CUfunction function = nullptr;
        REQUIRE(gpu.driver.ModuleLoadData(&module, deep) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.ModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
        for (bool const cooperative : {true, false}) {
            CUresult status = CUDA_SUCCESS;
            {
                memory_limit const limit{std::size_t{64} << 20};
                status = cooperative
                             ? gpu.driver.LaunchCooperativeKernel(function, 132, 1, 1, 1024, 1, 1, 0, nullptr, nullptr)
                             : gpu.driver.LaunchKernel(function, 132, 1, 1, 1024, 1, 1, 0, nullptr, nullptr, nullptr);
            }
            CHECK(status == CUDA_ERROR_OUT_OF_MEMORY);
            auto const why = sim::last_launch_error(gpu.handle);
            REQUIRE(why);
            CHECK(why->kind == sim::launch_failure::out_of_memory);
            CHECK(why->kernel == "k");
        }
        CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
        CHECK(gpu.launch("empty", 1, 32) == CUDA_SUCCESS);
    }
    sim::set_execution({});
}

// A thread's stack has 8 MB of address space, which there is not.
TEST_CASE("a launch for which the system gives no threads runs on the one that it has") {
    sim::set_execution({.threads = 8, .step_budget = 0});
    with_kernels gpu;
    CUdeviceptr to = gpu.buffer(1000 * 4);
    unsigned value = 7;
    void* params[] = {&to, &value};
    CHECK(gpu.launch("empty", 132, 32) == CUDA_SUCCESS);
    CUresult status = CUDA_SUCCESS;
    {
        memory_limit const limit{std::size_t{6} << 20};
        status = gpu.launch("fill", 1000, 1, params);
    }
    CHECK(status == CUDA_SUCCESS);
    for (unsigned i : {0u, 1u, 500u, 999u}) CHECK(gpu.word(to + i * 4) == 7 + i);
    sim::set_execution({});
}

TEST_CASE("calls that cannot have memory are statuses") {
    with_kernels gpu;
    std::string text{".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { .reg .u32 %r<2>;\n"};
    for (int i = 0; i < 200000; ++i) text += "add.u32 %r1, %r1, 1;\n";
    text += "ret; }\n";
    CUmodule module = nullptr;
    CUdeviceptr address = 0;
    CUresult loaded = CUDA_SUCCESS, allocated = CUDA_SUCCESS;
    {
        memory_limit const limit{std::size_t{16} << 20};
        loaded = gpu.driver.ModuleLoadData(&module, text.c_str());
        allocated = gpu.driver.MemAlloc(&address, std::size_t{1} << 30);
    }
    CHECK(loaded == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(allocated == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(gpu.driver.ModuleLoadData(&module, text.c_str()) == CUDA_SUCCESS);
}

#endif

} // namespace no_memory_test
#endif
