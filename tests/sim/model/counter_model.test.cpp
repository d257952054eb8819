// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch on the embedded GPU counts: instructions by arithmetic, the same numbers however it is run.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"
#include "sim/decode/program.hpp"
#include "sim/model/time_model.hpp"

namespace counter_model_test {

using namespace gpuprof::sim;
using enum raw_counter;

namespace {

// A module on a GPU of its own, and two arrays of 4 MiB.
class gpu {
public:
    explicit gpu(std::string const& ptx, chip_model const& chip = gh100)
        : chip_{chip},
          l2_{chip},
          program_{program::load(ptx, memory_).value()},
          in_{memory_.allocate(bytes).value()},
          out_{memory_.allocate(bytes).value()} {}

    counter_values launch(char const* name, extent3 grid, extent3 block, std::uint32_t number = 0, unsigned threads = 1,
                          unsigned ctas_per_sm = 8) {
        kernel const* const code = program_.find_kernel(name);
        REQUIRE(code != nullptr);
        struct {
            std::uint64_t in, out;
            std::uint32_t number;
        } const parameters{in_, out_, number};
        std::array<std::byte, sizeof parameters> bytes;
        std::memcpy(bytes.data(), &parameters, sizeof parameters);
        launch_config const config{grid, block, 0, bytes, false};
        execution_options options;
        options.threads = threads;
        options.sm_count = static_cast<unsigned>(chip_.count(hardware_unit::sm));
        launch_counters counters{chip_, *code, config, ctas_per_sm, l2_};
        auto const done = execute(*code, config, memory_, counters, options);
        INFO((done.error ? done.error->message() : std::string{}));
        REQUIRE(!done.error);
        return counters.finish();
    }

private:
    static constexpr std::size_t bytes = std::size_t{4} << 20;
    chip_model const& chip_;
    device_memory memory_;
    l2_cache l2_;
    program program_;
    std::uint64_t in_;
    std::uint64_t out_;
};

std::string kernel_text(char const* name, std::string const& body) {
    return std::string{"\n.visible .entry "} + name + "(.param .u64 in, .param .u64 out, .param .u32 number) {\n" +
           body + "}\n";
}
std::string const head = ".version 7.0\n.target sm_70\n.address_size 64\n";

// The example's own text: what is compared is what it launches.
std::string hot_loop() {
    std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/../examples/hot_loop.cpp"};
    std::string const text{std::istreambuf_iterator<char>{file}, {}};
    std::size_t const begin = text.find("R\"("), end = text.find(")\"", begin);
    REQUIRE(begin != text.npos);
    return text.substr(begin + 3, end - begin - 3);
}

} // namespace

TEST_CASE("the example's kernels count what they counted on an H200") {
    gpu machine{hot_loop()};
    constexpr std::uint32_t n = 1u << 20;
    auto const saxpy = machine.launch("saxpy", {n / 256}, {256}, 0x40000000);
    CHECK(saxpy[ctas_launched] == 4096);
    CHECK(saxpy[warps_launched] == 32'768);
    CHECK(saxpy[threads_launched] == n);
    CHECK(saxpy[inst_executed] == 524'288);
    CHECK(saxpy[thread_inst_executed] == 16 * n);
    CHECK(saxpy[thread_ffma] == n);
    CHECK(saxpy[l1_requests_global_ld] == 65'536);
    CHECK(saxpy[l1_sectors_global_ld] == 262'144);
    CHECK(saxpy[l1_hits_global_st] == 131'072); // y was loaded just before
    auto const gather = machine.launch("gather", {n / 256}, {256}, n - 1);
    CHECK(gather[inst_executed] == 524'288);
    CHECK(gather[l1_requests_global_ld] == 32'768);
    CHECK(gather[l1_sectors_global_ld] == 1'048'576);
}

TEST_CASE("counts do not depend on the number of host threads") {
    counter_values before;
    for (unsigned const threads : {1u, 2u, 5u}) {
        gpu machine{hot_loop()};
        machine.launch("saxpy", {1000}, {256}, 0x40000000, threads);
        auto const c = machine.launch("gather", {1000}, {224}, (1u << 20) - 1, threads);
        if (threads != 1) CHECK(c == before);
        before = c;
    }
}

TEST_CASE("a warp of few threads counts its threads, a guard those it lets through") {
    gpu machine{head + kernel_text("few",
                                   ".reg .u32 %r<3>; .reg .pred %p;\n mov.u32 %r1, %tid.x;\n setp.lt.u32 %p, %r1, 5;\n"
                                   " @%p add.u32 %r2, %r1, 1;\n ret;\n")};
    auto const c = machine.launch("few", {3}, {40});
    CHECK(c[warps_launched] == 3 * 2);
    CHECK(c[threads_launched] == 3 * 40);
    CHECK(c[thread_inst_executed] * 6 == c[inst_executed] * 120); // every warp instruction by all threads of its warp
    CHECK(c[thread_inst_executed] - c[thread_inst_executed_pred_on] == 3 * 35);
    CHECK(c[inst_branch] == 6); // the ends
    CHECK(c[branch_targets] == 0);
}

TEST_CASE("branches that part a warp are told from those that do not") {
    gpu machine{head +
                kernel_text("loop",
                            ".reg .u32 %r<4>; .reg .pred %p;\n mov.u32 %r1, %laneid;\n mov.u32 %r2, 0;\n"
                            "again:\n add.u32 %r2, %r2, 1;\n setp.le.u32 %p, %r2, %r1;\n @%p bra again;\n ret;\n")};
    auto const c = machine.launch("loop", {1}, {32});
    CHECK(c[branch_targets] == 32); // lane 31 goes replay pass 32 times, as uneven_loops does on an H200
    CHECK(c[branch_targets_divergent] == 31);
    CHECK(c[branch_targets_uniform] == 1);
    CHECK(c[inst_branch] == 32 + 1);
}

TEST_CASE("memory instructions are told apart by space, operation and width") {
    gpu machine{
        head +
        kernel_text("mixed",
                    ".shared .align 16 .b8 tile[512];\n .local .align 4 .b8 mine[16];\n .reg .u32 %r<8>; .reg .u64 "
                    "%d<4>; .reg .f32 %f<5>;\n"
                    " ld.param.u64 %d1, [in];\n ld.param.u64 %d2, [out];\n"
                    " ld.global.u32 %r1, [%d1];\n ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1];\n ld.u32 %r2, [%d1];\n"
                    " st.global.u32 [%d2], %r1;\n st.global.u8 [%d2+4], %r1;\n"
                    " atom.global.add.u32 %r3, [%d2+8], %r1;\n st.global.u32 [%d2+12], %r3;\n"
                    " atom.global.add.u32 %r4, [%d2+16], %r1;\n red.global.add.u32 [%d2+20], %r1;\n"
                    " st.shared.u32 [tile], %r1;\n ld.shared.u32 %r5, [tile+4];\n atom.shared.add.u32 %r6, [tile], 1;\n"
                    " st.local.u32 [mine], %r1;\n ld.local.u32 %r7, [mine];\n ret;\n")};
    auto const c = machine.launch("mixed", {1}, {32});
    CHECK(c[inst_global_ld] == 2);
    CHECK(c[inst_generic_ld] == 1);
    CHECK(c[inst_global_st] == 3);
    CHECK(c[inst_global_atom] == 1);
    CHECK(c[inst_global_red] == 2); // red, and an atom that nobody reads
    CHECK(c[inst_shared_ld] == 1);
    CHECK(c[inst_shared_st] == 1);
    CHECK(c[inst_shared_atom] == 1);
    CHECK(c[inst_local_ld] == 1);
    CHECK(c[inst_local_st] == 1);
    CHECK(c[inst_memory_128b] == 1);
    CHECK(c[inst_memory_8b] == 1);
    CHECK(c[l1_requests_global_ld] == 3); // a generic one, too
    CHECK(c[l1_requests_global_atom] == 1);
    CHECK(c[l1_requests_global_red] == 2);
    CHECK(c[l1_sectors_global_red] == 2); // all lanes at one address: added up first
    CHECK(c[l1_sectors_local_st] == 4);
    CHECK(c[l1_hits_local_ld] == 4);
    CHECK(c[shared_wavefronts_ld] == 1);
    CHECK(c[shared_wavefronts_st] == 1);
    CHECK(c[shared_wavefronts_atom] == 1); // lanes are counted together
    CHECK(c[bytes_shared_st] == 128);
    CHECK(c[bytes_global_ld] == 32 * (4 + 16 + 4));
}

TEST_CASE("resident CTAs have local memory of their own, those after them take it over") {
    std::string const body = ".local .align 4 .b8 mine[64];\n .reg .u32 %r<3>;\n mov.u32 %r1, 7;\n ld.local.u32 %r2, "
                             "[mine];\n st.local.u32 [mine], %r1;\n ret;\n";
    gpu machine{head + kernel_text("touch", body)};
    // 4 CTAs for each SM, of which two are resident: the first two bring their lines, the others find them.
    auto const c = machine.launch("touch", {132 * 4}, {32}, 0, 1, 2);
    CHECK(c[l1_sectors_local_ld] == 132 * 4 * 4);
    CHECK(c[l1_hits_local_ld] == 132 * 2 * 4);
}

TEST_CASE("L1 forgets between launches, L2 does not") {
    gpu machine{hot_loop()};
    auto const first = machine.launch("saxpy", {1024}, {256}, 0x40000000);
    auto const second = machine.launch("saxpy", {1024}, {256}, 0x40000000);
    // Its data, what every launch reads, and at most 64 instructions of 16 bytes.
    constexpr std::uint64_t data = 2 * 1024 * 256 * 4, launch = gh100.launch_bytes;
    CHECK(first[dram_bytes_read] > data + launch);
    CHECK(first[dram_bytes_read] <= data + launch + 64 * 16);
    CHECK(second[dram_bytes_read] == 0);
    CHECK(second[l1_hits_global_ld] == first[l1_hits_global_ld]);
    CHECK(second[gpu_time_ns] < first[gpu_time_ns]);
}

TEST_CASE("SASS instructions: what ptxas folds away is not counted") {
    auto const instructions = [](std::string const& body, chip_model const& chip = gh100) {
        gpu machine{head + kernel_text("k", body), chip};
        return machine.launch("k", {1}, {32})[inst_executed];
    };
    auto const registers = std::string{".reg .u32 %r<9>; .reg .u64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<4>;\n"};
    auto const empty = instructions(registers + "ret;\n");
    CHECK(empty == 2); // as on an H200: the stack, and the end
    auto const more = [&](std::string const& body) { return instructions(registers + body + "ret;\n") - empty; };
    CHECK(more("mov.u32 %r1, %tid.x;\n") == 1);
    CHECK(more("mov.u32 %r1, %r2;\n") == 0);
    CHECK(more("cvta.to.global.u64 %d1, %d2;\n") == 0);
    CHECK(more("mul.wide.u32 %d1, %r1, 4;\n add.u64 %d2, %d3, %d1;\n") == 1); // IMAD.WIDE
    CHECK(more("mul.wide.u32 %d1, %r1, 4;\n add.u64 %d2, %d3, %d1;\n add.u64 %d4, %d5, %d1;\n") == 2);
    CHECK(more("mul.wide.u32 %d1, %r1, 4;\n and.b64 %d2, %d3, %d1;\n") == 1 + 2);
    CHECK(more("add.u64 %d2, %d3, %d1;\n") == 2);                                                  // two halves
    CHECK(more("shl.b32 %r1, %r2, 2;\n add.u32 %r3, %r1, %r4;\n") == 1);                           // LEA
    CHECK(more("add.u32 %r1, %r2, %r5;\n add.u32 %r3, %r1, %r4;\n") == 1);                         // IADD3
    CHECK(more("and.b32 %r1, %r2, %r5;\n xor.b32 %r3, %r1, %r4;\n") == 1);                         // LOP3
    CHECK(more("and.b32 %r1, %r2, %r5;\n xor.b32 %r3, %r1, %r4;\n or.b32 %r6, %r1, %r4;\n") == 3); // read twice
    CHECK(more("add.f32 %f1, %f2, %f3;\n fma.rn.f32 %f4, %f1, %f2, %f3;\n") == 2);
    CHECK(more("ld.param.u32 %r1, [number];\n add.u32 %r2, %r1, %r3;\n") == 2);
    CHECK(more("ld.param.u32 %r1, [number];\n") == 0);                                   // nobody reads it
    CHECK(instructions(registers + "ld.param.u32 %r1, [number];\n ret;\n", gv100) == 2); // an operand there
}

TEST_CASE("time grows with work, has a floor, and its parts add up") {
    auto const fill = [](auto change) {
        counter_values c;
        c[inst_executed] = c[inst_issued] = 1'000'000;
        c[warps_launched] = 8192;
        change(c);
        launch_shape shape;
        shape.ctas = 1024;
        shape.warps_per_cta = 8;
        shape.ctas_per_sm = 8;
        shape.schedule.busiest_share = 8.0 / 1024;
        time_model{gh100, shape}.fill(c);
        return c;
    };
    auto const plain = fill([](counter_values&) {});
    auto const more = fill([](counter_values& c) { c[inst_issued] *= 10; });
    auto const dram = fill([](counter_values& c) {
        c[dram_bytes_read] = std::uint64_t{1} << 30;
        c[waits_far] = c[warps_launched]; // for loads of which L1 has nothing
        for (raw_counter const which :
             {l1_requests_global_ld, l1_requests_missed, l1_tags_global_ld, l1_sectors_global_ld})
            c[which] = c[warps_launched];
    });
    auto const conflicts = fill([](counter_values& c) { c[shared_wavefronts_ld] = 100'000'000; });
    CHECK(plain[gpu_time_ns] > 1500);
    CHECK(more[gpu_time_ns] > plain[gpu_time_ns]);
    CHECK(dram[gpu_time_ns] > 1'000'000'000ull * (1u << 30) / 4'900'000'000'000); // 4.9 TB/s at most
    CHECK(dram[gpu_time_ns] < 2'000'000'000ull * (1u << 30) / 4'900'000'000'000);
    CHECK(conflicts[sm_cycles_elapsed] > 100'000'000 / 132); // a wavefront a cycle
    for (auto const& c : {plain, more, dram, conflicts}) {
        CHECK(c[sm_cycles_active] <= c[sm_cycles_elapsed] * 132);
        CHECK(c[warps_active] <= c[sm_cycles_active] * 64);
        CHECK(c[issue_active] <= c[inst_issued]);
        std::uint64_t waited = 0;
        for (auto which = static_cast<std::size_t>(stalled_barrier); which < raw_counters; ++which)
            waited += c.values[which];
        CHECK(waited == doctest::Approx(static_cast<double>(c[warps_active])).epsilon(1e-3));
    }
    CHECK(dram[stalled_long_scoreboard] > dram[warps_active] / 2);
}

// An empty kernel on an H200 (driver 580.159.04): 1.54 us of one CTA, 2.3 of 1,056, 6.6 of 8,448, 21.9 of 33,792; one of 26
// instructions up to 0.1 us more.
TEST_CASE("an empty kernel takes as long as its CTAs need to begin") {
    auto const launched = [](std::uint64_t ctas, std::uint64_t instructions_a_warp) {
        counter_values c;
        c[warps_launched] = ctas;
        c[inst_executed] = c[inst_issued] = ctas * instructions_a_warp;
        c[dependent_cycles] = 4 * c[inst_issued]; // each needs the one before
        launch_shape shape;
        shape.ctas = ctas;
        shape.ctas_per_sm = 32;
        shape.schedule.busiest_share = ctas < 132 ? 1 : 1.0 / 132;
        shape.schedule.span = shape.schedule.active = std::ceil(static_cast<double>(ctas) / (132 * 32));
        time_model const model{gh100, shape};
        time_estimate const time = model.estimate(c);
        model.fill(c);
        CHECK(static_cast<double>(c[gpu_time_ns]) == doctest::Approx(time.likely * 1e9).epsilon(1e-3));
        CHECK(time.low < time.likely);
        CHECK(time.likely < time.high);
        CHECK(c[warps_active] <= c[sm_cycles_active] * 64);
        return std::pair{time, c};
    };
    auto const ns = [&](std::uint64_t ctas) { return launched(ctas, 2).first.likely * 1e9; };
    CHECK(ns(1) == doctest::Approx(1540).epsilon(0.01));
    CHECK(ns(1056) == doctest::Approx(2300).epsilon(0.1));
    CHECK(ns(8448) == doctest::Approx(6600).epsilon(0.05));
    CHECK(ns(33'792) == doctest::Approx(21'900).epsilon(0.05));
    double const more = launched(1, 20).first.likely - launched(1, 2).first.likely;
    CHECK(more > 0);
    CHECK(more < 0.15e-6);
    CHECK(launched(1, 2).first.bound == time_bound::launch);
    auto const [time, counted] = launched(33'792, 2);
    CHECK(time.bound == time_bound::dispatch);
    CHECK(counted[warps_active] < counted[sm_cycles_active] * 32 / 2); // the SMs wait for CTAs
    CHECK(launched(132, 1'000'000).first.bound == time_bound::latency);
}

TEST_CASE("the resource that decides a launch's time is named") {
    auto const bound = [](raw_counter counter, std::uint64_t count) {
        counter_values c;
        c[warps_launched] = 8448;
        c[inst_executed] = c[inst_issued] = 84'480;
        c[counter] = count;
        launch_shape shape;
        shape.ctas = 1056;
        shape.warps_per_cta = 8;
        shape.ctas_per_sm = 8;
        shape.schedule.busiest_share = 1.0 / 132;
        return time_model{gh100, shape}.estimate(c).bound;
    };
    CHECK(bound(inst_pipe_fp64, 1'000'000'000) == time_bound::pipe);
    CHECK(bound(shared_wavefronts_ld, 1'000'000'000) == time_bound::l1);
    CHECK(bound(l2_sectors_other_write, 1'000'000'000) == time_bound::l2);
    CHECK(bound(dram_bytes_read, 100'000'000'000) == time_bound::dram);
    CHECK(bound(pcie_bytes_received, 100'000'000) == time_bound::host);
    CHECK(bound(waits_far, 10'000'000) == time_bound::latency);
    CHECK(bound(stalled_wait, 1'000'000'000) == time_bound::launch); // the model's own are not read
}

// Latencies and rates of an H200 (tests/hardware/last_time.txt). One warp on one SM, which has nothing else to do.
TEST_CASE("a warp waits for one thing after the other") {
    launch_shape shape;
    auto const cycles = [&](auto change) {
        counter_values c;
        c[warps_launched] = 1;
        c[inst_executed] = c[inst_issued] = 100;
        change(c);
        launch_shape none;
        time_estimate const idle = time_model{gh100, none}.estimate([] {
            counter_values nothing;
            nothing[warps_launched] = 1;
            nothing[inst_executed] = nothing[inst_issued] = 3;
            return nothing;
        }());
        return (time_model{gh100, shape}.estimate(c).likely - idle.likely) * gh100.gpc_hz;
    };
    auto const loads = [](std::uint64_t hits, std::uint64_t fetched) {
        return [=](counter_values& c) { // a thousand, of a sector each
            c[waits_far] = c[l1_requests_global_ld] = c[l1_sectors_global_ld] = c[l1_tags_global_ld] = 1000;
            c[l1_hits_global_ld] = hits;
            c[l1_requests_missed] = c[l2_sectors_tex_read] = 1000 - hits;
            c[dram_bytes_read] = 32 * fetched;
        };
    };
    // Measured with an addition of 64 bits, of two instructions, for each load.
    CHECK(cycles(loads(1000, 0)) == doctest::Approx(41'560 - 8'000).epsilon(0.02));
    CHECK(cycles(loads(0, 0)) == doctest::Approx(303'300 - 8'000).epsilon(0.02));
    CHECK(cycles(loads(0, 1000)) == doctest::Approx(668'670 - 8'000).epsilon(0.02));
    CHECK(cycles(loads(500, 0)) == doctest::Approx((41'560 + 303'300) / 2 - 8'000).epsilon(0.02));
    // Of as many misses, the fewer requests have them, the fewer are waited for.
    auto const of_eight_sectors = [](std::uint64_t missed) {
        return [=](counter_values& c) {
            c[waits_far] = c[l1_requests_global_ld] = 1000;
            c[l1_tags_global_ld] = c[l1_sectors_global_ld] = 8000;
            c[l1_hits_global_ld] = 7000;
            c[l2_sectors_tex_read] = 1000;
            c[l1_requests_missed] = missed;
        };
    };
    CHECK(cycles(of_eight_sectors(1000)) - cycles(of_eight_sectors(125)) ==
          doctest::Approx(875 * (303.3 - 41.56)).epsilon(0.02));
    CHECK(cycles([](counter_values& c) { c[waits_near] = 1000; }) == doctest::Approx(23'000).epsilon(0.02));
    CHECK(cycles([](counter_values& c) { // loads of which eight lanes read each bank
              c[waits_near] = c[inst_shared_ld] = 1000;
              c[shared_conflicts_ld] = 7000;
          }) == doctest::Approx(37'000).epsilon(0.02));
    CHECK(cycles([](counter_values& c) { // loads of which each lane reads a word of its own from constant memory
              c[waits_near] = 1000;
              c[constant_words] = 31'000;
          }) == doctest::Approx(375'000).epsilon(0.05));
    CHECK(cycles([](counter_values& c) { c[waits_special] = 1000; }) == doctest::Approx(17'000).epsilon(0.02));
    CHECK(cycles([](counter_values& c) { c[dependent_cycles] = 40'000; }) == doctest::Approx(40'000).epsilon(0.02));
    CHECK(cycles([](counter_values& c) { c[inst_issued] = 40'000; }) ==
          doctest::Approx(40'000).epsilon(0.02)); // of one scheduler
    CHECK(cycles([](counter_values& c) { c[shared_swap_rounds] = 1000; }) == doctest::Approx(97'000).epsilon(0.1));
    CHECK(cycles([](counter_values& c) {
              c[shared_swap_rounds] = 1000;
              c[shared_swap_waits] = 500;
          }) == doctest::Approx(145'000).epsilon(0.1));
    shape.barriers = 1000;
    CHECK(cycles([](counter_values&) {}) == doctest::Approx(14'625).epsilon(0.02));
    shape.barriers = 0;
    shape.fences = 1000;
    CHECK(cycles([](counter_values&) {}) == doctest::Approx(441'000).epsilon(0.05));
    shape.fences = 0;
    shape.cta_fences = 1000;
    CHECK(cycles([](counter_values&) {}) == doctest::Approx(11'125).epsilon(0.05));
}

// Loops of 96 and 256 KiB of FFMAs in four chains, one warp: 2.22 and 5.67 cycles each, where those of 4 and 32 take 1.05 and 1.15.
TEST_CASE("code that caches do not hold is fetched each time") {
    auto const cycles_of_each = [](std::uint64_t instructions) {
        counter_values c;
        c[warps_launched] = 1;
        c[inst_executed] = c[inst_issued] = c[dependent_cycles] = 100 * instructions; // a loop of a hundred rounds
        launch_shape shape;
        shape.code = shape.looped = instructions;
        return time_model{gh100, shape}.estimate(c).likely * gh100.gpc_hz / static_cast<double>(100 * instructions);
    };
    CHECK(cycles_of_each((96 << 10) / 16) == doctest::Approx(2.2212).epsilon(0.15));
    CHECK(cycles_of_each((256 << 10) / 16) == doctest::Approx(5.6713).epsilon(0.15));
    CHECK(cycles_of_each((33 << 10) / 16) < 1.6); // with what goes round
}

// secp256k1 of HeCBench has some 200 KiB of code, of which loops are a small part: ncu counts 0.08 cycles an instruction without one.
TEST_CASE("code that is executed once is fetched once, however much it is") {
    counter_values c;
    c[warps_launched] = 1;
    c[inst_executed] = c[inst_issued] = c[dependent_cycles] = 2'000'000;
    launch_shape shape;
    shape.code = (200 << 10) / 16;
    shape.looped = (16 << 10) / 16;
    CHECK(time_model{gh100, shape}.estimate(c).likely * gh100.gpc_hz / 2e6 < 1.3);
}

TEST_CASE("loads that are awaited together take the time of one") {
    auto const chained = [](std::string const& second, std::string const& use) {
        gpu machine{
            head + kernel_text("two", ".reg .u64 %d<5>; .reg .u32 %r<4>;\n ld.param.u64 %d1, [in];\n ld.param.u64 %d2, "
                                      "[out];\n ld.global.u64 %d3, [%d1];\n" +
                                          second + use + " st.global.u64 [%d2], %d4;\n ret;\n")};
        return machine.launch("two", {132}, {32});
    };
    auto const together = chained(" ld.global.u64 %d4, [%d1+256];\n", " add.u64 %d4, %d4, %d3;\n");
    auto const apart = chained(" and.b64 %d3, %d3, 256; add.u64 %d3, %d3, %d1;\n", " ld.global.u64 %d4, [%d3+256];\n");
    CHECK(together[waits_far] == 132);
    CHECK(apart[waits_far] == 2 * 132);
    CHECK(together[l1_requests_global_ld] == apart[l1_requests_global_ld]);
}

TEST_CASE("warps at a barrier wait for the slowest one of their CTA") {
    auto const time = [](std::string const& others) {
        gpu machine{
            head +
            kernel_text("wait",
                        ".reg .u32 %r<4>; .reg .pred %p<3>;\n mov.u32 %r1, %tid.x;\n mov.u32 %r2, 0;\n "
                        "setp.gt.u32 %p1, %r1, 31;\n" +
                            others +
                            " again:\n .pragma \"nounroll\";\n mad.lo.u32 %r1, %r1, %r1, %r1;\n add.u32 %r2, %r2, 1;\n "
                            "setp.lt.u32 %p2, %r2, 2000;\n @%p2 bra again;\n "
                            "meet:\n bar.sync 0;\n ret;\n")};
        return static_cast<double>(machine.launch("wait", {132}, {256})[sm_cycles_elapsed]);
    };
    double const all_work = time(""), one_works = time(" @%p1 bra meet;\n");
    CHECK(one_works == doctest::Approx(all_work).epsilon(0.1));
}

} // namespace counter_model_test
