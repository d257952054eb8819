// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc and free in kernels.
#include <algorithm>
#include <set>
#include <string>

#include "sim/code/device_heap.hpp"

#include "support/kernel_fixture.hpp"

namespace kernels_heap_test {

using namespace gpuprof_test;

namespace {

constexpr char kernels[] = R"(.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 pointer);
.visible .entry keep(.param .u64 to, .param .u64 bytes) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<8>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [bytes];
    mov.u32 %r1, %tid.x;
    {
        .param .b64 in;
        .param .b64 out;
        st.param.b64 [in], %rd2;
        call (out), malloc, (in);
        ld.param.b64 %rd3, [out];
    }
    mul.wide.u32 %rd4, %r1, 8;
    add.s64 %rd4, %rd1, %rd4;
    st.global.u64 [%rd4], %rd3;
    setp.eq.u64 %p1, %rd3, 0;
    @%p1 ret;
    st.u32 [%rd3], %r1;
    ret;
}
.visible .entry give_back(.param .u64 from, .param .u64 values) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [from];
    ld.param.u64 %rd2, [values];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 8;
    add.s64 %rd3, %rd1, %rd3;
    ld.global.u64 %rd4, [%rd3];
    ld.u32 %r2, [%rd4];
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd5, %rd2, %rd5;
    st.global.u32 [%rd5], %r2;
    {
        .param .b64 in;
        st.param.b64 [in], %rd4;
        call free, (in);
    }
    ret;
}
)";

} // namespace

TEST_CASE("pieces of the heap are apart, are freed and joined again, and zero is the answer when there is no more") {
    sim::device_heap heap{0x1000, 160};
    CHECK(heap.allocate(0) == 0);
    CHECK(heap.allocate(161) == 0);
    auto const a = heap.allocate(60), b = heap.allocate(1), c = heap.allocate(80);
    CHECK(a == 0x1000);
    CHECK(b == 0x1040);
    CHECK(c == 0x1050);
    CHECK(heap.allocate(1) == 0);
    CHECK(heap.release(b));
    CHECK_FALSE(heap.release(b));
    CHECK_FALSE(heap.release(a + 16));
    CHECK(heap.allocate(17) == 0);
    CHECK(heap.release(a));
    CHECK(heap.allocate(80) == 0x1000);
    CHECK(heap.release(c));
    CHECK(heap.allocate(80) == 0x1050);
}

TEST_CASE("what one kernel allocates the next one reads and frees") {
    machine m{ptx_text{kernels}};
    constexpr std::uint64_t bytes = 4096;
    sim::device_heap heap{m.memory.allocate(bytes).value(), bytes};
    auto const pointers = m.zeros<std::uint64_t>(64);
    auto const values = m.zeros<std::uint32_t>(64);
    auto const launch = [&](char const* name, arguments const& with) {
        sim::launch_config config{{1}, {64}, 0, with.bytes(), false};
        config.heap = &heap;
        return execute_counted(*m.program.find_kernel(name), config, m.memory).result;
    };
    for (int again = 0; again < 2; ++again) { // freed, there is as much room as before
        REQUIRE(launch("keep", arguments{pointers, std::uint64_t{64}}));
        auto const got = pointers.values();
        CHECK(std::set<std::uint64_t>(got.begin(), got.end()).size() == 64);
        CHECK(got[0] != 0);
        CHECK(heap.allocate(1) == 0); // 64 pieces of 64 bytes are all
        REQUIRE(launch("give_back", arguments{pointers, values}));
        for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == i);
    }
    REQUIRE(launch("keep", arguments{pointers, std::uint64_t{128}}));
    auto const got = pointers.values();
    CHECK(std::count(got.begin(), got.end(), 0u) == 32);
    auto const done = launch("give_back", arguments{m.array(std::vector<std::uint64_t>(64, got[0])), values});
    REQUIRE(done.error); // freed twice
    CHECK(done.error->kind == sim::launch_failure::illegal_address);
    CHECK(done.error->detail.find("free of what malloc did not give") != std::string::npos);
}

TEST_CASE("a kernel that launches kernels needs the driver's device runtime, and says so") {
    machine m{ptx_text{R"(.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) cudaLaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
.visible .entry parent() {
    .reg .b32 %r<2>;
    {
        .param .b64 buffer;
        .param .b64 stream;
        .param .b32 out;
        call (out), cudaLaunchDeviceV2, (buffer, stream);
        ld.param.b32 %r1, [out];
    }
    ret;
}
)"}};
    auto const done = m.launch("parent", {1}, {32}, arguments{});
    REQUIRE(done.error);
    CHECK(done.error->kind == sim::launch_failure::unsupported);
    CHECK(done.error->detail.find("a call of the device runtime") != std::string::npos);
}

} // namespace kernels_heap_test
