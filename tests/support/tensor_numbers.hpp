// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random numbers that hardware/tensor_sums.cu multiplies, and the digest of its sums: for a GPU, and for a test without one.
#ifndef GPUPROF_TESTS_SUPPORT_TENSOR_NUMBERS_HPP
#define GPUPROF_TESTS_SUPPORT_TENSOR_NUMBERS_HPP

#include <cstdint>

#ifdef __CUDACC__
#define TENSOR_NUMBERS_FUNCTION __host__ __device__ inline
#else
#define TENSOR_NUMBERS_FUNCTION inline
#endif

namespace tensor_numbers {

// Exponents of the middle only; all finite ones; infinities and NaN, too.
enum class kind : unsigned { near_by, far_apart, any };
constexpr char const* kind_names[] = {"near", "far", "any"};

// Of a number of `size` bits.
struct format {
    unsigned size, exponent, fraction;
};
constexpr format f16{16, 5, 10}, bf16{16, 8, 7}, tf32{32, 8, 23}, e4m3{8, 4, 3}, e5m2{8, 5, 2}, f32{32, 8, 23};

TENSOR_NUMBERS_FUNCTION std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93;
    return x ^ x >> 32;
}

// A word of random numbers.
TENSOR_NUMBERS_FUNCTION std::uint32_t numbers(format f, kind of, std::uint64_t seed) {
    std::uint64_t bits = mixed(seed);
    std::uint32_t word = 0;
    unsigned const most = (1u << f.exponent) - 1, middle = most / 2, room = f.exponent > 5 ? 4 : 2;
    bool const has_infinity = !(f.size == 8 && f.exponent == 4);
    for (unsigned at = 0; at < 32; at += f.size) {
        auto const random = static_cast<std::uint32_t>(bits);
        std::uint32_t const fraction = random & ((1u << f.fraction) - 1);
        std::uint32_t const sign = random >> (f.size - 1) & 1;
        std::uint32_t exponent = random >> f.fraction & most;
        if (of == kind::near_by) exponent = middle - room + exponent % (2 * room + 1);
        if (of == kind::far_apart && exponent == most && (has_infinity || (random & 7) == 7)) exponent = middle;
        if (of == kind::far_apart && f.exponent == 8) exponent = middle - 40 + exponent % 81; // products stay finite
        word |= (sign << (f.size - 1) | exponent << f.fraction | fraction) << at;
        bits = mixed(bits + at);
    }
    return word;
}

// What a sum adds to the digest.
TENSOR_NUMBERS_FUNCTION std::uint64_t digest(std::uint64_t tile, unsigned at, std::uint32_t sum) {
    return mixed(mixed(tile * 512 + at) ^ sum);
}

} // namespace tensor_numbers

#endif // GPUPROF_TESTS_SUPPORT_TENSOR_NUMBERS_HPP
