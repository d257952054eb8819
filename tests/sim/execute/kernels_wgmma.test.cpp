// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma: every type, shape, layout and scale against a plain product, and warps that come at different times.
#include <algorithm>
#include <string>

#include "support/kernel_fixture.hpp"
#include "support/wgmma_forms.hpp"

namespace kernels_wgmma_test {

using namespace gpuprof_test;
using namespace wgmma_forms;
using sim::raw_counter;

namespace {

// Runs a form in that many blocks and compares all sums of each.
void check(form const& f, std::uint32_t blocks = 1) {
    INFO(instruction(f), f.of_a.swizzle, ' ', f.of_b.swizzle, ' ', f.of_a.shift);
    problem const p{f};
    machine m{ptx_text{kernel("k", f)}};
    auto const out = m.zeros<std::uint32_t>(p.sums.size() * blocks);
    m.run("k", {blocks}, {threads},
          arguments{m.array(p.shared), m.array(p.fragment), m.array(p.sums), out, p.of_a, p.of_b,
                    static_cast<int>(f.adds)});
    auto const sums = out.values();
    for (std::size_t block = 0; block < blocks; ++block)
        CHECK(std::equal(p.expected.begin(), p.expected.end(),
                         sums.begin() + static_cast<std::ptrdiff_t>(block * p.sums.size())));
}
void check(std::vector<form> const& forms) {
    for (form const& f : forms) check(f);
}

} // namespace

TEST_CASE("wgmma multiplies matrices of shared memory of all widths") { check(every_width()); }

TEST_CASE("wgmma multiplies every type, a from memory and from registers") { check(every_type()); }

TEST_CASE("wgmma reads every layout of shared memory") { check(every_layout()); }

TEST_CASE("a matrix whose swizzle does not begin at a multiple of its size says so by the base offset") {
    check(every_base_offset());
}

TEST_CASE("wgmma negates factors and leaves sums out") { check(every_scale()); }

TEST_CASE("products of a warpgroup are counted by types and take the matrix pipelines their time") {
    form f{floats()[1], floats()[1], "f32", 256};
    f.rounds = 240;
    problem const p{f};
    machine m{ptx_text{kernel("k", f)}};
    auto const out = m.zeros<std::uint32_t>(p.sums.size());
    m.run("k", {1}, {threads},
          arguments{m.array(p.shared), m.array(p.fragment), m.array(p.sums), out, p.of_a, p.of_b, 1});
    CHECK(out.values() == p.expected);
    std::uint64_t const products = f.rounds;
    CHECK(m.counted[raw_counter::inst_tensor_gmma] == products * 4); // warps
    CHECK(m.counted[raw_counter::inst_pipe_tensor] == products * 4);
    CHECK(m.counted[raw_counter::gmma_ops_bf16] == products * 2 * 64 * 256 * 16);
    CHECK(m.counted[raw_counter::tensor_ops_bf16] == 0);
    CHECK(m.counted[raw_counter::gmma_ops_fp16] == 0);
    CHECK(2 * m.counted[raw_counter::gmma_cycle_pairs_float] == products * 4 * 256); // of four pipelines
    CHECK(m.counted[raw_counter::gmma_cycle_pairs_integer] == 0);
    CHECK(m.counted[raw_counter::inst_shared_ld] == 0); // matrices are not read by loads
    CHECK(m.counted[raw_counter::sm_cycles_elapsed] >= products * 256);
}

TEST_CASE("products of a warpgroup read their factors from shared memory in as many wavefronts as on an H200") {
    form f{floats()[0], floats()[0], "f32", 64}; // of tests/hardware/wgmma.cu
    f.rounds = 8;
    f.of_a.swizzle = f.of_b.swizzle = 128;
    constexpr std::uint32_t blocks = 264;
    problem const p{f};
    machine m{ptx_text{kernel("k", f)}};
    auto const out = m.zeros<std::uint32_t>(p.sums.size() * blocks);
    m.run("k", {blocks}, {threads},
          arguments{m.array(p.shared), m.array(p.fragment), m.array(p.sums), out, p.of_a, p.of_b, 1});
    using enum raw_counter;
    CHECK(m.counted[l1_requests_global_ld] == 50'688); // H200 (tests/hardware/last_programs.txt), and all that follows
    CHECK(m.counted[l1_sectors_global_ld] == 1'351'680);
    CHECK(m.counted[l1_sectors_global_st] == 1'081'344);
    CHECK(m.counted[shared_wavefronts_st] + m.counted[shared_wavefronts_gmma] == 135'168);
}

namespace {
// A product of halves by 8 columns, whose kernel does more.
struct small_product {
    form f{floats()[0], floats()[0], "f32", 8};
    problem p{f};
    std::vector<std::uint32_t> out;

    sim::launch_result launch(machine& m, std::uint64_t of_a, std::uint32_t block) {
        auto const results = m.zeros<std::uint32_t>(p.sums.size());
        auto done =
            m.launch("k", {1}, {block},
                     arguments{m.array(p.shared), m.array(p.fragment), m.array(p.sums), results, of_a, p.of_b, 1});
        out = results.values();
        return done;
    }
};
} // namespace

TEST_CASE("who waits for a product may overwrite its operands, whichever warp comes first") {
    small_product of;
    for (int const first : {0, 3}) { // the other warps come late, when this one has cleared what they multiply
        std::string const late =
            "shr.u32 x, t, 5; setp.eq.u32 q, x, " + std::to_string(first) +
            "; @q bra go; mov.u32 i, 0; turn: add.u32 i, i, 1; setp.lt.u32 q, i, 20000; @q bra turn; go:\n";
        std::string const clear =
            "setp.ne.u32 q, x, " + std::to_string(first) +
            "; @q bra done; mov.u32 s, tile; mov.u32 i, 0; mov.u32 y, 0;\n"
            "clear: st.shared.u32 [s], y; add.u32 s, s, 4; add.u32 i, i, 4; setp.lt.u32 q, i, 32768; "
            "@q bra clear; done:\n";
        machine m{ptx_text{kernel("k", 4, late + before + instruction(of.f) + after + clear)}};
        auto const done = of.launch(m, of.p.of_a, threads);
        REQUIRE(!done.error);
        CHECK(of.out == of.p.expected);
    }
}

TEST_CASE("wgmma without its four warps, or with a matrix outside of shared memory, stops the kernel") {
    small_product of;
    auto const failure = [&](std::string const& guard, std::uint64_t of_a, std::uint32_t block) {
        machine m{ptx_text{kernel("k", 4, guard + before + instruction(of.f) + after + "leave:\n")}};
        auto const error = of.launch(m, of_a, block).error;
        return error ? error->message() : std::string{"none"};
    };
    auto const names = [](std::string const& message, char const* part) {
        return message.find(part) != std::string::npos;
    };
    CHECK(names(failure("", of.p.of_a, 96), "a warp of the warpgroup did not issue"));
    CHECK(names(failure("", of.p.of_a | 0x3fff, threads),
                "by the descriptor of a matrix")); // the last 16 bytes of 256 KiB
    CHECK(names(failure("setp.lt.u32 q, t, 32; @q bra leave;\n", of.p.of_a, threads),
                "a warp of the warpgroup did not issue"));
    CHECK(names(failure("setp.eq.u32 q, t, 5; @q bra leave;\n", of.p.of_a, threads), "lanes named by the member mask"));
}

TEST_CASE("forms that wgmma does not have are refused") {
    auto const refused = [](std::string const& line) {
        machine m{ptx_text{kernel("k", 4, line)}};
        auto const& fault = m.program.find_kernel("k")->fault;
        return fault.has_value();
    };
    CHECK(!refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0, d1, d2, d3}, rd0, rd1, p, 1, 1, 0, 0;\n"));
    CHECK(!refused(
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {d0, d1, d2, d3}, rd0, rd1, x, 0, p, 1, 1, 0, 0;\n"));
    CHECK(
        refused("wgmma.mma_async.sp.sync.aligned.m64n8k512.s32.b1.b1.and.popc {d0, d1, d2, d3}, rd0, rd1, x, 0, p;\n"));
    CHECK(refused("wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 " + list("d", 20) + ", rd0, rd1, p;\n"));
    CHECK(refused("wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {d0, d1, d2, d3}, rd0, rd1, p, 1, 1, 0, 0;\n"));
    CHECK(refused("wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {d0, d1}, rd0, rd1, p, 1, 1, 0, 0;\n"));
}

TEST_CASE("a selector of metadata that there is not makes a module that cannot be loaded") {
    auto const loads = [](std::string const& line) {
        sim::device_memory memory;
        return static_cast<bool>(sim::program::load(kernel("k", 4, line), memory));
    };
    std::string const halves = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {d0, d1, d2, d3}, rd0, rd1, x, ";
    CHECK(loads(halves + "1, p, 1, 1, 0, 0;\n"));
    CHECK_FALSE(loads(halves + "2, p, 1, 1, 0, 0;\n"));
    std::string const bytes = "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 {d0, d1, d2, d3}, rd0, rd1, x, ";
    CHECK(loads(bytes + "0, p;\n"));
    CHECK_FALSE(loads(bytes + "1, p;\n"));
}

} // namespace kernels_wgmma_test
