// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse matrix products of a warpgroup and of a warp: every type, shape, selector and layout against a plain product.
#include <algorithm>
#include <string>
#include <vector>

#include "support/kernel_fixture.hpp"
#include "support/sparse_forms.hpp"

namespace kernels_sparse_test {

using namespace gpuprof_test;
using namespace sparse_forms;
using sim::raw_counter;

namespace {

void check(std::vector<form> const& forms) {
    std::uint32_t seed = 1;
    for (form const& f : forms) {
        std::string const text = wgmma_forms::instruction(f);
        INFO(text, f.of_a.swizzle, ' ', f.of_b.swizzle, ' ', f.of_a.shift);
        problem const p{f, ++seed};
        machine m{ptx_text{wgmma_forms::kernel("k", f)}};
        auto const out = m.zeros<std::uint32_t>(p.sums.size());
        m.run("k", {1}, {wgmma_forms::threads},
              arguments{m.array(p.shared), m.array(p.fragment), m.array(p.sums), out, p.of_a, p.of_b,
                        static_cast<int>(f.adds)});
        CHECK(out.values() == p.expected);
    }
}

} // namespace

TEST_CASE("sparse products of a warpgroup have all widths") { check(sparse_forms::every_width()); }

TEST_CASE("sparse products of a warpgroup have all types but bits, a from memory and from registers") {
    check(sparse_forms::every_type());
}

TEST_CASE("sparse products of a warpgroup read every layout of shared memory") {
    check(sparse_forms::every_layout());
    check(sparse_forms::every_base_offset());
}

TEST_CASE("sparse products of a warpgroup negate factors and leave sums out") { check(sparse_forms::every_scale()); }

TEST_CASE("sparse products of a warp have all types and selectors, with metadata in order or not, and dense ones 4 "
          "bits or one") {
    std::uint32_t seed = 1;
    for (warp_form const& f : every_warp_form()) {
        std::string const text = instruction(f);
        INFO(text);
        warp_problem const p{f, ++seed};
        machine m{ptx_text{kernel("k", f)}};
        auto const out = m.zeros<std::uint32_t>(p.expected.size());
        m.run("k", {1}, {32}, arguments{m.array(p.brought), out});
        CHECK(out.values() == p.expected);
    }
    CHECK(every_warp_form().size() > 100);
}

// An H200's counts of the kernels that tests/hardware/sparse_products.cu runs first, in 264 blocks.
TEST_CASE("sparse products count their zeros as numbers, as an H200 does") {
    using enum raw_counter;
    auto const warpgroups = [](factor const& type, char const* sums) {
        form f{type, type, sums, 64};
        f.sparse = true;
        f.rounds = 8;
        f.of_a.swizzle = f.of_b.swizzle = 128;
        problem const p{f};
        machine m{ptx_text{wgmma_forms::kernel("k", f)}};
        auto const out = m.zeros<std::uint32_t>(p.sums.size() * 264);
        m.run("k", {264}, {wgmma_forms::threads},
              arguments{m.array(p.shared), m.array(p.fragment), m.array(p.sums), out, p.of_a, p.of_b, 1});
        CHECK(m.counted[inst_tensor_gmma] == 8'448);
        CHECK(m.counted[gmma_cycle_pairs_float] + m.counted[gmma_cycle_pairs_integer] == 270'336);
        return m.counted;
    };
    CHECK(warpgroups(wgmma_forms::floats()[0], "f32")[gmma_ops_sparse_fp16] == 553'648'128);
    CHECK(warpgroups(wgmma_forms::floats()[1], "f32")[gmma_ops_sparse_bf16] == 553'648'128);
    CHECK(warpgroups(wgmma_forms::floats()[2], "f32")[gmma_ops_sparse_tf32] == 276'824'064);
    CHECK(warpgroups(wgmma_forms::small_floats()[0], "f32")[gmma_ops_sparse_fp8] == 1'107'296'256);
    CHECK(warpgroups(wgmma_forms::bytes()[0], "s32")[gmma_ops_sparse_int8] == 1'107'296'256);

    struct count {
        warp_form f;
        raw_counter operations;
        std::uint64_t expected, instructions;
    };
    auto const floats = wgmma_forms::floats();
    auto const small = wgmma_forms::small_floats()[0], byte = wgmma_forms::bytes()[0], half = half_bytes()[1];
    for (count const& one : {
             count{{floats[0], floats[0], "f32", 16, 16, warp_form::sparse},
                   tensor_ops_sparse_fp16_fp32,
                   8'650'752,
                   2'112},
             count{{floats[0], floats[0], "f16", 16, 16, warp_form::sparse},
                   tensor_ops_sparse_fp16_fp16,
                   8'650'752,
                   2'112},
             count{{floats[1], floats[1], "f32", 16, 16, warp_form::sparse}, tensor_ops_sparse_bf16, 8'650'752, 2'112},
             count{{floats[2], floats[2], "f32", 16, 8, warp_form::sparse}, tensor_ops_sparse_tf32, 4'325'376, 2'112},
             count{{byte, byte, "s32", 16, 64, warp_form::sparse}, tensor_ops_sparse_int8, 34'603'008, 2'112},
             count{{half, half, "s32", 16, 128, warp_form::sparse}, tensor_ops_sparse_int8, 69'206'016, 4'224},
             count{{half, half, "s32", 16, 32, warp_form::dense}, tensor_ops_int8, 17'301'504, 4'224},
             count{{small, small, "f32", 16, 64, warp_form::sparse}, tensor_ops_sparse_fp16_fp32, 34'603'008, 4'224},
         }) {
        std::string const text = instruction(one.f);
        INFO(text);
        warp_problem const p{one.f};
        machine m{ptx_text{kernel("k", one.f, 8)}};
        auto const out = m.zeros<std::uint32_t>(p.expected.size() * 264);
        m.run("k", {264}, {32}, arguments{m.array(p.brought), out});
        CHECK(m.counted[one.operations] == one.expected);
        CHECK(m.counted[inst_pipe_tensor] == one.instructions);
    }
}

} // namespace kernels_sparse_test
