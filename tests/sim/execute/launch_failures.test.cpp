// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that fail are stopped, and the error names thread, PTX line and source line.
#include <algorithm>

#include "support/kernel_fixture.hpp"

namespace launch_failures_test {

using namespace gpuprof_test;
using sim::launch_failure;

namespace {
// The line of control.cu on which `text` stands.
unsigned source_line(std::string const& text) {
    std::string const source = read_kernel_file("control.cu");
    unsigned line = 1;
    for (std::size_t at = 0, end = source.find(text); at < end; ++at) line += source[at] == '\n';
    return line;
}
// The line of control.sm_75.ptx on which that instruction of that kernel stands.
unsigned ptx_line(std::string const& kernel, std::string const& instruction) {
    std::string const text = read_kernel_file("control.sm_75.ptx");
    std::size_t const at = text.find(instruction, text.find(".entry " + kernel + "("));
    REQUIRE(at != text.npos);
    return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}
} // namespace

TEST_CASE("an access out of bounds names the thread, the lines and the address") {
    machine m{"control.sm_75.ptx"};
    auto const p = m.zeros<int>(10);
    for (int const where : {10, -1, 1 << 20}) {
        auto const done = m.launch("out_of_bounds", {2}, {32}, arguments{p, where});
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::illegal_address);
        CHECK(done.error->kernel == "out_of_bounds");
        CHECK(done.error->cta == sim::extent3{0, 0, 0});
        CHECK(done.error->thread == sim::extent3{7, 0, 0});
        CHECK(done.error->address == p.address() + static_cast<std::uint64_t>(static_cast<std::int64_t>(where) * 4));
        CHECK(done.error->source_file == "control.cu");
        CHECK(done.error->source_line == source_line("void out_of_bounds"));
        CHECK(done.error->ptx_line == ptx_line("out_of_bounds", "st.global"));
    }
    m.run("out_of_bounds", {2}, {32}, arguments{p, 9}); // the last element is one
}

TEST_CASE("a misaligned access is told from one out of bounds") {
    machine m{"control.sm_75.ptx"};
    auto const p = m.zeros<int>(10);
    auto const done = m.launch("misaligned", {1}, {32}, arguments{p});
    REQUIRE(done.error);
    CHECK(done.error->kind == launch_failure::misaligned_address);
    CHECK(done.error->thread.x == 3);
}

TEST_CASE("shared memory has an end") {
    machine m{"control.sm_75.ptx"};
    auto const out = m.zeros<int>(32);
    m.run("shared_overflow", {1}, {32}, arguments{out, 31});
    auto const done = m.launch("shared_overflow", {1}, {32}, arguments{out, 32});
    REQUIRE(done.error);
    CHECK(done.error->kind == launch_failure::illegal_address);
    CHECK(done.error->address == sim::address_map::shared_window + 128);
}

namespace {
// A kernel of blocks of several warps: `body` has the thread in %x, its number in half a warp in %half, and stores what
// is in %d to out[x].
std::string with_barriers(std::string const& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out) {\n"
           ".reg .b32 %r<10>, %x, %half, %d; .reg .b64 %rd<4>; .reg .pred %p, %q; .shared .b32 s;\n"
           "mov.u32 %x, %tid.x; and.b32 %half, %x, 16; setp.eq.u32 %p, %half, 0; mov.u32 %d, 1;\n"
           "ld.param.u64 %rd0, [out]; mul.wide.u32 %rd1, %x, 4; add.u64 %rd0, %rd0, %rd1;\n" +
           body + "\n}\n";
}
// Thread x goes through it x % 7 + 1 times, and meets the others each time.
constexpr char const* loop_of_unequal_length =
    "rem.u32 %r1, %x, 7; mov.u32 %d, 0;\n"
    "again: add.u32 %d, %d, 1; atom.shared.add.u32 %r2, [s], 1; bar.sync 0;\n"
    "sub.s32 %r1, %r1, 1; setp.ge.s32 %q, %r1, 0; @%q bra again;\n";
} // namespace

// So it is on an H100 (driver 580.159.04, nvcc -arch=sm_90), too.
TEST_CASE("a barrier does not need lanes of the warp that exit without it") {
    struct {
        std::string body;
        unsigned (*expected)(unsigned x);
    } const cases[] = {
        {std::string{loop_of_unequal_length} + "st.global.u32 [%rd0], %d; ret;", [](unsigned x) { return x % 7 + 1; }},
        {"st.global.u32 [%rd0], %x;" + std::string{loop_of_unequal_length} + "ret;", [](unsigned x) { return x; }},
        {"@!%p bra on; bar.sync 0; on: st.global.u32 [%rd0], %d; ret;", [](unsigned) { return 1u; }},
        {"@%p bra on; bar.sync 0; on: st.global.u32 [%rd0], %d; ret;", [](unsigned) { return 1u; }},
        // the others wait for these at an instruction of the warp
        {"@!%p bra on; bar.sync 0; add.u32 %d, %d, 1; on: shfl.sync.bfly.b32 %d, %d, 16, 0x1f, 0xffffffff;\n"
         "st.global.u32 [%rd0], %d; ret;",
         [](unsigned x) { return x % 32 < 16 ? 1u : 2u; }},
    };
    for (auto const& one : cases) {
        CAPTURE(one.body);
        machine m{ptx_text{with_barriers(one.body)}};
        auto const out = m.zeros<unsigned>(64);
        m.run("k", {1}, {64}, arguments{out});
        for (unsigned x = 0; x < 64; ++x) CHECK(out[x] == one.expected(x));
    }
    machine m{"control.sm_75.ptx"};
    auto const out = m.zeros<int>(64);
    m.run("divergent_barrier", {1}, {64}, arguments{out});
    for (std::size_t x = 0; x < 64; ++x) CHECK(out[x] == 1);
}

// An H100 hangs.
TEST_CASE("lanes of a warp that wait at two barriers are an error, not a hang") {
    for (std::string const& body :
         {std::string{"@!%p bra on; bar.sync 0; on: bar.sync 0; st.global.u32 [%rd0], %d; ret;"},
          std::string{loop_of_unequal_length} + "bar.sync 0; st.global.u32 [%rd0], %d; ret;"}) {
        CAPTURE(body);
        machine m{ptx_text{with_barriers(body)}};
        auto const out = m.zeros<unsigned>(64);
        auto const done = m.launch("k", {1}, {64}, arguments{out});
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::divergent_barrier);
    }
}

TEST_CASE("threads that have returned are not waited for at a barrier") {
    machine m{"control.sm_75.ptx"};
    for (int const n : {64, 50, 32, 7}) {
        auto const out = m.zeros<int>(64);
        m.run("barrier_after_return", {1}, {64}, arguments{out, n});
        for (int i = 0; i < 64; ++i) CHECK(out[static_cast<std::size_t>(i)] == (i < n ? 2 : 0));
    }
}

TEST_CASE("traps and failed assertions stop the launch") {
    machine m{"control.sm_75.ptx"};
    CHECK(!m.launch("traps", {1}, {64}, arguments{64}).error);
    auto const trapped = m.launch("traps", {1}, {64}, arguments{40});
    REQUIRE(trapped.error);
    CHECK(trapped.error->kind == launch_failure::trap);
    CHECK(trapped.error->thread.x == 40);
    CHECK(!m.launch("asserts", {1}, {32}, arguments{32}).error);
    auto const asserted = m.launch("asserts", {1}, {32}, arguments{5});
    REQUIRE(asserted.error);
    CHECK(asserted.error->kind == launch_failure::assertion);
    CHECK(asserted.error->thread.x == 5);
    CHECK(asserted.error->detail.find("static_cast<int>(threadIdx.x) < limit") != std::string::npos);
}

TEST_CASE("a kernel that never ends uses up its step budget") {
    machine m{"control.sm_75.ptx"};
    m.options.step_budget = 20000;
    auto const flag = m.zeros<int>(1);
    auto const done = m.launch("never_ends", {1}, {32}, arguments{flag});
    REQUIRE(done.error);
    CHECK(done.error->kind == launch_failure::step_budget);
    CHECK(done.warp_instructions <= 20001);
    for (char const* const cause : {"blocks that the GPU has no room for", "the host", "GPUPROF_SIM_STEPS"})
        CHECK(done.error->detail.find(cause) != std::string::npos);
}

TEST_CASE("a thread may loop for tens of millions of times") {
    constexpr std::uint64_t rounds = 40'000'000, steps_a_round = 64; // eight accesses to memory
    CHECK(sim::default_step_budget > rounds * steps_a_round);
}

TEST_CASE("the CTA that fails first in launch order is reported, whatever the number of host threads") {
    for (unsigned const threads : {1u, 3u}) {
        machine m{"control.sm_75.ptx"};
        m.options.threads = threads;
        m.options.sm_count = 4;
        auto const p = m.zeros<int>(10);
        auto const done = m.launch("out_of_bounds", {16}, {32}, arguments{p, 10});
        REQUIRE(done.error);
        CHECK(done.error->cta.x == 0);
    }
}

TEST_CASE("launches that do not fit are refused before anything runs") {
    machine m{"control.sm_75.ptx"};
    auto const out = m.zeros<int>(64);
    auto const check = [&](sim::launch_result const& done) {
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::invalid_configuration);
        CHECK(done.warp_instructions == 0);
        CHECK(m.counted[sim::raw_counter::ctas_launched] == 0);
        CHECK(m.counted[sim::raw_counter::inst_executed] == 0);
    };
    check(m.launch("recursion", {0}, {32}, arguments{out}));
    check(m.launch("recursion", {1}, {1025}, arguments{out}));
    check(m.launch("recursion", {1}, {32}, arguments{}));
    check(m.launch("recursion", {1}, {32}, arguments{out}, 1 << 20));
}

} // namespace launch_failures_test
