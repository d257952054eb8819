// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of CUB that are free of errors, for checks.sh: the first argument says which. Each verifies its result.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

template <class T>
struct array {
    explicit array(std::size_t n) : size{n} { cudaMalloc(&data, n * sizeof(T)); }
    explicit array(std::vector<T> const& from) : array(from.size()) {
        cudaMemcpy(data, from.data(), size * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~array() { cudaFree(data); }
    std::vector<T> get(std::size_t n) const {
        std::vector<T> values(n);
        cudaMemcpy(values.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }
    T* data = nullptr;
    std::size_t size;
};
// Calls a device-wide algorithm twice: for the size of its storage, and to run.
template <class F>
void twice(F call) {
    std::size_t bytes = 0;
    call(nullptr, bytes);
    array<char> storage(bytes);
    call(storage.data, bytes);
}
static std::vector<unsigned> values(std::size_t n) {
    std::vector<unsigned> made(n);
    unsigned x = 12345;
    for (auto& v : made) v = (x = x * 1664525 + 1013904223) >> 8;
    return made;
}
static constexpr int n = 20000;

static bool sum() {
    auto const v = values(n);
    array<unsigned> in(v), out(1);
    twice([&](void* s, std::size_t& b) { cub::DeviceReduce::Sum(s, b, in.data, out.data, n); });
    return out.get(1)[0] == std::accumulate(v.begin(), v.end(), 0u);
}
static bool arg_max() {
    auto const v = values(n);
    array<unsigned> in(v);
    array<cub::KeyValuePair<int, unsigned>> out(1);
    twice([&](void* s, std::size_t& b) { cub::DeviceReduce::ArgMax(s, b, in.data, out.data, n); });
    return out.get(1)[0].value == *std::max_element(v.begin(), v.end());
}
static bool scan() {
    auto const v = values(n);
    array<unsigned> in(v), out(n);
    twice([&](void* s, std::size_t& b) { cub::DeviceScan::ExclusiveSum(s, b, in.data, out.data, n); });
    std::vector<unsigned> expected(n);
    std::exclusive_scan(v.begin(), v.end(), expected.begin(), 0u);
    return out.get(n) == expected;
}
static bool scan_wide() {
    std::vector<double> v(n, 0.5);
    array<double> in(v), out(n);
    twice([&](void* s, std::size_t& b) { cub::DeviceScan::InclusiveSum(s, b, in.data, out.data, n); });
    return out.get(n).back() == 0.5 * n;
}
static bool radix_sort() {
    auto v = values(n);
    array<unsigned> in(v), out(n);
    twice([&](void* s, std::size_t& b) { cub::DeviceRadixSort::SortKeys(s, b, in.data, out.data, n); });
    std::sort(v.begin(), v.end());
    return out.get(n) == v;
}
static bool radix_sort_pairs() {
    auto v = values(n);
    std::vector<unsigned char> tags(n);
    for (int i = 0; i < n; ++i) tags[i] = static_cast<unsigned char>(v[i] % 251);
    array<unsigned> in(v), out(n);
    array<unsigned char> tag_in(tags), tag_out(n);
    twice([&](void* s, std::size_t& b) {
        cub::DeviceRadixSort::SortPairsDescending(s, b, in.data, out.data, tag_in.data, tag_out.data, n);
    });
    auto const keys = out.get(n);
    auto const sorted_tags = tag_out.get(n);
    bool good = std::is_sorted(keys.begin(), keys.end(), std::greater<>{});
    for (int i = 0; i < n; ++i) good = good && sorted_tags[i] == keys[i] % 251;
    return good;
}
static bool merge_sort() {
    auto v = values(n);
    array<unsigned> keys(v);
    twice([&](void* s, std::size_t& b) {
        cub::DeviceMergeSort::SortKeys(s, b, keys.data, n, [] __device__(unsigned x, unsigned y) { return x < y; });
    });
    std::sort(v.begin(), v.end());
    return keys.get(n) == v;
}
static bool select() {
    auto const v = values(n);
    array<unsigned> in(v), out(n);
    array<int> count(1);
    twice([&](void* s, std::size_t& b) {
        cub::DeviceSelect::If(s, b, in.data, out.data, count.data, n, [] __device__(unsigned x) { return x % 3 == 0; });
    });
    std::vector<unsigned> expected;
    std::copy_if(v.begin(), v.end(), std::back_inserter(expected), [](unsigned x) { return x % 3 == 0; });
    return count.get(1)[0] == static_cast<int>(expected.size()) && out.get(expected.size()) == expected;
}
static bool run_lengths() {
    auto v = values(n);
    for (auto& x : v) x &= 1;
    array<unsigned> in(v), out(n);
    array<int> lengths(n), runs(1);
    twice([&](void* s, std::size_t& b) {
        cub::DeviceRunLengthEncode::Encode(s, b, in.data, out.data, lengths.data, runs.data, n);
    });
    auto const count = static_cast<std::size_t>(runs.get(1)[0]);
    auto const found = lengths.get(count);
    return std::accumulate(found.begin(), found.end(), 0) == n;
}
static bool reduce_by_key() {
    std::vector<int> keys(n), ones(n, 1);
    for (int i = 0; i < n; ++i) keys[i] = i / 7;
    array<int> in(keys), unique(n), one(ones), sums(n), runs(1);
    twice([&](void* s, std::size_t& b) {
        cub::DeviceReduce::ReduceByKey(s, b, in.data, unique.data, one.data, sums.data, runs.data,
                                       ::cuda::std::plus<>{}, n);
    });
    auto const count = runs.get(1)[0];
    return count == (n + 6) / 7 && sums.get(1)[0] == 7;
}
static bool histogram() {
    auto v = values(n);
    std::vector<unsigned char> samples(n);
    for (int i = 0; i < n; ++i) samples[i] = static_cast<unsigned char>(v[i]);
    array<unsigned char> in(samples);
    array<int> bins(256);
    twice([&](void* s, std::size_t& b) {
        cub::DeviceHistogram::HistogramEven(s, b, in.data, bins.data, 257, 0, 256, n);
    });
    auto const found = bins.get(256);
    return std::accumulate(found.begin(), found.end(), 0) == n;
}

// Blocks and warps, with fewer items than threads have room for.
template <int Threads>
__global__ void in_blocks(int* out, int const* in, int count) {
    using reduce = cub::BlockReduce<int, Threads>;
    using scan = cub::BlockScan<int, Threads>;
    using warp = cub::WarpReduce<int>;
    using exchange = cub::BlockExchange<int, Threads, 3>;
    using sort = cub::BlockRadixSort<int, Threads, 3>;
    __shared__ union {
        typename reduce::TempStorage reduce;
        typename scan::TempStorage scan;
        typename warp::TempStorage warp[Threads / 32];
        typename exchange::TempStorage exchange;
        typename sort::TempStorage sort;
    } s;
    int const t = threadIdx.x;
    int const value = t < count ? in[t] : 0;
    int const sum = reduce(s.reduce).Sum(value, count);
    __syncthreads();
    int before;
    scan(s.scan).ExclusiveSum(value, before);
    __syncthreads();
    int const in_warp = warp(s.warp[t / 32]).Sum(value);
    __syncthreads();
    int items[3] = {value, value + 1, value + 2};
    exchange(s.exchange).BlockedToStriped(items);
    __syncthreads();
    sort(s.sort).Sort(items);
    if (t == 0) out[0] = sum, out[1] = in_warp;
    out[2 + t] = before;
    for (int i = 0; i < 3; ++i) out[2 + Threads + 3 * t + i] = items[i];
}
static bool blocks() {
    constexpr int threads = 128;
    std::vector<int> v(100);
    std::iota(v.begin(), v.end(), 1);
    array<int> in(v), out(2 + 4 * threads);
    in_blocks<threads><<<1, threads>>>(out.data, in.data, 100);
    auto const found = out.get(2 + 4 * threads);
    return found[0] == 5050 && std::is_sorted(found.begin() + 2 + threads, found.end());
}

int main(int argc, char** argv) {
    struct {
        char const* name;
        bool (*run)();
    } const programs[] = {{"sum", sum},
                          {"arg_max", arg_max},
                          {"scan", scan},
                          {"scan_wide", scan_wide},
                          {"radix_sort", radix_sort},
                          {"radix_sort_pairs", radix_sort_pairs},
                          {"merge_sort", merge_sort},
                          {"select", select},
                          {"run_lengths", run_lengths},
                          {"reduce_by_key", reduce_by_key},
                          {"histogram", histogram},
                          {"blocks", blocks}};
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
