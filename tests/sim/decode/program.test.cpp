// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading: variables in device memory, faults of single kernels, attributes of functions.
#include <optional>
#include <string>
#include <utility>

#include "support/kernel_fixture.hpp"
#include "support/sanitized.hpp"

#include "sim/execute/execute.hpp"

namespace program_test {

using namespace gpuprof_test;

namespace {
std::string const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
} // namespace

TEST_CASE("variables are placed, initialised and found by name, and freed with the program") {
    sim::device_memory memory;
    {
        auto const p =
            sim::program::load(head + ".global .u32 a[3] = {1, 2};\n.const .align 8 .u64 b = generic(a)+4;\n", memory);
        REQUIRE(p);
        auto const* const a = p->find_variable("a");
        auto const* const b = p->find_variable("b");
        REQUIRE(a != nullptr);
        REQUIRE(b != nullptr);
        CHECK(a->bytes == 12);
        std::uint32_t words[3];
        std::memcpy(words, memory.translate(a->address, 12), 12);
        CHECK(words[0] == 1);
        CHECK(words[1] == 2);
        CHECK(words[2] == 0);
        std::uint64_t pointer = 0;
        std::memcpy(&pointer, memory.translate(b->address, 8), 8);
        CHECK(pointer == a->address + 4);
        CHECK(p->find_variable("c") == nullptr);
        CHECK(memory.used() == 20);
    }
    CHECK(memory.used() == 0);
}

TEST_CASE("a kernel that uses what is not supported says where, and its neighbour runs") {
    sim::device_memory memory;
    auto const p = sim::program::load(head + R"(
        .visible .entry bad() { .reg .b32 %r<3>;
            sured.b.add.2d.u32.trap [%r1, {%r1, %r2}], %r2; ret; }
        .visible .entry worse() { .reg .b32 %r<3>; add.frob.s32 %r1, %r2, 3; ret; }
        .visible .entry good() { ret; })",
                                      memory);
    REQUIRE(p);
    auto const* const bad = p->find_kernel("bad");
    REQUIRE(bad->fault);
    CHECK(bad->fault->code == gpuprof::errc::unavailable);
    CHECK(bad->fault->what == "PTX line 6, column 13: instruction 'sured' is not supported");
    CHECK(p->find_kernel("worse")->fault->what == "PTX line 7, column 52: 'add' with '.frob' is not supported");
    sim::null_observer none;
    auto const refused = sim::execute(*bad, {{1}, {32}, 0, {}, false}, memory, none);
    CHECK(refused.error->kind == sim::launch_failure::unsupported);
    CHECK(sim::execute(*p->find_kernel("good"), {{1}, {32}, 0, {}, false}, memory, none));
}

TEST_CASE("a kernel's attributes follow from its text") {
    sim::device_memory memory;
    auto const p = sim::program::load(read_kernel_file("matrix.sm_80.ptx"), memory);
    REQUIRE(p);
    auto const* const tiled = p->find_kernel("multiply_tiled");
    REQUIRE(tiled != nullptr);
    CHECK(tiled->static_shared_bytes == 2 * 16 * 16 * 4);
    REQUIRE(tiled->parameters.size() == 4);
    CHECK(tiled->parameters[2].offset == 16);
    CHECK(tiled->parameters[3].offset == 24);
    CHECK(tiled->parameter_bytes == 28);
    CHECK(tiled->register_count >= 16);
    CHECK(tiled->register_count <= 255);
    CHECK(p->target() == "sm_80");
    auto const control = sim::program::load(read_kernel_file("control.sm_75.ptx"), memory);
    REQUIRE(control);
    CHECK(control->find_kernel("local_array")->local_bytes >= 32 * 4);
}

// What loading a kernel with that body comes to; none when it is loaded.
static std::optional<gpuprof::error> refusal(std::string const& body) {
    sim::device_memory memory;
    auto p = sim::program::load(
        head + ".entry k() { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n" + body + "\n ret; }", memory);
    if (p) return std::nullopt;
    return std::move(p).error();
}

// `head` has four lines, so the body is line 5. The columns were counted.
TEST_CASE("malformed PTX is refused when it is loaded, with line and column") {
    struct {
        char const* body;
        char const* why;
    } const malformed[] = {
        {"bogus.u32 %r1, %r2;", "line 5, column 1: there is no instruction 'bogus'"},
        {"add.u32 %r1, %r9, 1;", "line 5, column 14: '%r9' is not declared"},
        {"add.u32 %r9, %r1, 1;", "line 5, column 9: '%r9' is not declared"},
        {"@%p9 bra L; L:", "line 5, column 2: '%p9' is not a predicate"},
        {"add.u32 %r1, %r2, 1\nmov.u32 %r1, %r2;", "line 6, column 1: expected ',', found 'mov'"},
        {"add.u32 %r1, %rd1, 1;", "line 5, column 14: '%rd1' is a .b64 register, a .u32 is expected"},
        {"add.u64 %r1, %rd1, %rd1;", "line 5, column 9: '%r1' is a .b32 register, a .u64 is expected"},
        {"setp.eq.u32 %r1, %r1, 0;", "line 5, column 13: '%r1' is a .b32 register, a .pred is expected"},
        {"add.u32 %r1;", "line 5, column 1: 'add' has 1 operands, which is not what it takes"},
        {"ld.global.v2.u32 %r1, [%rd1];", "line 5, column 18: 2 registers are expected"},
        {"ld.global.u64 %r1, [%rd1];", "line 5, column 15: the register is too narrow for this access"},
        {"bra nowhere;", "line 5, column 5: no label 'nowhere'"},
        {"L: add.u32 %r1, %r2, 1;\nL: bra L;", "line 6, column 1: the label 'L' stands twice in the same block"},
        {".reg .b32 x; .reg .b64 x;", "line 5, column 24: 'x' is declared twice in the same block"},
        {"mov.u32 %r1, %nosuch;", "line 5, column 14: '%nosuch' is not declared"},
        {"call missing;", "line 5, column 6: 'missing' is not declared"},
        {"bar.sync 16;", "line 5, column 10: a CTA has barriers 0 to 15"},
        {"add %r1, %r2, 1;", "line 5, column 1: 'add' lacks a type"},
    };
    for (auto const& one : malformed) {
        CAPTURE(one.body);
        auto const why = refusal(one.body);
        REQUIRE(why);
        CHECK(why->code == gpuprof::errc::invalid_argument);
        CHECK(why->what == std::string{"PTX "} + one.why);
    }
    for (auto const* const fine : {"bar.sync 15;", "{ L: bra L; } L: bra L;", "{ .reg .b32 x; } .reg .b64 x;"}) {
        CAPTURE(fine);
        CHECK_FALSE(refusal(fine));
    }
}

TEST_CASE("malformed PTX is refused in a function that no kernel calls, and after what is not supported") {
    sim::device_memory memory;
    auto const alone = sim::program::load(head + ".func f() { bogus.u32 0; ret; }\n.entry k() { ret; }", memory);
    REQUIRE_FALSE(alone);
    CHECK(alone.error().code == gpuprof::errc::invalid_argument);
    auto const after = refusal("stacksave.u32 %r1; bogus.u32 0;");
    REQUIRE(after);
    CHECK(after->code == gpuprof::errc::invalid_argument);
}

TEST_CASE("PTX that the embedded GPU does not have is loaded, and faults its kernel alone") {
    sim::device_memory memory;
    for (auto const* const body : {"stacksave.u32 %r1;", "mov.u32 %r1, %envreg3;",
                                   "atom.global.xor.f32 %r1, [%rd1], %r1;", "add.frob.u32 %r1, %r2;"}) {
        CAPTURE(body);
        auto const p =
            sim::program::load(head + ".entry k() { .reg .b32 %r<4>; .reg .b64 %rd<4>; " + body + " ret; }", memory);
        REQUIRE(p);
        REQUIRE(p->find_kernel("k")->fault);
        CHECK(p->find_kernel("k")->fault->code == gpuprof::errc::unavailable);
    }
}

// Both counts were quadratic: 80,000 branches took more than 30 seconds, 2,000 kernels 3 GB.
TEST_CASE("loading is linear: labels are not searched, and kernels share the functions they call") {
    sim::device_memory memory;
    std::string branches = head + ".visible .entry k() {\n";
    constexpr int count = sanitized ? 4000 : 20000;
    for (int i = 0; i < count; ++i) branches += "L" + std::to_string(i) + ": bra L" + std::to_string(i + 1) + ";\n";
    auto const many = sim::program::load(branches + "L" + std::to_string(count) + ": ret; }", memory);
    REQUIRE(many);
    CHECK(many->find_kernel("k")->functions.front()->code.size() == count + 2); // and the return that ends it

    std::string kernels =
        head + ".shared .b32 s;\n.func f() { ret; }\n.func g() { .reg .b32 %r; mov.b32 %r, s; ret; }\n";
    for (auto const* const name : {"a", "b"})
        kernels += ".visible .entry " + std::string{name} + "() { call f; call g; ret; }\n";
    kernels += ".visible .entry c() { .shared .b64 first; .reg .b64 %r; mov.b64 %r, first; call f; call g; ret; }\n";
    auto const sharing = sim::program::load(kernels, memory);
    REQUIRE(sharing);
    auto const code = [&](char const* kernel, std::size_t i) { return sharing->find_kernel(kernel)->functions.at(i); };
    CHECK(code("a", 1) == code("b", 1));
    CHECK(code("a", 1) == code("c", 1));
    CHECK(code("a", 2) == code("b", 2));
    CHECK(code("a", 2) != code("c", 2)); // where `s` is somewhere else
}

} // namespace program_test
