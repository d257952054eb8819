// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of algorithms that launch kernels from kernels, compiled by nvcc 13.0 (tests/kernels/device_launches.cu). What they compute is
// computed here by the host.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/driver_fixture.hpp"
#include "support/kernel_fixture.hpp"

namespace device_programs_test {

using namespace gpuprof::abi;

namespace {
struct with_programs : embedded_context {
    with_programs() {
        std::string const text = gpuprof_test::read_kernel_file("device_launches.sm_80.ptx");
        REQUIRE(driver.ModuleLoadData(&module, text.c_str()) == CUDA_SUCCESS);
    }
    void launch(char const* name, unsigned block, void** params) {
        CUfunction function = nullptr;
        REQUIRE(driver.ModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
        REQUIRE(driver.LaunchKernel(function, 1, 1, 1, block, 1, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
        REQUIRE(driver.CtxSynchronize() == CUDA_SUCCESS);
    }
    template <class T>
    CUdeviceptr upload(std::vector<T> const& values) {
        CUdeviceptr at = 0;
        REQUIRE(driver.MemAlloc(&at, values.size() * sizeof(T)) == CUDA_SUCCESS);
        REQUIRE(driver.MemcpyHtoD(at, values.data(), values.size() * sizeof(T)) == CUDA_SUCCESS);
        return at;
    }
    template <class T>
    std::vector<T> download(CUdeviceptr at, std::size_t count) {
        std::vector<T> values(count);
        REQUIRE(driver.MemcpyDtoH(values.data(), at, count * sizeof(T)) == CUDA_SUCCESS);
        return values;
    }
    CUmodule module = nullptr;
};

struct point {
    float x, y;
};
// The leaves of the square, and the points in them.
void divide(std::vector<point> const& points, std::size_t most, float x, float y, float size, int depth, int& leaves,
            int& in_leaves) {
    auto const inside = static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [&](point const& p) {
        return p.x >= x && p.x < x + size && p.y >= y && p.y < y + size;
    }));
    if (inside <= most || depth == 8) {
        ++leaves;
        in_leaves += static_cast<int>(inside);
        return;
    }
    float const half = size / 2;
    for (int i = 0; i < 4; ++i)
        divide(points, most, x + static_cast<float>(i & 1) * half, y + static_cast<float>(i >> 1) * half, half,
               depth + 1, leaves, in_leaves);
}
} // namespace

TEST_CASE("a quicksort whose halves are kernels in streams of their own sorts") {
    with_programs gpu;
    std::mt19937 random{1};
    std::vector<unsigned> values(600);
    for (unsigned& value : values) value = static_cast<unsigned>(random() % 1000);
    CUdeviceptr data = gpu.upload(values);
    int left = 0, right = 599, depth = 0;
    void* params[] = {&data, &left, &right, &depth};
    gpu.launch("quicksort", 1, params);
    std::sort(values.begin(), values.end());
    CHECK(gpu.download<unsigned>(data, 600) == values);
}

TEST_CASE("curves get points in memory that a kernel allocates and a tail launch frees") {
    with_programs gpu;
    int count = 20;
    CUdeviceptr curves = gpu.upload(std::vector<std::uint64_t>(40));
    CUdeviceptr sums = gpu.upload(std::vector<int>(20));
    void* params[] = {&curves, &count, &sums};
    std::vector<int> expected;
    for (int n = 0; n < count; ++n) {
        int sum = 0;
        for (int i = 0; i < 10 * n + 3; ++i) sum += i * i + n;
        expected.push_back(sum);
    }
    for (int again = 0; again < 2; ++again) {
        gpu.launch("tessellate", 32, params);
        CHECK(gpu.download<int>(sums, 20) == expected);
    }
}

TEST_CASE("a tree of squares has the leaves that the host finds") {
    with_programs gpu;
    std::mt19937 random{2};
    std::vector<point> points(500);
    for (point& p : points) {
        p.x = static_cast<float>(random() % 4096) / 4096;
        p.y = static_cast<float>(random() % 4096 % (1 + random() % 4096)) / 4096; // more of them below
    }
    int count = 500, most = 12, leaves = 0, in_leaves = 0;
    divide(points, 12, 0, 0, 1, 0, leaves, in_leaves);
    REQUIRE(leaves > 40);
    CUdeviceptr at = gpu.upload(points);
    CUdeviceptr found = gpu.upload(std::vector<int>(2));
    CUdeviceptr found_in = found + 4;
    void* params[] = {&at, &count, &most, &found, &found_in};
    gpu.launch("plant", 1, params);
    CHECK(gpu.download<int>(found, 2) == std::vector<int>{leaves, in_leaves});
}

TEST_CASE("an elimination whose steps follow by tail launches gives factors of the matrix") {
    with_programs gpu;
    constexpr std::size_t n = 24;
    constexpr long long prime = 10007;
    std::mt19937 random{3};
    // The product of two triangular matrices, so that no pivot is zero.
    std::vector<long long> lower(n * n), upper(n * n), a(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            lower[i * n + j] = j < i ? random() % 10007 : j == i ? 1 : 0;
            upper[i * n + j] = j > i ? random() % 10007 : j == i ? 1 + random() % 10006 : 0;
        }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < n; ++k)
                a[i * n + j] = (a[i * n + j] + lower[i * n + k] * upper[k * n + j]) % prime;
    CUdeviceptr at = gpu.upload(a);
    int size = n, step = 0;
    void* params[] = {&at, &size, &step};
    gpu.launch("eliminate", 1, params);
    auto const got = gpu.download<long long>(at, n * n);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) equal += got[i * n + j] == (j < i ? lower : upper)[i * n + j];
    CHECK(equal == n * n);
}

} // namespace device_programs_test
