// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what checks find outside of kernels, of what a finding says, and of what orders two accesses.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/check/clocks.hpp"
#include <gpuprof/sim/open.hpp>

#include "support/driver_kernels.hpp"
#include "sim/chip/chips.hpp"

namespace checks_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;
using sim::finding_kind;

namespace {

constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry racing(.param .u64 to) {
    .reg .u64 %rd<2>; .reg .u32 %r<2>;
    ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry branching(.param .u64 from) {
    .reg .u64 %rd<2>; .reg .u32 %r<2>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [from];
    ld.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
@%p1 bra $end;
    mov.u32 %r1, 1;
$end:
    ret;
}
.visible .entry copying(.param .u64 to, .param .u64 from) {
    .reg .u64 %rd<3>; .reg .u32 %r<3>;
    ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from];
    ld.global.v2.u32 {%r1, %r2}, [%rd2];
    st.global.v2.u32 [%rd1], {%r1, %r2};
    ret;
}
)";

// Kernels that use functions of the system.
constexpr char system_kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 pointer);
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 nothing[1];
.visible .entry allocating(.param .u64 to) {
    .reg .u64 %rd<6>; .reg .u32 %r<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x;
    { .param .b64 in; .param .b64 out; st.param.b64 [in], 16; call.uni (out), malloc, (in); ld.param.b64 %rd2, [out]; }
    setp.eq.s64 %p1, %rd2, 0;
    @%p1 ret;
    st.u32 [%rd2], %r1;
    ld.u32 %r2, [%rd2];
    mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3;
    st.global.u32 [%rd3], %r2;
    { .param .b64 in; st.param.b64 [in], %rd2; call.uni free, (in); }
    ret;
}
.visible .entry reading_fresh(.param .u64 to) {
    .reg .u64 %rd<6>; .reg .u32 %r<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [to];
    { .param .b64 in; .param .b64 out; st.param.b64 [in], 16; call.uni (out), malloc, (in); ld.param.b64 %rd2, [out]; }
    ld.u32 %r2, [%rd2];
    setp.eq.u32 %p1, %r2, 5;
    @%p1 st.global.u32 [%rd1], %r2;
    ret;
}
.visible .entry printing(.param .u64 to) {
    .reg .u64 %rd<4>; .reg .u32 %r<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [to]; mov.u64 %rd2, nothing; cvta.global.u64 %rd2, %rd2;
    {
        .param .b64 in0; .param .b64 in1; .param .b32 out;
        st.param.b64 [in0], %rd2; st.param.b64 [in1], 0;
        call.uni (out), vprintf, (in0, in1);
        ld.param.b32 %r1, [out];
    }
    add.u32 %r1, %r1, 1;
    setp.gt.u32 %p1, %r1, 9;
    @%p1 ret;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry half_named(.param .u64 to) {
    .reg .u64 %rd<4>; .reg .u32 %r<4>;
    ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x;
    bar.warp.sync 0xffff;
    ret;
}
)";

// A context with checks.
struct checked : embedded_context {
    explicit checked(sim::check_set checks, char const* text = kernels)
        : embedded_context{(choose(checks), sim::gh100)} {
        REQUIRE(driver.ModuleLoadData(&module, text) == CUDA_SUCCESS);
    }
    ~checked() { sim::set_execution({}); }
    static void choose(sim::check_set checks) {
        static_cast<void>(sim::embedded_machine().driver.Init(0));
        sim::execution_settings settings;
        settings.checks = checks;
        sim::set_execution(settings);
        sim::forget_findings();
    }
    CUdeviceptr buffer(std::size_t bytes) {
        CUdeviceptr made = 0;
        REQUIRE(driver.MemAlloc(&made, bytes) == CUDA_SUCCESS);
        return made;
    }
    CUresult launch(char const* name, unsigned threads, std::vector<CUdeviceptr> addresses) {
        CUfunction function = nullptr;
        REQUIRE(driver.ModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
        std::vector<void*> parameters;
        for (auto& one : addresses) parameters.push_back(&one);
        return driver.LaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, parameters.data(), nullptr);
    }
    CUmodule module = nullptr;
};

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("checks have names, and a word that is none is refused") {
    CHECK(sim::checks_named("").value() == sim::check_set{});
    CHECK(sim::checks_named("races").value() == sim::check_set{sim::check::races});
    CHECK(sim::checks_named("all,leaks").value() == (sim::all_checks | sim::check::leaks));
    CHECK_FALSE(sim::all_checks.has(sim::check::copies));
    auto const wrong = sim::checks_named("memory,rases");
    REQUIRE(!wrong);
    CHECK(has(wrong.error().message(), "rases"));
    CHECK(wrong.error().remedy == "perhaps races");
}

TEST_CASE("a race names both threads, both lines, the address and the allocation, and is counted") {
    checked gpu{sim::check::races};
    CUdeviceptr const to = gpu.buffer(64);
    REQUIRE(gpu.launch("racing", 4, {to + 8}) == CUDA_SUCCESS);
    auto const found = sim::findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == finding_kind::race);
    CHECK(found[0].kernel == "racing");
    CHECK(found[0].address == to + 8);
    CHECK(found[0].here->ptx_line == 8);
    CHECK(found[0].here->thread == sim::extent3{1, 0, 0});
    CHECK(found[0].other->ptx_line == 8);
    CHECK(found[0].other->thread == sim::extent3{0, 0, 0});
    CHECK(found[0].count == 3); // each thread with the one before
    std::string const text = found[0].message();
    CHECK(has(text, "race: kernel racing, CTA (0, 0, 0), thread (1, 0, 0), PTX line 8: write of 4 bytes at 0x"));
    CHECK(has(text, "8 bytes into an allocation of 64 bytes"));
    CHECK(has(text, "; and CTA (0, 0, 0), thread (0, 0, 0), PTX line 8: write"));
}

TEST_CASE("nothing is found without checks, and one thread alone races with nobody") {
    checked gpu{sim::check_set{}};
    REQUIRE(gpu.launch("racing", 4, {gpu.buffer(64)}) == CUDA_SUCCESS);
    CHECK(sim::findings().empty());
    checked other{sim::all_checks};
    REQUIRE(other.launch("racing", 1, {other.buffer(64)}) == CUDA_SUCCESS);
    CHECK(sim::findings().empty());
}

TEST_CASE("a branch on memory that nobody wrote names the branch and the load") {
    checked gpu{sim::check::initialised};
    CUdeviceptr const from = gpu.buffer(64);
    REQUIRE(gpu.launch("branching", 1, {from}) == CUDA_SUCCESS);
    auto const found = sim::findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == finding_kind::uninitialised);
    CHECK(found[0].here->ptx_line == 16);
    CHECK(found[0].other->ptx_line == 14);
    sim::forget_findings();
    gpu.driver.MemsetD32(from, 1, 1);
    REQUIRE(gpu.launch("branching", 1, {from}) == CUDA_SUCCESS);
    CHECK(sim::findings().empty());
}

TEST_CASE("a kernel, and a copy, may copy what nobody wrote, and it stays that") {
    checked gpu{sim::check::initialised};
    CUdeviceptr const from = gpu.buffer(64);
    CUdeviceptr const to = gpu.buffer(64);
    CUdeviceptr const further = gpu.buffer(64);
    gpu.driver.MemsetD32(from, 1, 1); // the second word is padding
    REQUIRE(gpu.launch("copying", 1, {to, from}) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.MemcpyDtoD(further, to, 64) == CUDA_SUCCESS);
    REQUIRE(gpu.launch("branching", 1, {further}) == CUDA_SUCCESS);
    CHECK(sim::findings().empty());
    REQUIRE(gpu.launch("branching", 1, {further + 4}) == CUDA_SUCCESS);
    CHECK(sim::findings().size() == 1);
}

TEST_CASE("a copy to the host of what nobody wrote is found, a part of it if asked for") {
    for (bool const strict : {false, true}) {
        checked gpu{strict ? sim::check::initialised | sim::check::copies : sim::check_set{sim::check::initialised}};
        CUdeviceptr const from = gpu.buffer(64);
        std::vector<char> host(64);
        gpu.driver.MemsetD8(from, 0, 60);
        REQUIRE(gpu.driver.MemcpyDtoH(host.data(), from, 60) == CUDA_SUCCESS);
        CHECK(sim::findings().empty());
        REQUIRE(gpu.driver.MemcpyDtoH(host.data(), from, 64) == CUDA_SUCCESS);
        CHECK(sim::findings().size() == (strict ? 1 : 0));
        REQUIRE(gpu.driver.MemcpyDtoH(host.data(), from + 60, 4) == CUDA_SUCCESS);
        CHECK(sim::findings().size() == (strict ? 2 : 1));
    }
}

TEST_CASE("frees of what is not allocated, freed twice or in the middle are found") {
    checked gpu{sim::check::memory};
    CUdeviceptr const at = gpu.buffer(100);
    CHECK(gpu.driver.MemFree(at + 4) == CUDA_ERROR_INVALID_VALUE);
    REQUIRE(gpu.driver.MemFree(at) == CUDA_SUCCESS);
    CHECK(gpu.driver.MemFree(at) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gpu.driver.MemFree(0x1234) == CUDA_ERROR_INVALID_VALUE);
    auto const found = sim::findings();
    REQUIRE(found.size() == 3);
    for (auto const& one : found) CHECK(one.kind == finding_kind::invalid_free);
    CHECK(has(found[0].message(), "which is within an allocation of 100 bytes"));
    CHECK(has(found[1].message(), "which was freed before"));
    CHECK(has(found[2].message(), "which is no allocation"));
}

TEST_CASE("what is still allocated is a leak") {
    checked gpu{sim::check::leaks};
    CUdeviceptr const kept = gpu.buffer(100);
    REQUIRE(gpu.driver.MemFree(gpu.buffer(200)) == CUDA_SUCCESS);
    sim::find_leaks();
    auto const found = sim::findings();
    REQUIRE(std::any_of(found.begin(), found.end(), [&](auto const& one) {
        return one.kind == finding_kind::leak && one.address == kept && has(one.message(), "100 bytes");
    }));
    CHECK(std::none_of(found.begin(), found.end(), [](auto const& one) { return has(one.message(), "200 bytes"); }));
}

TEST_CASE("allocations lie apart, and an address is not used again") {
    checked gpu{sim::check::memory};
    CUdeviceptr const first = gpu.buffer(512);
    CUdeviceptr const second = gpu.buffer(512);
    CHECK(second >= first + 512 + 64 * 1024);
    REQUIRE(gpu.driver.MemFree(second) == CUDA_SUCCESS);
    CHECK(gpu.buffer(512) != second);
    CHECK(gpu.launch("racing", 1, {first + 512}) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    REQUIRE(sim::findings().size() == 1);
    CHECK(sim::findings()[0].kind == finding_kind::out_of_bounds);
}

// Two CTAs of two warps; `then` is what warp 0 of the first does, in a segment of its own.
TEST_CASE("barriers, meetings of lanes, releases and acquires order accesses, and nothing else does") {
    sim::launch_clocks launch{1};
    sim::cta_clocks first{launch, 0, 2};
    sim::cta_clocks second{launch, 1, 2};
    std::uint32_t const then = first.segment(0);
    CHECK(first.knows(0, 5, then, 5));       // the thread itself
    CHECK_FALSE(first.knows(0, 5, then, 6)); // a lane beside it
    CHECK_FALSE(first.knows(1, 5, then, 5)); // another warp
    CHECK_FALSE(second.knows(0, 5, then, 5));

    SUBCASE("lanes that meet") {
        first.meet(0, 0x60, sim::all_lanes);
        CHECK(first.knows(0, 5, then, 6));
        CHECK_FALSE(first.knows(0, 5, then, 7));
        CHECK_FALSE(first.knows(0, 7, then, 6));
        std::uint32_t const later = first.segment(0);
        CHECK_FALSE(first.knows(0, 5, later, 6));
        first.meet(0, 0xc0, sim::all_lanes); // lane 7 hears from lane 6 what that heard from lane 5
        CHECK(first.knows(0, 5, then, 7));
        CHECK_FALSE(first.knows(0, 5, later, 7));
        first.meet(0, sim::all_lanes, sim::all_lanes);
        CHECK(first.knows(0, 5, later, 7));
        CHECK_FALSE(first.knows(1, 5, later, 7));
    }
    SUBCASE("a barrier") {
        first.arrive(0, 0, 0);
        first.arrive(1, 0, 0);
        std::uint32_t const later = first.segment(0);
        first.pass(0, 0, 0);
        first.pass(1, 0, 0);
        CHECK(first.knows(1, 5, then, 9));
        CHECK(first.knows(0, 5, then, 9));
        CHECK_FALSE(first.knows(1, 5, later, 9));
        CHECK_FALSE(second.knows(0, 5, then, 5));
    }
    SUBCASE("a flag after a fence") {
        bool narrow = false;
        SUBCASE("for all") {}
        SUBCASE("for the CTA") { narrow = true; }
        first.fence(0, 1, narrow);
        first.release(0, 0, 100, false, false);
        second.acquire(1, 101, false);
        CHECK_FALSE(second.knows(1, 5, then, 0));
        second.acquire(1, 100, false);
        CHECK(second.knows(1, 5, then, 0) == !narrow);
        CHECK_FALSE(second.knows(0, 5, then, 0));
        first.acquire(1, 100, false);
        CHECK(first.knows(1, 5, then, 0));
    }
    SUBCASE("a flag without a fence, or by a lane that executed none") {
        first.release(0, 0, 100, false, false);
        second.acquire(1, 100, false);
        CHECK_FALSE(second.knows(1, 5, then, 0));
        CHECK(second.knows(1, 5, then, 0, true)); // what was read is read
        second.release(1, 0, 200, false, false);
        sim::cta_clocks third{launch, 2, 1};
        third.acquire(0, 200, false);
        CHECK(third.knows(0, 5, then, 0, true));
        CHECK_FALSE(third.knows(0, 5, then, 0));
        first.fence(0, 2, false);
        first.release(0, 0, 100, false, false);
        second.acquire(1, 100, false);
        CHECK_FALSE(second.knows(1, 5, then, 0));
    }
    SUBCASE("what is written between the fence and the flag is not released") {
        first.fence(0, 1, false);
        std::uint32_t const later = first.segment(0);
        first.release(0, 0, 100, false, false);
        second.acquire(1, 100, false);
        CHECK(second.knows(1, 5, then, 0));
        CHECK_FALSE(second.knows(1, 5, later, 0));
    }
    SUBCASE("a chain of flags, and a counter that others add to") {
        first.fence(0, 1, false);
        first.release(0, 0, 100, false, false);
        second.acquire(1, 100, false);
        second.fence(1, 1, false);
        second.release(1, 0, 200, false, true);
        sim::cta_clocks third{launch, 2, 1};
        third.fence(0, 1, false);
        third.release(0, 0, 200, false, true);
        sim::cta_clocks fourth{launch, 3, 1};
        fourth.acquire(0, 200, false);
        CHECK(fourth.knows(0, 5, then, 0));
    }
}

TEST_CASE("what malloc and printf answer is written, and memory that is allocated again is fresh") {
    checked gpu{sim::all_checks, system_kernels};
    CUdeviceptr const to = gpu.buffer(1024);
    // Threads of the second warp get the memory that those of the first one had.
    REQUIRE(gpu.launch("allocating", 64, {to}) == CUDA_SUCCESS);
    REQUIRE(gpu.launch("printing", 1, {gpu.buffer(4)}) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    auto const of = [](finding_kind kind) {
        auto const all = sim::findings();
        return std::count_if(all.begin(), all.end(), [&](auto const& f) { return f.kind == kind; });
    };
    CHECK(of(finding_kind::uninitialised) == 0);
    CHECK(of(finding_kind::race) == 0);
    sim::forget_findings();
    REQUIRE(gpu.launch("reading_fresh", 1, {to}) == CUDA_SUCCESS); // what "allocating" wrote is forgotten
    CHECK(of(finding_kind::uninitialised) == 1);
}

TEST_CASE("a thread that is not in its own member mask is a finding of the check of barriers") {
    checked gpu{sim::check::barriers, system_kernels};
    CUdeviceptr const to = gpu.buffer(64);
    REQUIRE(gpu.launch("half_named", 32, {to}) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    auto const found = sim::findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == finding_kind::barrier);
    CHECK(found[0].here->thread == sim::extent3{16, 0, 0});
    CHECK(has(found[0].message(), "not in its own member mask"));
}

} // namespace checks_test
