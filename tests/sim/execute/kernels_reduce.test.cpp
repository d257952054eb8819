// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in which threads cooperate: reductions, scans, histograms, votes, atomics.
#include <algorithm>
#include <map>
#include <numeric>

#include "support/kernel_fixture.hpp"

namespace kernels_reduce_test {

using namespace gpuprof_test;

TEST_CASE("a reduction by shuffles adds every element once, on one host thread or four") {
    for (unsigned const threads : {1u, 4u}) {
        machine m{"reduce.sm_80.ptx"};
        m.options.threads = threads;
        m.options.sm_count = 5;
        auto const in = spread<int>(5000, -1000, 1000);
        auto const din = m.array(in);
        auto const out = m.zeros<int>(1);
        m.run("reduce_shuffle", {40}, {128}, arguments{din, out, 5000});
        CHECK(out[0] == std::accumulate(in.begin(), in.end(), 0));
    }
}

TEST_CASE("a reduction in dynamic shared memory adds in tree order") {
    machine m{"reduce.sm_80.ptx"};
    auto const in = spread<float>(1000, -1, 1);
    auto const din = m.array(in);
    auto const out = m.zeros<float>(8);
    m.run("reduce_shared", {8}, {128}, arguments{din, out, 1000}, 128 * sizeof(float));
    for (std::size_t b = 0; b < 8; ++b) {
        std::vector<float> cell(128);
        for (std::size_t t = 0; t < 128; ++t) cell[t] = b * 128 + t < 1000 ? in[b * 128 + t] : 0.0f;
        for (std::size_t half = 64; half > 0; half /= 2)
            for (std::size_t t = 0; t < half; ++t) cell[t] += cell[t + half];
        CHECK(out[b] == cell[0]);
    }
}

TEST_CASE("scans of a CTA and of a warp are inclusive prefix sums") {
    machine m{"reduce.sm_80.ptx"};
    auto const in = spread<int>(1024, -50, 50);
    auto const din = m.array(in);
    auto const out = m.zeros<int>(1024);
    m.run("scan_block", {4}, {256}, arguments{din, out});
    for (std::size_t b = 0; b < 4; ++b) {
        std::vector<int> sums(256);
        std::partial_sum(in.begin() + static_cast<long>(b) * 256, in.begin() + static_cast<long>(b + 1) * 256,
                         sums.begin());
        for (std::size_t t = 0; t < 256; ++t) REQUIRE(out[b * 256 + t] == sums[t]);
    }
    auto const unsigned_in = spread<unsigned>(256, 0, 1000);
    auto const du = m.array(unsigned_in);
    auto const uout = m.zeros<unsigned>(256);
    m.run("scan_warp", {2}, {128}, arguments{du, uout});
    for (std::size_t w = 0; w < 256; w += 32) {
        unsigned sum = 0;
        for (std::size_t i = w; i < w + 32; ++i) REQUIRE(uout[i] == (sum += unsigned_in[i]));
    }
}

TEST_CASE("a histogram with shared and global atomics counts every byte") {
    machine m{"reduce.sm_80.ptx"};
    m.options.threads = 3;
    m.options.sm_count = 6;
    auto const in = spread<unsigned char>(10000, 0, 255);
    auto const din = m.array(in);
    auto const bins = m.zeros<unsigned>(256);
    m.run("histogram", {7}, {256}, arguments{din, bins, 10000});
    std::vector<unsigned> wanted(256);
    for (auto const v : in) ++wanted[v];
    CHECK(bins.values() == wanted);
}

TEST_CASE("votes and counting barriers see every lane") {
    machine m{"reduce.sm_80.ptx"};
    auto in = spread<int>(256, -10, 10);
    std::fill(in.begin() + 32, in.begin() + 64, 5);
    std::fill(in.begin() + 64, in.begin() + 96, -5);
    auto const din = m.array(in);
    auto const ballots = m.zeros<unsigned>(8);
    auto const all = m.zeros<int>(8);
    auto const any = m.zeros<int>(8);
    auto const counts = m.zeros<int>(4);
    m.run("votes", {2}, {128}, arguments{din, ballots, all, any, counts});
    for (std::size_t w = 0; w < 8; ++w) {
        unsigned b = 0;
        for (std::size_t i = 0; i < 32; ++i) b |= static_cast<unsigned>(in[w * 32 + i] > 0) << i;
        CHECK(ballots[w] == b);
        CHECK(all[w] == (b == 0xffffffffu));
        CHECK(any[w] == (b != 0));
    }
    for (std::size_t c = 0; c < 2; ++c) {
        auto const positive = std::count_if(in.begin() + static_cast<long>(c) * 128,
                                            in.begin() + static_cast<long>(c + 1) * 128, [](int v) { return v > 0; });
        CHECK(counts[c * 2] == positive);
        CHECK(counts[c * 2 + 1] == (positive == 128 ? 2 : 0) + (positive != 0 ? 1 : 0));
    }
}

TEST_CASE("match finds the lanes with equal values") {
    machine m{"reduce.sm_80.ptx"};
    std::vector<int> in(64);
    for (std::size_t i = 0; i < 32; ++i) in[i] = static_cast<int>(i * i % 7);
    std::fill(in.begin() + 32, in.end(), 9);
    auto const din = m.array(in);
    auto const peers = m.zeros<unsigned>(64);
    auto const uniform = m.zeros<int>(64);
    m.run("match_groups", {1}, {64}, arguments{din, peers, uniform});
    for (std::size_t i = 0; i < 64; ++i) {
        unsigned wanted = 0;
        for (std::size_t k = 0; k < 32; ++k) wanted |= static_cast<unsigned>(in[i / 32 * 32 + k] == in[i]) << k;
        CHECK(peers[i] == wanted);
        CHECK(uniform[i] == (i >= 32));
    }
}

TEST_CASE("redux reduces over the warp in each operation") {
    machine m{"reduce.sm_80.ptx"};
    auto const in = spread<int>(64, -100000, 100000);
    auto const din = m.array(in);
    auto const out = m.zeros<int>(12);
    m.run("redux", {1}, {64}, arguments{din, out});
    for (std::size_t w = 0; w < 2; ++w) {
        auto const first = in.begin() + static_cast<long>(w) * 32;
        auto const last = first + 32;
        CHECK(out[w * 6] == std::accumulate(first, last, 0));
        CHECK(out[w * 6 + 1] == *std::min_element(first, last));
        CHECK(out[w * 6 + 2] == *std::max_element(first, last));
        CHECK(out[w * 6 + 3] == std::accumulate(first, last, -1, [](int a, int b) { return a & b; }));
        CHECK(out[w * 6 + 4] == std::accumulate(first, last, 0, [](int a, int b) { return a | b; }));
        CHECK(out[w * 6 + 5] == std::accumulate(first, last, 0, [](int a, int b) { return a ^ b; }));
    }
}

TEST_CASE("global atomics lose no update, on one host thread or four") {
    for (unsigned const threads : {1u, 4u}) {
        machine m{"reduce.sm_80.ptx"};
        m.options.threads = threads;
        m.options.sm_count = 8;
        constexpr int n = 1000;
        auto const cells = m.array(std::vector<int>{0, 0, 0, 0, -1, 0, 0, 0});
        auto const unsigned_cells = m.zeros<unsigned>(6);
        auto const wide = m.zeros<unsigned long long>(2);
        auto const f = m.zeros<float>(1);
        auto const d = m.zeros<double>(1);
        m.run("atomics", {16}, {64}, arguments{cells, unsigned_cells, wide, f, d, n});
        int parity = 0;
        for (int i = 0; i < n; ++i) parity ^= i;
        int const sum = n * (n - 1) / 2;
        CHECK(cells.values() ==
              std::vector<int>{sum, -sum, -(n - 1), n - 1, static_cast<int>(0x80000000u), 0x7fffffff, parity, 3 * n});
        CHECK(unsigned_cells[0] == n % 7); // wraps after 6
        CHECK(unsigned_cells[1] == 0);     // 0 wraps to 9: a thousand steps are a hundred rounds of ten
        for (unsigned k = 0; k < 4; ++k) CHECK(unsigned_cells[2 + k] == k);
        CHECK(wide[0] == static_cast<unsigned long long>(n) << 33);
        CHECK(wide[1] == static_cast<unsigned long long>(n - 1) << 32);
        CHECK(f[0] == 0.5f * n); // every partial sum is exact
        CHECK(d[0] == 0.25 * n);
    }
}

namespace {
// Thread x adds to the x % `rows`-th vector of `to`, and stores what was there if it asks for it.
std::string vector_sums(std::string const& instruction, unsigned bytes) {
    return ".version 8.1\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 to, .param .u64 old, .param .u32 rows) {\n"
           ".reg .b16 %h<8>; .reg .b32 %r<8>, %x; .reg .f32 %f<8>; .reg .b64 %to, %old, %at;\n"
           "ld.param.u64 %to, [to]; ld.param.u64 %old, [old]; ld.param.u32 %r0, [rows]; mov.u32 %x, %tid.x;\n"
           "mul.wide.u32 %at, %x, " +
           std::to_string(bytes) +
           "; add.u64 %old, %old, %at;\n"
           "rem.u32 %r1, %x, %r0; mul.wide.u32 %at, %r1, " +
           std::to_string(bytes) + "; add.u64 %to, %to, %at;\n" + instruction + "\nret;\n}\n";
}
} // namespace

TEST_CASE("an atomic sum of a vector adds each element, and gives what was there") {
    constexpr std::size_t threads = 64, rows = 3;
    machine m{ptx_text{
        vector_sums("cvt.rn.f32.u32 %f0, %x; add.f32 %f1, %f0, 100.0; mul.f32 %f2, %f0, 2.0; neg.f32 %f3, %f0;\n"
                    "atom.global.gpu.relaxed.add.v4.f32 {%f4, %f5, %f6, %f7}, [%to], {%f0, %f1, %f2, %f3};\n"
                    "st.global.v4.f32 [%old], {%f4, %f5, %f6, %f7};",
                    16)}};
    auto const to = m.zeros<float>(rows * 4), old = m.zeros<float>(threads * 4);
    m.run("k", {1}, {threads}, arguments{to, old, static_cast<unsigned>(rows)});
    std::vector<float> sums(rows * 4); // lanes take their turn in ascending order
    for (std::size_t x = 0; x < threads; ++x) {
        auto const n = static_cast<float>(x);
        float const added[4]{n, n + 100, 2 * n, -n};
        for (std::size_t e = 0; e < 4; ++e) {
            float& sum = sums[x % rows * 4 + e];
            REQUIRE(old[x * 4 + e] == sum);
            sum += added[e];
        }
    }
    CHECK(to.values() == sums);

    auto const odd = m.launch("k", {1}, {1}, arguments{to.address() + 8, old, 1u}); // aligned to an element alone
    REQUIRE(odd.error);
    CHECK(odd.error->kind == sim::launch_failure::misaligned_address);
}

TEST_CASE("red takes vectors of halves, and no others than are there") {
    constexpr std::size_t threads = 32;
    machine m{ptx_text{vector_sums("cvt.rn.f32.u32 %f0, %x; cvt.rn.f16.f32 %h0, %f0; mov.b16 %h1, 0x3c00;\n"
                                   "red.global.gpu.max.noftz.v2.f16 [%to], {%h0, %h1};",
                                   4)}};
    auto const to = m.zeros<std::uint16_t>(2), old = m.zeros<std::uint16_t>(2 * threads);
    m.run("k", {1}, {threads}, arguments{to, old, 1u});
    CHECK(to[0] == 0x4fc0); // 31
    CHECK(to[1] == 0x3c00); // 1
    for (char const* const wrong :
         {"red.global.add.v2.u32 [%to], {%r0, %r1};", "red.shared.add.v2.f32 [%x], {%f0, %f1};"}) {
        machine other{ptx_text{vector_sums(wrong, 8)}};
        CHECK(other.launch("k", {1}, {32}, arguments{to, old, 1u}).error->kind == sim::launch_failure::unsupported);
    }
}

} // namespace kernels_reduce_test
