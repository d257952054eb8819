// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma. Elements are small whole numbers, so that every sum is exact.
#include "sim/ops/float_format.hpp"

#include "support/kernel_fixture.hpp"

namespace kernels_wmma_test {

using namespace gpuprof_test;

namespace {
constexpr std::size_t n = 16;

int element_a(std::size_t i, std::size_t k) { return static_cast<int>((i * 7 + k * 3) % 23) - 11; }
int element_b(std::size_t k, std::size_t j) { return static_cast<int>((k * 5 + j * 11) % 19) - 9; }
int product(std::size_t i, std::size_t j, std::size_t depth) {
    int sum = 0;
    for (std::size_t k = 0; k < depth; ++k) sum += element_a(i, k) * element_b(k, j);
    return sum;
}
template <class T, class Element>
std::vector<T> by_rows(std::size_t rows, std::size_t columns, Element element) {
    std::vector<T> values(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) values[i * columns + j] = static_cast<T>(element(i, j));
    return values;
}
template <class T, class Element>
std::vector<T> by_columns(std::size_t rows, std::size_t columns, Element element) {
    return by_rows<T>(columns, rows, [&](std::size_t j, std::size_t i) { return element(i, j); });
}
std::uint16_t half_bits(double x) { return static_cast<std::uint16_t>(sim::narrow(x, sim::f16_format)); }
std::uint16_t bfloat_bits(double x) { return static_cast<std::uint16_t>(sim::narrow(x, sim::bf16_format)); }
} // namespace

TEST_CASE("wmma accumulates halves into f32 over a strip of tiles") {
    constexpr std::size_t depth = 48;
    machine m{"wmma.sm_80.ptx"};
    auto const a = m.array(by_rows<std::uint16_t>(n, depth, [](auto i, auto k) { return half_bits(element_a(i, k)); }));
    auto const b =
        m.array(by_columns<std::uint16_t>(depth, n, [](auto k, auto j) { return half_bits(element_b(k, j)); }));
    auto const c = m.array(by_rows<float>(n, depth, [](auto i, auto j) { return 0.25 * double(i) - double(j); }));
    auto const d = m.zeros<float>(n * depth);
    m.run("wmma_f32", {1}, {32}, arguments{a, b, c, d, static_cast<int>(depth)});
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            REQUIRE(d[j * depth + i] == 2 * (static_cast<float>(product(i, j, depth)) + c[i * depth + j]));
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = n; i < depth; ++i) REQUIRE(d[j * depth + i] == 0); // nothing beside the tile
}

TEST_CASE("wmma takes either operand by rows or columns, and elements of fragments can be changed") {
    machine m{"wmma.sm_80.ptx"};
    auto const a = m.array(by_columns<std::uint16_t>(n, n, [](auto i, auto k) { return half_bits(element_a(i, k)); }));
    auto const b = m.array(by_rows<std::uint16_t>(n, n, [](auto k, auto j) { return half_bits(element_b(k, j)); }));
    auto const d = m.zeros<std::uint16_t>(n * n);
    m.run("wmma_f16", {1}, {32}, arguments{a, b, d});
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) REQUIRE(d[i * n + j] == half_bits(0.5 * product(i, j, n) + 1));
}

TEST_CASE("wmma multiplies bfloat16 and eight-bit integers") {
    machine m{"wmma.sm_80.ptx"};
    {
        auto const a =
            m.array(by_rows<std::uint16_t>(n, n, [](auto i, auto k) { return bfloat_bits(element_a(i, k)); }));
        auto const b =
            m.array(by_rows<std::uint16_t>(n, n, [](auto k, auto j) { return bfloat_bits(element_b(k, j)); }));
        auto const d = m.zeros<float>(n * n);
        m.run("wmma_bf16", {1}, {32}, arguments{a, b, d});
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) REQUIRE(d[i * n + j] == static_cast<float>(product(i, j, n)));
    }
    auto const a = m.array(by_rows<std::int8_t>(n, n, element_a));
    auto const b = m.array(by_rows<std::int8_t>(n, n, element_b));
    auto const c = m.array(by_columns<int>(n, n, [](auto i, auto j) { return int(i * 100 + j); }));
    auto const d = m.zeros<int>(n * n);
    m.run("wmma_s8", {1}, {32}, arguments{a, b, c, d});
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) REQUIRE(d[i * n + j] == product(i, j, n) + static_cast<int>(i * 100 + j));
}

TEST_CASE("wmma asks for a matrix by rows once for each pair of neighbours") {
    machine m{"wmma.sm_80.ptx"};
    auto const a = m.zeros<std::uint16_t>(n * n), b = m.zeros<std::uint16_t>(n * n);
    auto const c = m.zeros<float>(n * n), d = m.zeros<float>(n * n);
    m.run("wmma_f32", {1}, {32}, arguments{a, b, c, d, static_cast<int>(n)});
    using enum sim::raw_counter;
    // Loads: four of two halves for a and for b, four of two floats for c. Stores by columns: eight of one float.
    CHECK(m.counted[l1_requests_global_ld] == 12);
    CHECK(m.counted[l1_requests_global_st] == 8);
    CHECK(m.counted[bytes_global_ld] == 2 * 512 + 1024);
    CHECK(m.counted[bytes_global_st] == 1024);
    // A pair of rows of eight halves is 16 bytes of each of 8 rows: half a sector each.
    CHECK(m.counted[l1_sectors_global_ld] == 4 * 8 + 4 * 8 + 4 * 8);
}

TEST_CASE("wmma of a matrix that ends too early is an illegal address") {
    machine m{"wmma.sm_80.ptx"};
    auto const a = m.zeros<std::uint16_t>(64), b = m.zeros<std::uint16_t>(n * n), d = m.zeros<std::uint16_t>(n * n);
    auto const done = m.launch("wmma_bf16", {1}, {32}, arguments{a, b, d});
    REQUIRE(done.error.has_value());
    CHECK(done.error->kind == sim::launch_failure::illegal_address);
}

TEST_CASE("wmma multiplies doubles by tiles of 8 by 8") {
    constexpr std::size_t size = 8;
    machine m{"wmma_wide.sm_80.ptx"};
    auto const a = m.array(by_rows<double>(size, size, element_a));
    auto const b = m.array(by_columns<double>(size, size, element_b));
    auto const c = m.array(by_rows<double>(size, size, [](auto i, auto j) { return double(i) * 0.5 - double(j); }));
    auto const d = m.zeros<double>(size * size);
    m.run("wmma_f64", {1}, {32}, arguments{a, b, c, d});
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            REQUIRE(d[j * size + i] == product(i, j, size) + double(i) * 0.5 - double(j));
}

TEST_CASE("wmma multiplies tf32, a by columns and b by rows") {
    constexpr std::size_t depth = 8;
    machine m{"wmma_wide.sm_80.ptx"};
    auto const a = m.array(by_columns<float>(n, depth, element_a));
    auto const b = m.array(by_rows<float>(depth, n, element_b));
    auto const c = m.array(by_rows<float>(n, n, [](auto i, auto j) { return 0.25 * double(i) - double(j); }));
    auto const d = m.zeros<float>(n * n);
    m.run("wmma_tf32", {1}, {32}, arguments{a, b, c, d});
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            REQUIRE(d[i * n + j] == static_cast<float>(product(i, j, depth)) + c[i * n + j]);
}

} // namespace kernels_wmma_test
