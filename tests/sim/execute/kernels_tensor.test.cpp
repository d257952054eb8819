// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions and mbarriers. Elements are small whole numbers and fractions, so that every sum is exact.
#include <bit>

#include "sim/ops/float_format.hpp"

#include "support/fused.hpp"
#include "support/kernel_fixture.hpp"

namespace kernels_tensor_test {

using namespace gpuprof_test;

namespace {
constexpr std::size_t rows = 16;
constexpr std::size_t columns = 8;

// a[i][k] and b[k][j], different in every place.
int element_a(std::size_t i, std::size_t k) { return static_cast<int>((i * 7 + k * 3) % 23) - 11; }
int element_b(std::size_t k, std::size_t j) { return static_cast<int>((k * 5 + j * 11) % 19) - 9; }
int product(std::size_t i, std::size_t j, std::size_t depth) {
    int sum = 0;
    for (std::size_t k = 0; k < depth; ++k) sum += element_a(i, k) * element_b(k, j);
    return sum;
}

// Elements packed into words along k, for a by rows and for b by columns.
template <class Encode>
std::vector<std::uint32_t> pack(std::size_t lines, std::size_t depth, std::size_t bits, Encode encode) {
    std::size_t const each = 32 / bits;
    std::vector<std::uint32_t> words(lines * depth / each);
    for (std::size_t l = 0; l < lines; ++l)
        for (std::size_t k = 0; k < depth; ++k)
            words[(l * depth + k) / each] |= static_cast<std::uint32_t>(encode(l, k)) << (k % each * bits);
    return words;
}
std::uint32_t half_bits(double x) { return sim::narrow(x, sim::f16_format); }
std::uint32_t bfloat_bits(double x) { return sim::narrow(x, sim::bf16_format); }
} // namespace

TEST_CASE("f16 and bf16 tiles multiply into f32") {
    machine m{"tensor.sm_80.ptx"};
    for (bool const bf : {false, true}) {
        auto const encode = bf ? bfloat_bits : half_bits;
        auto const a =
            m.array(pack(rows, 16, 16, [&](std::size_t i, std::size_t k) { return encode(element_a(i, k)); }));
        auto const b =
            m.array(pack(columns, 16, 16, [&](std::size_t j, std::size_t k) { return encode(element_b(k, j)); }));
        std::vector<float> c(rows * columns);
        for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(i) * 0.25f;
        auto const dc = m.array(c);
        auto const d = m.zeros<float>(rows * columns);
        m.run(bf ? "mma_bf16" : "mma_f16", {1}, {32}, arguments{a, b, dc, d});
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                REQUIRE(d[i * columns + j] == static_cast<float>(product(i, j, 16)) + c[i * columns + j]);
    }
}

TEST_CASE("tf32 tiles ignore the bits tf32 does not have") {
    machine m{"tensor.sm_80.ptx"};
    auto const encode = [](int x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)) | 0xfff; };
    auto const a = m.array(pack(rows, 8, 32, [&](std::size_t i, std::size_t k) { return encode(element_a(i, k)); }));
    auto const b = m.array(pack(columns, 8, 32, [&](std::size_t j, std::size_t k) { return encode(element_b(k, j)); }));
    auto const d = m.zeros<float>(rows * columns);
    m.run("mma_tf32", {1}, {32}, arguments{a, b, d});
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) REQUIRE(d[i * columns + j] == static_cast<float>(product(i, j, 8)));
}

TEST_CASE("s8 tiles multiply into s32") {
    machine m{"tensor.sm_80.ptx"};
    auto const a = m.array(pack(rows, 32, 8, [&](std::size_t i, std::size_t k) { return element_a(i, k) & 0xff; }));
    auto const b = m.array(pack(columns, 32, 8, [&](std::size_t j, std::size_t k) { return element_b(k, j) & 0xff; }));
    auto const d = m.zeros<int>(rows * columns);
    m.run("mma_s8", {1}, {32}, arguments{a, b, d});
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            REQUIRE(d[i * columns + j] == product(i, j, 32) + 1 + static_cast<int>(j % 2) + (i >= 8 ? 2 : 0));
}

TEST_CASE("f64 tiles fuse each step") {
    machine m{"tensor.sm_80.ptx"};
    auto const a = spread<double>(32, -1, 1, 1);
    auto const b = spread<double>(32, -1, 1, 2);
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const d = m.zeros<double>(64);
    m.run("mma_f64", {1}, {32}, arguments{da, db, d});
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j) {
            double sum = j % 2 == 0 ? 0.5 : -0.5;
            for (std::size_t k = 0; k < 4; ++k) sum = fused(a[i * 4 + k], b[j * 4 + k], sum);
            REQUIRE(d[i * 8 + j] == sum);
        }
}

TEST_CASE("ldmatrix brings rows and transposed rows from shared memory, without bank conflicts it need not have") {
    machine m{"tensor.sm_80.ptx"};
    std::vector<std::uint16_t> a(rows * 16), b(16 * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < 16; ++k) a[i * 16 + k] = static_cast<std::uint16_t>(half_bits(element_a(i, k)));
    for (std::size_t k = 0; k < 16; ++k)
        for (std::size_t j = 0; j < columns; ++j)
            b[k * columns + j] = static_cast<std::uint16_t>(half_bits(element_b(k, j)));
    auto const da = m.array(a);
    auto const db = m.array(b);
    auto const d = m.zeros<float>(rows * columns);
    m.run("mma_ldmatrix", {1}, {32}, arguments{da, db, d});
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) REQUIRE(d[i * columns + j] == static_cast<float>(product(i, j, 16)));
    // The instructions are of two and of four matrices, of 8 rows of 16 bytes. b's rows are neighbours: one wavefront a
    // matrix. a's rows are 32 bytes apart: two.
    CHECK(m.counted[sim::raw_counter::inst_ldsm] == 2);
    CHECK(m.counted[sim::raw_counter::bytes_shared_ld] == (2 + 4) * 8 * 16);
    CHECK(m.counted[sim::raw_counter::shared_wavefronts_ld] == 2 * 1 + 4 * 2);
    CHECK(m.counted[sim::raw_counter::shared_conflicts_ld] == 4);
}

TEST_CASE("a producer warp hands over to a consumer warp through mbarriers") {
    machine m{"tensor.sm_80.ptx"};
    constexpr std::size_t rounds = 9;
    auto const in = spread<int>(rounds * 32, -100, 100);
    auto const din = m.array(in);
    auto const out = m.zeros<int>(rounds * 32);
    m.run("mbarrier_handover", {2}, {64}, arguments{din, out, static_cast<int>(rounds)});
    for (std::size_t i = 0; i < rounds * 32; ++i) REQUIRE(out[i] == in[i / 32 * 32 + 31 - i % 32] * 2);
}

} // namespace kernels_tensor_test
