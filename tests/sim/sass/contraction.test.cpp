// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and sums that round once: which ones, as ptxas 13.0 compiles the same text for sm_90 (FFMA or FMUL and FADD, DFMA or DMUL
// and DADD), and what they give.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/kernel_fixture.hpp"

namespace contraction_test {

using namespace gpuprof_test;
using enum gpuprof::sim::raw_counter;

namespace {

// A kernel that has loaded a, b, c and d, and stores two results.
template <class T>
std::string kernel(std::string const& body) {
    std::string const t = sizeof(T) == 4 ? "f32" : "f64", bytes = std::to_string(sizeof(T));
    std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry one(.param .u64 in, .param .u64 "
                       "out) {\n.reg ." +
                       t +
                       " %a, %b, %c, %d, %x, %y, %p, %q; .reg .u64 %in, %out; .reg .pred %t;\n"
                       "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n";
    int offset = 0;
    for (char const name : {'a', 'b', 'c', 'd'})
        text += "ld.global." + t + " %" + name + ", [%in+" + std::to_string(offset++ * static_cast<int>(sizeof(T))) +
                "];\n";
    std::string code = body;
    for (std::size_t at; (at = code.find("TYPE")) != code.npos;) code.replace(at, 4, t);
    return text + "mov." + t + " %x, %a; mov." + t + " %y, %a;\n" + code + "\nst.global." + t +
           " [%out], %x; st.global." + t + " [%out+" + bytes + "], %y;\nret;\n}\n";
}

template <class T>
struct outcome {
    T x, y;
    std::uint64_t products, sums, fused; // of a thread
};

// One thread with a = b = 1 + e, c = 1 + 2e, of which e * e is lost when a * b is rounded by itself, and d = 3.
template <class T>
constexpr T e = sizeof(T) == 4 ? T{1} / 4096 : T{1} / (1 << 27);

template <class T>
outcome<T> run(std::string const& body) {
    machine m{ptx_text{kernel<T>(body)}};
    auto const in = m.array(std::vector<T>{1 + e<T>, 1 + e<T>, 1 + 2 * e<T>, 3});
    auto const out = m.template zeros<T>(2);
    m.run("one", {1}, {1}, arguments{in, out});
    bool const single = sizeof(T) == 4;
    return {out[0], out[1], m.counted[single ? thread_fmul : thread_dmul],
            m.counted[single ? thread_fadd : thread_dadd], m.counted[single ? thread_ffma : thread_dfma]};
}

template <class T>
void check_values() {
    auto const difference = run<T>("mul.TYPE %p, %a, %b; sub.TYPE %x, %p, %c;");
    CHECK(difference.x == e<T> * e<T>);
    CHECK(difference.fused == 1);
    CHECK(difference.products + difference.sums == 0);
    auto const turned = run<T>("mul.TYPE %p, %a, %b; sub.TYPE %x, %c, %p;");
    CHECK(turned.x == -e<T> * e<T>);
    auto const sum = run<T>("neg.TYPE %q, %c; mul.TYPE %p, %a, %b; add.TYPE %x, %q, %p;");
    CHECK(sum.x == e<T> * e<T>);
    for (std::string const rounded :
         {"mul.rn.TYPE %p, %a, %b; sub.TYPE %x, %p, %c;", "mul.TYPE %p, %a, %b; sub.rn.TYPE %x, %p, %c;"}) {
        auto const apart = run<T>(rounded);
        CHECK(apart.x == 0);
        CHECK(apart.fused == 0);
        CHECK(apart.products == 1);
        CHECK(apart.sums == 1);
    }
}

} // namespace

TEST_CASE("a product and a sum without a rounding modifier round once") {
    check_values<float>();
    check_values<double>();
}

TEST_CASE("a product is contracted into all that read it, or into none") {
    auto const both = run<float>("mul.TYPE %p, %a, %b; sub.TYPE %x, %p, %c; add.TYPE %y, %p, %d;");
    CHECK(both.fused == 2);
    CHECK(both.products == 0);
    CHECK(both.x == e<float> * e<float>);
    auto const stored = run<float>("mul.TYPE %p, %a, %b; sub.TYPE %x, %p, %c; mov.TYPE %y, %p;");
    CHECK(stored.fused == 0);
    CHECK(stored.x == 0);
    auto const twice = run<float>("mul.TYPE %p, %a, %b; add.TYPE %x, %p, %p;");
    CHECK(twice.fused == 0);
    auto const next_block =
        run<float>("mul.TYPE %p, %a, %b; setp.lt.TYPE %t, %a, %d; @%t bra go; bra go;\ngo: sub.TYPE %x, %p, %c;");
    CHECK(next_block.fused == 0);
    CHECK(next_block.x == 0);
    std::string const elsewhere = "setp.lt.TYPE %t, %a, %d; @%t bra go; st.global.TYPE [%out], %d; bar.sync 0;\ngo: ";
    auto const triple = run<float>("mul.TYPE %p, %a, 0f40400000; " + elsewhere +
                                   "sub.TYPE %x, %p, %c; add.TYPE %y, %p, %d;"); // made again in each block
    CHECK(triple.fused == 2);
    CHECK(triple.products == 0);
    auto const known = run<float>("mov.TYPE %q, 0f40400000; mul.TYPE %p, %a, %q; " + elsewhere +
                                  "sub.TYPE %x, %p, %c; add.TYPE %y, %p, %d;");
    CHECK(known.fused == 2);
    auto const loaded = run<float>("mul.TYPE %p, %a, %b; " + elsewhere + "sub.TYPE %x, %p, %c; add.TYPE %y, %p, %d;");
    CHECK(loaded.fused == 0);
    CHECK(loaded.sums == 2);
    auto const flushed = run<float>("mul.ftz.TYPE %p, %a, %b; sub.TYPE %x, %p, %c;");
    CHECK(flushed.fused == 0);
    auto const changed = run<float>("mul.TYPE %p, %a, %b; mov.TYPE %b, %d; sub.TYPE %x, %p, %c; mov.TYPE %y, %b;");
    CHECK(changed.y == 3);
}

TEST_CASE("a product is not contracted if one of its sums is compared with 0 alone, but if that is all that reads it") {
    std::string const product = "mul.TYPE %p, %a, %b; ", zero = ".TYPE %t, %q, 0f00000000; ",
                      more = "add.TYPE %x, %p, %d; selp.TYPE %x, %x, %d, %t;";
    auto const compared = run<float>(product + "sub.TYPE %q, %c, %p; setp.leu" + zero + more);
    CHECK(compared.fused == 0);
    CHECK(compared.products == 1);
    auto const ordered = run<float>(product + "sub.TYPE %q, %c, %p; setp.le" + zero + more); // not so of its parts
    CHECK(ordered.fused >= 1);
    CHECK(ordered.products == 0);
    auto const alone = run<float>(product + "sub.TYPE %q, %d, %p; setp.gt" + zero + "selp.TYPE %x, %d, %c, %t;");
    CHECK(alone.fused == 1);
    CHECK(alone.products == 0);
}

TEST_CASE("a product that the next round of a loop reads is not contracted") {
    auto const c =
        run<float>("mov.TYPE %p, 0f00000000;\nagain: setp.eq.TYPE %t, %p, 0f00000000;\nmul.TYPE %p, %a, %b;\n"
                   "sub.TYPE %x, %p, %c;\n@%t bra again;");
    CHECK(c.fused == 0);
    CHECK(c.products == 2);
    CHECK(c.x == 0);
}

TEST_CASE("of two products the first part of a sum is contracted, unless others read it") {
    // a * b - 1 * c, where a * b keeps its last digits, and c * 1 is exact
    auto const first = run<double>("mul.TYPE %p, %a, %b; mul.TYPE %q, %c, 0d3FF0000000000000; sub.TYPE %x, %p, %q;");
    CHECK(first.fused == 1);
    CHECK(first.products == 1);
    CHECK(first.x == e<double> * e<double>);
    auto const second = run<double>("mul.TYPE %p, %a, %b; mul.TYPE %q, %c, 0d3FF0000000000000; sub.TYPE %x, %q, %p;");
    CHECK(second.fused == 1);
    CHECK(second.x == 0); // a * b was rounded
    auto const other =
        run<double>("mul.TYPE %p, %a, %b; mul.TYPE %q, %c, 0d3FF0000000000000; sub.TYPE %x, %p, %q; mov.TYPE %y, %p;");
    CHECK(other.fused == 1);
    CHECK(other.x == 0);
}

} // namespace contraction_test
