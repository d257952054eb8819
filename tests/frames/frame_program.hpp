// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames of known work on the embedded GPU.
#ifndef GPUPROF_TESTS_SAMPLE_FRAME_PROGRAM_HPP
#define GPUPROF_TESTS_SAMPLE_FRAME_PROGRAM_HPP

#include <cstdint>

#include <doctest/doctest.h>

#include <gpuprof/frames.hpp>
#include <gpuprof/sim/open.hpp>

// A thread of `spin` goes `count` times round a loop of three instructions, and stores a number.
inline constexpr char frame_kernels[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .entry spin(.param .u64 to, .param .u32 count) {
    .reg .u32 %r<8>; .reg .u64 %rd<4>; .reg .pred %p<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to]; ld.param.u32 %r5, [count];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r6, 0;
again:
    add.u32 %r6, %r6, %r5;
    sub.u32 %r5, %r5, 1;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra again;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r6;
    ret;
}
)";

// A launch has 4 blocks of 64 threads: 8 warps, 256 threads, 8 store requests.
struct frame_program {
    static constexpr unsigned blocks = 4, threads = 64, warps = 8;

    explicit frame_program(char const* chip) : gpu{open(chip)}, driver{gpu.driver()} {
        REQUIRE(driver.ModuleLoadData(&module, frame_kernels) == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&spin, module, "spin") == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(driver.MemAlloc(&memory, blocks * threads * 4) == gpuprof::abi::CUDA_SUCCESS);
    }
    ~frame_program() {
        CHECK(driver.MemFree(memory) == gpuprof::abi::CUDA_SUCCESS);
        CHECK(driver.ModuleUnload(module) == gpuprof::abi::CUDA_SUCCESS);
    }
    frame_program(frame_program const&) = delete;
    frame_program& operator=(frame_program const&) = delete;

    void launch(unsigned times = 1, std::uint32_t count = 4) {
        void* list[]{&memory, &count};
        for (unsigned i = 0; i < times; ++i)
            REQUIRE(driver.LaunchKernel(spin, blocks, 1, 1, threads, 1, 1, 0, nullptr, list, nullptr) ==
                    gpuprof::abi::CUDA_SUCCESS);
    }
    void wait() const { REQUIRE(driver.CtxSynchronize() == gpuprof::abi::CUDA_SUCCESS); }

    gpuprof::device gpu;
    gpuprof::abi::driver_table const& driver;

private:
    static gpuprof::device open(char const* chip) {
        auto opened = gpuprof::sim::open_embedded(chip, gpuprof::sim::collection::in_passes);
        REQUIRE(opened);
        return *std::move(opened);
    }
    gpuprof::abi::CUmodule module = nullptr;
    gpuprof::abi::CUfunction spin = nullptr;
    gpuprof::abi::CUdeviceptr memory = 0;
};

// No budget: what this machine takes for the embedded GPU says nothing of a real one.
inline gpuprof::frame_options unhurried() {
    gpuprof::frame_options options;
    options.budget_us = 0;
    return options;
}

// The sampler, or the error's message.
template <class... Counters>
gpuprof::frame_sampler sampled(gpuprof::device const& gpu, gpuprof::frame_options const& options,
                               Counters... counters) {
    auto made = gpuprof::frame_sampler::try_create(gpu, options, counters...);
    if (!made) MESSAGE(made.error().message());
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    return *std::move(made);
}

#endif // GPUPROF_TESTS_SAMPLE_FRAME_PROGRAM_HPP
