// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point in every rounding mode bit for bit, approximations within PTX's stated error.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "support/fused.hpp"
#include "support/kernel_fixture.hpp"

namespace kernels_functions_test {

using namespace gpuprof_test;

namespace {
// The host's own directed rounding; volatile keeps the compiler from computing earlier or later.
template <class T, class F>
T in_mode(int mode, F f) {
    std::fesetround(mode);
    T volatile const value = f();
    std::fesetround(FE_TONEAREST);
    return value;
}
constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

template <class T>
T hidden(T value) {
    T volatile v = value;
    return v;
}
} // namespace

TEST_CASE("float arithmetic rounds as asked, for every kind of number") {
    machine m{"functions.sm_80.ptx"};
    constexpr std::size_t n = 3000;
    auto a = wild<float>(n, 1);
    auto b = wild<float>(n, 2);
    auto c = wild<float>(n, 3);
    for (std::size_t i = 0; i < n / 2; ++i) { // and numbers of similar size, where roundings matter
        a[i] = std::ldexp(spread<float>(1, -1, 1, static_cast<unsigned>(i))[0], static_cast<int>(i % 7));
        b[i] = spread<float>(1, -1, 1, static_cast<unsigned>(i + n))[0];
        c[i] = i % 5 == 0 ? -a[i] * b[i]
                          : std::ldexp(spread<float>(1, -1, 1, static_cast<unsigned>(i + 2 * n))[0],
                                       -static_cast<int>(i % 30));
    }
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const dc = m.array(c);
    auto const out = m.zeros<float>(n * 24);
    m.run("rounded_float", {24}, {128}, arguments{da, db, dc, out, static_cast<int>(n)});
    for (std::size_t i = 0; i < n; ++i) {
        float const x = a[i], y = b[i], z = c[i];
        CAPTURE(x);
        CAPTURE(y);
        CAPTURE(z);
        for (std::size_t k = 0; k < 4; ++k) {
            CAPTURE(k);
            REQUIRE(same_number(out[i * 24 + k], in_mode<float>(modes[k], [&] { return hidden(x) + hidden(y); })));
            REQUIRE(same_number(out[i * 24 + 4 + k], in_mode<float>(modes[k], [&] { return hidden(x) * hidden(y); })));
            REQUIRE(same_number(out[i * 24 + 8 + k],
                                in_mode<float>(modes[k], [&] { return fused(hidden(x), hidden(y), hidden(z)); })));
            REQUIRE(same_number(out[i * 24 + 12 + k], in_mode<float>(modes[k], [&] { return hidden(x) / hidden(y); })));
            REQUIRE(same_number(out[i * 24 + 16 + k], in_mode<float>(modes[k], [&] { return std::sqrt(hidden(x)); })));
        }
        REQUIRE(same_number(out[i * 24 + 20], 1.0f / y));
        REQUIRE(same_number(out[i * 24 + 21], x != x ? y : y != y ? x : x < y || (x == y && std::signbit(x)) ? x : y));
        REQUIRE(same_number(out[i * 24 + 22], x != x ? z : z != z ? x : x > z || (x == z && std::signbit(z)) ? x : z));
        REQUIRE(out[i * 24 + 23] == (x > 0 ? x < 1 ? x : 1.0f : 0.0f));
    }
}

TEST_CASE("double arithmetic rounds as asked") {
    machine m{"functions.sm_80.ptx"};
    constexpr std::size_t n = 2000;
    auto const a = wild<double>(n, 4);
    auto b = wild<double>(n, 5);
    auto const c = wild<double>(n, 6);
    for (std::size_t i = 0; i < n / 2; ++i) b[i] = a[i] * 0.3;
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const dc = m.array(c);
    auto const out = m.zeros<double>(n * 20);
    m.run("rounded_double", {16}, {128}, arguments{da, db, dc, out, static_cast<int>(n)});
    for (std::size_t i = 0; i < n; ++i) {
        double const x = a[i], y = b[i], z = c[i];
        CAPTURE(x);
        CAPTURE(y);
        CAPTURE(z);
        for (std::size_t k = 0; k < 4; ++k) {
            CAPTURE(k);
            REQUIRE(same_number(out[i * 20 + k], in_mode<double>(modes[k], [&] { return hidden(x) + hidden(y); })));
            REQUIRE(same_number(out[i * 20 + 4 + k], in_mode<double>(modes[k], [&] { return hidden(x) * hidden(y); })));
            REQUIRE(same_number(out[i * 20 + 8 + k],
                                in_mode<double>(modes[k], [&] { return fused(hidden(x), hidden(y), hidden(z)); })));
            REQUIRE(
                same_number(out[i * 20 + 12 + k], in_mode<double>(modes[k], [&] { return hidden(x) / hidden(y); })));
        }
        REQUIRE(same_number(out[i * 20 + 16], std::sqrt(x)));
        REQUIRE(same_number(out[i * 20 + 17], in_mode<double>(FE_UPWARD, [&] { return std::sqrt(hidden(x)); })));
        REQUIRE(same_number(out[i * 20 + 19], std::trunc(x) + std::floor(y) + std::rint(z)));
    }
}

TEST_CASE("conversions between double, float and 64-bit integers round as asked") {
    machine m{"functions.sm_80.ptx"};
    constexpr std::size_t n = 1000;
    auto in = spread<double>(n, -1e30, 1e30);
    auto const spread_out = wild<double>(n / 2, 8);
    std::copy(spread_out.begin(), spread_out.end(), in.begin());
    std::mt19937_64 g{9};
    std::vector<long long> integers(n);
    for (auto& v : integers) v = static_cast<long long>(g()) >> (g() % 63);
    auto const din = m.array(in);
    auto const dints = m.array(integers);
    auto const f = m.zeros<float>(n * 4);
    auto const u64 = m.zeros<unsigned long long>(n);
    auto const from_s64 = m.zeros<float>(n * 4);
    auto const to_double = m.zeros<double>(n * 2);
    m.run("conversions", {8}, {128}, arguments{din, f, u64, dints, from_s64, to_double, static_cast<int>(n)});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
            CAPTURE(in[i]);
            CAPTURE(k);
            REQUIRE(
                same_number(f[i * 4 + k], in_mode<float>(modes[k], [&] { return static_cast<float>(hidden(in[i])); })));
            REQUIRE(from_s64[i * 4 + k] ==
                    in_mode<float>(modes[k], [&] { return static_cast<float>(hidden(integers[i])); }));
        }
        REQUIRE(to_double[i * 2] == static_cast<double>(integers[i]));
        REQUIRE(to_double[i * 2 + 1] ==
                in_mode<double>(FE_DOWNWARD, [&] { return static_cast<double>(hidden(integers[i])); }));
        if (in[i] >= 0 && in[i] < 1.8e19) REQUIRE(u64[i] == static_cast<unsigned long long>(in[i]));
    }
}

TEST_CASE("approximate functions stay within the error PTX states") {
    machine m{"functions.sm_80.ptx"};
    constexpr std::size_t n = 2000;
    auto const in = spread<float>(n, 0.01, 3.1);
    auto const din = m.array(in);
    auto const out = m.zeros<float>(n * 8);
    m.run("fast_functions", {16}, {128}, arguments{din, out, static_cast<int>(n)});
    for (std::size_t i = 0; i < n; ++i) {
        double const x = in[i];
        CAPTURE(x);
        double const absolute = std::ldexp(1.0, -20);
        double const relative = std::ldexp(1.0, -22);
        REQUIRE(std::fabs(out[i * 8] - std::sin(x)) <= absolute);
        REQUIRE(std::fabs(out[i * 8 + 1] - std::cos(x)) <= absolute);
        REQUIRE(std::fabs(out[i * 8 + 2] - std::log2(x)) <= absolute);
        REQUIRE(std::fabs(out[i * 8 + 3] / std::exp2(x) - 1) <= relative);
        REQUIRE(std::fabs(out[i * 8 + 4] * std::sqrt(x) - 1) <= relative);
        REQUIRE(std::fabs(out[i * 8 + 5] * x / 1.5 - 1) <= 2 * relative);
        REQUIRE(std::fabs(out[i * 8 + 6] / std::exp(x) - 1) <= 8 * relative); // a product and ex2
        REQUIRE(std::fabs(out[i * 8 + 7] / std::pow(x, 0.75) - 1) <= 16 * relative);
    }
}

TEST_CASE("the accurate library functions come out accurate, so what they are made of is right") {
    machine m{"functions.sm_80.ptx"};
    constexpr std::size_t n = 500;
    auto const in = spread<float>(n, 0.05, 20);
    auto const din_double = spread<double>(n, 0.05, 20);
    auto const din = m.array(in);
    auto const dind = m.array(din_double);
    auto const out = m.zeros<float>(n * 6);
    auto const dout = m.zeros<double>(n * 5);
    m.run("accurate_functions", {4}, {128}, arguments{din, out, dind, dout, static_cast<int>(n)});
    auto const close = [](double got, double wanted, double ulps, double epsilon) {
        return std::fabs(got - wanted) <= ulps * epsilon * std::fmax(std::fabs(wanted), 1e-3);
    };
    constexpr double e = 0x1p-23;
    constexpr double de = 0x1p-52;
    for (std::size_t i = 0; i < n; ++i) {
        double const x = in[i];
        double const d = din_double[i];
        CAPTURE(x);
        CAPTURE(d);
        REQUIRE(close(out[i * 6], std::sin(x), 2, e));
        REQUIRE(close(out[i * 6 + 1], std::exp(x), 2, e));
        REQUIRE(close(out[i * 6 + 2], std::log(x), 2, e));
        REQUIRE(close(out[i * 6 + 3], std::pow(x, 1.7f), 8, e));
        REQUIRE(close(out[i * 6 + 4], std::tanh(x), 2, e));
        REQUIRE(close(out[i * 6 + 5], std::atan(x), 2, e));
        REQUIRE(close(dout[i * 5], std::sin(d), 2, de));
        REQUIRE(close(dout[i * 5 + 1], std::exp(d), 2, de));
        REQUIRE(close(dout[i * 5 + 2], std::log(d), 2, de));
        REQUIRE(close(dout[i * 5 + 3], std::cbrt(d), 2, de));
        REQUIRE(close(dout[i * 5 + 4], std::pow(d, 0.3), 2, de));
    }
}

TEST_CASE("the Mandelbrot set comes out as with fused arithmetic on the host") {
    machine m{"functions.sm_80.ptx"};
    constexpr int w = 64, h = 48, limit = 64;
    auto const out = m.zeros<int>(w * h);
    m.run("mandelbrot", {4, 6}, {16, 8}, arguments{out, w, h, limit});
    // nvcc's contraction of these expressions is its own choice, so a few border pixels may differ by one step.
    int differing = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float const cr = fused(1.0f, 3.0f * static_cast<float>(x) / w, -2.0f);
            float const ci = fused(1.0f, 2.0f * static_cast<float>(y) / h, -1.0f);
            float zr = 0, zi = 0;
            int k = 0;
            while (k < limit && zr * zr + zi * zi < 4.0f) {
                float const t = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = t;
                ++k;
            }
            differing += out[static_cast<std::size_t>(y * w + x)] != k;
        }
    CHECK(differing < w * h / 50);
}

TEST_CASE("rsqrt.approx.f64 has all digits, and with .ftz those of the upper half") {
    machine m{ptx_text{R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry roots(.param .u64 values) {
    .reg .u32 %r<2>; .reg .u64 %rd<3>; .reg .f64 %fd<4>;
    ld.param.u64 %rd1, [values]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 24; add.u64 %rd1, %rd1, %rd2;
    ld.global.f64 %fd1, [%rd1];
    rsqrt.approx.f64 %fd2, %fd1; st.global.f64 [%rd1+8], %fd2;
    rsqrt.approx.ftz.f64 %fd3, %fd1; st.global.f64 [%rd1+16], %fd3;
    ret;
}
)"}};
    constexpr std::size_t n = 1024;
    std::vector<double> values(3 * n);
    for (std::size_t i = 0; i < n; ++i)
        values[3 * i] = std::ldexp(1 + static_cast<double>(i * 7919 % 1024) / 1024 + static_cast<double>(i) * 1e-7,
                                   static_cast<int>(i % 600) - 300);
    // Results of an H100.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double const known[][2] = {{3, 0.57735026918962573},
                               {0, infinity},
                               {-0.0, -infinity},
                               {5e-324, 4.4989137945431964e+161},
                               {1e-310, 1.0000000000000016e+155},
                               {infinity, 0},
                               {1.7976931348623157e308, 7.4583407312002067e-155}};
    for (std::size_t i = 0; i < std::size(known); ++i) values[3 * i] = known[i][0];
    values[3 * std::size(known)] = -1;
    auto const out = m.array(values);
    m.run("roots", {1}, {n}, arguments{out});
    for (std::size_t i = 0; i < std::size(known); ++i) CHECK(out[3 * i + 1] == known[i][1]);
    CHECK(std::isnan(out[3 * std::size(known) + 1]));
    for (std::size_t i = std::size(known) + 1; i < n; ++i) {
        CAPTURE(values[3 * i]);
        auto const exact = static_cast<double>(1 / std::sqrt(static_cast<long double>(values[3 * i])));
        REQUIRE(std::fabs(out[3 * i + 1] - exact) <= std::ldexp(exact, -52));
        std::uint64_t bits = 0;
        double const coarse = out[3 * i + 2];
        std::memcpy(&bits, &coarse, sizeof bits);
        REQUIRE((bits & 0xffff'ffff) == 0);
        REQUIRE(std::fabs(coarse - exact) <= std::ldexp(exact, -19));
    }
}

} // namespace kernels_functions_test
