// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on several host threads: memory, counters, text and faults are those of one thread, bit by bit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"

#include "hardware/functional_suite.hpp"
#include "support/kernel_fixture.hpp"
#include "support/sanitized.hpp"

namespace launch_run_test {

using namespace gpuprof_test;
using sim::launch_failure;

namespace {

struct outcome {
    std::vector<std::byte> memory; // all arrays
    sim::counter_values counted;
    std::uint64_t steps = 0;
};

// With caches that hold nothing, and other threads from the first warp on.
outcome run(functional_launch const& what, unsigned threads) {
    sim::device_memory memory;
    auto const program = sim::program::load(read_kernel_file(what.file), memory);
    REQUIRE(program);
    sim::kernel const* const code = program->find_kernel(what.name);
    REQUIRE(code != nullptr);
    std::vector<std::byte> parameters;
    std::vector<std::pair<std::uint64_t, std::size_t>> arrays;
    for (launch_argument const& each : what.arguments()) {
        auto bytes = each.bytes;
        if (each.is_array) {
            std::uint64_t const address = memory.allocate(bytes.size()).value();
            std::memcpy(memory.translate(address, bytes.size()), bytes.data(), bytes.size());
            arrays.emplace_back(address, bytes.size());
            bytes.resize(sizeof address);
            std::memcpy(bytes.data(), &address, sizeof address);
        }
        parameters.resize((parameters.size() + each.alignment - 1) / each.alignment * each.alignment);
        parameters.insert(parameters.end(), bytes.begin(), bytes.end());
    }
    sim::launch_config const config{{what.grid.x, what.grid.y, what.grid.z},
                                    {what.block.x, what.block.y, what.block.z},
                                    what.shared,
                                    parameters,
                                    false};
    sim::execution_options options;
    options.threads = threads;
    options.alone_steps = 0;
    options.sm_count = static_cast<unsigned>(sim::gh100.count(sim::hardware_unit::sm));
    sim::l2_cache l2{sim::gh100};
    sim::launch_counters counters{sim::gh100, *code, config, 8, l2};
    counters.use_threads(threads);
    auto const done = sim::execute(*code, config, memory, counters, options);
    INFO(what.name, ": ", (done.error ? done.error->message() : std::string{}));
    REQUIRE(!done.error);
    outcome result{{}, counters.finish(), done.warp_instructions};
    for (auto const& [address, size] : arrays) {
        std::byte const* const at = memory.translate(address, size);
        result.memory.insert(result.memory.end(), at, at + size);
    }
    return result;
}

std::string const head = ".version 7.0\n.target sm_70\n.address_size 64\n";

// What a kernel without counters' interest comes to: memory as words, counters, text, error.
struct small_run {
    std::vector<std::uint32_t> words;
    sim::counter_values counted;
    std::string printed;
    std::string error;
};
small_run run_text(ptx_text const& text, char const* name, unsigned threads, unsigned ctas, unsigned block,
                   std::size_t words, bool cooperative = false, std::uint64_t budget = sim::default_step_budget) {
    machine m{text};
    small_run result;
    m.options.threads = threads;
    m.options.alone_steps = 0;
    m.options.sm_count = 4;
    m.options.step_budget = budget;
    m.options.print = [&](std::string_view printed) { result.printed += printed; };
    m.cooperative = cooperative;
    auto const array = m.zeros<std::uint32_t>(words);
    auto const done = m.launch(name, {ctas}, {block}, arguments{array});
    if (done.error) result.error = done.error->message();
    result.words = array.values();
    result.counted = m.counted;
    return result;
}
void check_same(small_run const& a, small_run const& b) {
    CHECK(a.words == b.words);
    CHECK(a.counted == b.counted);
    CHECK(a.printed == b.printed);
    CHECK(a.error == b.error);
}

// Each CTA takes a number and does what needs `work` steps before; CTAs with an even number have much more to do, so that
// the others are there first. Then `body`, in which thread 0 of a CTA is alone; %r1 is the CTA, %rd1 the array.
std::string uneven(char const* name, std::string const& body) {
    return head + ".visible .entry " + name +
           "(.param .u64 to) {\n"
           ".reg .u32 %r<20>; .reg .u64 %rd<9>; .reg .pred %p<5>; .reg .f32 %f<9>;\n"
           " ld.param.u64 %rd1, [to];\n mov.u32 %r1, %ctaid.x;\n mov.u32 %r2, %tid.x;\n"
           " setp.ne.u32 %p1, %r2, 0;\n @%p1 bra out;\n"
           " and.b32 %r3, %r1, 1;\n setp.eq.u32 %p2, %r3, 1;\n mov.u32 %r4, 3000;\n @%p2 mov.u32 %r4, 1;\n"
           "work:\n sub.u32 %r4, %r4, 1;\n setp.ne.u32 %p3, %r4, 0;\n @%p3 bra work;\n" +
           body + "out:\n ret;\n}\n";
}

} // namespace

TEST_CASE("memory and counters of the conformance suite's kernels are the same on 1, 2, 3 and 8 host threads") {
    // The first four of the suite take long; under a sanitizer, which finds in small grids what there is in large ones, others
    // as well.
    constexpr std::size_t most_ctas = sanitized ? 100 : 10000;
    std::size_t kernels = 0;
    std::size_t bytes = 0;
    for (functional_launch const& each : functional_launches()) {
        if (each.grid.size() > most_ctas || std::string_view{each.name} == "daxpy") continue;
        outcome const alone = run(each, 1);
        for (unsigned const threads : {2u, 3u, 8u}) {
            if (sanitized && threads != 3) continue;
            outcome const together = run(each, threads);
            INFO(each.name, " on ", threads, " threads");
            CHECK(together.counted == alone.counted);
            CHECK(together.memory == alone.memory);
            CHECK(together.steps == alone.steps);
        }
        ++kernels;
        bytes += alone.memory.size();
    }
    MESSAGE(kernels, " kernels, ", bytes, " bytes, ", sim::counter_values{}.values.size(), " counters");
    CHECK(kernels >= (sanitized ? 10 : 50));
    if (!sanitized) CHECK(bytes >= 30'000'000);
}

TEST_CASE("CTAs take numbers in the order of one thread") {
    auto const text = uneven("tickets", " atom.global.add.u32 %r5, [%rd1], 1;\n mul.wide.u32 %rd2, %r1, 4;\n"
                                        " add.u64 %rd3, %rd1, %rd2;\n st.global.u32 [%rd3+4], %r5;\n");
    auto const alone = run_text({text}, "tickets", 1, 40, 32, 41);
    for (std::uint32_t i = 0; i < 40; ++i) REQUIRE(alone.words[i + 1] == i);
    for (unsigned const threads : {2u, 3u, 8u}) check_same(run_text({text}, "tickets", threads, 40, 32, 41), alone);
}

TEST_CASE("float sums are rounded in the order of one thread") {
    // 3 + CTA / 7 is rounded, and so is each sum
    auto const text = uneven("sums", " cvt.rn.f32.u32 %f1, %r1;\n mov.f32 %f2, 0f3E124925;\n"
                                     " fma.rn.f32 %f3, %f1, %f2, 0f40400000;\n red.global.add.f32 [%rd1], %f3;\n");
    auto const alone = run_text({text}, "sums", 1, 101, 32, 1);
    float sum = 0;
    for (int i = 0; i < 101; ++i)
        sum += static_cast<float>(double{static_cast<float>(i)} * double{0x1.24924ap-3f} + 3.0);
    float given = 0;
    std::memcpy(&given, alone.words.data(), sizeof given);
    CHECK(given == doctest::Approx(sum));
    for (unsigned const threads : {2u, 3u, 8u}) check_same(run_text({text}, "sums", threads, 101, 32, 1), alone);
}

TEST_CASE("what a CTA sees of cells that it adds to does not depend on the number of threads") {
    // The sum of doubles is rounded each time: CTA / 7 has more bits than there are.
    std::string const sum = " cvt.rn.f64.u32 %d1, %r1;\n div.rn.f64 %d1, %d1, 0d401C000000000000;\n"
                            " mul.wide.u32 %rd2, %r1, 8;\n add.u64 %rd3, %rd1, %rd2;\n"
                            " red.global.add.f64 [%rd1], %d1;\n";
    std::pair<char const*, std::string> const bodies[]{
        {"goes on elsewhere",
         " st.global.f64 [%rd3+64], %d1;\n ld.global.f64 %d2, [%rd3+64];\n add.f64 %d2, %d2, %d1;\n"
         " st.global.f64 [%rd3+64], %d2;\n"},
        {"reads the cell", " ld.global.f64 %d2, [%rd1];\n st.global.f64 [%rd3+64], %d2;\n"},
        {"reads part of the cell by a generic address",
         " cvta.global.u64 %rd4, %rd1;\n ld.u32 %r5, [%rd4+4];\n st.global.u32 [%rd3+64], %r5;\n"},
        {"overwrites the cell", " st.global.f64 [%rd1], %d1;\n"},
        {"has integers in the same cell", " red.global.max.u64 [%rd1], 4611686018427387904;\n"},
        {"uses the result of another sum",
         " atom.global.add.f64 %d2, [%rd1+8], %d1;\n st.global.f64 [%rd3+64], %d2;\n"}};
    std::size_t different = 0;
    std::vector<std::uint32_t> last;
    for (auto const& each : bodies) {
        INFO(each.first);
        ptx_text const text{uneven("sums", " .reg .f64 %d<3>;\n" + sum + each.second)};
        auto const alone = run_text(text, "sums", 1, 101, 32, 256);
        REQUIRE(alone.error == "");
        for (unsigned const threads : {2u, 3u, 8u}) {
            if (sanitized && threads != 3) continue;
            check_same(run_text(text, "sums", threads, 101, 32, 256), alone);
        }
        different += alone.words != last;
        last = alone.words;
    }
    CHECK(different == std::size(bodies));
}

TEST_CASE("a CTA whose floating-point sums nobody sees goes on before they are added") {
    // CTA 0 looks for what CTA 1 stores after its sum, as long as a CTA that waited would need it to end
    auto const text = head + ".visible .entry sums(.param .u64 to) {\n"
                             ".reg .u32 %r<9>; .reg .u64 %rd<3>; .reg .pred %p<4>;\n"
                             " ld.param.u64 %rd1, [to];\n mov.u32 %r1, %ctaid.x;\n mov.u32 %r4, 20000000;\n"
                             " setp.eq.u32 %p1, %r1, 0;\n @%p1 bra look;\n"
                             " red.global.add.f64 [%rd1], 0d3FF8000000000000;\n st.global.u32 [%rd1+16], 1;\n ret;\n"
                             "look:\n ld.global.u32 %r5, [%rd1+16];\n sub.u32 %r4, %r4, 1;\n"
                             " setp.eq.u32 %p2, %r5, 0;\n setp.ne.and.u32 %p3, %r4, 0, %p2;\n @%p3 bra look;\n"
                             " st.global.u32 [%rd1+20], %r5;\n ret;\n}\n";
    auto const together = run_text({text}, "sums", 2, 2, 1, 6);
    CHECK(together.error == "");
    CHECK(together.words == std::vector<std::uint32_t>{0, 0x3ff80000, 0, 0, 1, 1});
}

TEST_CASE("a CTA that takes its number last lets the next one take one before it ends") {
    // CTA 0 looks for what CTA 1 stores after that, as long as a CTA that waited for its end would need it to end
    auto const text = head + ".visible .entry numbers(.param .u64 to) {\n"
                             ".reg .u32 %r<9>; .reg .u64 %rd<3>; .reg .pred %p<4>;\n"
                             " ld.param.u64 %rd1, [to];\n mov.u32 %r1, %ctaid.x;\n mov.u32 %r4, 20000000;\n"
                             " atom.global.add.u32 %r3, [%rd1], 1;\n"
                             " setp.eq.u32 %p1, %r1, 0;\n @%p1 bra look;\n"
                             " st.global.u32 [%rd1+12], %r3;\n st.global.u32 [%rd1+4], 1;\n ret;\n"
                             "look:\n ld.global.u32 %r5, [%rd1+4];\n sub.u32 %r4, %r4, 1;\n"
                             " setp.eq.u32 %p2, %r5, 0;\n setp.ne.and.u32 %p3, %r4, 0, %p2;\n @%p3 bra look;\n"
                             " st.global.u32 [%rd1+8], %r5;\n ret;\n}\n";
    auto const together = run_text({text}, "numbers", 2, 2, 1, 4);
    CHECK(together.error == "");
    CHECK(together.words == std::vector<std::uint32_t>{2, 1, 1, 1});
}

TEST_CASE("a CTA that waits for the one before it finds it there") {
    // as a scan in one pass does: flag i is set after flag i - 1 was seen
    auto const text =
        uneven("chain", " mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, %rd2;\n setp.eq.u32 %p4, %r1, 0;\n"
                        " mov.u32 %r6, 1;\n @%p4 bra tell;\nagain:\n ld.acquire.gpu.global.u32 %r5, [%rd3+-4];\n"
                        " setp.eq.u32 %p4, %r5, 0;\n @%p4 bra again;\n add.u32 %r6, %r5, 1;\n"
                        "tell:\n st.release.gpu.global.u32 [%rd3], %r6;\n");
    auto const alone = run_text({text}, "chain", 1, 50, 32, 50);
    for (std::uint32_t i = 0; i < 50; ++i) REQUIRE(alone.words[i] == i + 1);
    for (unsigned const threads : {2u, 3u, 8u}) check_same(run_text({text}, "chain", threads, 50, 32, 50), alone);
}

TEST_CASE("a CTA that waits for a later one goes on when that has written, on any number of threads") {
    auto const text =
        uneven("waits", "again:\n ld.volatile.global.u32 %r5, [%rd1];\n setp.eq.u32 %p4, %r5, 0;\n"
                        " setp.eq.and.u32 %p4, %r1, 5, %p4;\n @%p4 bra again;\n"
                        " setp.eq.u32 %p4, %r1, 6;\n mov.u32 %r6, 1;\n @%p4 st.volatile.global.u32 [%rd1], %r6;\n"
                        " mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, %rd2;\n"
                        " ld.volatile.global.u32 %r5, [%rd1];\n st.global.u32 [%rd3+4], %r5;\n");
    auto const alone = run_text({text}, "waits", 1, 12, 32, 13, false, 50000);
    CHECK(alone.error.empty());
    for (std::uint32_t i = 0; i < 12; ++i) CHECK(alone.words[i + 1] == (i == 5 || i >= 6 ? 1 : 0));
    for (unsigned const threads : {2u, 3u, 8u})
        check_same(run_text({text}, "waits", threads, 12, 32, 13, false, 50000), alone);
}

TEST_CASE("CTAs that wait for what none writes are stopped, the same one is named on any number of threads") {
    auto const text = uneven("waits", "again:\n ld.volatile.global.u32 %r5, [%rd1];\n setp.eq.u32 %p4, %r5, 0;\n"
                                      " setp.ge.and.u32 %p4, %r1, 5, %p4;\n @%p4 bra again;\n");
    auto const alone = run_text({text}, "waits", 1, 12, 32, 1, false, 50000);
    CHECK(alone.error.find("CTA (5, 0, 0)") != std::string::npos);
    CHECK(alone.error.find("no warp ended within 50000 steps") != std::string::npos);
    for (unsigned const threads : {2u, 3u, 8u})
        CHECK(run_text({text}, "waits", threads, 12, 32, 1, false, 50000).error == alone.error);
}

TEST_CASE("a CTA that never ends is the one reported, although others do not end either") {
    auto const text = uneven("endless", "again:\n add.u32 %r5, %r5, 1;\n setp.gt.u32 %p4, %r1, 2;\n @%p4 bra again;\n");
    auto const alone = run_text({text}, "endless", 1, 12, 32, 1, false, 20000);
    CHECK(alone.error.find("CTA (3, 0, 0)") != std::string::npos);
    for (unsigned const threads : {2u, 3u, 8u})
        CHECK(run_text({text}, "endless", threads, 12, 32, 1, false, 20000).error == alone.error);
}

// 3000 rounds of three instructions are less than the budget of 12000 steps, those of two CTAs are more.
TEST_CASE("the steps of one CTA are not counted against another") {
    auto const text = uneven("long", " st.global.u32 [%rd1], %r4;\n");
    for (unsigned const threads : {1u, 2u, 3u, 8u})
        CHECK(run_text({text}, "long", threads, 30, 32, 1, false, 12000).error.empty());
}

TEST_CASE("the CTA that fails first in launch order is reported, although a later one fails before it") {
    auto const text = uneven("fails", " setp.lt.u32 %p4, %r1, 7;\n @%p4 bra out;\n mov.u64 %rd4, 64;\n"
                                      " st.global.u32 [%rd4], %r1;\n");
    auto const alone = run_text({text}, "fails", 1, 30, 32, 1);
    CHECK(alone.error.find("CTA (7, 0, 0)") != std::string::npos);
    for (unsigned const threads : {2u, 3u, 8u})
        CHECK(run_text({text}, "fails", threads, 30, 32, 1).error == alone.error);
}

TEST_CASE("text is printed in the order of one thread") {
    std::string one;
    for (unsigned const threads : {1u, 2u, 3u, 8u}) {
        machine m{"control.sm_75.ptx"};
        std::string printed;
        m.options.threads = threads;
        m.options.alone_steps = 0;
        m.options.sm_count = 5;
        m.options.print = [&](std::string_view text) { printed += text; };
        m.run("print_lines", {20}, {64}, arguments{40});
        if (threads == 1) one = printed;
        CHECK(std::count(printed.begin(), printed.end(), '\n') == 20 * 40);
        CHECK(printed == one);
    }
}

TEST_CASE("CTAs of a cooperative launch that wait for each other count the same on any number of threads") {
    counted_launch alone;
    for (unsigned const threads : {1u, 2u, 3u, 8u}) {
        machine m{"control.sm_75.ptx"};
        m.cooperative = true;
        m.options.threads = threads;
        m.options.alone_steps = 0;
        m.options.sm_count = 4;
        auto const flags = m.zeros<int>(11);
        auto const out = m.zeros<int>(11 * 64);
        m.run("cooperative_flags", {11}, {64}, arguments{flags, out});
        for (std::size_t i = 0; i < 11 * 64; ++i) REQUIRE(out[i] == static_cast<int>(i / 64));
        if (threads == 1) alone.counted = m.counted;
        CHECK(m.counted == alone.counted);
    }
}

TEST_CASE("a cooperative launch that does not end names the same CTA on any number of threads") {
    auto const text = uneven("never", "again:\n ld.volatile.global.u32 %r5, [%rd1];\n setp.eq.u32 %p4, %r5, 0;\n"
                                      " setp.gt.and.u32 %p4, %r1, 1, %p4;\n @%p4 bra again;\n");
    for (unsigned const threads : {1u, 2u, 3u, 8u}) {
        if (sanitized && threads != 3) continue;
        auto const error = run_text({text}, "never", threads, 12, 32, 1, true, 300000).error;
        CHECK(error.find("CTA (2, 0, 0)") != std::string::npos);
        CHECK(error.find("no warp ended within 300000 steps") != std::string::npos);
    }
}

} // namespace launch_run_test
