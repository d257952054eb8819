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

TEST_CASE("sparse products of a warp have all types and selectors, with metadata in order or not, and dense ones 4 bits or one") {
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

} // namespace kernels_sparse_test
