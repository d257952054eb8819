// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What single mechanisms make L2 count, a kernel each: a launch by itself, its code and constants, pairs of sectors, stores that come
// together, atomics, sweeps and strides. l2_counts.py counts them on a GPU and on the embedded one.
//   l2_counts [--warm]     launches each case once, or with --warm once before, and prints their names in that order, a line each
// With --warm only the second launch stands between cudaProfilerStart and cudaProfilerStop. Built by nvcc -cudart shared.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

namespace {

constexpr std::size_t memory_bytes = std::size_t{512} << 20;
char* memory = nullptr;
char* results = nullptr; // of those whose results nobody wants
bool is_warm = false;

void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "l2_counts: %s\n", cudaGetErrorString(status));
    std::exit(2);
}

template <class... Parameters>
void launch(char const* name, void (*kernel)(Parameters...), unsigned ctas, unsigned threads, Parameters... with) {
    std::printf("%s %u x %u\n", name, ctas, threads);
    std::fflush(stdout);
    if (is_warm) {
        kernel<<<ctas, threads>>>(with...);
        check(cudaDeviceSynchronize());
    }
    check(cudaProfilerStart());
    kernel<<<ctas, threads>>>(with...);
    check(cudaDeviceSynchronize());
    check(cudaProfilerStop());
}

__device__ unsigned place() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void keep(float value, char* results) {
    if (value == 12345.0f) *reinterpret_cast<float*>(results) = value;
}
__device__ void wait(unsigned nanoseconds) {
    std::uint64_t now, end;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
    end += nanoseconds;
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now < end);
}

// A launch, its parameters, code and constants.
__global__ void empty() {}
__global__ void one_store(float* to) {
    if (place() == 0) *to = 1;
}
struct many_parameters {
    float value[960];
};
__global__ void all_parameters(many_parameters p, char* results) {
    float sum = 0;
#pragma unroll
    for (float const each : p.value) sum += each;
    keep(sum, results);
}
#define FOUR(what) what what what what
#define FMA "fma.rn.f32 %0, %0, %0, %0;\n"
template <int bytes>
__global__ void code(int rounds, char* results) {
    float x = static_cast<float>(threadIdx.x);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < bytes / 1024; ++i) asm volatile(FOUR(FOUR(FOUR(FMA))) : "+f"(x));
    }
    keep(x, results);
}
__constant__ float constants[16384];
template <int bytes>
__global__ void read_constants(char* results) {
    float sum = 0;
#pragma unroll 8
    for (int i = 0; i < bytes / 4; ++i) sum += constants[i];
    keep(sum, results);
}

// Loads.
__global__ void read_strided(char const* from, unsigned stride, char* results) {
    keep(*reinterpret_cast<float const*>(from + std::size_t{place()} * stride), results);
}
__global__ void read_strided_again(char const* from, unsigned stride, int rounds, char* results) {
    float sum = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        sum += __ldcg(reinterpret_cast<float const*>(from + std::size_t{place()} * stride));
        __syncthreads();
    }
    keep(sum, results);
}
__global__ void read_with_128_bytes(char const* from, unsigned stride, char* results) {
    float value;
    asm volatile("ld.global.L2::128B.f32 %0, [%1];" : "=f"(value) : "l"(from + std::size_t{place()} * stride));
    keep(value, results);
}
__global__ void sweep(float4 const* from, unsigned count, int rounds, char* results) {
    float sum = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round)
        for (unsigned i = place(); i < count; i += gridDim.x * blockDim.x) sum += from[i].x;
    keep(sum, results);
}
__global__ void all_read_the_same(float4 const* from, unsigned count, char* results) {
    float sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) sum += from[i].x;
    keep(sum, results);
}
__global__ void row_of_three(float const* from, float* to, unsigned pitch) {
    unsigned const at = place() + pitch;
    to[at] = from[at - pitch] + from[at - 1] + from[at] + from[at + 1] + from[at + pitch];
}

// Stores.
__global__ void write_strided(char* to, unsigned stride) {
    *reinterpret_cast<float*>(to + std::size_t{place()} * stride) = 1;
}
__global__ void write_quads(float4* to, unsigned count) {
    for (unsigned i = place(); i < count; i += gridDim.x * blockDim.x) to[i] = {1, 2, 3, 4};
}
__global__ void copy_quads(float4* to, float4 const* from, unsigned count) {
    for (unsigned i = place(); i < count; i += gridDim.x * blockDim.x) to[i] = from[i];
}
__global__ void write_bytes(char* to) { to[place()] = 1; }
__global__ void word_of_each_warp(float* to) {
    if (threadIdx.x % 32 == 0) to[place() / 32] = 1;
}
__global__ void word_of_each_warp_later(float* to, unsigned nanoseconds) {
    wait(threadIdx.x / 32 * nanoseconds);
    if (threadIdx.x % 32 == 0) to[place() / 32] = 1;
}
__global__ void word_of_each_warp_after_loads(float* to, float const* from) {
    float const value = from[place()];
    float const sum = value + __shfl_xor_sync(~0u, value, 1);
    if (threadIdx.x % 32 == 0) to[place() / 32] = sum;
}
__global__ void half_sector_of_each_warp(float4* to) {
    if (threadIdx.x % 32 == 0) to[place() / 32] = {1, 2, 3, 4};
}
__global__ void word_of_each_cta(float* to) {
    if (threadIdx.x == 0) to[blockIdx.x] = 1;
}
__global__ void same_word(float* to) { to[blockIdx.x * 8] = static_cast<float>(threadIdx.x); }
template <int words>
__global__ void words_of_a_thread(float* to) {
#pragma unroll
    for (int i = 0; i < words; ++i) __stwb(to + place() * words + i, 1.0f + i * i * i);
}
__global__ void words_of_a_thread_later(float* to, unsigned nanoseconds) {
#pragma unroll 1
    for (int i = 0; i < 8; ++i) {
        to[place() * 8 + i] = i;
        wait(nanoseconds);
    }
}
__global__ void add_in_place(float* to) { to[place()] += 1; }
__global__ void write_and_read(float* to, char* results) {
    to[place()] = 1;
    __threadfence_block();
    keep(*static_cast<float volatile*>(&to[place()]), results);
}
__global__ void local_array(float* to, unsigned mask) {
    float own[64];
    for (unsigned i = 0; i < 64; ++i) own[i * 7 & mask] = static_cast<float>(i);
    float sum = 0;
    for (unsigned i = 0; i < 64; ++i) sum += own[i * 5 & mask];
    to[place()] = sum;
}

// Atomics.
template <class T>
__global__ void reduce_to(T* to, unsigned mask) {
    atomicAdd(to + (place() & mask), static_cast<T>(1));
}
template <class T>
__global__ void add_and_keep(T* to, unsigned mask, T* old) {
    old[place()] = atomicAdd(to + (place() & mask), static_cast<T>(1));
}
__global__ void reduce_halves(__half* to, unsigned mask) { atomicAdd(to + (place() & mask), __half{1.0f}); }
__global__ void reduce_half_pairs(__half2* to, unsigned mask) { atomicAdd(to + (place() & mask), __half2{1.0f, 1.0f}); }
__global__ void reduce_strided(char* to, unsigned stride) {
    atomicAdd(reinterpret_cast<unsigned*>(to + std::size_t{place()} * stride), 1u);
}
__global__ void swap_and_keep(unsigned* to, unsigned* old) { old[place()] = atomicCAS(to + place(), 0u, 1u); }
__global__ void greatest(int* to, unsigned mask) { atomicMax(to + (place() & mask), static_cast<int>(place())); }
template <class T>
__global__ void add_in_shared(T* to, unsigned mask) {
    __shared__ T sums[1024];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    atomicAdd(&sums[threadIdx.x & mask], static_cast<T>(threadIdx.x));
    __syncthreads();
    to[place()] = sums[threadIdx.x];
}

template <int bytes>
void codes(char const* name) {
    for (unsigned const ctas : {1u, 8u, 132u, 1056u}) launch(name, code<bytes>, ctas, 32, 1, results);
}

void launch_all() {
    auto* const floats = reinterpret_cast<float*>(memory);
    auto* const more = reinterpret_cast<float*>(memory + memory_bytes / 2);
    auto* const quads = reinterpret_cast<float4*>(memory);
    float4 const* const constant_quads = quads;
    float const* const constant_floats = floats;
    char const* const constant_memory = memory;
    for (unsigned const ctas : {1u, 8u, 132u, 1056u, 8448u}) launch("empty", empty, ctas, 32);
    launch("empty", empty, 1056, 256);
    launch("empty", empty, 132, 1024);
    for (unsigned const ctas : {1u, 132u, 1056u}) launch("one_store", one_store, ctas, 32, floats);
    for (unsigned const ctas : {1u, 132u, 1056u})
        launch("all_parameters", all_parameters, ctas, 32, many_parameters{}, results);
    codes<1024>("code_1k");
    codes<4096>("code_4k");
    codes<16384>("code_16k");
    codes<65536>("code_64k");
    launch("code_256k", code<262144>, 1, 32, 1, results);
    launch("code_256k", code<262144>, 132, 32, 1, results);
    launch("code_4k", code<4096>, 1056, 256, 1, results);
    launch("code_16k", code<16384>, 1056, 256, 1, results);
    launch("code_16k_4_times", code<16384>, 132, 32, 4, results);
    launch("code_64k_4_times", code<65536>, 132, 32, 4, results);
    launch("code_256k_4_times", code<262144>, 132, 32, 4, results);
    launch("constants_1k", read_constants<1024>, 132, 32, results);
    launch("constants_4k", read_constants<4096>, 132, 32, results);
    launch("constants_16k", read_constants<16384>, 132, 32, results);
    launch("constants_64k", read_constants<65536>, 132, 32, results);
    launch("constants_16k", read_constants<16384>, 1, 32, results);

    for (unsigned const stride : {4u, 32u, 64u, 96u, 128u, 256u, 1024u})
        launch(("read_stride_" + std::to_string(stride)).c_str(), read_strided, 256, 256, constant_memory, stride,
               results);
    launch("read_second_of_pair", read_strided, 256, 256, constant_memory + 32, 64u, results);
    launch("read_stride_4096_16_times", read_strided_again, 256, 256, constant_memory, 4096u, 16, results);
    launch("read_stride_8192_4_times", read_strided_again, 256, 256, constant_memory, 8192u, 4, results);
    launch("read_stride_384_8_times", read_strided_again, 1056, 256, constant_memory, 384u, 8, results);
    launch("read_128_bytes_stride_256", read_with_128_bytes, 256, 256, constant_memory, 256u, results);
    for (unsigned const mebibytes : {1u, 16u, 24u, 32u, 48u, 96u})
        launch(("sweep_twice_" + std::to_string(mebibytes) + "m").c_str(), sweep, 528, 256, constant_quads,
               mebibytes << 16, 2, results);
    launch("sweep_one_cta", sweep, 1, 1024, constant_quads, 1u << 14, 1, results);
    launch("all_read_the_same", all_read_the_same, 132, 256, constant_quads, 1u << 14, results);
    launch("all_read_the_same", all_read_the_same, 8, 256, constant_quads, 1u << 14, results);
    launch("row_of_three", row_of_three, 4096, 256, constant_floats, more, 1024u);

    for (unsigned const stride : {32u, 64u, 128u})
        launch(("write_stride_" + std::to_string(stride)).c_str(), write_strided, 256, 256, memory, stride);
    for (unsigned const mebibytes : {4u, 16u, 32u, 48u, 64u, 128u})
        launch(("write_quads_" + std::to_string(mebibytes) + "m").c_str(), write_quads, 528, 256, quads,
               mebibytes << 16);
    for (unsigned const mebibytes : {8u, 24u, 48u})
        launch(("copy_quads_" + std::to_string(mebibytes) + "m").c_str(), copy_quads, 528, 256,
               reinterpret_cast<float4*>(more), constant_quads, mebibytes << 16);
    launch("write_bytes", write_bytes, 4096, 256, memory);
    launch("word_of_each_warp", word_of_each_warp, 4096, 256, floats);
    launch("word_of_each_warp", word_of_each_warp, 132, 1024, floats);
    launch("word_of_each_warp_after_loads", word_of_each_warp_after_loads, 4096, 256, floats,
           static_cast<float const*>(more));
    for (unsigned const nanoseconds : {0u, 64u, 512u, 4096u})
        launch(("word_of_each_warp_later_" + std::to_string(nanoseconds)).c_str(), word_of_each_warp_later, 132, 256,
               floats, nanoseconds);
    launch("half_sector_of_each_warp", half_sector_of_each_warp, 1056, 256, quads);
    launch("word_of_each_cta", word_of_each_cta, 4096, 256, floats);
    launch("same_word", same_word, 1056, 256, floats);
    launch("two_words_of_a_thread", words_of_a_thread<2>, 1056, 256, floats);
    launch("eight_words_of_a_thread", words_of_a_thread<8>, 1056, 256, floats);
    launch("three_words_of_a_thread", words_of_a_thread<3>, 1056, 256, floats);
    launch("words_of_a_thread_later_256", words_of_a_thread_later, 132, 256, floats, 256u);
    launch("words_of_a_thread_later_4096", words_of_a_thread_later, 132, 256, floats, 4096u);
    launch("add_in_place", add_in_place, 1056, 256, floats);
    launch("write_and_read", write_and_read, 1056, 256, floats, results);
    launch("local_array", local_array, 264, 256, floats, 63u);

    auto* const words = reinterpret_cast<unsigned*>(memory);
    constexpr unsigned all = ~0u;
    launch("reduce_unsigned_one_address", reduce_to<unsigned>, 1056, 256, words, 0u);
    launch("reduce_unsigned_16_addresses", reduce_to<unsigned>, 1056, 256, words, 15u);
    launch("reduce_unsigned", reduce_to<unsigned>, 1056, 256, words, all);
    launch("reduce_float_one_address", reduce_to<float>, 264, 256, floats, 0u);
    launch("reduce_float_16_addresses", reduce_to<float>, 264, 256, floats, 15u);
    launch("reduce_float", reduce_to<float>, 1056, 256, floats, all);
    launch("reduce_double", reduce_to<double>, 1056, 256, reinterpret_cast<double*>(memory), all);
    launch("reduce_halves", reduce_halves, 264, 256, reinterpret_cast<__half*>(memory), all);
    launch("reduce_half_pairs", reduce_half_pairs, 264, 256, reinterpret_cast<__half2*>(memory), all);
    launch("reduce_half_pairs_16_addresses", reduce_half_pairs, 264, 256, reinterpret_cast<__half2*>(memory), 15u);
    launch("reduce_stride_64", reduce_strided, 256, 256, memory, 64u);
    launch("reduce_stride_128", reduce_strided, 256, 256, memory, 128u);
    launch("add_and_keep_unsigned", add_and_keep<unsigned>, 1056, 256, words, all, reinterpret_cast<unsigned*>(more));
    launch("add_and_keep_unsigned_one_address", add_and_keep<unsigned>, 264, 256, words, 0u,
           reinterpret_cast<unsigned*>(more));
    launch("add_and_keep_float", add_and_keep<float>, 1056, 256, floats, all, more);
    launch("swap_and_keep", swap_and_keep, 1056, 256, words, reinterpret_cast<unsigned*>(more));
    launch("greatest_one_address", greatest, 264, 256, reinterpret_cast<int*>(memory), 0u);
    launch("greatest_256_addresses", greatest, 264, 256, reinterpret_cast<int*>(memory), 255u);
    launch("shared_float", add_in_shared<float>, 264, 256, floats, all & 1023u);
    launch("shared_float_one_address", add_in_shared<float>, 264, 256, floats, 0u);
    launch("shared_float_8_addresses", add_in_shared<float>, 264, 256, floats, 7u);
    launch("shared_unsigned", add_in_shared<unsigned>, 264, 256, words, 1023u);
    launch("shared_unsigned_one_address", add_in_shared<unsigned>, 264, 256, words, 0u);
    launch("shared_unsigned_8_addresses", add_in_shared<unsigned>, 264, 256, words, 7u);
    launch("shared_double", add_in_shared<double>, 264, 256, reinterpret_cast<double*>(memory), 1023u);
    launch("shared_double_8_addresses", add_in_shared<double>, 264, 256, reinterpret_cast<double*>(memory), 7u);
}

} // namespace

int main(int count, char** words) {
    is_warm = count > 1 && std::strcmp(words[1], "--warm") == 0;
    check(cudaMalloc(&memory, memory_bytes));
    check(cudaMemset(memory, 0, memory_bytes));
    check(cudaMalloc(&results, 256));
    launch_all();
}
