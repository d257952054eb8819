// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies: what they move, what completes them, what they cost, and what is refused.
#include <gpuprof/sim/open.hpp>

#include "support/driver_kernels.hpp"
#include "support/kernel_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace kernels_bulk_test {

using namespace gpuprof_test;
using sim::launch_failure;
using enum sim::raw_counter;

TEST_CASE("tiles come by bulk copies into two buffers in turn, and go back by bulk groups") {
    machine m{"bulk.sm_90.ptx"};
    constexpr std::size_t tile = 256;
    for (std::size_t const tiles : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
        auto const in = spread<int>(tiles * tile, -1000, 1000);
        auto const din = m.array(in);
        auto const out = m.zeros<int>(tiles * tile);
        m.run("bulk_pipeline", {1}, {64}, arguments{din, out, static_cast<int>(tiles)});
        std::size_t equal = 0;
        for (std::size_t i = 0; i < tiles * tile; ++i) equal += out[i] == 3 * in[i / tile * tile + tile - 1 - i % tile];
        CHECK(equal == tiles * tile);
        // All of it passes L1 by: each sector once, in and out.
        CHECK(m.counted[l1_requests_global_ld] == 0);
        CHECK(m.counted[l1_requests_global_st] == 0);
        CHECK(m.counted[l2_sectors_tex_read] == tiles * tile * sizeof(int) / 32);
        CHECK(m.counted[l2_sectors_tex_write] == tiles * tile * sizeof(int) / 32);
        CHECK(m.counted[l2_requests_tex_read] == tiles * tile * sizeof(int) / 128);
    }
}

// An H200 counts 4 times 32 sectors where four whole warps store the same 1,024 bytes (CUTLASS's bulk_store.cu).
TEST_CASE("lanes that give the same operands copy once, others for themselves") {
    for (unsigned const copies : {1u, 2u, 32u}) {
        machine m{ptx_text{".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 out) {\n"
                           ".reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 128 .b8 s[1024];\n"
                           "mov.u32 %r0, %laneid; shl.b32 %r1, %r0, 5; mov.u32 %r2, s; add.u32 %r3, %r2, %r1;\n"
                           "st.shared.u32 [%r3], %r0; fence.proxy.async; bar.warp.sync 0xffffffff;\n"
                           "and.b32 %r4, %r0, " +
                           std::to_string(copies - 1) +
                           "; shl.b32 %r4, %r4, 5; add.u32 %r2, %r2, %r4; cvt.u64.u32 %rd1, %r4;\n"
                           "ld.param.u64 %rd0, [out]; add.u64 %rd0, %rd0, %rd1;\n"
                           "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r2], 32;\n"
                           "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }\n"}};
        auto const out = m.array(std::vector<std::uint32_t>(256, 5));
        m.run("k", {1}, {32}, arguments{out});
        for (std::uint32_t i = 0; i < 32; ++i) CHECK(out[i * 8] == 5 + (i < copies ? i : 0));
        CHECK(m.counted[l2_sectors_tex_write] == copies);
    }
}

TEST_CASE("a bulk copy is 16 bytes or a multiple of it, from a place with an offset, and none of 0 bytes") {
    machine m{"bulk.sm_90.ptx"};
    auto const in = spread<unsigned char>(512, 0, 256);
    auto const din = m.array(in);
    for (unsigned const bytes : {0u, 16u, 48u, 496u}) {
        auto const out = m.zeros<unsigned char>(512);
        m.run("bulk_once", {1}, {1}, arguments{din, out, bytes});
        std::size_t equal = 0;
        for (std::size_t i = 0; i < 512; ++i) equal += out[i] == (i < bytes ? in[i + 16] : 0);
        CHECK(equal == 512);
    }
}

TEST_CASE("a bulk copy of another size, from a misaligned place or beyond an end is a fault that says so") {
    machine m{"bulk.sm_90.ptx"};
    auto const in = m.zeros<unsigned char>(512);
    auto const out = m.zeros<unsigned char>(1024);
    auto const failure = [&](std::uint64_t from, unsigned bytes) {
        auto const done = m.launch("bulk_once", {1}, {1}, arguments{from, out, bytes});
        REQUIRE(done.error);
        return *done.error;
    };
    auto const size = failure(in.address(), 40);
    CHECK(size.kind == launch_failure::misaligned_address);
    CHECK(size.message().find("no multiple of 16") != std::string::npos);
    auto const place = failure(in.address() + 8, 32);
    CHECK(place.kind == launch_failure::misaligned_address);
    CHECK(place.address == in.address() + 24);
    auto const source = failure(out.address() + 768, 256); // nothing is behind it
    CHECK(source.kind == launch_failure::illegal_address);
    CHECK(source.address == out.address() + 1024); // the first piece that is not there
    auto const beyond = m.array(std::vector<char>(1 << 20));
    auto const target = failure(beyond.address(), 1 << 19);
    CHECK(target.kind == launch_failure::illegal_address);
    CHECK(target.message().find("shared memory") != std::string::npos);
}

TEST_CASE("forms of bulk copies that are not there are refused when the program is loaded, with their names") {
    auto const said = [](std::string const& instruction) {
        sim::device_memory memory;
        auto const loaded = sim::program::load(".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k() { "
                                               ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 %h<2>; " +
                                                   instruction + " ret; }",
                                               memory);
        if (!loaded) return std::string{loaded.error().message()};
        auto const* const k = loaded->find_kernel("k");
        REQUIRE(k != nullptr);
        sim::device_memory other;
        auto const done = execute_counted(*k, {{1}, {1}, 0, {}}, other);
        return done.result.error ? done.result.error->message() : std::string{"runs"};
    };
    auto const has = [&](std::string const& instruction, std::string const& what) {
        std::string const text = said(instruction);
        INFO(instruction, ": ", text);
        CHECK(text.find(what) != std::string::npos);
    };
    has("cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r1, %r2}], "
        "[%r3], {%h1};",
        "not supported in this form");
    has("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r3];",
        "not as many coordinates");
    has("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%r2], %r2, "
        "[%r3], %h1;",
        "not supported");
    has("cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16;", "not supported");
    has("cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1];", "");
    has("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", "runs");
}

TEST_CASE("a bulk copy orders who waits on its mbarrier, and nobody else") {
    static_cast<void>(sim::embedded_machine().driver.Init(0));
    struct chosen {
        chosen() {
            sim::execution_settings settings;
            settings.checks = sim::all_checks;
            sim::set_execution(settings);
            sim::forget_findings();
        }
        ~chosen() { sim::set_execution({}); }
    } const checks;
    embedded_context context{sim::gh100};
    auto& driver = context.driver;
    using namespace gpuprof::abi;
    CUmodule module = nullptr;
    REQUIRE(driver.ModuleLoadData(&module, read_kernel_file("bulk.sm_90.ptx").c_str()) == CUDA_SUCCESS);
    CUdeviceptr in = 0, out = 0;
    constexpr std::size_t tiles = 4;
    REQUIRE(driver.MemAlloc(&in, tiles * 1024) == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&out, tiles * 1024) == CUDA_SUCCESS);
    std::vector<int> const values(tiles * 256, 5);
    REQUIRE(driver.MemcpyHtoD(in, values.data(), tiles * 1024) == CUDA_SUCCESS);
    auto const launch = [&](char const* name, unsigned threads, std::vector<void*> parameters) {
        CUfunction function = nullptr;
        REQUIRE(driver.ModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
        return driver.LaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, parameters.data(), nullptr);
    };
    int count = tiles;
    REQUIRE(launch("bulk_pipeline", 64, {&in, &out, &count}) == CUDA_SUCCESS);
    CHECK(sim::findings().empty());
    REQUIRE(launch("bulk_unawaited", 64, {&in, &out}) == CUDA_SUCCESS);
    auto const found = sim::findings();
    std::vector<std::string> races, copies;
    for (auto const& each : found) (each.kind == sim::finding_kind::race ? races : copies).push_back(each.message());
    REQUIRE(races.size() == 2); // lanes of the thread's own warp, and another warp
    CHECK(races[0].find("thread (32, 0, 0)") != std::string::npos);
    CHECK(races[1].find("thread (1, 0, 0)") != std::string::npos);
    REQUIRE(!copies.empty()); // it is read without a wait
    for (auto const& each : copies) CHECK(each.find("asynchronous copy: kernel bulk_unawaited") == 0);
}

} // namespace kernels_bulk_test
