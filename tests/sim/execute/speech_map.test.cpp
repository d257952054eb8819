// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where on a CTA has nothing more to say to others.
#include <cstddef>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "sim/decode/program.hpp"
#include "sim/execute/speech_map.hpp"

namespace speech_map_test {

namespace sim = gpuprof::sim;

namespace {

std::string const head = ".version 7.0\n.target sm_70\n.address_size 64\n";
std::string const registers = ".reg .u32 %r<9>; .reg .u64 %rd<9>; .reg .pred %p<4>;\n ld.param.u64 %rd1, [to];\n";

// "s" for each instruction from which the kernel may speak, "-" for each other one, with blanks around those that speak;
// without the end that every kernel gets.
std::string map_of(std::string const& body, std::string const& functions = {}) {
    sim::device_memory memory;
    auto const program = sim::program::load(
        head + functions + ".visible .entry k(.param .u64 to) {\n" + registers + body + " ret;\n}\n", memory);
    REQUIRE(program);
    sim::kernel const& k = *program->find_kernel("k");
    sim::speech_map const map{k};
    std::string text;
    auto const& code = k.functions.front()->code;
    for (std::size_t pc = 0; pc + 1 < code.size(); ++pc) {
        std::string const here = map.may_speak(static_cast<std::uint32_t>(pc)) ? "s" : "-";
        text += sim::speaks_to_ctas(code[pc]) ? " " + here + " " : here;
    }
    return text;
}

std::string const atom = " atom.global.add.u32 %r1, [%rd1], 1;\n st.global.u32 [%rd1+8], %r1;\n";
std::string const plain = " st.global.u32 [%rd1+4], %r2;\n";

} // namespace

TEST_CASE("a kernel is silent after its last atomic, and one without any is silent from the beginning") {
    CHECK(map_of(plain + atom + plain) == "ss s ---");
    CHECK(map_of(plain) == "---");
    CHECK(map_of(atom + plain + atom) == "s s ss s --");
}

TEST_CASE("a kernel may speak until it has left the loop in which it does") {
    CHECK(map_of("again:\n" + atom + " setp.lt.u32 %p1, %r1, 9;\n @%p1 bra again;\n" + plain) == "s s sss--");
}

TEST_CASE("what is only jumped over is not spoken") {
    CHECK(map_of(" setp.eq.u32 %p1, %r2, 0;\n @%p1 bra other;\n" + plain + " bra.uni end;\nother:\n" + atom +
                 "end:\n") == "sss-- s --");
    CHECK(map_of(" setp.eq.u32 %p1, %r2, 0;\n @%p1 bra other;\n" + plain + " ret;\nother:\n" + atom) == "sss-- s --");
}

TEST_CASE("accesses of the CTA's own shared memory are not spoken, volatile ones of global memory are") {
    CHECK(map_of(".shared .u32 own;\n atom.shared.add.u32 %r1, [own], 1;\n st.global.u32 [%rd1], %r1;\n") == "----");
    CHECK(map_of(" st.volatile.global.u32 [%rd1], %r1;\n" + plain) == "s s --");
}

TEST_CASE("a call may speak where a function of the kernel does") {
    std::string const call = " { .param .u64 a; st.param.u64 [a], %rd1; call f, (a); }\n";
    auto const f = [](std::string const& body) {
        return ".func f(.param .u64 to) {\n" + registers + body + " ret;\n}\n";
    };
    std::string const speaks = map_of(call + plain, f(atom)), silent = map_of(call + plain, f(plain));
    CHECK(speaks.find('s') == 0);
    CHECK(speaks.back() == '-');
    CHECK(silent.find('s') == std::string::npos);
}

} // namespace speech_map_test
