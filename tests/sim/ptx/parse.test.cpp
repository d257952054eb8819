// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX front end: what is read, and what is said about what cannot be.
#include <bit>
#include <string>

#include <doctest/doctest.h>

#include "sim/ptx/parse.hpp"

namespace parse_test {

namespace ptx = gpuprof::sim::ptx;

namespace {
std::string const head = ".version 8.0\n.target sm_80\n.address_size 64\n";

std::string fault_of(std::string const& text) {
    auto const parsed = ptx::parse(text);
    if (!parsed) return parsed.error().what;
    for (auto const& f : parsed->functions)
        if (f.fault) return f.fault->what;
    return {};
}
} // namespace

TEST_CASE("tokens know their line and column, comments and literals") {
    ptx::lexer in{
        "/* a\n b */ add.s32 %r1, 0x1F; // end\n0f3F800000 0d4000000000000000 1.5 017 0b101 12U \"s\" .shared::cta"};
    auto t = in.next();
    CHECK(t.text == "add");
    CHECK(t.at.line == 2);
    CHECK(t.at.column == 7);
    CHECK(in.next().text == "s32");
    CHECK(in.next().text == "%r1");
    CHECK(in.next().is(','));
    CHECK(in.next().bits == 31);
    CHECK(in.next().is(';'));
    CHECK(std::bit_cast<float>(static_cast<std::uint32_t>(in.next().bits)) == 1.0f);
    CHECK(std::bit_cast<double>(in.next().bits) == 2.0);
    CHECK(std::bit_cast<double>(in.next().bits) == 1.5);
    CHECK(in.next().bits == 15);
    CHECK(in.next().bits == 5);
    CHECK(in.next().bits == 12);
    CHECK(in.next().text == "s");
    CHECK(in.next().text == "shared::cta");
    CHECK(in.next().kind == ptx::token_kind::end);
}

TEST_CASE("what is no token is told from what is") {
    for (auto const* const text : {"12abc", "0x", "0f3F80", "99999999999999999999", "\"open", "0b2"})
        CHECK(ptx::lexer{text}.next().kind == ptx::token_kind::invalid);
}

TEST_CASE("kernel parameters have types, sizes and alignments") {
    auto const parsed = ptx::parse(head + R"(
        .visible .entry k(.param .u64 .ptr .global .align 16 k_p, .param .f32 k_f, .param .align 8 .b8 k_s[24])
        .maxntid 128, 2, 1 .minnctapersm 2 { ret; })");
    REQUIRE(parsed);
    auto const& f = parsed->functions.at(0);
    CHECK(f.is_entry);
    REQUIRE(f.inputs.size() == 3);
    CHECK(f.variables[f.inputs[0]].alignment == 8); // the pointer's own, not that of what it points to
    CHECK(f.variables[f.inputs[1]].type == ptx::type::f32);
    CHECK(f.variables[f.inputs[2]].bytes == 24);
    CHECK(f.variables[f.inputs[2]].alignment == 8);
    CHECK(f.bounds.max_threads[0] == 128);
    CHECK(f.bounds.max_threads[1] == 2);
    CHECK(f.bounds.min_ctas == 2);
}

TEST_CASE("initialisers are numbers, floats, addresses and bytes of addresses") {
    auto const parsed = ptx::parse(head + R"(
        .global .align 4 .u32 a[2][2] = {{1, 2}, {3}};
        .const .f32 pi = 0f40490FDB;
        .global .f64 half = 0.5;
        .global .u64 p = generic(a)+8;
        .global .align 8 .b8 q[2] = {0xFF(a), 0xFF00(a)};
        .extern .shared .align 16 .b8 dynamic[];)");
    REQUIRE(parsed);
    auto const& v = parsed->variables;
    CHECK(v[0].bytes == 16);
    CHECK(v[0].values.size() == 3);
    CHECK(v[1].space == ptx::space::constant);
    CHECK(v[1].values[0].value == 0x40490fdb);
    CHECK(std::bit_cast<double>(v[2].values[0].value) == 0.5);
    CHECK(v[3].values[0].name == "a");
    CHECK(v[3].values[0].value == 8);
    CHECK(v[4].values[1].shift == 8);
    CHECK(v[5].bytes == 0);
    CHECK(v[5].linkage == ptx::linkage::external);
}

TEST_CASE("names and labels of inner blocks hide outer ones") {
    auto const parsed = ptx::parse(head + R"(
        .entry k() {
            .reg .b32 %r<3>;
            { .reg .b64 %r<3>; LOOP: mov.b64 %r1, %r2; bra LOOP; }
            { LOOP: mov.b32 %r1, %r2; bra LOOP; }
        })");
    REQUIRE(parsed);
    auto const& f = parsed->functions.at(0);
    CHECK_FALSE(f.fault);
    CHECK(f.registers[f.instructions[0].operands[0].index].type == ptx::type::b64);
    CHECK(f.registers[f.instructions[2].operands[0].index].type == ptx::type::b32);
    CHECK(f.labels[0].scope != f.labels[1].scope);
}

TEST_CASE("source lines come from .loc, through inlining") {
    auto const parsed = ptx::parse(head + R"(
        .entry k() { .loc 1 7 3
            ret;
            .loc 2 9 1, function_name $L__info_string0, inlined_at 1 8 30
            ret; }
        .file 1 "k.cu"
        .file 2 "k.h", 123, 456
        .section .debug_str { $L__info_string0: .b8 1,2,0 })");
    REQUIRE(parsed);
    CHECK(parsed->functions[0].instructions[0].source.line == 7);
    CHECK(parsed->functions[0].instructions[1].source.file == 2);
    CHECK(parsed->functions[0].instructions[1].source.line == 9);
    CHECK(parsed->files[1].name == "k.h");
}

TEST_CASE("malformed text is refused with its line and column") {
    CHECK(fault_of("") == "PTX line 1, column 1: expected .version, found the end of the text");
    CHECK(fault_of(".version 8.0\n.bogus 3") == "PTX line 2, column 1: unknown directive '.bogus'");
    CHECK(fault_of(head + ".address_size 32") == "PTX line 4, column 15: only 64-bit addresses are supported");
    CHECK(fault_of(head + ".entry k() {") == "PTX line 4, column 13: expected '}', found the end of the text");
    CHECK(fault_of(head + ".global .align 3 .u32 x;") == "PTX line 4, column 16: an alignment is a power of two");
    CHECK(fault_of(head + ".global .u32 x[2] = {1,2,3};") ==
          "PTX line 4, column 14: more initialisers than the variable has room for");
    CHECK(fault_of(head + ".global .u32 x[4294967296][4294967296];") ==
          "PTX line 4, column 14: the variable is too large");
}

TEST_CASE("a statement that cannot be read faults its kernel, not its neighbours") {
    auto const parsed = ptx::parse(head + R"(
        .entry bad() { .reg .b32 %r<2>; mov.b32 %r1, ]; ret; }
        .entry good() { ret; })");
    REQUIRE(parsed);
    REQUIRE(parsed->functions.size() == 2);
    CHECK(parsed->functions[0].fault->what == "PTX line 5, column 54: expected an operand, found ']'");
    CHECK_FALSE(parsed->functions[1].fault);
    CHECK(fault_of(head + ".entry k() { @%p1 ret; }") == "PTX line 4, column 15: '%p1' is not a predicate");
}

TEST_CASE("a text cut off anywhere in a kernel is refused") {
    std::string const text = head +
                             ".entry k(.param .u64 p) { .reg .pred %p<2>; .reg .b64 %rd<4>;\n"
                             " { ld.param.u64 %rd1, [p+0]; @!%p1 st.global.v2.u32 [%rd1+-4], {_, 3}; } L: bra L; }";
    for (std::size_t n = 0; n < head.size(); ++n) (void)ptx::parse(text.substr(0, n));
    for (std::size_t n = head.size() + 1; n < text.size(); ++n) CHECK_FALSE(ptx::parse(text.substr(0, n)));
    CHECK(ptx::parse(text));
}

} // namespace parse_test
