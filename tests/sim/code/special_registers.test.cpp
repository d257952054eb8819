// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what the system gives to kernels: the workspace of a cooperative grid, reserved shared memory, managed variables.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "sim/code/device_memory.hpp"
#include "sim/driver/kernel_end.hpp"
#include <gpuprof/sim/open.hpp>
#include "sim/embedded_device.hpp"

#include "support/driver_fixture.hpp"

namespace special_registers_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

// A kernel of those instructions, which leave what is to be seen in %rd3; it has %r and %rd registers, and `to` in %rd1.
struct small_kernel {
    explicit small_kernel(std::string const& instructions, std::string const& variables = {}) {
        std::string const text = ".version 8.0\n.target sm_80\n.address_size 64\n" + variables +
                                 ".visible .entry k(.param .u64 to) {\n.reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 "
                                 "%rd<8>;\nld.param.u64 %rd1, [to];\n" +
                                 instructions + "\nst.global.u64 [%rd1], %rd3;\nret;\n}\n";
        REQUIRE(gpu.driver.ModuleLoadData(&module, text.c_str()) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.ModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
        REQUIRE(gpu.driver.MemAlloc(&to, 8) == CUDA_SUCCESS);
    }
    CUresult launch(unsigned blocks = 1, bool cooperative = false) {
        void* arguments[]{&to};
        return cooperative ? gpu.driver.LaunchCooperativeKernel(function, blocks, 1, 1, 32, 1, 1, 0, nullptr, arguments)
                           : gpu.driver.LaunchKernel(function, blocks, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    }
    std::uint64_t seen() {
        std::uint64_t value = 0;
        CHECK(gpu.driver.MemcpyDtoH(&value, to, 8) == CUDA_SUCCESS);
        return value;
    }
    embedded_context gpu;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr to = 0;
};

// %rd2 becomes the address in %envreg1 and %envreg2.
static std::string const workspace = "mov.u32 %r1, %envreg2;\nmov.u32 %r2, %envreg1;\nmov.b64 %rd2, {%r1, %r2};\n";

TEST_CASE("the blocks of a cooperative grid meet in a workspace, and other grids have none") {
    small_kernel ordinary{workspace + "mov.u64 %rd3, %rd2;"};
    CHECK(ordinary.launch() == CUDA_SUCCESS);
    CHECK(ordinary.seen() == 0);

    // Each block adds one, then waits until all four have.
    small_kernel meeting{workspace + "mov.u32 %r4, %tid.x;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra DONE;\n"
                                     "atom.global.add.u32 %r3, [%rd2+4], 1;\n"
                                     "WAIT: ld.volatile.global.u32 %r3, [%rd2+4];\nsetp.lt.u32 %p1, %r3, 4;\n"
                                     "@%p1 bra WAIT;\nDONE: mov.u64 %rd3, %rd2;"};
    CHECK(meeting.launch(4, true) == CUDA_SUCCESS);
    CHECK(meeting.seen() != 0);
    std::uint32_t met = 0;
    CHECK(meeting.gpu.driver.MemcpyDtoH(&met, meeting.seen() + 4, 4) == CUDA_SUCCESS);
    CHECK(met == 4);
    auto const first = meeting.seen();
    CHECK(meeting.launch(1, true) == CUDA_SUCCESS);
    CHECK(meeting.seen() == first); // one a context
}

TEST_CASE("reserved shared memory lies beside the block's own, and only for kernels that ask for it") {
    std::string const own = ".shared .align 4 .b8 words[40];\n";
    // Its own first word keeps 7; the last of the 288 bytes that libraries count on is written and read.
    small_kernel uses{"mov.u32 %r1, words;\nmov.u32 %r2, 7;\nst.shared.u32 [%r1], %r2;\n"
                      "mov.u32 %r3, %reserved_smem_offset_1;\nmov.u32 %r4, 90;\nst.shared.u32 [%r3], %r4;\n"
                      "st.shared.u32 [%r3+284], %r4;\nld.shared.u32 %r5, [%r3+284];\nld.shared.u32 %r6, [%r1];\n"
                      "add.u32 %r5, %r5, %r6;\ncvt.u64.u32 %rd3, %r5;",
                      own};
    CHECK(uses.launch() == CUDA_SUCCESS);
    CHECK(uses.seen() == 97);
    int bytes = 0;
    CHECK(uses.gpu.driver.FuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, uses.function) == CUDA_SUCCESS);
    CHECK(bytes == 40);

    small_kernel leaves{"mov.u32 %r1, words;\nst.shared.u32 [%r1+128], %r1;\nmov.u64 %rd3, 0;", own};
    CHECK(leaves.launch() == CUDA_SUCCESS);
    CHECK(leaves.gpu.driver.CtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("a managed variable has one address for the host and for kernels") {
    small_kernel adds{
        "ld.global.u32 %r1, [count];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [count], %r1;\nmov.u64 %rd3, count;",
        ".visible .global .attribute(.managed) .align 4 .u32 count = 41;\n"};
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    REQUIRE(adds.gpu.driver.ModuleGetGlobal(&address, &bytes, adds.module, "count") == CUDA_SUCCESS);
    CHECK(bytes == 4);
    auto* const count = reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(address));
    CHECK(*count == 41);
    CHECK(adds.launch() == CUDA_SUCCESS);
    CHECK(adds.seen() == address);
    CHECK(*count == 42); // one warp, whose lanes all wrote the same
}

TEST_CASE("a fault names the allocation beside the address") {
    small_kernel fault{"ld.global.u32 %r1, [%rd1+16];\nmov.u64 %rd3, 0;"};
    CHECK(fault.launch() == CUDA_SUCCESS);
    auto const why = sim::last_launch_error(fault.gpu.handle);
    REQUIRE(why);
    CHECK(why->detail.find("8 bytes after the end of an allocation of 8 bytes at 0x") != std::string::npos);
    small_kernel null{"mov.u64 %rd2, 0;\nld.global.u32 %r1, [%rd2+8];\nmov.u64 %rd3, 0;"};
    CHECK(null.launch() == CUDA_SUCCESS);
    CHECK(sim::last_launch_error(null.gpu.handle)->detail.find("null pointer") != std::string::npos);
}

static std::vector<std::string> heard;

TEST_CASE("whoever listens hears of every kernel and of every failure") {
    heard.clear();
    sim::listen_to_ends([](sim::kernel_end const& end) {
        heard.push_back(end.code.name + " of " + std::to_string(end.config.grid.x) + " on " + end.chip.chip_name +
                        ": " + std::to_string(end.counted[sim::raw_counter::warps_launched]));
        CHECK(end.time.likely * 1e9 ==
              doctest::Approx(static_cast<double>(end.counted[sim::raw_counter::gpu_time_ns])).epsilon(1e-3));
        CHECK(end.time.low < end.time.likely);
        CHECK(end.time.likely < end.time.high);
        CHECK(end.time.bound == sim::time_bound::launch); // three CTAs of next to nothing
    });
    sim::listen_to_failures([](sim::launch_error const& why) { heard.push_back(std::string{name(why.kind)}); });
    small_kernel good{"mov.u64 %rd3, 1;"};
    CHECK(good.launch(3) == CUDA_SUCCESS);
    small_kernel bad{"st.global.u32 [%rd1+8], %r1;\nmov.u64 %rd3, 1;"};
    CHECK(bad.launch() == CUDA_SUCCESS);
    sim::listen_to_ends(nullptr);
    sim::listen_to_failures(nullptr);
    small_kernel unheard{"mov.u64 %rd3, 1;"};
    CHECK(unheard.launch() == CUDA_SUCCESS);
    CHECK(heard == std::vector<std::string>{"k of 3 on GH100: 3", "illegal address"});
}

TEST_CASE("the nearest allocation of an address") {
    sim::device_memory memory;
    auto const a = memory.allocate(100), b = memory.allocate(200);
    REQUIRE(b);
    CHECK(memory.nearest(*a + 100)->begin == *a);
    CHECK(memory.nearest(*b - 1)->begin == *b);
    CHECK(memory.nearest(*b + 100000)->begin == *b);
    CHECK(memory.nearest(*a - 4)->begin == *a); // the first one, from just below it
    CHECK(memory.nearest(*b + (std::uint64_t{1} << 40)) == nullptr);
    CHECK(memory.nearest(64) == nullptr); // nothing of the host
}

} // namespace special_registers_test
