// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pair: a kernel bad_<name> with one planted flaw and a kernel mended_<name> that computes the same without it. A clean entry
// has one kernel, clean_<name>, and no flaw.
//   KERNEL(bad_example)(float const* in, float* out) {…}
//   KERNEL(mended_example)(float const* in, float* out) {…}
//   PAIR(example, thread_divergence) {         // gets `memory`, a workspace; returns the two launches
//       …
//       return {[=] { bad_example<<<grid, block>>>(in, out.bad); }, [=] { mended_example<<<grid, block>>>(in, out.mended); }};
//   }
// Sizes are made for an H200: 132 SMs, 50 MB of L2, 2048 threads an SM. Set-up launches no kernel.
#ifndef PAIRS_PAIR_HPP
#define PAIRS_PAIR_HPP
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "findings.hpp"

#define KERNEL(name) extern "C" __global__ void name

// The groups of pairs, by the number that held_back() gives.
constexpr char const* group_names[]{
#include "groups.txt"
};
// Of an argument such as "--tune"; below 0: it names no group.
inline int group_of(std::string const& argument) {
    for (std::size_t i = 0; i < std::size(group_names); ++i)
        if (argument == std::string("--") + group_names[i]) return static_cast<int>(i);
    return -1;
}

constexpr unsigned sms = 132;
constexpr unsigned full_grid = sms * 8; // of 256 threads: one full wave

inline void check_cuda(cudaError_t status, char const* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
}
#define CHECK_CUDA(call) check_cuda(call, #call)

// Results of the bad kernel and of the mended one.
template <class T>
struct results {
    T* bad;
    T* mended;
};

struct comparison {
    std::size_t compared = 0;
    std::size_t different = 0;
    double worst = 0; // relative difference

    void add(double a, double b, double tolerance) {
        double difference = std::abs(a - b) / std::max({std::abs(a), std::abs(b), 1e-3});
        if (!std::isfinite(difference))
            difference = INFINITY; // a value that overflowed or is no number differs from all
        ++compared;
        if (difference > tolerance) ++different;
        worst = std::max(worst, difference);
    }
};

// Memory of one pair, freed with it.
class workspace {
public:
    explicit workspace(bool small_scale) : small_(small_scale) {}
    workspace(workspace const&) = delete;
    workspace& operator=(workspace const&) = delete;
    ~workspace() {
        for (void* each : device_) cudaFree(each);
        for (void* each : host_) cudaFreeHost(each);
    }

    // A size for an H200, or one that an interpreter can bear.
    template <class T>
    T pick(T full, T small) const {
        return small_ ? small : full;
    }

    template <class T>
    T* zeroed(std::size_t n) {
        T* const memory = allocate<T>(n);
        CHECK_CUDA(cudaMemset(memory, 0, n * sizeof(T)));
        return memory;
    }
    template <class T>
    T* upload(std::vector<T> const& values) {
        return repeated(values, values.size());
    }
    // `n` values: the pattern again and again.
    template <class T>
    T* repeated(std::vector<T> const& pattern, std::size_t n) {
        T* const memory = allocate<T>(n);
        for (std::size_t i = 0; i < n; i += pattern.size())
            CHECK_CUDA(cudaMemcpy(memory + i, pattern.data(), std::min(pattern.size(), n - i) * sizeof(T),
                                  cudaMemcpyHostToDevice));
        return memory;
    }
    // Floats of [0.5, 1.5), or integers of 32 bits.
    template <class T>
    T* input(std::size_t n) {
        return repeated(values<T>(std::min<std::size_t>(n, period)), n);
    }
    // The same in host memory that the device can read.
    template <class T>
    T* host_input(std::size_t n) {
        void* memory = nullptr;
        CHECK_CUDA(cudaHostAlloc(&memory, n * sizeof(T), cudaHostAllocMapped));
        host_.push_back(memory);
        std::vector<T> const pattern = values<T>(std::min<std::size_t>(n, period));
        for (std::size_t i = 0; i < n; ++i) static_cast<T*>(memory)[i] = pattern[i % pattern.size()];
        void* on_device = nullptr;
        CHECK_CUDA(cudaHostGetDevicePointer(&on_device, memory, 0));
        return static_cast<T*>(on_device);
    }
    // Values of a pseudo-random sequence.
    template <class T>
    static std::vector<T> values(std::size_t n) {
        std::vector<T> all(n);
        std::uint32_t state = 12345;
        for (T& each : all) {
            state = state * 1664525u + 1013904223u;
            if constexpr (std::is_integral_v<T>) each = static_cast<T>(state >> 4);
            else each = static_cast<T>(0.5f + static_cast<float>(state >> 16) / 65536.0f);
        }
        return all;
    }

    // Where both kernels write `n` values, zero before. The mended one's value i is where `place` says among `bad_size` values
    // of the bad one: for pairs in which the order of the data is what was mended.
    template <class T>
    results<T> output(std::size_t n, double tolerance = 1e-4) {
        return output<T>(n, tolerance, n, [](std::size_t i) { return i; });
    }
    template <class T>
    results<T> output(std::size_t n, double tolerance, std::size_t bad_size,
                      std::function<std::size_t(std::size_t)> place) {
        results<T> const both{zeroed<T>(bad_size), zeroed<T>(n)};
        compare_.push_back([=] {
            std::vector<T> bad(bad_size), mended(n);
            CHECK_CUDA(cudaMemcpy(bad.data(), both.bad, bad_size * sizeof(T), cudaMemcpyDeviceToHost));
            CHECK_CUDA(cudaMemcpy(mended.data(), both.mended, n * sizeof(T), cudaMemcpyDeviceToHost));
            comparison all;
            bool all_zero = true;
            for (std::size_t i = 0; i < n; ++i) {
                all.add(static_cast<double>(bad[place(i)]), static_cast<double>(mended[i]), tolerance);
                all_zero = all_zero && static_cast<double>(mended[i]) == 0;
            }
            if (all_zero) all.different = n; // nothing was computed
            return all;
        });
        return both;
    }
    // Where a clean kernel writes `n` values; `expected` gives value i, asked for `samples` of them.
    template <class T>
    T* clean_output(std::size_t n, std::function<double(std::size_t)> expected, double tolerance = 1e-3,
                    std::size_t samples = 1000) {
        T* const memory = zeroed<T>(n);
        compare_.push_back([=] {
            std::vector<T> all(n);
            CHECK_CUDA(cudaMemcpy(all.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost));
            comparison c;
            std::size_t const step = std::max<std::size_t>(1, n / samples) | 1;
            for (std::size_t i = 0; i < n; i += step) c.add(expected(i), static_cast<double>(all[i]), tolerance);
            return c;
        });
        return memory;
    }

    comparison compare() const {
        comparison sum;
        for (auto const& each : compare_) {
            comparison const one = each();
            sum.compared += one.compared;
            sum.different += one.different;
            sum.worst = std::max(sum.worst, one.worst);
        }
        return sum;
    }

    // Inputs repeat after so many values, a prime number.
    static constexpr std::size_t period = 999'983;

private:
    template <class T>
    T* allocate(std::size_t n) {
        void* memory = nullptr;
        CHECK_CUDA(cudaMalloc(&memory, n * sizeof(T)));
        device_.push_back(memory);
        return static_cast<T*>(memory);
    }

    bool small_;
    std::vector<void*> device_;
    std::vector<void*> host_;
    std::vector<std::function<comparison()>> compare_;
};

// What the device's inputs hold, as workspace::input makes them.
struct pattern {
    std::shared_ptr<std::vector<float> const> values;
    explicit pattern(std::size_t n)
        : values(std::make_shared<std::vector<float> const>(
              workspace::values<float>(std::min<std::size_t>(n, workspace::period)))) {}
    double operator[](std::size_t i) const { return static_cast<double>((*values)[i % values->size()]); }
};

// Of a clean entry, `bad` is empty and `mended` launches its kernel.
struct launches {
    std::function<void()> bad;
    std::function<void()> mended;
};

struct pair {
    char const* name;
    char const* expected; // id of a finding, "none" if clean
    launches (*set_up)(workspace&);
    int group; // of its macro: 0 for the first ones, then those that were added when the others had been looked at

    bool clean() const { return expected == std::string("none"); }
    std::string bad_kernel() const { return clean() ? "" : std::string("bad_") + name; }
    std::string mended_kernel() const { return std::string(clean() ? "clean_" : "mended_") + name; }
    // Of the first pairs, 0 to tune rules by and 1 kept for judging, by the parity of FNV-1a of the name. 2 fresh and
    // 3 unseen: judged once, by rules that none of them had been chosen by, then to tune rules by, too. 4 blind, 5 sealed and
    // 6 closed: written by somebody who did not read the rules. 7 again: what a rule said of a kernel without a flaw, done.
    // 8 hidden and 9 outside: as closed, later.
    int held_back() const {
        std::uint64_t hash = 14695981039346656037u;
        for (char const* c = name; *c; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 1099511628211u;
        return group != 0 ? group : static_cast<int>(hash & 1);
    }
};

inline std::vector<pair>& pairs() {
    static std::vector<pair> all;
    return all;
}

struct registration {
    registration(char const* name, char const* expected, launches (*set_up)(workspace&), int group) {
        bool const known = std::any_of(std::begin(findings), std::end(findings),
                                       [=](finding const& f) { return f.id == std::string(expected); });
        if (!known) std::fprintf(stderr, "%s: no finding %s\n", name, expected), std::exit(2);
        pairs().push_back({name, expected, set_up, group});
    }
};

#define GROUPED_PAIR(name, expected, group)                                                                            \
    static launches set_up_##name(workspace& memory);                                                                  \
    static registration const of_##name{#name, #expected, set_up_##name, group};                                       \
    static launches set_up_##name([[maybe_unused]] workspace& memory)
#define PAIR(name, expected) GROUPED_PAIR(name, expected, 0)
#define CLEAN(name) PAIR(name, none)
#define FRESH_PAIR(name, expected) GROUPED_PAIR(name, expected, 2)
#define FRESH_CLEAN(name) FRESH_PAIR(name, none)
#define UNSEEN_PAIR(name, expected) GROUPED_PAIR(name, expected, 3)
#define UNSEEN_CLEAN(name) UNSEEN_PAIR(name, none)
#define BLIND_PAIR(name, expected) GROUPED_PAIR(name, expected, 4)
#define BLIND_CLEAN(name) BLIND_PAIR(name, none)
#define SEALED_PAIR(name, expected) GROUPED_PAIR(name, expected, 5)
#define SEALED_CLEAN(name) SEALED_PAIR(name, none)
#define CLOSED_PAIR(name, expected) GROUPED_PAIR(name, expected, 6)
#define CLOSED_CLEAN(name) CLOSED_PAIR(name, none)
// NAME_again: its bad kernel does what mended_NAME does, of which a rule said `expected`, and its mended one what that rule advises.
// It shows whether the finding was false.
#define AGAIN_PAIR(name, expected) GROUPED_PAIR(name, expected, 7)
#define HIDDEN_PAIR(name, expected) GROUPED_PAIR(name, expected, 8)
#define HIDDEN_CLEAN(name) HIDDEN_PAIR(name, none)
#define OUTSIDE_PAIR(name, expected) GROUPED_PAIR(name, expected, 9)
#define OUTSIDE_CLEAN(name) OUTSIDE_PAIR(name, none)

// Index of a thread of a grid of one dimension.
__device__ inline unsigned global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline float sum_of_warp(float x) {
    for (unsigned apart = 16; apart > 0; apart /= 2) x += __shfl_xor_sync(~0u, x, apart);
    return x;
}
constexpr unsigned blocks_for(std::size_t n, unsigned block) { return static_cast<unsigned>((n + block - 1) / block); }

#endif
