// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context of its own on the embedded GPU, tables that a test may spoil, and kernels to sample. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_PC_SAMPLED_GPU_HPP
#define GPUPROF_TESTS_SUPPORT_PC_SAMPLED_GPU_HPP

#include <cstdint>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/sim/open.hpp>

#include "sim/gpu/gpu_state.hpp"
#include "support/driver_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace test {

// gather reads what lies 128 bytes apart; meet meets at a barrier; add adds numbers `count` times, in a loop.
inline constexpr char sampled_kernels[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry gather(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<6>; .reg .u64 %rd<7>; .reg .f32 %f<3>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    shl.b32 %r5, %r4, 5;
    ld.param.u64 %rd1, [xs];
    ld.param.u64 %rd2, [ys];
    mul.wide.u32 %rd3, %r5, 4;
    add.u64 %rd4, %rd1, %rd3;
    ld.global.f32 %f1, [%rd4];
    fma.rn.f32 %f2, %f1, 0f40400000, 0f3F800000;
    mul.wide.u32 %rd5, %r4, 4;
    add.u64 %rd6, %rd2, %rd5;
    st.global.f32 [%rd6], %f2;
    ret;
}
.visible .entry add(.param .u64 ys, .param .u32 count) {
    .reg .u32 %r<8>; .reg .u64 %rd<4>; .reg .pred %p<2>;
    mov.u32 %r3, %tid.x;
    ld.param.u64 %rd1, [ys];
    ld.param.u32 %r5, [count];
    mov.u32 %r6, 0;
again:
    add.u32 %r6, %r6, %r5;
    xor.b32 %r6, %r6, %r3;
    sub.u32 %r5, %r5, 1;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra again;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r6;
    ret;
}
.visible .entry meet(.param .u64 ys) {
    .reg .u32 %r<4>; .reg .u64 %rd<4>;
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [ys];
    bar.sync 0;
    bar.sync 0;
    bar.sync 0;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
)";
inline constexpr std::uint32_t line_of_gathered = 16; // its first use

class pc_sampled_gpu {
public:
    explicit pc_sampled_gpu(gpuprof::sim::chip_model const& chip = gpuprof::sim::gh100) : context_{chip} {
        tables.driver = context_.driver;
        tables.cupti = gpuprof::sim::embedded_machine().cupti;
        REQUIRE(context_.driver.MemAlloc(&memory_, bytes) == gpuprof::abi::CUDA_SUCCESS);
    }
    ~pc_sampled_gpu() {
        CHECK(context_.driver.MemFree(memory_) == gpuprof::abi::CUDA_SUCCESS);
        if (module_ != nullptr) CHECK(context_.driver.ModuleUnload(module_) == gpuprof::abi::CUDA_SUCCESS);
    }
    pc_sampled_gpu(pc_sampled_gpu const&) = delete;
    pc_sampled_gpu& operator=(pc_sampled_gpu const&) = delete;

    gpuprof::device open() {
        auto opened = gpuprof::device::try_open(tables, context_.handle, gpuprof::device_source::embedded);
        REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
        return *std::move(opened);
    }
    void load(char const* ptx = sampled_kernels) {
        if (module_ != nullptr) CHECK(context_.driver.ModuleUnload(module_) == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(context_.driver.ModuleLoadData(&module_, ptx) == gpuprof::abi::CUDA_SUCCESS);
    }
    void gather(unsigned blocks = 64) {
        std::uint64_t xs = memory_, ys = memory_ + (std::uint64_t{1} << 22);
        void* list[]{&xs, &ys};
        launch("gather", blocks, list);
    }
    void add(std::uint32_t count = 100, unsigned blocks = 64) {
        std::uint64_t ys = memory_;
        void* list[]{&ys, &count};
        launch("add", blocks, list);
    }
    void meet(unsigned blocks = 64) {
        std::uint64_t ys = memory_;
        void* list[]{&ys};
        launch("meet", blocks, list);
    }
    // Cycles that the SMs of the last launch were active, added up.
    [[nodiscard]] std::uint64_t active_cycles() const {
        return gpuprof::sim::shared()
            .registry.last_launch(context_.handle)
            .counted[gpuprof::sim::raw_counter::sm_cycles_active];
    }
    [[nodiscard]] gpuprof::abi::CUcontext handle() const { return context_.handle; }

    gpuprof::hw::machine tables;

private:
    static constexpr std::size_t bytes = std::size_t{8} << 20;

    void launch(char const* kernel, unsigned blocks, void** list) {
        if (module_ == nullptr) load();
        gpuprof::abi::CUfunction function = nullptr;
        REQUIRE(context_.driver.ModuleGetFunction(&function, module_, kernel) == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(context_.driver.LaunchKernel(function, blocks, 1, 1, 256, 1, 1, 0, nullptr, list, nullptr) ==
                gpuprof::abi::CUDA_SUCCESS);
    }

    embedded_context context_;
    gpuprof::abi::CUdeviceptr memory_ = 0;
    gpuprof::abi::CUmodule module_ = nullptr;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_PC_SAMPLED_GPU_HPP
