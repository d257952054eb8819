// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and bit intrinsics, against definitions written out on the host.
#include <bit>
#include <cstdlib>

#include "support/kernel_fixture.hpp"

namespace kernels_bits_test {

using namespace gpuprof_test;

namespace {
std::uint32_t reversed(std::uint32_t x) {
    std::uint32_t r = 0;
    for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
    return r;
}
} // namespace

TEST_CASE("32-bit integer intrinsics") {
    machine m{"bits.sm_75.ptx"};
    constexpr std::size_t n = 400;
    auto a = spread<unsigned>(n, 0, 4294967295.0, 1);
    auto b = spread<unsigned>(n, 0, 4294967295.0, 2);
    unsigned const edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 31, 32, 0xff00ff};
    for (std::size_t i = 0; i < 64; ++i) a[i] = edges[i / 8], b[i] = edges[i % 8];
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const out = m.zeros<unsigned>(n * 24);
    m.run("bit_tricks", {4}, {128}, arguments{da, db, out, static_cast<int>(n)});
    for (std::size_t i = 0; i < n; ++i) {
        unsigned const x = a[i];
        unsigned const y = b[i];
        auto const sx = static_cast<std::int64_t>(static_cast<int>(x));
        auto const sy = static_cast<std::int64_t>(static_cast<int>(y));
        std::uint64_t const both = std::uint64_t{y} << 32 | x;
        auto const byte = [&](unsigned k) { return static_cast<unsigned>(both >> (8 * k) & 0xff); };
        int signed_dot = 7;
        unsigned dot = 7;
        for (unsigned k = 0; k < 4; ++k) {
            signed_dot += static_cast<signed char>(x >> (8 * k)) * static_cast<signed char>(y >> (8 * k));
            dot += (x >> (8 * k) & 0xff) * (y >> (8 * k) & 0xff);
        }
        unsigned const clamped = y % 64 > 32 ? 32 : y % 64;
        std::int64_t const divisor = static_cast<int>(y | 1);
        unsigned nth = 0xffffffff;
        int left = 1 + static_cast<int>(y >> 28);
        for (unsigned at = y & 31; at < 32; ++at)
            if ((x >> at & 1) && --left == 0) {
                nth = at;
                break;
            }
        unsigned const wanted[24] = {static_cast<unsigned>(std::popcount(x)),
                                     static_cast<unsigned>(std::countl_zero(x)),
                                     reversed(x),
                                     x == 0 ? 0 : static_cast<unsigned>(std::countr_zero(x) + 1),
                                     byte(5) | byte(1) << 8 | byte(7) << 16 | byte(3) << 24,
                                     static_cast<unsigned>(both << (y % 32) >> 32),
                                     static_cast<unsigned>(both >> clamped),
                                     static_cast<unsigned>(std::uint64_t{x} * y >> 32),
                                     static_cast<unsigned>(static_cast<std::uint64_t>(sx * sy) >> 32),
                                     static_cast<unsigned>(std::llabs(sx - sy) + 5),
                                     static_cast<unsigned>(signed_dot),
                                     dot,
                                     (x & y) ^ (~x | 0x0f0f0f0fu),
                                     y != 0 ? x / y : 0,
                                     y != 0 ? x % y : 0,
                                     y != 0 ? static_cast<unsigned>(sx / divisor) : 0,
                                     y != 0 ? static_cast<unsigned>(sx % divisor) : 0,
                                     static_cast<unsigned>(sx >> (y & 31)),
                                     x << (y & 31),
                                     static_cast<unsigned>(std::max(sx, sy) - std::min(sx, sy)),
                                     static_cast<unsigned>(std::llabs(sx)),
                                     static_cast<unsigned>((static_cast<std::int64_t>(static_cast<int>(x << 8) >> 8)) *
                                                           (static_cast<int>(y << 8) >> 8)),
                                     static_cast<unsigned>((std::uint64_t{x} + y) / 2),
                                     nth};
        for (std::size_t k = 0; k < 24; ++k) {
            CAPTURE(i);
            CAPTURE(k);
            REQUIRE(out[i * 24 + k] == wanted[k]);
        }
    }
}

TEST_CASE("64-bit and 128-bit integers") {
    machine m{"bits.sm_75.ptx"};
    constexpr std::size_t n = 300;
    std::mt19937_64 g{4};
    std::vector<long long> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i)
        a[i] = static_cast<long long>(g()), b[i] = static_cast<long long>(g() >> (g() % 60));
    a[0] = 0, b[0] = 0, a[1] = -1, b[1] = 63;
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const out = m.zeros<long long>(n * 10);
    m.run("wide_integers", {3}, {128}, arguments{da, db, out, static_cast<int>(n)});
    __extension__ using int128 = __int128;
    __extension__ using uint128 = unsigned __int128;
    for (std::size_t i = 0; i < n; ++i) {
        auto const x = a[i];
        auto const y = b[i];
        auto const ux = static_cast<std::uint64_t>(x);
        auto const uy = static_cast<std::uint64_t>(y);
        std::uint64_t mirrored = 0;
        for (int k = 0; k < 64; ++k) mirrored |= (ux >> k & 1) << (63 - k);
        bool const divides = y != 0 && y != -1;
        long long const wanted[10] = {static_cast<long long>(ux * uy),
                                      static_cast<long long>(static_cast<int128>(x) * y >> 64),
                                      static_cast<long long>(static_cast<uint128>(ux) * uy >> 64),
                                      divides ? x / y : 0,
                                      divides ? x % y : 0,
                                      std::popcount(ux) + std::countl_zero(ux) * 100 +
                                          (ux == 0 ? 0 : std::countr_zero(ux) + 1) * 10000,
                                      static_cast<long long>(mirrored),
                                      x >> (y & 63),
                                      static_cast<long long>(ux >> (y & 63)),
                                      static_cast<long long>((static_cast<int128>(x) * 3 + y) >> 64)};
        for (std::size_t k = 0; k < 10; ++k) {
            CAPTURE(i);
            CAPTURE(k);
            REQUIRE(out[i * 10 + k] == wanted[k]);
        }
    }
}

// PTX ISA does not say so: it names a borrow. nvcc's own division of 128-bit integers needs it, and an H100 does it
// (driver 580.159.04).
TEST_CASE("there is one carry flag for sums and differences, which says that there was no borrow") {
    machine m{ptx_text{R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry flag(.param .u64 out) {
    .reg .u32 %r<3>; .reg .u64 %rd<3>;
    ld.param.u64 %rd1, [out];
    sub.cc.u32 %r1, 5, 3; addc.u32 %r2, 0, 0; st.global.u32 [%rd1], %r2;
    sub.cc.u32 %r1, 3, 5; addc.u32 %r2, 0, 0; st.global.u32 [%rd1+4], %r2;
    add.cc.u32 %r1, 0xffffffff, 1; subc.u32 %r2, 7, 0; st.global.u32 [%rd1+8], %r2;
    add.cc.u32 %r1, 1, 1; subc.u32 %r2, 7, 0; st.global.u32 [%rd1+12], %r2;
    sub.cc.u64 %rd2, 3, 5; subc.cc.u64 %rd2, 9, 0; addc.u32 %r2, %r1, 0; st.global.u32 [%rd1+16], %r2;
    ret;
}
)"}};
    auto const out = m.zeros<unsigned>(5);
    m.run("flag", {1}, {1}, arguments{out});
    unsigned const wanted[] = {1, 0, 7, 6, 3}; // 9 - 0 - 1 borrows nothing: 2 + 1
    for (std::size_t i = 0; i < 5; ++i) {
        CAPTURE(i);
        CHECK(out[i] == wanted[i]);
    }
}

TEST_CASE("128-bit integers are divided as on the host") {
    machine m{"wide.sm_80.ptx"};
    __extension__ using int128 = __int128;
    __extension__ using uint128 = unsigned __int128;
    constexpr std::size_t n = 600;
    std::mt19937_64 g{9};
    auto const random = [&] { return (uint128{g()} << 64 | g()) >> (g() % 128); };
    std::vector<uint128> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) a[i] = random(), b[i] = random() | 1;
    a[0] = 100, b[0] = 7, a[1] = uint128{5} << 64 | 6, b[1] = 1, a[2] = b[2] = 7, a[3] = 0;
    for (std::size_t i = 4; i < 40; ++i) a[i] = ~a[i];
    auto const run = [&](auto number, char const* kernel) {
        using T = decltype(number);
        std::vector<T> x(a.begin(), a.end()), y(b.begin(), b.end());
        if constexpr (T(-1) < T(0))
            for (std::size_t i = 0; i < n; i += 3) y[i] = -y[i];
        auto const quotient = m.zeros<T>(n), remainder = m.zeros<T>(n);
        m.run(kernel, {5}, {128}, arguments{m.array(x), m.array(y), quotient, remainder, static_cast<int>(n)});
        for (std::size_t i = 0; i < n; ++i) {
            CAPTURE(i);
            REQUIRE(bool{quotient[i] == x[i] / y[i]});
            REQUIRE(bool{remainder[i] == x[i] % y[i]});
        }
    };
    run(uint128{}, "divide_unsigned");
    run(int128{}, "divide_signed");
}

TEST_CASE("xorshift generators step as on the host") {
    machine m{"bits.sm_75.ptx"};
    auto state = spread<unsigned>(256, 1, 4294967295.0);
    auto const ds = m.array(state);
    auto const out = m.zeros<unsigned>(256);
    m.run("xorshift", {2}, {128}, arguments{ds, out, 50});
    for (std::size_t i = 0; i < 256; ++i) {
        unsigned sum = 0;
        for (int k = 0; k < 50; ++k) {
            state[i] ^= state[i] << 13;
            state[i] ^= state[i] >> 17;
            state[i] ^= state[i] << 5;
            sum += state[i] & 0xff;
        }
        REQUIRE(out[i] == sum);
    }
    CHECK(ds.values() == state);
}

} // namespace kernels_bits_test
