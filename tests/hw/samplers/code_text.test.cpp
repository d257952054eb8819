// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/samplers/code_text.hpp: what nvdisasm prints, calls that were inlined, PTX without its .loc, and an nvdisasm that is none.
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/hw/machine/platform/directory.hpp>
#include <gpuprof/hw/samplers/code_text.hpp>

#include "support/scratch_directory.hpp"

namespace code_text_test {

using gpuprof::code_text;
using gpuprof::instruction_text;
using gpuprof::parse_disassembly;
using gpuprof::ptx_text;
using gpuprof::source_location;

namespace {

// The form of nvdisasm 13.0: `nvdisasm -c -gi`, of a kernel that calls an inlined function, which calls another one, and of a
// function of the compiler's own behind it.
constexpr std::string_view listing = R"(	.target	sm_90

	.section	.text._Z1kPfi,"ax",@progbits
	.align	128
        .global         _Z1kPfi
        .type           _Z1kPfi,@function
_Z1kPfi:
.text._Z1kPfi:
	//## File "/src/k.cu", line 10
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/               @P0 EXIT ;
	//## File "/src/twice.hpp", line 3 inlined at "/src/more.hpp", line 7
	//## File "/src/more.hpp", line 7 inlined at "/src/k.cu", line 12
	//## File "/src/k.cu", line 12
        /*0020*/                   FMUL R5, R0, R5 ;
.L_x_0:
        /*0030*/                   STG.E desc[UR4][R2.64], R5 ;
	//## File "/src/k.cu", line 13
        /*0040*/                   EXIT ;
        .weak           $__slow
$__slow:
        /*0050*/                   RET.REL.NODEC R4 `(_Z1kPfi) ;
.L_x_1:
	.section	.nv.info,"",@"SHT_CUDA_INFO"
        /*0000*/ 	.byte	0x04, 0x2f
)";

} // namespace

TEST_CASE("instructions of a listing have their text, and the calls through which they were inlined") {
    code_text const text = parse_disassembly(listing);
    REQUIRE(text.size() == 2);
    auto const& kernel = text.at("_Z1kPfi");
    CHECK(kernel.at(0) == instruction_text{"LDC R1, c[0x0][0x28]", {}});
    CHECK(kernel.at(0x10).text == "@P0 EXIT");
    instruction_text const inlined{"FMUL R5, R0, R5", {{"", "/src/more.hpp", 7}, {"", "/src/k.cu", 12}}};
    CHECK(kernel.at(0x20) == inlined);
    CHECK(kernel.at(0x30).inlined_at == inlined.inlined_at); // a label ends nothing
    CHECK(kernel.at(0x40).inlined_at.empty());
    // The other function's places count from its own beginning, and from the section's.
    CHECK(text.at("$__slow").at(0).text == "RET.REL.NODEC R4 `(_Z1kPfi)");
    CHECK(text.at("$__slow").at(0).inlined_at.empty());
    CHECK(kernel.at(0x50).text == text.at("$__slow").at(0).text);
}

TEST_CASE("a listing that is cut anywhere is read as far as it goes") {
    code_text const whole = parse_disassembly(listing);
    for (std::size_t size = 0; size <= listing.size(); ++size) {
        CAPTURE(size);
        for (auto const& [function, instructions] : parse_disassembly(listing.substr(0, size)))
            CHECK(instructions.size() <= (function == "_Z1kPfi" ? 6u : 1u));
    }
    CHECK(whole.at("_Z1kPfi").size() == 6);
}

TEST_CASE("PTX keeps its lines when its .loc are taken out, and says where functions were inlined") {
    std::string const ptx = ".version 7.0\n"
                            ".file 1 \"/src/k.cu\"\n"
                            ".file 2 \"/src/twice.hpp\"\n"
                            ".loc 1 10 5\n"
                            "  mov.u32 %r1, 5; \n"
                            "\t.loc\t2 7 1, function_name $L__info_string0+3, inlined_at 1 12 9\n"
                            "add.u32 %r2, %r1, 1;\n"
                            ".loc 2 3 1, function_name $L__info_string1, inlined_at 2 7 1 mul.lo.u32 %r3, %r2, 2;\n"
                            ".loc 1 13 1\n"
                            "ret;\n";
    ptx_text const text{ptx};
    std::string const& bare = text.without_locations();
    CHECK(bare.size() == ptx.size());
    CHECK(bare.find(".loc") == bare.npos);
    CHECK(bare.find("inlined_at") == bare.npos);
    CHECK(bare.find("mul.lo.u32 %r3, %r2, 2;") == ptx.find("mul.lo.u32 %r3, %r2, 2;"));
    CHECK(text.at(5) == instruction_text{"mov.u32 %r1, 5", {}});
    CHECK(text.at(7) == instruction_text{"add.u32 %r2, %r1, 1", {{"", "/src/k.cu", 12}}});
    CHECK(text.at(8) == instruction_text{"mul.lo.u32 %r3, %r2, 2", {{"", "/src/twice.hpp", 7}, {"", "/src/k.cu", 12}}});
    CHECK(text.at(10) == instruction_text{"ret", {}});
    CHECK(text.at(0) == instruction_text{});
    CHECK(text.at(11) == instruction_text{});
}

TEST_CASE("PTX that says a call is its own caller has an end") {
    ptx_text const text{".loc 1 2 3, function_name $L, inlined_at 1 2 3\nret;\n"};
    CHECK(text.at(2).inlined_at.size() <= 64);
}

#if !GPUPROF_WINDOWS
TEST_CASE("the nvdisasm of CUDA_HOME is asked for the cubin's text, and one that fails is passed by") {
    scratch_directory const folder;
    std::string const bin = folder.path() + "/bin";
    REQUIRE(gpuprof::platform::make_directory(bin));
    std::string const program = bin + "/nvdisasm";
    auto const becomes = [&](std::string const& script) {
        std::ofstream{program} << "#!/bin/sh\n" << script;
        REQUIRE(std::system(("chmod +x '" + program + "'").c_str()) == 0);
    };
    char const* const before = std::getenv("CUDA_HOME");
    std::string const home = before == nullptr ? "" : before;
    REQUIRE(setenv("CUDA_HOME", folder.path().c_str(), 1) == 0);
    // Prints a listing whose instruction is the file that it was given.
    becomes("test \"$1 $2\" = '-c -gi' || exit 1\nprintf '.section .text.k,\"ax\"\\nk:\\n  /*0010*/ %s ;\\n' \"$(cat "
            "\"$3\")\"\n");
    auto const text = gpuprof::try_disassemble("CODE R1");
    becomes("exit 1\n");
    auto const failed = gpuprof::try_disassemble("CODE R1");
    if (before == nullptr) unsetenv("CUDA_HOME");
    else setenv("CUDA_HOME", home.c_str(), 1);
    REQUIRE_MESSAGE(text, (text ? std::string{} : text.error().message()));
    CHECK(text->at("k").at(0x10).text == "CODE R1");
    if (failed) CHECK(failed->empty()); // a toolkit of this machine, which does not know such code
    else CHECK(failed.error().code == gpuprof::errc::unavailable);
}
#endif

} // namespace code_text_test
