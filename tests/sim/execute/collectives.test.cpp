// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions by which lanes of a warp work together, when the lanes name different members or are in different places.
#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "support/kernel_fixture.hpp"

namespace collectives_test {

using namespace gpuprof_test;
using sim::launch_failure;

namespace {

// A kernel of one warp: `body` has the lane in %lane, and leaves what is stored to out[lane] in %d. %p is a predicate;
// %r0 to %r9 are free.
struct one_warp {
    explicit one_warp(std::string const& body)
        : m{ptx_text{".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry k(.param .u64 out) {\n"
                     ".reg .b32 %r<10>, %lane, %d; .reg .b64 %rd<4>; .reg .pred %p, %q; .shared .b32 s[64];\n"
                     "mov.u32 %lane, %laneid; mov.u32 %d, 0; ld.param.u64 %rd0, [out];\n" +
                     body +
                     "\nmul.wide.u32 %rd1, %lane, 4; add.u64 %rd0, %rd0, %rd1; st.global.u32 [%rd0], %d; ret; }\n"}},
          out{m.zeros<std::uint32_t>(32)} {}

    sim::launch_result launch() { return m.launch("k", {1}, {32}, arguments{out}); }
    void run() { m.run("k", {1}, {32}, arguments{out}); }

    machine m;
    device_array<std::uint32_t> out;
};

// %r0: a mask of the eight neighbours of a lane, as tile<8> of cooperative groups has it.
std::string const tile_of_8 = "and.b32 %r0, %lane, 24; shl.b32 %r0, 255, %r0;\n";
// %r0: the lanes whose number has the same rest modulo 3, as cg::labeled_partition has it.
std::string const same_rest = "rem.u32 %r1, %lane, 3; match.any.sync.b32 %r0, %r1, 0xffffffff;\n";

std::uint32_t tile_mask(unsigned lane) { return 255u << (lane & 24); }
std::uint32_t rest_mask(unsigned lane) {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < 32; ++i) mask |= std::uint32_t{i % 3 == lane % 3} << i;
    return mask;
}

} // namespace

TEST_CASE("votes are taken among the lanes that name the same members") {
    // True in lanes 9 and 16 to 23.
    std::string const says = tile_of_8 + "setp.eq.u32 %p, %lane, 9; shr.u32 %r2, %lane, 3;\n"
                                         "setp.eq.or.u32 %p, %r2, 2, %p;\n";
    struct {
        char const* vote;
        std::array<std::uint32_t, 4> expected; // by tile
    } const votes[] = {
        {"vote.sync.any.pred %q, %p, %r0; selp.u32 %d, 1, 0, %q;", {0, 1, 1, 0}},
        {"vote.sync.all.pred %q, %p, %r0; selp.u32 %d, 1, 0, %q;", {0, 0, 1, 0}},
        {"vote.sync.uni.pred %q, %p, %r0; selp.u32 %d, 1, 0, %q;", {1, 0, 1, 1}},
        {"vote.sync.ballot.b32 %d, %p, %r0;", {0, 0x200, 0xff0000, 0}},
        {"vote.sync.ballot.b32 %d, !%p, %r0;", {0xff, 0xfd00, 0, 0xff000000}},
    };
    for (auto const& one : votes) {
        CAPTURE(one.vote);
        one_warp warp{says + one.vote};
        warp.run();
        for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == one.expected[i / 8]);
    }
}

TEST_CASE("reductions, matches and elections are among the lanes that name the same members") {
    {
        one_warp warp{same_rest + "redux.sync.add.u32 %d, %lane, %r0;"};
        warp.run(); // 0 + 3 + … + 30, 1 + 4 + … + 31, 2 + 5 + … + 29
        std::uint32_t const sums[] = {165, 176, 155};
        for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == sums[i % 3]);
    }
    {
        one_warp warp{same_rest + "redux.sync.max.u32 %d, %lane, %r0;"};
        warp.run();
        std::uint32_t const largest[] = {30, 31, 29};
        for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == largest[i % 3]);
    }
    {
        one_warp warp{tile_of_8 + "and.b32 %r3, %lane, 1; match.any.sync.b32 %d, %r3, %r0;"};
        warp.run();
        for (unsigned i = 0; i < 32; ++i)
            CHECK(warp.out[i] == (tile_mask(i) & (i % 2 == 0 ? 0x55555555u : 0xaaaaaaaau)));
    }
    { // the second tile has one value, the others have several
        one_warp warp{tile_of_8 + "shr.u32 %r2, %lane, 3; setp.eq.u32 %p, %r2, 1; selp.u32 %r3, 5, %lane, %p;\n"
                                  "match.all.sync.b32 %d|%q, %r3, %r0; @%q add.u32 %d, %d, 1;"};
        warp.run();
        for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == (i / 8 == 1 ? 0xff01u : 0u));
    }
    {
        one_warp warp{same_rest + "elect.sync %d|%q, %r0; @%q add.u32 %d, %d, 100;"};
        warp.run();
        for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == i % 3 + (i < 3 ? 100 : 0));
    }
    for (unsigned i = 0; i < 32; ++i) CHECK(std::popcount(rest_mask(i)) == (i % 3 == 2 ? 10 : 11));
}

TEST_CASE("lanes of one mask may come by different ways, if each way has all that it names") {
    one_warp warp{tile_of_8 + "setp.lt.u32 %p, %lane, 16; @%p bra low;\n"
                              "redux.sync.add.u32 %d, %lane, %r0; bra.uni done;\n"
                              "low: redux.sync.min.u32 %d, %lane, %r0;\ndone:"};
    warp.run();
    std::uint32_t const expected[] = {0, 8, 16 * 8 + 28, 24 * 8 + 28};
    for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == expected[i / 8]);
}

TEST_CASE("lanes that have exited, or that a guard keeps out, are no members") {
    one_warp exited{"setp.ge.u32 %p, %lane, 20; @%p exit;\nredux.sync.add.u32 %d, 1, 0xffffffff;"};
    exited.run();
    for (unsigned i = 0; i < 32; ++i) CHECK(exited.out[i] == (i < 20 ? 20u : 0u));
    one_warp guarded{"setp.lt.u32 %p, %lane, 5; @%p redux.sync.add.u32 %d, 1, 0x1f;"};
    guarded.run();
    for (unsigned i = 0; i < 32; ++i) CHECK(guarded.out[i] == (i < 5 ? 5u : 0u));
}

// PTX leaves it undefined. These are the results of an H100 (driver 580.159.04, nvcc -arch=sm_90).
TEST_CASE("lanes that all name the same members take part, also where they are none of them") {
    struct {
        char const* body;
        std::uint32_t (*expected)(std::uint32_t lane);
    } const cases[] = {
        {"shfl.sync.up.b32 %d, %lane, 16, 0, 0xffff;", [](std::uint32_t lane) { return lane % 16; }},
        {"shfl.sync.idx.b32 %d, %lane, 31, 0x1f, 0xff;", [](std::uint32_t) { return 31u; }},
        {"setp.eq.u32 %p, 0, 0; vote.sync.ballot.b32 %d, %p, 0xff;", [](std::uint32_t) { return ~0u; }},
        {"setp.gt.u32 %p, %lane, 20; vote.sync.any.pred %q, %p, 0xff; selp.u32 %d, 1, 0, %q;",
         [](std::uint32_t) { return 1u; }},
        {"setp.lt.u32 %p, %lane, 8; vote.sync.all.pred %q, %p, 0xff; selp.u32 %d, 1, 0, %q;",
         [](std::uint32_t) { return 0u; }},
        {"redux.sync.add.u32 %d, 1, 0xff;", [](std::uint32_t) { return 32u; }},
        {"and.b32 %r1, %lane, 1; match.any.sync.b32 %d, %r1, 0xff;",
         [](std::uint32_t lane) { return lane % 2 == 0 ? 0x5555'5555u : 0xaaaa'aaaau; }},
        {"bar.warp.sync 0xff; mov.u32 %d, 7;", [](std::uint32_t) { return 7u; }},
        {"setp.lt.u32 %p, %lane, 16; @%p bra low; shfl.sync.bfly.b32 %d, %lane, 1, 0x1f, 0xff0000;\n"
         "add.u32 %d, %d, 100; bra.uni done; low: shfl.sync.bfly.b32 %d, %lane, 1, 0x1f, 0xff;\ndone:",
         [](std::uint32_t lane) { return (lane ^ 1) + (lane < 16 ? 0 : 100); }},
    };
    for (auto const& one : cases) {
        CAPTURE(one.body);
        one_warp warp{one.body};
        warp.run();
        for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == one.expected(i));
    }
}

TEST_CASE("what PTX leaves undefined about members stops the kernel") {
    struct {
        char const* body;
        launch_failure kind;
        unsigned lane;
    } const undefined[] = {
        // lanes 16 to 31 are not in their own mask, and others name other members
        {"setp.lt.u32 %p, %lane, 8; selp.u32 %r0, 0xff, 0xff00, %p; shfl.sync.down.b32 %d, %lane, 3, 0x1f, %r0;",
         launch_failure::invalid_instruction, 16},
        // lane 0 names lanes 0 and 1, lane 1 itself alone
        {"setp.lt.u32 %p, %lane, 2; setp.eq.u32 %q, %lane, 0; selp.u32 %r0, 3, 2, %q;\n"
         "@%p redux.sync.add.u32 %d, 1, %r0;",
         launch_failure::invalid_instruction, 1},
        // two ways, and both need the other's lanes, but name others
        {"setp.lt.u32 %p, %lane, 16; @%p bra low; redux.sync.add.u32 %d, 1, 0xffff8000; bra.uni end;\n"
         "low: redux.sync.add.u32 %d, 1, 0x1ffff;\nend:",
         launch_failure::divergent_barrier, 16},
    };
    for (auto const& one : undefined) {
        CAPTURE(one.body);
        one_warp warp{one.body};
        auto const done = warp.launch();
        REQUIRE(done.error);
        CHECK(done.error->kind == one.kind);
        CHECK(done.error->thread.x == one.lane);
    }
}

// CUDA's __syncwarp: all non-exited threads that the mask names.
TEST_CASE("lanes at bar.warp.sync wait until the others that it names have exited") {
    one_warp warp{"setp.lt.u32 %p, %lane, 2; mov.u32 %d, 1; @!%p bra end;\n"
                  "bar.warp.sync 0xffffffff; ld.global.u32 %d, [%rd0 + 124]; add.u32 %d, %d, 1;\nend:"};
    warp.run();
    for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == (i < 2 ? 2 : 1)); // the last lane had stored its 1
}

TEST_CASE("lanes that have exited are missed by nobody, wherever the others are") {
    one_warp warp{"setp.lt.u32 %p, %lane, 16; @!%p bra end; redux.sync.add.u32 %d, 1, 0xffffffff;\nend:"};
    warp.run();
    for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == (i < 16 ? 16u : 0u));
}

// PTX: until all that the mask names have executed the instruction with the same mask, not only the one at this place.
TEST_CASE("lanes that name the same members in two places go on when all are at one") {
    one_warp warp{"setp.lt.u32 %p, %lane, 16; @%p bra low; bar.warp.sync 0xffffffff; mov.u32 %d, 1; bra.uni end;\n"
                  "low: bar.warp.sync 0xffffffff; mov.u32 %d, 2;\nend:"};
    warp.run();
    for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == (i < 16 ? 2u : 1u));
}

// As sums of rows that share a warp: each half shuffles within itself in a loop, with a mask of the whole warp, and leaves
// the loop when its row ends. An H200 runs such a kernel to its end (HeCBench's jaccard).
TEST_CASE("halves of a warp may leave a loop with shuffles at different times") {
    for (unsigned const rounds : {0u, 1u, 2u, 5u, 9u}) {
        CAPTURE(rounds);
        one_warp warp{"setp.lt.u32 %p, %lane, 16; selp.u32 %r0, " + std::to_string(rounds) +
                      ", 3, %p;\n"
                      "mov.u32 %r1, 0; setp.eq.u32 %q, %r0, 0; @%q bra done;\n"
                      "again: shfl.sync.idx.b32 %r2, %r1, 15, 0x101f, 0xffffffff;\n"
                      "shfl.sync.bfly.b32 %r3, %lane, 1, 0x101f, 0xffffffff;\n"
                      "add.u32 %r1, %r2, %r3; add.u32 %r1, %r1, 100; sub.u32 %r0, %r0, 1;\n"
                      "setp.ne.u32 %q, %r0, 0; @%q bra again;\n"
                      "done: shfl.sync.idx.b32 %d, %r1, 15, 0x101f, 0xffffffff;"};
        warp.run();
        for (unsigned i = 0; i < 32; ++i) { // of the half's last lane: its neighbour's number and 100, in each round
            unsigned const half = i / 16;
            CHECK(warp.out[i] == (half == 0 ? rounds : 3) * (half * 16 + 14 + 100));
        }
    }
}

TEST_CASE("a shuffle keeps to its segments, whatever groups its lanes form") {
    one_warp warp{tile_of_8 + "shfl.sync.down.b32 %d, %lane, 3, 0x1807, %r0;"};
    warp.run();
    for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == (i % 8 < 5 ? i + 3 : i));
}

// Each part of the kernel ends in a return of its own, as scans of full and partial tiles do. Within each part lanes
// diverge and meet again, and then there is a barrier.
TEST_CASE("parts that end in different returns meet within themselves") {
    std::string const diverge =
        "and.b32 %r1, %lane, 1; setp.eq.u32 %q, %r1, 0; @%q bra even{}; add.u32 %d, %d, 10; "
        "bra.uni met{}; even{}: add.u32 %d, %d, 20; met{}: bar.sync 0; redux.sync.add.u32 %d, %d, "
        "0xffffffff;\n";
    auto const part = [&](std::string const& name) {
        std::string text = diverge;
        for (auto at = text.find("{}"); at != text.npos; at = text.find("{}")) text.replace(at, 2, name);
        return text;
    };
    std::string const store = "mul.wide.u32 %rd1, %lane, 4; add.u64 %rd2, %rd0, %rd1; st.global.u32 [%rd2], %d; ret;\n";
    for (char const* const side : {"0", "1"}) {
        one_warp warp{"setp.eq.u32 %p, 1, " + std::string{side} + "; @%p bra second;\n" + part("A") +
                      "add.u32 %d, %d, 1;" + store + "second:\n" + part("B") + "add.u32 %d, %d, 2;"};
        warp.run();
        for (unsigned i = 0; i < 32; ++i) CHECK(warp.out[i] == 16 * 10 + 16 * 20 + (*side == '1' ? 2u : 1u));
    }
}

// Lanes leave the loop one after the other. What comes after it has a barrier, and the loop has another way out, which
// stands further down in the text and which lane 31 takes.
TEST_CASE("lanes that leave a loop wait for the others at the barrier behind it") {
    one_warp warp{"mov.u32 %r0, 0;\n"
                  "again: setp.eq.u32 %p, %lane, 31; @%p bra early;\n"
                  "add.u32 %r0, %r0, 1; setp.lt.u32 %q, %r0, %lane; @%q bra again;\n"
                  "bar.sync 0; redux.sync.add.u32 %d, %r0, 0xffffffff;\n"
                  "mul.wide.u32 %rd1, %lane, 4; add.u64 %rd2, %rd0, %rd1; st.global.u32 [%rd2], %d; ret;\n"
                  "early: mov.u32 %d, 7;"};
    warp.run(); // lane 0 goes round once, lane n > 0 n times
    for (unsigned i = 0; i < 31; ++i) CHECK(warp.out[i] == 1 + 30 * 31 / 2);
    CHECK(warp.out[31] == 7);
}

TEST_CASE("a barrier in each of two ways is still an error") {
    one_warp warp{"setp.lt.u32 %p, %lane, 16; @%p bra low; bar.sync 0; bra.uni end; low: bar.sync 0; end:"};
    auto const done = warp.launch();
    REQUIRE(done.error);
    CHECK(done.error->kind == launch_failure::divergent_barrier);
}

} // namespace collectives_test
