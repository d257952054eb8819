// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on matrices, grids and sorted data, against plain loops.
#include <algorithm>
#include <cmath>
#include <map>

#include "support/fused.hpp"
#include "support/kernel_fixture.hpp"

namespace kernels_matrix_test {

using namespace gpuprof_test;

TEST_CASE("three transposes give the same matrix, and only the unpadded one has bank conflicts") {
    machine m{"matrix.sm_80.ptx"};
    constexpr std::size_t n = 96;
    auto const in = spread<float>(n * n, -1, 1);
    auto const din = m.array(in);
    std::map<std::string, sim::counter_values> counts;
    for (auto const* const name : {"transpose_naive", "transpose_shared", "transpose_padded"}) {
        auto const out = m.zeros<float>(n * n);
        m.run(name, {3, 3}, {32, 8}, arguments{din, out, static_cast<int>(n)});
        for (std::size_t y = 0; y < n; ++y)
            for (std::size_t x = 0; x < n; ++x) REQUIRE(out[x * n + y] == in[y * n + x]);
        counts[name] = m.counted;
    }
    using enum sim::raw_counter;
    constexpr std::uint64_t requests = n * n / 32; // of a warp for 32 neighbours, 128 bytes: four sectors
    REQUIRE(counts.size() == 3);
    for (auto const& named : counts) {
        CAPTURE(named.first);
        auto const& c = named.second;
        bool const is_naive = named.first == "transpose_naive";
        CHECK(c[ctas_launched] == 3 * 3);
        CHECK(c[warps_launched] == 3 * 3 * 8);
        CHECK(c[threads_launched] == 3 * 3 * 32 * 8);
        CHECK(c[l1_requests_global_ld] == requests);
        CHECK(c[l1_requests_global_st] == requests);
        CHECK(c[bytes_global_ld] == n * n * sizeof(float));
        CHECK(c[bytes_global_st] == n * n * sizeof(float));
        CHECK(c[l1_sectors_global_ld] == requests * 4);
        CHECK(c[l1_sectors_global_st] == requests * (is_naive ? 32 : 4)); // naively one sector a lane
        CHECK(c[bytes_shared_st] == (is_naive ? 0 : n * n * sizeof(float)));
        CHECK(c[bytes_shared_ld] == (is_naive ? 0 : n * n * sizeof(float)));
        CHECK(c[shared_wavefronts_st] == (is_naive ? 0 : requests));
        CHECK(c[shared_conflicts_st] == 0);
    }
    CHECK(counts["transpose_naive"][shared_wavefronts_ld] == 0);
    CHECK(counts["transpose_shared"][shared_wavefronts_ld] == requests * 32); // a column is one bank
    CHECK(counts["transpose_shared"][shared_conflicts_ld] == requests * 31);
    CHECK(counts["transpose_padded"][shared_wavefronts_ld] == requests);
    CHECK(counts["transpose_padded"][shared_conflicts_ld] == 0);
}

TEST_CASE("tiled products, also through asynchronous copies, equal the fused dot products") {
    machine m{"matrix.sm_80.ptx"};
    constexpr std::size_t n = 64;
    auto const a = spread<float>(n * n, -1, 1, 1);
    auto const b = spread<float>(n * n, -1, 1, 2);
    auto const da = m.array(a);
    auto const db = m.array(b);
    for (auto const* const name : {"multiply_tiled", "multiply_pipelined"}) {
        auto const c = m.zeros<float>(n * n);
        m.run(name, {4, 4}, {16, 16}, arguments{da, db, c, static_cast<int>(n)});
        for (std::size_t y = 0; y < n; ++y)
            for (std::size_t x = 0; x < n; ++x) {
                float sum = 0;
                for (std::size_t k = 0; k < n; ++k) sum = fused(a[y * n + k], b[k * n + x], sum);
                REQUIRE(c[y * n + x] == sum);
            }
    }
}

TEST_CASE("a five-point stencil treats the border") {
    machine m{"matrix.sm_80.ptx"};
    constexpr int w = 50, h = 37;
    auto const in = spread<float>(w * h, -1, 1);
    auto const din = m.array(in);
    auto const out = m.zeros<float>(w * h);
    m.run("stencil_5", {4, 5}, {16, 8}, arguments{din, out, w, h});
    auto const at = [&](int x, int y) {
        return x < 0 || y < 0 || x >= w || y >= h ? 0.0f : in[static_cast<std::size_t>(y * w + x)];
    };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float const around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
            REQUIRE(out[static_cast<std::size_t>(y * w + x)] == fused(0.5f, at(x, y), 0.125f * around));
        }
}

TEST_CASE("a three-dimensional stencil in double precision") {
    machine m{"matrix.sm_80.ptx"};
    constexpr std::size_t n = 12;
    auto const in = spread<double>(n * n * n, -1, 1);
    auto const din = m.array(in);
    auto const out = m.zeros<double>(n * n * n);
    m.run("stencil_3d", {3, 3, 3}, {4, 4, 4}, arguments{din, out, static_cast<int>(n)});
    for (std::size_t z = 1; z + 1 < n; ++z)
        for (std::size_t y = 1; y + 1 < n; ++y)
            for (std::size_t x = 1; x + 1 < n; ++x) {
                auto const i = (z * n + y) * n + x;
                double const around =
                    (in[i - 1] + in[i + 1]) + (in[i - n] + in[i + n]) + (in[i - n * n] + in[i + n * n]);
                REQUIRE(out[i] == fused(in[i], -6.0, around));
            }
}

TEST_CASE("a sparse product walks rows of different length") {
    machine m{"matrix.sm_80.ptx"};
    constexpr std::size_t n = 300;
    std::vector<int> rows{0}, columns;
    std::mt19937 g{3};
    for (std::size_t r = 0; r < n; ++r) {
        for (auto k = g() % 9; k > 0; --k) columns.push_back(static_cast<int>(g() % n));
        rows.push_back(static_cast<int>(columns.size()));
    }
    auto const values = spread<float>(columns.size(), -1, 1);
    auto const x = spread<float>(n, -1, 1, 9);
    auto const drows = m.array(rows);
    auto const dcolumns = m.array(columns);
    auto const dvalues = m.array(values);
    auto const dx = m.array(x);
    auto const y = m.zeros<float>(n);
    m.run("spmv_csr", {5}, {64}, arguments{drows, dcolumns, dvalues, dx, y, static_cast<int>(n)});
    for (std::size_t r = 0; r < n; ++r) {
        float sum = 0;
        for (auto k = static_cast<std::size_t>(rows[r]); k < static_cast<std::size_t>(rows[r + 1]); ++k)
            sum = fused(values[k], x[static_cast<std::size_t>(columns[k])], sum);
        REQUIRE(y[r] == sum);
    }
}

TEST_CASE("a bitonic network sorts") {
    machine m{"matrix.sm_80.ptx"};
    auto values = spread<int>(1024, -1000, 1000);
    auto const data = m.array(values);
    m.run("bitonic_sort", {2}, {512}, arguments{data});
    std::sort(values.begin(), values.begin() + 512);
    std::sort(values.begin() + 512, values.end());
    CHECK(data.values() == values);
}

} // namespace kernels_matrix_test
