// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels an earlier compiler made for GPUs before Turing, against the same arithmetic on the host.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "sim/ops/float_format.hpp"

#include "support/fused.hpp"
#include "support/kernel_fixture.hpp"

namespace kernels_older_test {

using namespace gpuprof_test;

namespace {
std::string const targets[] = {"older.sm_52.ptx", "older.sm_60.ptx", "older.sm_70.ptx"};
constexpr std::size_t n = 512;
constexpr sim::extent3 grid{4};
constexpr sim::extent3 block{128};

double from_half(std::uint16_t h) { return sim::widen(h, sim::f16_format); }
std::uint16_t to_half(double x) { return static_cast<std::uint16_t>(sim::narrow(x, sim::f16_format)); }
} // namespace

TEST_CASE("shuffles, with a member mask and without") {
    auto const in = spread<int>(n, -100, 100);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const sums = m.zeros<int>(n / 32);
        auto const halves = m.zeros<double>(n);
        m.run("shuffle_reduce", grid, block, arguments{m.array(in), sums, halves});
        for (std::size_t w = 0; w < n / 32; ++w)
            REQUIRE(sums[w] == std::accumulate(in.begin() + static_cast<int>(w * 32),
                                               in.begin() + static_cast<int>(w * 32 + 32), 0));
        for (std::size_t i = 0; i < n; ++i) REQUIRE(halves[i] == 0.5 * in[i ^ 1]);
    }
}

TEST_CASE("votes, with a member mask and without") {
    auto in = spread<int>(n, -8, 10, 3);
    std::fill(in.begin(), in.begin() + 32, 4);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const ballots = m.zeros<unsigned>(n / 32);
        auto const said = m.zeros<int>(n / 32);
        m.run("votes", grid, block, arguments{m.array(in), ballots, said});
        for (std::size_t w = 0; w < n / 32; ++w) {
            unsigned positive = 0;
            bool all = true, any = false;
            for (std::size_t lane = 0; lane < 32; ++lane) {
                int const v = in[w * 32 + lane];
                positive |= static_cast<unsigned>(v > 0) << lane;
                all = all && v > -5;
                any = any || v > 8;
            }
            REQUIRE(ballots[w] == positive);
            REQUIRE(said[w] == (all ? 1 : 0) + (any ? 2 : 0));
        }
    }
}

TEST_CASE("atomics of every width without a scope, and a double added by compare-and-swap") {
    auto const in = spread<int>(n, -1000, 1000, 4);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const cells = m.zeros<int>(8 + n);
        auto const wide = m.zeros<unsigned long long>(2);
        auto const total = m.zeros<float>(1);
        auto const sum = m.zeros<double>(1);
        m.run("atomics", grid, block, arguments{m.array(in), cells, wide, total, sum});
        int const whole = std::accumulate(in.begin(), in.end(), 0);
        int mixed = 0, lowest = 0, highest = 0;
        unsigned together = 0;
        for (int const v : in) {
            mixed ^= v;
            together |= 1u << (v & 31);
            lowest = std::min(lowest, v);
            highest = std::max(highest, v);
        }
        CHECK(cells[0] == whole);
        CHECK(cells[1] == lowest);
        CHECK(cells[2] == highest);
        CHECK(cells[3] == mixed);
        CHECK(static_cast<unsigned>(cells[4]) == together);
        CHECK(cells[5] == n % 100);
        CHECK(cells[6] >= 0);
        CHECK(cells[6] < static_cast<int>(n));
        auto const all = cells.values();
        CHECK(std::count(all.begin() + 8, all.end(), 1) == n); // each thread found zero or another's number
        CHECK(wide[0] == static_cast<unsigned long long>(static_cast<long long>(whole)));
        CHECK(wide[1] == n - 1);
        CHECK(total[0] == 0.25f * static_cast<float>(whole)); // quarters, exact in any order
        CHECK(sum[0] == 0.5 * whole);
    }
}

TEST_CASE("halves by conversion before they have arithmetic of their own, and with it") {
    std::vector<std::uint16_t> a(n), b(n), c(n);
    std::mt19937 g{9};
    for (std::size_t i = 0; i < n; ++i) // any half with an exponent below that of 8
        a[i] = static_cast<std::uint16_t>(g() % 0x4800 | (g() & 0x8000)),
        b[i] = static_cast<std::uint16_t>(g() % 0x4800), c[i] = static_cast<std::uint16_t>(g() % 0x4800);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const out = m.zeros<std::uint16_t>(n);
        m.run("halves", grid, block, arguments{m.array(a), m.array(b), m.array(c), out, static_cast<int>(n)});
        bool const has_halves = std::string_view{target} != "older.sm_52.ptx"; // product and sum become one instruction
        for (std::size_t i = 0; i < n; ++i) {
            double const product = from_half(a[i]) * from_half(b[i]);
            REQUIRE(out[i] == to_half((has_halves ? product : from_half(to_half(product))) + from_half(c[i])));
        }
    }
}

TEST_CASE("a reduction in shared memory as an earlier compiler unrolls it") {
    auto const in = spread<float>(n, -1, 1, 6);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const out = m.zeros<float>(4);
        m.run("reduce_shared", grid, block, arguments{m.array(in), out});
        for (std::size_t cta = 0; cta < 4; ++cta) {
            std::vector<float> cell(in.begin() + static_cast<int>(cta * 128),
                                    in.begin() + static_cast<int>(cta * 128 + 128));
            for (std::size_t half = 64; half > 0; half /= 2)
                for (std::size_t t = 0; t < half; ++t) cell[t] += cell[t + half];
            REQUIRE(out[cta] == cell[0]);
        }
    }
}

TEST_CASE("doubles: fused multiply-add, root and quotient round once each") {
    auto const x = spread<double>(n, -10, 10, 7), y = spread<double>(n, -10, 10, 8);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const out = m.zeros<double>(n);
        m.run("doubles", grid, block, arguments{m.array(x), m.array(y), out, static_cast<int>(n)});
        for (std::size_t i = 0; i < n; ++i)
            REQUIRE(out[i] == fused(x[i], y[i], std::sqrt(std::fabs(x[i]))) / fused(y[i], y[i], 1.0));
    }
}

TEST_CASE("divergent loops with breaks, and a switch") {
    auto const in = spread<int>(n, 1, 1000, 9);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const out = m.zeros<int>(n);
        m.run("divergent", grid, block, arguments{m.array(in), out});
        std::uint64_t partings =
            0; // at least: threads of a warp that leave the loop in k different rounds part k - 1 times
        std::set<int> rounds;
        for (std::size_t i = 0; i < n; ++i) {
            int v = in[i], steps = 0;
            for (; v != 1 && steps < 60; ++steps) {
                if (v % 2 != 0 && v % 3 == 0 && steps > 20) break;
                v = v % 2 == 0 ? v / 2 : 3 * v + 1;
            }
            int const wanted[] = {steps + 1000, steps + 2000, -steps, steps};
            REQUIRE(out[i] == wanted[v & 3]);
            rounds.insert(steps);
            if (i % 32 == 31) partings += rounds.size() - 1, rounds.clear();
        }
        REQUIRE(partings > n / 32 * 10); // else the values do not tell much
        CHECK(m.counted[sim::raw_counter::branch_targets_divergent] >= partings);
        CHECK(m.counted[sim::raw_counter::branch_targets_uniform] >= n / 32); // the first branch, which no thread takes
    }
}

TEST_CASE("recursive calls that are handed an array of the caller's") {
    constexpr int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    auto const in = spread<int>(n, 0, 50, 10);
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const out = m.zeros<int>(n);
        m.run("calls_and_arrays", grid, block, arguments{m.array(in), out});
        for (std::size_t i = 0; i < n; ++i) {
            int values[8];
            for (int k = 0; k < 8; ++k) values[(k * 3 + in[i]) & 7] = in[i] + k;
            int which = in[i], wanted = 0;
            for (int depth = static_cast<int>(i % 5); depth > 0; --depth) {
                wanted += values[depth & 7] * primes[which & 7];
                which += depth;
            }
            REQUIRE(out[i] == wanted + values[which & 7]);
        }
    }
}

TEST_CASE("bit fields, permutations, funnel shifts and 64-bit division") {
    auto const a = spread<unsigned>(n, 0, 4294967295.0, 11), b = spread<unsigned>(n, 1, 4294967295.0, 12);
    auto const reversed = [](unsigned v) {
        unsigned r = 0;
        for (int i = 0; i < 32; ++i) r |= (v >> i & 1) << (31 - i);
        return r;
    };
    for (auto const& target : targets) {
        CAPTURE(target);
        machine m{target};
        auto const out = m.zeros<unsigned long long>(n);
        m.run("bits", grid, block, arguments{m.array(a), m.array(b), out, static_cast<int>(n)});
        for (std::size_t i = 0; i < n; ++i) {
            unsigned const x = a[i], y = b[i];
            unsigned long long mixed = static_cast<unsigned long long>(std::popcount(x)) << 56 |
                                       static_cast<unsigned long long>(std::countl_zero(y)) << 48;
            mixed ^= static_cast<unsigned long long>(reversed(x)) * y;
            auto const high = static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
            unsigned const permuted = (x & 0xff) | (y & 0xff) << 8 | (x & 0xff00) << 8 | (y & 0xff00) << 16; // 0x5140
            long long const apart = std::llabs(static_cast<long long>(static_cast<int>(x)) - static_cast<int>(y));
            mixed += high + permuted + (static_cast<unsigned>(apart) + 7u);
            unsigned const funnel = x % 32 == 0 ? y : y << (x % 32) | x >> (32 - x % 32);
            REQUIRE(out[i] == mixed / (y % 1000 + 1) + mixed % (x % 77 + 1) + funnel);
        }
    }
}

} // namespace kernels_older_test
