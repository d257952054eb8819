// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// src/sim/ops/tensor_sum.hpp: mma.sync and wgmma add as tensor cores of an H200 do, to the bit.
#include "sim/ops/tensor_sum.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/kernel_fixture.hpp"
#include "support/tensor_numbers.hpp"

namespace tensor_sum_test {

using namespace gpuprof_test;
namespace numbers = tensor_numbers;
using numbers::kind;

namespace {

// "mma_f16_k16 near": digest, of so many tiles on an H200.
std::map<std::string, std::string> digests_of_hardware(std::string const& tiles) {
    std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/hardware/last_tensor_sums.txt"};
    std::map<std::string, std::string> digests;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words{line};
        std::string form, of, count, unit, digest;
        if (words >> form >> of >> count >> unit >> digest && unit == "tiles" && count == tiles)
            digests[form + " " + of] = digest;
    }
    return digests;
}

struct form {
    char const* name;
    unsigned a, b, sums; // registers of a lane
    numbers::format of_a, of_b, of_c;
    std::string instruction; // without operands
    std::string last{};      // operands of wgmma behind the scales
};
std::vector<form> forms() {
    using namespace tensor_numbers;
    return {{"mma_f16_k16", 4, 2, 4, f16, f16, f32, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
            {"mma_f16_k8", 2, 1, 4, f16, f16, f32, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"},
            {"mma_f16_f16_k16", 4, 2, 2, f16, f16, f16, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"},
            {"mma_f16_f16_k8", 2, 1, 2, f16, f16, f16, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"},
            {"mma_bf16_k16", 4, 2, 4, bf16, bf16, f32, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
            {"mma_bf16_k8", 2, 1, 4, bf16, bf16, f32, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32"},
            {"mma_tf32_k8", 4, 2, 4, tf32, tf32, f32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
            {"mma_tf32_k4", 2, 1, 4, tf32, tf32, f32, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"},
            {"mma_e4m3_k32", 4, 2, 4, e4m3, e4m3, f32, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"},
            {"mma_e5m2_e4m3_k32", 4, 2, 4, e5m2, e4m3, f32, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32"},
            {"mma_e5m2_f16_k32", 4, 2, 2, e5m2, e5m2, f16, "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16"},
            {"wgmma_f16", 4, 1, 4, f16, f16, f32, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", ", 0"},
            {"wgmma_f16_f16", 4, 1, 2, f16, f16, f16, "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16", ", 0"},
            {"wgmma_bf16", 4, 1, 4, bf16, bf16, f32, "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", ", 0"},
            {"wgmma_tf32", 4, 1, 4, tf32, tf32, f32, "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32"},
            {"wgmma_e4m3", 4, 1, 4, e4m3, e4m3, f32, "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3"},
            {"wgmma_e5m2", 4, 1, 4, e5m2, e5m2, f32, "wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2"},
            {"wgmma_e4m3_e5m2_f16", 4, 1, 2, e4m3, e5m2, f16, "wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2"}};
}

std::string registers(std::string const& name, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + name + std::to_string(i);
    return text + "}";
}

// A tile a block; of each thread four registers of a, two of b and four of c, which are replaced by the sums.
std::string kernel(form const& f, bool by_warpgroup) {
    std::string const d = registers("c", f.sums), a = registers("a", f.a);
    std::string const product =
        by_warpgroup ? "mov.u32 s, tile; mad.lo.u32 s, t, 4, s; setp.lt.u32 p, t, 64; @p st.shared.b32 [s], b0;\n"
                       "fence.proxy.async.shared::cta; bar.sync 0; wgmma.fence.sync.aligned;\n"
                       "mov.u32 s, tile; cvt.u64.u32 at, s; shr.u64 at, at, 4; add.u64 at, at, " +
                           std::to_string((std::uint64_t{256 >> 4} << 32) + (128 >> 4 << 16)) + ";\n" + f.instruction +
                           " " + d + ", " + a + ", at, 1, 1, 1" + f.last +
                           ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
                     : f.instruction + " " + d + ", " + a + ", " + registers("b", f.b) + ", " + d + ";\n";
    return ".version 8.4\n.target sm_90a\n.address_size 64\n"
           ".visible .entry multiply(.param .u64 all) {\n.shared .align 1024 .b8 tile[256];\n"
           ".reg .pred p; .reg .b32 t, x, n, s, a<4>, b<2>, c<4>; .reg .b64 of, at;\n"
           "mov.u32 t, %tid.x; mov.u32 x, %ctaid.x; mov.u32 n, %ntid.x; mad.lo.u32 x, x, n, t;\n"
           "ld.param.u64 of, [all]; mul.wide.u32 at, x, 48; add.u64 of, of, at;\n"
           "ld.global.v4.b32 {a0, a1, a2, a3}, [of]; ld.global.v2.b32 {b0, b1}, [of+16]; "
           "ld.global.v4.b32 {c0, c1, c2, c3}, [of+32];\n" +
           product + "st.global.v4.b32 [of+32], {c0, c1, c2, c3};\nret;\n}\n";
}

} // namespace

TEST_CASE("sums of mma.sync and wgmma are those of an H200, to the bit") {
    constexpr unsigned tiles = 200;
    auto const hardware = digests_of_hardware("200");
    std::size_t sums = 0, equal = 0;
    for (form const& f : forms()) {
        CAPTURE(f.name);
        bool const by_warpgroup = f.instruction.starts_with("wgmma");
        unsigned const threads = by_warpgroup ? 128 : 32;
        machine m{ptx_text{kernel(f, by_warpgroup)}};
        for (kind const of : {kind::near_by, kind::far_apart, kind::any}) {
            std::vector<std::uint32_t> words(tiles * threads * 12);
            for (std::uint64_t thread = 0; thread < std::uint64_t{tiles} * threads; ++thread)
                for (unsigned i = 0; i < 4; ++i) {
                    std::uint32_t* const to = &words[thread * 12];
                    to[i] = numbers::numbers(f.of_a, of, thread * 16 + i);
                    if (i < 2) to[4 + i] = numbers::numbers(f.of_b, of, thread * 16 + 4 + i);
                    if (i < f.sums) to[8 + i] = numbers::numbers(f.of_c, of, thread * 16 + 8 + i);
                }
            auto const all = m.array(words);
            m.run("multiply", {tiles, 1, 1}, {threads, 1, 1}, arguments{all});
            std::uint64_t digest = 0;
            for (std::size_t thread = 0; thread < tiles * threads; ++thread)
                for (unsigned i = 0; i < f.sums; ++i, ++sums)
                    digest += numbers::digest(thread / threads, static_cast<unsigned>(thread % threads * 4 + i),
                                              all[thread * 12 + 8 + i]);
            char text[17];
            std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
            auto const known = hardware.find(std::string{f.name} + " " + numbers::kind_names[static_cast<int>(of)]);
            REQUIRE(known != hardware.end());
            CHECK(text == known->second);
            equal += text == known->second;
        }
    }
    CHECK(equal == 54);
    CHECK(sums == 200 * 3 * (32 * (8 * 4 + 3 * 2) + 128 * (5 * 4 + 2 * 2)));
}

TEST_CASE("what is far below the largest addend is cut, and a float of the sum, too") {
    using sim::detail::add_products;
    using sim::detail::tensor_exponent;
    auto const sum = [](std::vector<float> const& a, double c, sim::tensor_core const& how) {
        std::vector<std::int16_t> exponents, of_ones(8 * a.size(), 0);
        for (float const x : a) exponents.push_back(tensor_exponent(x, how.smallest_factor));
        std::vector<float> const ones(8 * a.size(), 1.f);
        std::vector<double> sums(8, c);
        add_products<8>(a.data(), exponents.data(), ones.data(), of_ones.data(), static_cast<unsigned>(a.size()),
                        sums.data(), how);
        CHECK(sums == std::vector<double>(8, sums.front()));
        return sums.front();
    };
    auto const halves = sim::tensor_core::of(sim::ptx::type::f16, sim::ptx::type::f32, true);
    CHECK(sum({1, 0x1p-13, 0x1p-14}, 0, halves) == 1 + 0x1p-13 + 0x1p-14);
    CHECK(sum({1, 0, 0}, 0x1p-25, halves) == 1);            // kept, and cut with the float
    CHECK(sum({1, -1, 0}, 0x1.8p-25, halves) == 0x1p-25);   // its last bit is cut before the sum
    CHECK(sum({1, -1, 0}, -0x1.8p-25, halves) == -0x1p-25); // towards 0
    CHECK(sum({1, -1, 0}, 0x1p-26, halves) == 0);
    CHECK(sum({1, 0, 0}, 0x1p-22 + 0x1.8p-24, halves) == 1 + 0x1p-22); // 2^-24 and 2^-25 are cut with the float
    auto const bytes = sim::tensor_core::of(sim::ptx::type::e4m3, sim::ptx::type::f32, false);
    CHECK(sum({1, 0, 0}, 0x1p-13, bytes) == 1 + 0x1p-13);
    CHECK(sum({1, 0, 0}, 0x1.fp-14, bytes) == 1);
    CHECK(sum({0, 0, 0}, 0x1.fffffep0, bytes) == 0x1.fff8p0); // a sum has 13 bits, c has not
    auto const to_half = sim::tensor_core::of(sim::ptx::type::f16, sim::ptx::type::f16, true);
    CHECK(sum({1, 0, 0}, 0x1p-20, to_half) == 1 + 0x1p-20); // rounded where it is written
}

} // namespace tensor_sum_test
