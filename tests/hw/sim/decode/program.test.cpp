// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading: variables in device memory, faults of single kernels, attributes of functions.
#include <string>

#include "support/kernel_fixture.hpp"

#include <gpuprof/hw/sim/execute/execute.hpp>

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
            tex.2d.v4.s32.s32 {%r0, %r1, %r2, %r2}, [%r1, {%r1, %r2}]; ret; }
        .visible .entry worse() { .reg .b32 %r<3>; add.frob.s32 %r1, %r2, 3; ret; }
        .visible .entry good() { ret; })",
                                      memory);
    REQUIRE(p);
    auto const* const bad = p->find_kernel("bad");
    REQUIRE(bad->fault);
    CHECK(bad->fault->code == gpuprof::errc::unavailable);
    CHECK(bad->fault->what == "PTX line 6, column 13: instruction 'tex' is not supported");
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

TEST_CASE("operands of the wrong size or kind are faults of the kernel") {
    sim::device_memory memory;
    for (auto const* const body :
         {"add.u32 %r1, %rd1, 1;", "add.u64 %r1, %rd1, %rd1;", "setp.eq.u32 %r1, %r1, 0;", "mov.b64 %rd1, {%r1};",
          "ld.global.v2.u32 %r1, [%rd1];", "ld.global.u64 %r1, [%rd1];", "st.global.u32 %rd1, %r1;", "bra nowhere;",
          "mov.u32 %r1, %nosuch;", "call missing;", "atom.global.xor.f32 %r1, [%rd1], %r1;", "add.u32 %r1;"}) {
        CAPTURE(body);
        auto const p =
            sim::program::load(head + ".entry k() { .reg .b32 %r<4>; .reg .b64 %rd<4>; " + body + " ret; }", memory);
        REQUIRE(p);
        CHECK(p->find_kernel("k")->fault);
    }
}
