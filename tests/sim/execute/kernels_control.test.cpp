// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: divergence, recursion, indirect calls, local arrays, printf, cooperation of CTAs.
#include <algorithm>

#include "support/kernel_fixture.hpp"

namespace kernels_control_test {

using namespace gpuprof_test;

namespace {
int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
} // namespace

TEST_CASE("loops of different length run to their own end") {
    machine m{"control.sm_75.ptx"};
    constexpr std::size_t n = 500;
    auto const in = spread<unsigned>(n, 1, 5000);
    auto const din = m.array(in);
    auto const out = m.zeros<unsigned>(n);
    m.run("collatz", {4}, {128}, arguments{din, out, static_cast<int>(n)});
    std::vector<unsigned> steps(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (unsigned v = in[i]; v != 1; ++steps[i]) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        REQUIRE(out[i] == steps[i]);
    }
    // A warp branches on a value that is 1 already, and at the end of each round of its longest loop; threads beyond the
    // bound return, which is no branch. A branch parts the warp if only some of the threads take it: those of a round do
    // with which some threads, but not all of the remaining ones, end.
    std::uint64_t branches = 0, parting = 0;
    for (std::size_t first = 0; first < 512; first += 32) {
        auto const begin = steps.begin() + static_cast<std::ptrdiff_t>(first);
        auto const end = steps.begin() + static_cast<std::ptrdiff_t>(std::min(first + 32, n));
        unsigned const rounds = *std::max_element(begin, end);
        branches += 1 + rounds;
        for (unsigned round = 0; round < rounds; ++round)
            parting += std::find(begin, end, round) != end; // with none, the branch around the loop
    }
    REQUIRE(parting > 16 * 10); // else the values do not tell much
    CHECK(m.counted[sim::raw_counter::branch_targets] == branches);
    CHECK(m.counted[sim::raw_counter::branch_targets_divergent] == parting);
    CHECK(m.counted[sim::raw_counter::branch_targets_uniform] == branches - parting);
}

TEST_CASE("divergent recursion keeps a frame for each depth") {
    machine m{"control.sm_75.ptx"};
    auto const out = m.zeros<int>(64);
    m.run("recursion", {1}, {64}, arguments{out});
    for (std::size_t i = 0; i < 64; ++i) REQUIRE(out[i] == fibonacci(static_cast<int>(i % 16)));
}

TEST_CASE("lanes call different functions through a table") {
    machine m{"control.sm_75.ptx"};
    std::vector<int> which(64);
    for (std::size_t i = 0; i < 64; ++i) which[i] = static_cast<int>(i * 7 % 3);
    auto const dwhich = m.array(which);
    auto const out = m.zeros<int>(64);
    m.run("call_table", {1}, {64}, arguments{dwhich, out});
    for (int i = 0; i < 64; ++i) {
        int const wanted[] = {2 * i, i * i, -i};
        REQUIRE(out[static_cast<std::size_t>(i)] == wanted[which[static_cast<std::size_t>(i)]] + 1);
    }
}

TEST_CASE("virtual functions are found through objects in local memory") {
    machine m{"control.sm_75.ptx"};
    auto const out = m.zeros<float>(64);
    m.run("virtual_calls", {1}, {64}, arguments{out});
    for (std::size_t i = 0; i < 64; ++i) {
        auto const x = static_cast<float>(i);
        float const wanted[] = {x, 3.0f * x * x, x * x};
        REQUIRE(out[i] == wanted[i % 3]);
    }
}

TEST_CASE("structures are passed and returned by value") {
    struct big {
        int words[9];
        double weight;
    };
    machine m{"control.sm_75.ptx"};
    auto const out = m.zeros<int>(40);
    auto const weights = m.zeros<double>(40);
    big const in{{1, 2, 3, 4, 5, 6, 7, 8, 9}, 2.5};
    m.run("struct_calls", {1}, {40}, arguments{in, out, weights});
    for (int t = 0; t < 40; ++t) {
        CHECK(out[static_cast<std::size_t>(t)] == 45 + t * 36);
        CHECK(weights[static_cast<std::size_t>(t)] == 3.75);
    }
}

TEST_CASE("a switch with fall-through, gaps and an early return") {
    machine m{"control.sm_75.ptx"};
    std::vector<int> in(64), before(64, 1000), wanted(64);
    for (int i = 0; i < 64; ++i) {
        int const v = in[static_cast<std::size_t>(i)] = i % 11 - 1;
        int const results[] = {7, 13, 9, i, -1, 32, 1000, -1, 88, 9 ^ 0x55};
        wanted[static_cast<std::size_t>(i)] = v < 0 || v > 9 ? -1 : results[v];
    }
    wanted[0] = -1;
    for (int i = 0; i < 64; ++i)
        if (in[static_cast<std::size_t>(i)] == 1) wanted[static_cast<std::size_t>(i)] = 1 * 3 + 10;
    auto const din = m.array(in);
    auto const out = m.array(before);
    m.run("switch_cases", {1}, {64}, arguments{din, out});
    CHECK(out.values() == wanted);
}

TEST_CASE("local arrays are private to a thread and indexed at run time") {
    machine m{"control.sm_75.ptx"};
    auto const in = spread<int>(32, 0, 100);
    auto const din = m.array(in);
    auto const out = m.zeros<int>(64);
    m.run("local_array", {1}, {64}, arguments{din, out});
    for (int t = 0; t < 64; ++t) {
        int stack[32];
        for (int i = 0; i < 32; ++i) stack[i] = in[static_cast<std::size_t>(i)] + t;
        int sum = 0;
        int at = t % 32;
        for (int i = 0; i < 20; ++i) {
            sum += stack[at];
            stack[at] = sum;
            at = (at * 5 + in[static_cast<std::size_t>(at)] + 1) & 31;
        }
        REQUIRE(out[static_cast<std::size_t>(t)] == sum);
    }
    // Two warps: 32 words are stored, four with an instruction but each with its request, as threads' words interleave.
    // The walk then reads a word in each of 20 rounds and writes it in the 18 between the first, whose sum is the word
    // itself, and the last, which nobody reads.
    using enum sim::raw_counter;
    CHECK(m.counted[l1_requests_local_st] == 2 * (32 + 18));
    CHECK(m.counted[l1_requests_local_ld] == 2 * 20);
    CHECK(m.counted[bytes_local_st] == 64 * 4 * (32 + 18));
    CHECK(m.counted[bytes_local_ld] == 64 * 4 * 20);
}

TEST_CASE("nested loops with break, continue and return reconverge before what follows") {
    machine m{"control.sm_75.ptx"};
    auto const out = m.zeros<int>(64);
    m.run("nested_divergence", {1}, {64}, arguments{out});
    int wanted[64];
    int present[2] = {0, 0};
    for (int t = 0; t < 64; ++t) {
        int r = 0;
        bool returned = false;
        for (int i = 0; i < t % 5 && !returned; ++i) {
            if (i % 2) {
                for (int k = 0; k < t % 3; ++k) {
                    if (k == 2) break;
                    r += k + 1;
                }
            } else if (t & 4) {
                r += 100;
                continue;
            }
            r += 3;
            if (r > 250) returned = true;
        }
        wanted[t] = returned ? -1 : r;
        present[t / 32] += !returned;
    }
    for (int t = 0; t < 64; ++t) {
        CAPTURE(t);
        CHECK(out[static_cast<std::size_t>(t)] == (wanted[t] < 0 ? 0 : wanted[t] + present[t / 32]));
    }
}

TEST_CASE("lanes meet again in a kernel that ends only out of a loop that waits") {
    // As compilers write a wait for an mbarrier before a return: the return is behind a branch with a condition, and
    // what follows it goes back.
    machine m{ptx_text{".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
                       ".reg .b32 t, x, together; .reg .b64 o, a; .reg .pred q;\n"
                       "ld.param.u64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 a, t, 4; add.u64 o, o, a;\n"
                       "and.b32 x, t, 3; setp.eq.u32 q, x, 0; @q bra work;\n"
                       "st.global.u32 [o], x; bra.uni meet;\n"
                       "work: mov.u32 x, 0; more: add.u32 x, x, 1; setp.lt.u32 q, x, t; @q bra more;\n"
                       "meet: activemask.b32 together; st.global.u32 [o], together;\n"
                       "mov.u32 x, 0; wait: add.u32 x, x, 1; setp.gt.u32 q, x, 5; @q bra done; bra wait;\n"
                       "done: ret;\n}\n"}};
    auto const out = m.zeros<std::uint32_t>(64);
    m.run("k", {1}, {64}, arguments{out});
    for (std::size_t i = 0; i < 64; ++i) REQUIRE(out[i] == 0xffff'ffff);
}

TEST_CASE("lanes meet again where a failed assertion is the last in the text") {
    // As nvcc writes asserts: several branches lead to one call at the end, behind the return.
    machine m{ptx_text{
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
        ".visible .entry k(.param .u64 out)\n{\n"
        ".reg .b32 t, x, together; .reg .b64 o, a; .reg .pred q; .param .b64 p; .param .b32 line;\n"
        "ld.param.u64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 a, t, 4; add.u64 o, o, a;\n"
        "and.b32 x, t, 3; setp.eq.u32 q, x, 0; @q bra first;\n"
        "setp.eq.u32 q, x, 1; @q bra meet; setp.gt.u32 q, x, 3; @q bra fails;\n"
        "st.global.u32 [o], x; bra.uni meet;\n"
        "first: setp.gt.u32 q, t, 1000; @q bra fails;\n"
        "meet: activemask.b32 together; st.global.u32 [o], together; ret;\n"
        "fails: call.uni __assertfail, (p, p, line, p, p);\n}\n"}};
    auto const out = m.zeros<std::uint32_t>(64);
    m.run("k", {1}, {64}, arguments{out});
    for (std::size_t i = 0; i < 64; ++i) REQUIRE(out[i] == 0xffff'ffff);
}

TEST_CASE("printf formats on the host and reaches the launch's print function") {
    machine m{"control.sm_75.ptx"};
    std::string text;
    m.options.print = [&](std::string_view s) { text += s; };
    m.run("print_lines", {1}, {32}, arguments{2});
    CHECK(text == "thread 0 of 32: 0.00 text -1%\nthread 1 of 32: 0.50 text -2%\n");
}

TEST_CASE("CTAs of a cooperative launch may wait for each other") {
    machine m{"control.sm_75.ptx"};
    m.cooperative = true;
    auto const flags = m.zeros<int>(6);
    auto const out = m.zeros<int>(6 * 64);
    m.run("cooperative_flags", {6}, {64}, arguments{flags, out});
    for (std::size_t i = 0; i < 6 * 64; ++i) REQUIRE(out[i] == static_cast<int>(i / 64));
}

namespace {
// Lanes of a mask store their number plus one, in all bytes, to element lane % `places` of shared and of global memory.
std::string store_kernel(std::string const& type, unsigned bytes) {
    std::string const shift = std::to_string(std::countr_zero(bytes));
    std::string const value = type == "v4.u32"   ? "{%r3, %r3, %r3, %r3}"
                              : type == "v2.u32" ? "{%r3, %r3}"
                              : type == "u64"    ? "%rd4"
                                                 : "%r3";
    return ".version 7.0\n.target sm_70\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u32 mask, .param .u32 places) {\n"
           ".reg .b32 %r<10>; .reg .b64 %rd<8>; .reg .pred %p, %q; .shared .align 16 .b8 s[64];\n"
           "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [out]; ld.param.u32 %r1, [mask]; ld.param.u32 %r2, [places];\n"
           "shr.u32 %r1, %r1, %r0; and.b32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0;\n"
           "add.u32 %r3, %r0, 1; mul.lo.u32 %r3, %r3, 0x01010101; mov.b64 %rd4, {%r3, %r3};\n"
           "rem.u32 %r4, %r0, %r2; shl.b32 %r4, %r4, " +
           shift +
           "; mov.u32 %r5, s; add.u32 %r5, %r5, %r4; cvt.u64.u32 %rd1, %r4; add.u64 %rd1, %rd1, %rd0;\n"
           "@%p st.global." +
           type + " [%rd1], " + value + ";\n@%p st.shared." + type + " [%r5], " + value +
           ";\nbar.sync 0;\n"
           "setp.ne.u32 %q, %r0, 0; @%q ret;\n" // lane 0 copies what is in shared memory behind the rest
           "mov.u32 %r6, 0; mov.u32 %r7, s;\n"
           "next: ld.shared.u8 %r8, [%r7]; st.global.u8 [%rd0+64], %r8;\n"
           "add.u64 %rd0, %rd0, 1; add.u32 %r7, %r7, 1; add.u32 %r6, %r6, 1;\n"
           "setp.lt.u32 %q, %r6, 64; @%q bra next; ret; }\n";
}
} // namespace

// The results of an H100 (driver 580.159.04): of lanes that store to one address at once the lowest wins. A warp stores
// 128 bytes at once, so that 8 bytes a lane are two groups of lanes, and 16 are four; a later one wins.
TEST_CASE("of lanes that store to one address without atomics the same one wins as on hardware") {
    constexpr std::size_t masks = 6;
    std::uint32_t const mask[masks] = {~0u, 0xffff'fffe, 0xffff'0000, 0xff00'ff00, 0xfffc'0000, 0x00fe'00fe};
    struct {
        std::vector<std::pair<char const*, unsigned>> types;
        int alone[masks];    // the winner where all store to one place
        int three[masks][3]; // and to three
    } const cases[] = {
        {{{"u8", 1}, {"u16", 2}, {"u32", 4}},
         {0, 1, 16, 8, 18, 1},
         {{0, 1, 2}, {3, 1, 2}, {18, 16, 17}, {9, 10, 8}, {18, 19, 20}, {3, 1, 2}}},
        {{{"u64", 8}, {"v2.u32", 8}},
         {16, 16, 16, 24, 18, 17},
         {{18, 16, 17}, {18, 16, 17}, {18, 16, 17}, {24, 25, 26}, {18, 19, 20}, {18, 19, 17}}},
        {{{"v4.u32", 16}},
         {24, 24, 24, 24, 24, 17},
         {{24, 25, 26}, {24, 25, 26}, {24, 25, 26}, {24, 25, 26}, {24, 25, 26}, {18, 19, 17}}},
    };
    for (auto const& one : cases)
        for (auto const& [type, bytes] : one.types)
            for (std::size_t k = 0; k < masks; ++k)
                for (unsigned const places : {1u, 3u}) {
                    auto const& of = type; // what CAPTURE makes of a structured binding, clang 14 refuses
                    CAPTURE(of);
                    CAPTURE(mask[k]);
                    CAPTURE(places);
                    machine m{ptx_text{store_kernel(type, bytes)}};
                    auto const out = m.zeros<unsigned char>(128);
                    m.run("k", {1}, {32}, arguments{out, mask[k], places});
                    for (std::size_t at = 0; at < std::size_t{places} * bytes; ++at) {
                        int const winner = places == 1 ? one.alone[k] : one.three[k][at / bytes];
                        CHECK(out[at] == winner + 1);
                        CHECK(out[64 + at] == winner + 1);
                    }
                }
}

namespace {
// What vprintf makes of a format and its arguments, as a compiler lays them out, and what it returns.
std::pair<std::string, int> printed(std::string const& format, arguments const& with) {
    machine m{ptx_text{R"(.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.visible .entry print(.param .u64 format, .param .u64 values, .param .u64 answer) {
    .reg .b32 %r<2>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [format]; ld.param.u64 %rd2, [values]; ld.param.u64 %rd3, [answer];
    {
        .param .b64 in0; .param .b64 in1; .param .b32 out;
        st.param.b64 [in0], %rd1; st.param.b64 [in1], %rd2;
        call.uni (out), vprintf, (in0, in1);
        ld.param.b32 %r1, [out];
    }
    st.global.u32 [%rd3], %r1;
    ret;
}
)"}};
    std::pair<std::string, int> result;
    m.options.print = [&](std::string_view s) { result.first += s; };
    std::vector<char> text(format.begin(), format.end());
    text.push_back('\0');
    std::vector<std::byte> values(with.bytes().begin(), with.bytes().end());
    values.resize(values.size() + 64);
    auto const answer = m.zeros<int>(1);
    m.run("print", {1}, {1}, arguments{m.array(text), m.array(values), answer});
    result.second = answer[0];
    return result;
}
} // namespace

// Texts of an H100 (driver 580.159.04), but for "hh" and for stars of a precision: CUDA has neither, and they mean what
// they mean in C.
TEST_CASE("printf knows widths, precisions and sizes of arguments, from arguments too") {
    using text = std::pair<std::string, int>;
    CHECK(printed("[%hhd] [%hd] [%hhu] [%hu] [%hhx]", arguments{300, 70000, 300, 70000, 0x1ff}) ==
          text{"[44] [4464] [44] [4464] [ff]", 5});
    CHECK(printed("[%*d] [%d]", arguments{7, 42, 9}) == text{"[     42] [9]", 3});
    CHECK(printed("[%*d]", arguments{-6, 42}) == text{"[42    ]", 2});
    CHECK(printed("%d %d", arguments{1, 2}) == text{"1 2", 2});
    CHECK(printed("[%lld] [%c] [%5c] [%%] [%p]", arguments{1LL << 40, 65, 66, std::uint64_t{16}}) ==
          text{"[1099511627776] [A] [    B] [%] [0x10]", 4});
    CHECK(printed("[%-*ld|%+.3d]", arguments{5, -7L, 5}) == text{"[-7   |+005]", 3});
    CHECK(printed("[%.*f] [%.*f]", arguments{2, 3.25, -1, 0.5}) == text{"[3.25] [0.500000]", 4});
    CHECK(printed("[%300d]", arguments{1}).first == "[" + std::string(299, ' ') + "1]");
    std::string const third = printed("%.600f|", arguments{1.0 / 3}).first;
    CHECK(third.size() == 603);
    CHECK(third.substr(0, 56) == "0.333333333333333314829616256247390992939472198486328125");
    CHECK(third.substr(56) == std::string(546, '0') + "|");
    CHECK(printed("100%", arguments{}) == text{"100", 0});
}

TEST_CASE("a width of printf has a bound, so that a kernel cannot take the host's time and memory") {
    for (char const* const format : {"%1000000000d", "%.1000000000d", "%99999999999999999999d", "%*d"}) {
        CAPTURE(format);
        CHECK(printed(format, arguments{1'000'000'000, 5}).first.size() == 65536);
    }
    CHECK(printed("%.1000000000f", arguments{1.0}).first.size() == 65536 + 2);
}

} // namespace kernels_control_test
