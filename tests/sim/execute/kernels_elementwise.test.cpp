// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with one output element a thread, against the same arithmetic on the host.
#include <cmath>

#include "sim/ops/float_format.hpp"

#include "support/fused.hpp"
#include "support/kernel_fixture.hpp"

namespace kernels_elementwise_test {

using namespace gpuprof_test;

namespace {
constexpr int n = 1000;
constexpr sim::extent3 grid{8};
constexpr sim::extent3 block{128};

double from_half(std::uint16_t h) { return sim::widen(h, sim::f16_format); }
std::uint16_t to_half(double x) { return static_cast<std::uint16_t>(sim::narrow(x, sim::f16_format)); }
std::uint16_t to_bfloat(double x) { return static_cast<std::uint16_t>(sim::narrow(x, sim::bf16_format)); }
} // namespace

TEST_CASE("saxpy fuses multiply and add as the hardware does") {
    for (auto const* const target : {"elementwise.sm_80.ptx", "elementwise.sm_90.ptx"}) {
        machine m{target};
        auto const x = spread<float>(n, -10, 10, 1);
        auto const y = spread<float>(n, -10, 10, 2);
        auto const dx = m.array(x);
        auto const dy = m.array(y);
        m.run("saxpy", grid, block, arguments{1.7f, dx, dy, n});
        for (std::size_t i = 0; i < n; ++i) REQUIRE(dy[i] == fused(1.7f, x[i], y[i]));
    }
}

TEST_CASE("daxpy in a grid-stride loop") {
    machine m{"elementwise.sm_80.ptx"};
    auto const x = spread<double>(n, -10, 10, 1);
    auto const y = spread<double>(n, -10, 10, 2);
    auto const dx = m.array(x);
    auto const dy = m.array(y);
    m.run("daxpy", {2}, {96}, arguments{1.0 / 3, dx, dy, n});
    for (std::size_t i = 0; i < n; ++i) REQUIRE(dy[i] == fused(1.0 / 3, x[i], y[i]));
}

TEST_CASE("vector loads and stores move all four components") {
    machine m{"elementwise.sm_80.ptx"};
    auto const in = spread<float>(n * 4, 1, 10);
    auto const din = m.array(in);
    auto const out = m.zeros<float>(n * 4);
    m.run("scale_vec4", grid, block, arguments{din, out, 3.0f, n});
    for (std::size_t i = 0; i < n * 4; i += 4) {
        REQUIRE(out[i] == in[i] * 3.0f);
        REQUIRE(out[i + 1] == in[i + 1] + 3.0f);
        REQUIRE(out[i + 2] == in[i + 2] - 3.0f);
        REQUIRE(out[i + 3] == in[i + 3] / 3.0f);
    }
}

TEST_CASE("constant memory is read uniformly and by index") {
    machine m{"elementwise.sm_80.ptx"};
    float const c[4] = {1.0f, -2.0f, 0.5f, 0.25f};
    auto const x = spread<float>(n, -2, 2);
    auto const dx = m.array(x);
    auto const dy = m.zeros<float>(n);
    m.run("evaluate_polynomial", grid, block, arguments{dx, dy, n});
    for (std::size_t i = 0; i < n; ++i) {
        float sum = 0;
        for (int k = 3; k >= 0; --k) sum = fused(sum, x[i], c[k]);
        REQUIRE(dy[i] == sum + c[i & 3]);
    }
}

TEST_CASE("global initialisers hold addresses of other variables") {
    machine m{"elementwise.sm_80.ptx"};
    int const table[4] = {10, 20, 30, 40};
    auto const out = m.zeros<int>(64);
    m.run("through_pointer_table", {1}, {64}, arguments{out});
    for (std::size_t i = 0; i < 64; ++i) REQUIRE(out[i] == table[1 + i % 3] + table[i % 4]);
}

TEST_CASE("packed half fused multiply-add rounds once") {
    machine m{"elementwise.sm_80.ptx"};
    std::vector<std::uint16_t> a(n * 2), b(n * 2), c(n * 2);
    std::mt19937 g{5};
    for (std::size_t i = 0; i < n * 2; ++i) {
        a[i] = static_cast<std::uint16_t>(g() & 0xbfff); // below 2, either sign
        b[i] = static_cast<std::uint16_t>(g() & 0xbfff);
        c[i] = static_cast<std::uint16_t>(g() & 0xbfff);
    }
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const dc = m.array(c);
    m.run("half2_fma", grid, block, arguments{da, db, dc, n});
    // The product of two halves and the sum with a third fit in 64 bits, so a long double holds them exactly.
    for (std::size_t i = 0; i < n * 2; ++i) {
        auto const exact = static_cast<long double>(from_half(a[i])) * from_half(b[i]) + from_half(c[i]);
        REQUIRE(dc[i] == to_half(static_cast<double>(exact)));
    }
}

TEST_CASE("packed half products, sums and differences round one after the other") {
    constexpr int rounds = 7;
    std::uint16_t const c[2] = {to_half(0.25), to_half(-0.5)};
    std::vector<std::uint16_t> values(2 * 1024);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = to_half(static_cast<double>(i) / 512 - 2);
    for (auto const* const target : {"elementwise.sm_80.ptx", "elementwise.sm_90.ptx"}) {
        machine m{target};
        auto const out = m.array(values);
        m.run("half2_iterate", grid, block, arguments{out, std::uint32_t{c[1]} << 16 | c[0], rounds});
        for (std::size_t i = 0; i < values.size(); ++i) {
            double const k = from_half(c[i % 2]);
            std::uint16_t x = values[i];
            for (int round = 0; round < rounds; ++round) { // in double each operation on halves is exact
                double const v = from_half(x);
                auto const product = from_half(to_half(from_half(to_half(v * v + k)) * k));
                x = to_half(product - from_half(to_half(v + k)));
            }
            REQUIRE(out[i] == x);
        }
    }
}

TEST_CASE("half arithmetic, comparison and maximum") {
    machine m{"elementwise.sm_90.ptx"};
    std::vector<std::uint16_t> a(n), b(n);
    std::mt19937 g{6};
    for (std::size_t i = 0; i < n; ++i)
        a[i] = to_half(static_cast<int>(g() % 200) - 100), b[i] = to_half((static_cast<int>(g() % 64) - 32) / 8.0);
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const out = m.zeros<std::uint16_t>(n);
    m.run("half_mix", grid, block, arguments{da, db, out, n});
    for (std::size_t i = 0; i < n; ++i) {
        auto const s = to_half(from_half(a[i]) + from_half(b[i]));
        auto const p = to_half(from_half(a[i]) * from_half(b[i]));
        auto const difference = to_half(from_half(s) - from_half(p));
        auto const negated = static_cast<std::uint16_t>(p ^ 0x8000);
        auto const larger = from_half(s) > from_half(negated) ? s : negated;
        auto const wanted = from_half(s) > from_half(p) ? difference : larger;
        REQUIRE(from_half(out[i]) == from_half(wanted));
    }
}

TEST_CASE("bfloat16 fused multiply-add rounds once") {
    machine m{"elementwise.sm_90.ptx"};
    std::vector<std::uint16_t> a(n), b(n);
    auto const x = spread<double>(n, -8, 8, 3);
    auto const y = spread<double>(n, -8, 8, 4);
    for (std::size_t i = 0; i < n; ++i) a[i] = to_bfloat(x[i]), b[i] = to_bfloat(y[i]);
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const out = m.zeros<std::uint16_t>(n);
    m.run("bfloat_mix", grid, block, arguments{da, db, out, n});
    for (std::size_t i = 0; i < n; ++i) {
        double const p = sim::widen(a[i], sim::bf16_format);
        double const q = sim::widen(b[i], sim::bf16_format);
        double const sum = sim::widen(to_bfloat(p + q), sim::bf16_format);
        REQUIRE(out[i] == to_bfloat(p * q + sum)); // exact in a double before rounding: exponents are close
    }
}

TEST_CASE("narrow integers extend by their sign when loaded") {
    machine m{"elementwise.sm_80.ptx"};
    std::vector<unsigned char> a(n);
    std::vector<signed char> b(n);
    std::vector<short> c(n);
    std::mt19937 g{7};
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = static_cast<unsigned char>(g());
        b[i] = static_cast<signed char>(g());
        c[i] = static_cast<short>(g());
    }
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const dc = m.array(c);
    auto const out = m.zeros<float>(n);
    m.run("bytes_to_floats", grid, block, arguments{da, db, dc, out, n});
    for (std::size_t i = 0; i < n; ++i)
        REQUIRE(out[i] == fused(static_cast<float>(c[i]), 0.25f,
                                fused(static_cast<float>(a[i]), 0.5f, static_cast<float>(b[i]))));
}

TEST_CASE("floats convert to integers in each rounding and saturate") {
    machine m{"elementwise.sm_80.ptx"};
    auto in = spread<float>(n, -70000, 70000);
    in[0] = 3e9f, in[1] = -3e9f, in[2] = 0.5f, in[3] = 1.5f, in[4] = -0.5f, in[5] = 1e20f, in[6] = std::nanf("");
    auto const din = m.array(in);
    auto const u8 = m.zeros<unsigned char>(n);
    auto const s16 = m.zeros<short>(n);
    auto const s32 = m.zeros<int>(n);
    auto const s64 = m.zeros<long long>(n);
    auto const u32 = m.zeros<unsigned>(n);
    m.run("floats_to_integers", grid, block, arguments{din, u8, s16, s32, s64, u32, n});
    for (std::size_t i = 7; i < n; ++i) {
        double const x = in[i];
        REQUIRE(u8[i] == static_cast<unsigned char>(std::nearbyint(std::fmin(std::fmax(x, 0), 255))));
        REQUIRE(s16[i] == static_cast<short>(static_cast<int>(std::floor(x))));
        REQUIRE(s32[i] == static_cast<int>(std::ceil(x)));
        REQUIRE(s64[i] == static_cast<long long>(x));
        REQUIRE(u32[i] == (x > 0 ? static_cast<unsigned>(x) : 0u));
    }
    CHECK(s32[0] == 2147483647);
    CHECK(u32[0] == 3000000000u);
    CHECK(s32[1] == -2147483647 - 1);
    CHECK(u8[2] == 0); // ties to even
    CHECK(u8[3] == 2);
    CHECK(s32[4] == 0);
    CHECK(u32[5] == 0xffffffffu);
    CHECK(s32[6] == 0);
}

} // namespace kernels_elementwise_test
