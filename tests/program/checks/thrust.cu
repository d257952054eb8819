// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of Thrust and of cooperative groups that are free of errors, for checks.sh: the first argument says which. Each
// verifies its result.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

static constexpr int n = 20000;
static std::vector<int> values() {
    std::vector<int> made(n);
    unsigned x = 99;
    for (auto& v : made) v = static_cast<int>((x = x * 1664525 + 1013904223) >> 8) % 5000;
    return made;
}

static bool sort() {
    auto v = values();
    thrust::device_vector<int> d(v.begin(), v.end());
    thrust::sort(d.begin(), d.end());
    std::sort(v.begin(), v.end());
    return thrust::equal(d.begin(), d.end(), thrust::device_vector<int>(v.begin(), v.end()).begin());
}
struct padded {
    char key;
    int value;
};
static bool sort_padded() {
    std::vector<padded> v(3000);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = {static_cast<char>(i * 37 % 101), static_cast<int>(i)};
    thrust::device_vector<padded> d(v.begin(), v.end());
    thrust::stable_sort(d.begin(), d.end(), [] __device__(padded const& a, padded const& b) { return a.key < b.key; });
    std::vector<padded> found(v.size());
    thrust::copy(d.begin(), d.end(), found.begin());
    return std::is_sorted(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.key < b.key; });
}
// The padding is written by nobody: a kernel fills the members.
static bool made_padded() {
    thrust::device_vector<padded> d(3000), copy(3000);
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(3000), d.begin(),
                      [] __device__(int i) -> padded {
                          return padded{static_cast<char>(i % 100), i};
                      });
    thrust::copy(d.begin(), d.end(), copy.begin());
    return thrust::transform_reduce(
               copy.begin(), copy.end(), [] __device__(padded const& p) -> int { return p.value + p.key; }, 0,
               thrust::plus<int>{}) == 2999 * 3000 / 2 + 30 * 4950;
}
static bool reduce() {
    auto const v = values();
    thrust::device_vector<int> d(v.begin(), v.end());
    return thrust::reduce(d.begin(), d.end()) == std::accumulate(v.begin(), v.end(), 0);
}
static bool scan() {
    auto const v = values();
    thrust::device_vector<int> d(v.begin(), v.end());
    thrust::inclusive_scan(d.begin(), d.end(), d.begin());
    return d.back() == std::accumulate(v.begin(), v.end(), 0);
}
static bool unique() {
    auto v = values();
    std::sort(v.begin(), v.end());
    thrust::device_vector<int> d(v.begin(), v.end());
    auto const end = thrust::unique(d.begin(), d.end());
    return end - d.begin() == std::unique(v.begin(), v.end()) - v.begin();
}
static bool by_key() {
    thrust::device_vector<int> keys(n), ones(n, 1), out_keys(n), sums(n);
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), keys.begin(),
                      [] __device__(int i) -> int { return i / 11; });
    auto const end = thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), out_keys.begin(), sums.begin());
    return end.first - out_keys.begin() == (n + 10) / 11 && sums[5] == 11;
}
static bool merge() {
    std::vector<int> a(7000), b(9000);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(3 * i);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>(2 * i);
    thrust::device_vector<int> x(a.begin(), a.end()), y(b.begin(), b.end()), z(16000);
    auto const end = thrust::set_union(x.begin(), x.end(), y.begin(), y.end(), z.begin());
    return thrust::is_sorted(z.begin(), end);
}
static bool inner() {
    thrust::device_vector<double> a(n, 2.0), b(n, 0.5);
    return thrust::inner_product(a.begin(), a.end(), b.begin(), 0.0) == n;
}

namespace cg = cooperative_groups;
__global__ void groups(int* out, int const* in) {
    __shared__ int s[256];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    auto warp = cg::tiled_partition<32>(block);
    int const t = static_cast<int>(block.thread_rank());
    s[t] = in[blockIdx.x * 256 + t];
    tile.sync();
    int const other = s[t ^ 7];
    tile.sync();
    s[t] = other;
    warp.sync();
    int const sum = cg::reduce(warp, s[t ^ 31], cg::plus<int>());
    block.sync();
    s[t] = sum;
    block.sync();
    if (t == 0) {
        int all = 0;
        for (int w = 0; w < 8; ++w) all += s[32 * w];
        out[blockIdx.x] = all;
    }
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0 && t >= 224) out[gridDim.x + blockIdx.x] = static_cast<int>(active.size());
}
static bool in_groups() {
    std::vector<int> v(1024, 1);
    thrust::device_vector<int> in(v.begin(), v.end()), out(8);
    groups<<<4, 256>>>(thrust::raw_pointer_cast(out.data()), thrust::raw_pointer_cast(in.data()));
    return out[0] == 256 && out[3] == 256 && out[4] == 32;
}
__global__ void whole_grid(int* a, int* b, int rounds) {
    auto grid = cg::this_grid();
    int const i = static_cast<int>(grid.thread_rank());
    int const size = static_cast<int>(grid.size());
    for (int round = 0; round < rounds; ++round) {
        b[i] = a[(i + 1) % size] + a[(i + size - 1) % size];
        grid.sync();
        a[i] = b[i] % 1000;
        grid.sync();
    }
}
static bool in_grid() {
    std::vector<int> v(1024);
    std::iota(v.begin(), v.end(), 0);
    thrust::device_vector<int> a(v.begin(), v.end()), b(1024);
    int* pa = thrust::raw_pointer_cast(a.data());
    int* pb = thrust::raw_pointer_cast(b.data());
    int rounds = 5;
    void* parameters[] = {&pa, &pb, &rounds};
    if (cudaLaunchCooperativeKernel(whole_grid, 8, 128, parameters, 0, nullptr) != cudaSuccess) return false;
    for (int round = 0; round < 5; ++round) {
        std::vector<int> next(1024);
        for (int i = 0; i < 1024; ++i) next[i] = (v[(i + 1) % 1024] + v[(i + 1023) % 1024]) % 1000;
        v = next;
    }
    std::vector<int> found(1024);
    thrust::copy(a.begin(), a.end(), found.begin());
    return found == v;
}

int main(int argc, char** argv) {
    struct {
        char const* name;
        bool (*run)();
    } const programs[] = {
        {"sort", sort},   {"sort_padded", sort_padded}, {"made_padded", made_padded}, {"reduce", reduce},
        {"scan", scan},   {"unique", unique},           {"by_key", by_key},           {"merge", merge},
        {"inner", inner}, {"in_groups", in_groups},     {"in_grid", in_grid}};
    for (auto const& program : programs) {
        if (argc == 1) std::puts(program.name);
        if (argc == 2 && std::strcmp(argv[1], program.name) == 0) {
            bool const good = program.run();
            std::puts(good ? "PASSED" : "FAILED");
            return good ? 0 : 1;
        }
    }
    return argc == 1 ? 0 : 2;
}
