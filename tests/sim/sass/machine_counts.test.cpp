// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of instructions that are taken from machine code.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/chip/gh100.hpp"
#include "sim/code/machine_listing.hpp"
#include "sim/decode/program.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/kernel_estimates.hpp"
#include "sim/model/launch_counters.hpp"
#include "sim/sass/machine_counts.hpp"

namespace machine_counts_test {

using namespace gpuprof::sim;

namespace {

// A sum, which ptxas unrolls, and a quotient of it, which may go a slow way.
constexpr std::string_view total = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry total(.param .u64 from, .param .u64 to, .param .u32 n) {
.reg .pred %p<6>; .reg .u32 %r<8>; .reg .u64 %d<8>; .reg .f32 %f<6>;
ld.param.u64 %d1, [from];
ld.param.u64 %d2, [to];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
setp.ge.u32 %p1, %r2, 40;
@%p1 bra done;
mov.f32 %f1, 0f00000000;
setp.eq.u32 %p2, %r1, 0;
@%p2 bra store;
mov.u32 %r3, 0;
round:
mul.wide.u32 %d3, %r3, 4;
add.s64 %d4, %d1, %d3;
ld.global.f32 %f2, [%d4];
add.f32 %f1, %f1, %f2;
add.u32 %r3, %r3, 1;
setp.lt.u32 %p3, %r3, %r1;
@%p3 bra round;
store:
div.rn.f32 %f3, %f1, %f2;
mul.wide.u32 %d5, %r2, 4;
add.s64 %d6, %d2, %d5;
st.global.f32 [%d6], %f3;
done:
ret;
}
)";

// What ptxas 13.0 makes of it for sm_90, and nvdisasm lists.
constexpr std::string_view listing = R"(	.section	.text.total,"ax",@progbits
total:
.text.total:
    /*0000*/ LDC R1, c[0x0][0x28] ;
    /*0010*/ S2R R2, SR_TID.X ;
    /*0020*/ ISETP.GE.U32.AND P0, PT, R2, 0x28, PT ;
.L_x_19:
    /*0030*/ @P0 EXIT ;
    /*0040*/ ULDC UR5, c[0x0][0x220] ;
    /*0050*/ ULDC.64 UR6, c[0x0][0x208] ;
    /*0060*/ ISETP.NE.U32.AND P0, PT, RZ, UR5, PT ;
    /*0070*/ IMAD.MOV.U32 R3, RZ, RZ, RZ ;
    /*0080*/ @!P0 BRA `(.L_x_4) ;
    /*0090*/ ISETP.LT.U32.AND P0, PT, RZ, UR5, PT ;
    /*00a0*/ IMAD.MOV.U32 R0, RZ, RZ, RZ ;
    /*00b0*/ @!P0 LDC.64 R4, c[0x0][0x210] ;
    /*00c0*/ @!P0 IMAD.WIDE.U32 R4, R0, 0x4, R4 ;
    /*00d0*/ @!P0 LDG.E R8, desc[UR6][R4.64] ;
    /*00e0*/ @!P0 IMAD.MOV.U32 R0, RZ, RZ, 0x1 ;
    /*00f0*/ ISETP.GE.U32.AND P1, PT, R0.reuse, UR5, PT ;
    /*0100*/ IADD3 R6, -R0, UR5, RZ ;
    /*0110*/ ISETP.LE.U32.OR P1, PT, R6, 0x3, P1 ;
    /*0120*/ @!P0 FADD R3, R3, R8 ;
    /*0130*/ @P1 BRA `(.L_x_5) ;
    /*0140*/ LDC.64 R4, c[0x0][0x210] ;
    /*0150*/ PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0 ;
    /*0160*/ UIADD3 UR4, UR5, -0x3, URZ ;
.L_x_6:
    /*0170*/ VIADD R9, R0.reuse, 0x1 ;
    /*0180*/ IMAD.WIDE.U32 R6, R0, 0x4, R4 ;
    /*0190*/ VIADD R11, R0.reuse, 0x2 ;
    /*01a0*/ IMAD.WIDE.U32 R8, R9, 0x4, R4.reuse ;
    /*01b0*/ LDG.E R6, desc[UR6][R6.64] ;
    /*01c0*/ VIADD R13, R0, 0x3 ;
    /*01d0*/ IMAD.WIDE.U32 R10, R11, 0x4, R4.reuse ;
    /*01e0*/ LDG.E R8, desc[UR6][R8.64] ;
    /*01f0*/ IMAD.WIDE.U32 R12, R13, 0x4, R4 ;
    /*0200*/ LDG.E R10, desc[UR6][R10.64] ;
    /*0210*/ LDG.E R12, desc[UR6][R12.64] ;
    /*0220*/ VIADD R0, R0, 0x4 ;
    /*0230*/ ISETP.GE.U32.AND P1, PT, R0, UR4, PT ;
    /*0240*/ FADD R3, R6, R3 ;
    /*0250*/ FADD R3, R3, R8 ;
    /*0260*/ FADD R3, R3, R10 ;
    /*0270*/ FADD R3, R3, R12 ;
    /*0280*/ @!P1 BRA `(.L_x_6) ;
    /*0290*/ IMAD.MOV.U32 R8, RZ, RZ, R12 ;
.L_x_5:
    /*02a0*/ ISETP.GE.U32.AND P1, PT, R0.reuse, UR5, PT ;
    /*02b0*/ IADD3 R4, -R0, UR5, RZ ;
    /*02c0*/ ISETP.LE.U32.OR P1, PT, R4, 0x1, P1 ;
    /*02d0*/ @P1 BRA `(.L_x_7) ;
    /*02e0*/ LDC.64 R4, c[0x0][0x210] ;
    /*02f0*/ VIADD R9, R0.reuse, 0x1 ;
    /*0300*/ IMAD.WIDE.U32 R6, R0, 0x4, R4 ;
    /*0310*/ IMAD.WIDE.U32 R4, R9, 0x4, R4 ;
    /*0320*/ LDG.E R6, desc[UR6][R6.64] ;
    /*0330*/ LDG.E R8, desc[UR6][R4.64] ;
    /*0340*/ PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0 ;
    /*0350*/ IADD3 R0, R0, 0x2, RZ ;
    /*0360*/ FADD R3, R3, R6 ;
    /*0370*/ FADD R3, R3, R8 ;
.L_x_7:
    /*0380*/ ISETP.LT.U32.OR P0, PT, R0, UR5, P0 ;
    /*0390*/ @!P0 BRA `(.L_x_4) ;
    /*03a0*/ LDC.64 R4, c[0x0][0x210] ;
    /*03b0*/ IMAD.WIDE.U32 R4, R0, 0x4, R4 ;
    /*03c0*/ LDG.E R8, desc[UR6][R4.64] ;
    /*03d0*/ FADD R3, R3, R8 ;
.L_x_4:
    /*03e0*/ MUFU.RCP R5, R8 ;
    /*03f0*/ FCHK P0, R3, R8 ;
    /*0400*/ FFMA R0, R5, -R8, 1 ;
    /*0410*/ FFMA R0, R5, R0, R5 ;
    /*0420*/ FFMA R4, R0, R3, RZ ;
    /*0430*/ FFMA R5, R4, -R8, R3 ;
    /*0440*/ FFMA R7, R0, R5, R4 ;
    /*0450*/ @!P0 BRA `(.L_x_8) ;
    /*0460*/ IMAD.MOV.U32 R0, RZ, RZ, R3 ;
    /*0470*/ MOV R4, 0x4a0 ;
    /*0480*/ IMAD.MOV.U32 R3, RZ, RZ, R8 ;
    /*0490*/ CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath) ;
    /*04a0*/ IMAD.MOV.U32 R7, RZ, RZ, R0 ;
.L_x_8:
    /*04b0*/ LDC.64 R4, c[0x0][0x218] ;
    /*04c0*/ IMAD.WIDE.U32 R2, R2, 0x4, R4 ;
    /*04d0*/ STG.E desc[UR6][R2.64], R7 ;
.L_x_20:
    /*04e0*/ EXIT ;
)";

// Threads execute it for n rounds, of numbers that are not zero.
counter_values counted(std::string_view list, std::uint32_t threads, std::uint32_t n) {
    device_memory memory;
    auto const program = program::load(total, memory);
    REQUIRE(program);
    REQUIRE(program->kernels().size() == 1);
    kernel& code = *program->kernels().front();
    if (!list.empty()) code.machine_code = std::make_shared<listed_module const>([=] { return std::string{list}; });
    std::uint64_t const from = memory.allocate(4096).value(), to = memory.allocate(4096).value();
    std::vector<float> const numbers(1024, 1.5f);
    std::memcpy(memory.translate(from, 4096), numbers.data(), 4096);
    std::array<std::byte, 20> parameters;
    std::memcpy(parameters.data(), &from, sizeof from);
    std::memcpy(parameters.data() + 8, &to, sizeof to);
    std::memcpy(parameters.data() + 16, &n, sizeof n);
    launch_config const config{{1}, {threads}, 0, parameters, false};
    l2_cache l2{gh100};
    launch_counters counters{gh100, code, config, 1, l2};
    auto const done = execute(code, config, memory, counters, {});
    INFO((done.error ? done.error->message() : std::string{}));
    REQUIRE(!done.error);
    CHECK(estimates_of(gh100, code)->has_machine_code == !list.empty());
    return counters.finish();
}
std::uint64_t executed(std::string_view list, std::uint32_t threads, std::uint32_t n) {
    return counted(list, threads, n)[raw_counter::inst_executed];
}

} // namespace

TEST_CASE("a kernel executes as many instructions as its machine code") {
    // By the listing: blocks of 4, 5 and 11 instructions, 3 in front of the loop, 18 for each four rounds, 1 behind it, 4, 10 for two
    // rounds, 2, and 12 of the quotient, without its slow way.
    constexpr std::uint64_t around = 4 + 5 + 11 + 3 + 1 + 4 + 2 + 12;
    CHECK(executed(listing, 32, 10) == around + 2 * 18 + 10);
    CHECK(executed(listing, 32, 14) == around + 3 * 18 + 10);
    CHECK(executed(listing, 64, 10) ==
          2 * (around + 2 * 18 + 10)); // some threads of the second warp have nothing to do
    CHECK(executed(listing, 96, 10) ==
          2 * (around + 2 * 18 + 10) + 4); // nor have all of the third, which ends after four
    CHECK(executed({}, 32, 10) != around + 2 * 18 + 10);
}

TEST_CASE("the operations of a block are those of its machine code, for the threads that come there") {
    using enum raw_counter;
    auto const with = [](std::string const& instruction) { // in place of one behind the quotient
        std::string changed{listing};
        std::string const before = "IMAD.WIDE.U32 R2, R2, 0x4, R4";
        changed.replace(changed.find(before), before.size(), instruction);
        return counted(changed, 64, 10);
    };
    counter_values const as_is = counted(listing, 64, 10);
    CHECK(as_is[thread_fadd] == 40 * 10);
    CHECK(as_is[thread_ffma] == 40 * 5);
    CHECK(with("FMUL R2, R2, R4")[thread_fmul] == 40);
    CHECK(with("FFMA R2, R2, R4, R3")[thread_ffma] == 40 * 6);
    CHECK(with("DFMA R2, R2, R4, R6")[thread_dfma] == 40);
    CHECK(with("@P1 FMUL R2, R2, R4")[thread_fmul] == 0);   // nobody knows of how many
    CHECK(with("FADD R2, R2, R4")[thread_fadd] == 40 * 10); // nor where those are that stand in front of the loop
    std::string fewer{listing};
    for (std::size_t at; (at = fewer.find("FFMA R0")) != fewer.npos;) fewer.replace(at, 4, "IMAD");
    CHECK(counted(fewer, 64, 10)[thread_ffma] == 40 * 3);
}

TEST_CASE("machine code that is none, or calls what the PTX does not, changes nothing") {
    device_memory memory;
    auto const program = program::load(total, memory);
    REQUIRE(program);
    kernel const& code = *program->kernels().front();
    function_code const& function = *code.functions.front();
    auto const estimates = *estimates_of(gh100, code, function);
    auto const same = [&](machine_function const& machine) {
        auto changed = estimates;
        CHECK(!correct_by_machine_code(function, machine, changed));
        std::size_t equal = 0;
        for (std::size_t i = 0; i < changed.size(); ++i)
            equal += changed[i].instructions == estimates[i].instructions && changed[i].beside == estimates[i].beside;
        return equal == estimates.size() && equal > 20;
    };
    CHECK(same({}));
    machine_instruction call;
    call.opcode = "CALL.REL.NOINC"; // a function of the program's own: ptxas has it inlined, or not
    CHECK(same({call}));
}

TEST_CASE("damaged machine code ends in counts, whatever they are") {
    std::size_t counted = 0;
    for (std::size_t at = 0; at < listing.size(); at += 7)
        for (char const put : {'`', 'L', '1', '\n', ';'}) {
            std::string damaged{listing};
            damaged[at] = put;
            auto const found = read_listing(damaged);
            device_memory memory;
            auto const program = program::load(total, memory);
            REQUIRE(program);
            kernel const& code = *program->kernels().front();
            auto estimates = *estimates_of(gh100, code, *code.functions.front());
            if (auto const function = found.find("total"); function != found.end())
                counted += correct_by_machine_code(*code.functions.front(), function->second, estimates);
            for (sass_estimate const& e : estimates) CHECK(e.beside < 1000);
        }
    CHECK(counted > 1000);
}

} // namespace machine_counts_test
