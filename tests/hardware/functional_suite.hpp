// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of tests/kernels with grids and inputs on which their counters are read: one list for the program that
// counts (kernel_table.cpp) and the test that holds the embedded GPU to a GPU's counts.
#ifndef GPUPROF_TESTS_HARDWARE_FUNCTIONAL_SUITE_HPP
#define GPUPROF_TESTS_HARDWARE_FUNCTIONAL_SUITE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "suite.hpp" // extent

// A number or structure given by value, or an array in device memory by what it holds before the launch.
struct launch_argument {
    std::vector<std::byte> bytes;
    std::size_t alignment = 8; // as a parameter
    bool is_array = false;
};

namespace functional {

template <class T>
launch_argument value(T const& given) {
    launch_argument made{std::vector<std::byte>(sizeof given), alignof(T), false};
    std::memcpy(made.bytes.data(), &given, sizeof given);
    return made;
}
template <class T>
launch_argument array(std::vector<T> const& given) {
    launch_argument made{std::vector<std::byte>(given.size() * sizeof(T)), 8, true};
    std::memcpy(made.bytes.data(), given.data(), made.bytes.size());
    return made;
}
template <class T>
launch_argument zeros(std::size_t count) {
    return {std::vector<std::byte>(count * sizeof(T)), 8, true};
}
// Numbers between low and high, the same on every machine.
template <class T>
launch_argument numbers(std::size_t count, double low, double high, unsigned seed = 1) {
    std::mt19937 generator{seed};
    std::vector<T> made(count);
    for (T& each : made) each = static_cast<T>(low + (high - low) * (static_cast<double>(generator()) / 4294967296.0));
    return array(made);
}
// 0, 1, … below `below`, by a rule that scatters them.
inline launch_argument scattered(std::size_t count, unsigned factor, unsigned below) {
    std::vector<int> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<int>(i * factor % below);
    return array(made);
}
// Pairs of halves between 1 and 2.
inline launch_argument halves(std::size_t count, unsigned seed = 1) {
    std::mt19937 generator{seed};
    std::vector<std::uint16_t> made(count);
    for (auto& each : made) each = static_cast<std::uint16_t>(0x3c00 | (generator() & 0x3ff));
    return array(made);
}

// Rows of a sparse matrix with up to 8 entries, in three arrays.
struct sparse {
    std::vector<int> rows{0};
    std::vector<int> columns{};

    explicit sparse(unsigned n) {
        std::mt19937 generator{3};
        for (unsigned row = 0; row < n; ++row) {
            for (auto left = generator() % 9; left > 0; --left) columns.push_back(static_cast<int>(generator() % n));
            rows.push_back(static_cast<int>(columns.size()));
        }
    }
};
struct nine_words { // what struct_calls takes
    int words[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double weight = 2.5;
};

using arguments = std::vector<launch_argument>;

inline constexpr std::size_t million = std::size_t{1} << 20;
inline constexpr std::size_t n = 100000; // of most arrays: not a multiple of a warp's or a CTA's threads
inline launch_argument count(std::size_t of = n) { return value(static_cast<int>(of)); }

} // namespace functional

struct functional_launch {
    char const* file; // in tests/kernels
    char const* name;
    extent grid;
    extent block;
    unsigned shared; // dynamic shared memory, bytes
    functional::arguments (*arguments)();
};

// All that end well without printing or waiting for another CTA or warp. The first four move more than an L2 cache
// holds; the others are small enough that a test can run them.
inline std::vector<functional_launch> functional_launches() {
    using namespace functional;
    constexpr auto elementwise = "elementwise.sm_80.ptx";
    constexpr auto elementwise_90 = "elementwise.sm_90.ptx";
    constexpr auto reduce = "reduce.sm_80.ptx";
    constexpr auto matrix = "matrix.sm_80.ptx";
    constexpr auto control = "control.sm_75.ptx";
    constexpr auto bits = "bits.sm_75.ptx";
    constexpr auto math = "functions.sm_80.ptx"; // functions is a type's name in some headers
    constexpr auto tensor = "tensor.sm_80.ptx";
    constexpr extent grid{782}, block{128};
    static_assert(grid.size() * block.size() >= n && (grid.size() - 1) * block.size() < n);

    // clang-format off
    return {
        {elementwise, "saxpy", {65536}, {256}, 0,
         [] { return arguments{value(1.7f), numbers<float>(16 * million, -10, 10, 1),
              numbers<float>(16 * million, -10, 10, 2), count(16 * million)}; }},
        {elementwise, "daxpy", {1056}, {256}, 0,
         [] { return arguments{value(1.0 / 3), numbers<double>(8 * million, -10, 10, 1),
              numbers<double>(8 * million, -10, 10, 2), count(8 * million)}; }},
        {elementwise, "scale_vec4", {32768}, {128}, 0,
         [] { return arguments{numbers<float>(16 * million, 1, 10), zeros<float>(16 * million), value(3.0f),
              count(4 * million)}; }},
        {matrix, "transpose_padded", {128, 128}, {32, 8}, 0,
         [] { return arguments{numbers<float>(16 * million, -1, 1), zeros<float>(16 * million), value(4096)}; }},

        {elementwise, "evaluate_polynomial", grid, block, 0,
         [] { return arguments{numbers<float>(n, -2, 2), zeros<float>(n), count()}; }},
        {elementwise, "half2_fma", grid, block, 0,
         [] { return arguments{halves(2 * n, 1), halves(2 * n, 2), halves(2 * n, 3), count()}; }},
        {elementwise_90, "half_mix", grid, block, 0,
         [] { return arguments{halves(n, 1), halves(n, 2), zeros<std::uint16_t>(n), count()}; }},
        {elementwise_90, "bfloat_mix", grid, block, 0,
         [] { return arguments{halves(n, 1), halves(n, 2), zeros<std::uint16_t>(n), count()}; }},
        {elementwise, "bytes_to_floats", grid, block, 0,
         [] { return arguments{numbers<unsigned char>(n, 0, 255, 1), numbers<signed char>(n, -127, 127, 2),
              numbers<short>(n, -30000, 30000, 3), zeros<float>(n), count()}; }},
        {elementwise, "floats_to_integers", grid, block, 0,
         [] { return arguments{numbers<float>(n, -70000, 70000), zeros<unsigned char>(n), zeros<short>(n),
              zeros<int>(n), zeros<long long>(n), zeros<unsigned>(n), count()}; }},
        {elementwise, "through_pointer_table", {1}, {64}, 0, [] { return arguments{zeros<int>(64)}; }},

        {reduce, "reduce_shuffle", grid, block, 0,
         [] { return arguments{numbers<int>(n, -1000, 1000), zeros<int>(1), count()}; }},
        {reduce, "reduce_shared", grid, block, 512,
         [] { return arguments{numbers<float>(n, -1, 1), zeros<float>(782), count()}; }},
        {reduce, "scan_block", {400}, {256}, 0,
         [] { return arguments{numbers<int>(102400, -50, 50), zeros<int>(102400)}; }},
        {reduce, "scan_warp", {800}, {128}, 0,
         [] { return arguments{numbers<unsigned>(102400, 0, 1000), zeros<unsigned>(102400)}; }},
        {reduce, "histogram", {264}, {256}, 0,
         [] { return arguments{numbers<unsigned char>(million, 0, 255), zeros<unsigned>(256), count(million)}; }},
        {reduce, "votes", {200}, {128}, 0,
         [] { return arguments{numbers<int>(25600, -10, 10), zeros<unsigned>(800), zeros<int>(800), zeros<int>(800),
              zeros<int>(400)}; }},
        {reduce, "match_groups", {1}, {256}, 0,
         [] { return arguments{scattered(256, 5, 7), zeros<unsigned>(256), zeros<int>(256)}; }},
        {reduce, "redux", {1}, {256}, 0, [] { return arguments{numbers<int>(256, -100000, 100000), zeros<int>(48)}; }},
        {reduce, "atomics", {16}, {64}, 0,
         [] { return arguments{array(std::vector<int>{0, 0, 0, 0, -1, 0, 0, 0}), zeros<unsigned>(6),
              zeros<unsigned long long>(2), zeros<float>(1), zeros<double>(1), value(1000)}; }},

        {matrix, "transpose_naive", {32, 32}, {32, 8}, 0,
         [] { return arguments{numbers<float>(million, -1, 1), zeros<float>(million), value(1024)}; }},
        {matrix, "transpose_shared", {32, 32}, {32, 8}, 0,
         [] { return arguments{numbers<float>(million, -1, 1), zeros<float>(million), value(1024)}; }},
        {matrix, "multiply_tiled", {16, 16}, {16, 16}, 0,
         [] { return arguments{numbers<float>(65536, -1, 1, 1), numbers<float>(65536, -1, 1, 2), zeros<float>(65536),
              value(256)}; }},
        {matrix, "multiply_pipelined", {16, 16}, {16, 16}, 0,
         [] { return arguments{numbers<float>(65536, -1, 1, 1), numbers<float>(65536, -1, 1, 2), zeros<float>(65536),
              value(256)}; }},
        {matrix, "stencil_5", {50, 75}, {16, 8}, 0,
         [] { return arguments{numbers<float>(800 * 600, -1, 1), zeros<float>(800 * 600), value(800), value(600)}; }},
        {matrix, "stencil_3d", {16, 16, 16}, {4, 4, 4}, 0,
         [] { return arguments{numbers<double>(64 * 64 * 64, -1, 1), zeros<double>(64 * 64 * 64), value(64)}; }},
        {matrix, "spmv_csr", {469}, {64}, 0,
         [] { sparse const m{30000}; return arguments{array(m.rows), array(m.columns),
              numbers<float>(m.columns.size(), -1, 1), numbers<float>(30000, -1, 1, 9), zeros<float>(30000),
              value(30000)}; }},
        {matrix, "bitonic_sort", {128}, {512}, 0, [] { return arguments{numbers<int>(65536, -1000, 1000)}; }},

        {control, "collatz", grid, block, 0,
         [] { return arguments{numbers<unsigned>(n, 1, 5000), zeros<unsigned>(n), count()}; }},
        {control, "recursion", {1}, {64}, 0, [] { return arguments{zeros<int>(64)}; }},
        {control, "deep_recursion", {1}, {1}, 0, [] { return arguments{zeros<int>(1), value(12)}; }},
        {control, "call_table", {1}, {256}, 0, [] { return arguments{scattered(256, 7, 3), zeros<int>(256)}; }},
        {control, "virtual_calls", {1}, {256}, 0, [] { return arguments{zeros<float>(256)}; }},
        {control, "struct_calls", {1}, {256}, 0,
         [] { return arguments{value(nine_words{}), zeros<int>(256), zeros<double>(256)}; }},
        {control, "switch_cases", {1}, {256}, 0, [] { return arguments{scattered(256, 1, 11), zeros<int>(256)}; }},
        {control, "local_array", {200}, {64}, 0, [] { return arguments{numbers<int>(32, 0, 100), zeros<int>(64)}; }},
        {control, "nested_divergence", {100}, {256}, 0, [] { return arguments{zeros<int>(256)}; }},
        {control, "barrier_after_return", {1}, {256}, 0, [] { return arguments{zeros<int>(256), value(200)}; }},
        {control, "traps", {1}, {256}, 0, [] { return arguments{value(-1)}; }},
        {control, "asserts", {1}, {256}, 0, [] { return arguments{value(256)}; }},

        {bits, "bit_tricks", grid, block, 0,
         [] { return arguments{numbers<unsigned>(n, 0, 4294967295.0, 1), numbers<unsigned>(n, 0, 4294967295.0, 2),
              zeros<unsigned>(n * 24), count()}; }},
        {bits, "wide_integers", grid, block, 0,
         [] { return arguments{numbers<long long>(n, -9e18, 9e18, 1), numbers<long long>(n, -9e9, 9e9, 2),
              zeros<long long>(n * 10), count()}; }},
        {bits, "xorshift", {400}, {256}, 0,
         [] { return arguments{numbers<unsigned>(102400, 1, 4294967295.0), zeros<unsigned>(102400), value(50)}; }},

        {math, "rounded_float", grid, block, 0,
         [] { return arguments{numbers<float>(n, -4, 4, 1), numbers<float>(n, 0.5, 2, 2), numbers<float>(n, -4, 4, 3),
              zeros<float>(n * 24), count()}; }},
        {math, "rounded_double", grid, block, 0,
         [] { return arguments{numbers<double>(n, -4, 4, 1), numbers<double>(n, 0.5, 2, 2),
              numbers<double>(n, -4, 4, 3), zeros<double>(n * 20), count()}; }},
        {math, "conversions", grid, block, 0,
         [] { return arguments{numbers<double>(n, -1e9, 1e9), zeros<float>(n * 4), zeros<unsigned long long>(n),
              numbers<long long>(n, -9e18, 9e18, 2), zeros<float>(n * 4), zeros<double>(n * 2), count()}; }},
        {math, "fast_functions", grid, block, 0,
         [] { return arguments{numbers<float>(n, 0.01, 3.1), zeros<float>(n * 8), count()}; }},
        {math, "accurate_functions", grid, block, 0,
         [] { return arguments{numbers<float>(n, 0.05, 20, 1), zeros<float>(n * 6), numbers<double>(n, 0.05, 20, 2),
              zeros<double>(n * 5), count()}; }},
        {math, "mandelbrot", {32, 32}, {16, 8}, 0,
         [] { return arguments{zeros<int>(512 * 256), value(512), value(256), value(64)}; }},

        {tensor, "mma_f16", {1}, {32}, 0,
         [] { return arguments{halves(256, 1), halves(128, 2), numbers<float>(128, -1, 1), zeros<float>(128)}; }},
        {tensor, "mma_bf16", {1}, {32}, 0,
         [] { return arguments{halves(256, 1), halves(128, 2), numbers<float>(128, -1, 1), zeros<float>(128)}; }},
        {tensor, "mma_tf32", {1}, {32}, 0,
         [] { return arguments{numbers<float>(128, -1, 1, 1), numbers<float>(64, -1, 1, 2), zeros<float>(128)}; }},
        {tensor, "mma_s8", {1}, {32}, 0,
         [] { return arguments{numbers<signed char>(512, -100, 100, 1), numbers<signed char>(256, -100, 100, 2),
              zeros<int>(128)}; }},
        {tensor, "mma_f64", {1}, {32}, 0,
         [] { return arguments{numbers<double>(32, -1, 1, 1), numbers<double>(32, -1, 1, 2), zeros<double>(64)}; }},
        {tensor, "mma_ldmatrix", {1}, {32}, 0,
         [] { return arguments{halves(256, 1), halves(128, 2), zeros<float>(128)}; }},
    };
    // clang-format on
}

#endif // GPUPROF_TESTS_HARDWARE_FUNCTIONAL_SUITE_HPP
