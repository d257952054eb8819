// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: divergence, loops, switches, recursion, calls through pointers, local arrays, and every way to fail.
#include <cassert>
#include <cstdio>

extern "C" __global__ void collatz(unsigned const* in, unsigned* steps, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = in[i];
    unsigned count = 0;
    while (v != 1) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++count;
    }
    steps[i] = count;
}
__noinline__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 16); }

__noinline__ __device__ int twice(int x) { return 2 * x; }
__noinline__ __device__ int square(int x) { return x * x; }
__noinline__ __device__ int negative(int x) { return -x; }
__device__ int (*const functions[])(int) = {twice, square, negative};
extern "C" __global__ void call_table(int const* which, int* out) {
    int const i = threadIdx.x;
    out[i] = functions[which[i]](i) + 1;
}
struct shape {
    __device__ virtual float area(float x) const { return x; }
};
struct circle : shape {
    __device__ float area(float x) const override { return 3.0f * x * x; }
};
struct box : shape {
    __device__ float area(float x) const override { return x * x; }
};
extern "C" __global__ void virtual_calls(float* out) {
    shape const a;
    circle const b;
    box const c;
    shape const* const which = threadIdx.x % 3 == 0 ? &a : threadIdx.x % 3 == 1 ? static_cast<shape const*>(&b) : &c;
    out[threadIdx.x] = which->area(static_cast<float>(threadIdx.x));
}
struct big {
    int words[9];
    double weight;
};
__noinline__ __device__ big make_big(int seed, big other) {
    for (int i = 0; i < 9; ++i) other.words[i] += seed * i;
    other.weight *= 1.5;
    return other;
}
extern "C" __global__ void struct_calls(big in, int* out, double* weights) {
    big const b = make_big(threadIdx.x, in);
    int sum = 0;
    for (int i = 0; i < 9; ++i) sum += b.words[i];
    out[threadIdx.x] = sum;
    weights[threadIdx.x] = b.weight;
}
extern "C" __global__ void switch_cases(int const* in, int* out) {
    int const v = in[threadIdx.x];
    int r = -1;
    switch (v) {
        case 0: r = 7; break;
        case 1: r = v * 3;
        case 2: r += 10; break;
        case 3: r = threadIdx.x; break;
        case 5: r = 1 << v; break;
        case 6: return;
        case 8: r = 88; break;
        case 9: r = v ^ 0x55; break;
    }
    out[threadIdx.x] = r;
}
extern "C" __global__ void local_array(int const* in, int* out) {
    int stack[32];
    for (int i = 0; i < 32; ++i) stack[i] = in[i] + threadIdx.x;
    int sum = 0;
    int at = threadIdx.x % 32;
    for (int i = 0; i < 20; ++i) {
        sum += stack[at];
        stack[at] = sum;
        at = (at * 5 + in[at] + 1) & 31;
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void nested_divergence(int* out) {
    int const t = threadIdx.x;
    int r = 0;
    for (int i = 0; i < t % 5; ++i) {
        if (i % 2) {
            for (int k = 0; k < t % 3; ++k) {
                if (k == 2) break;
                r += k + 1;
            }
        } else if (t & 4) {
            r += 100;
            continue;
        }
        r += 3;
        if (r > 250) return;
    }
    __syncwarp();
    out[t] = r + static_cast<int>(__popc(__activemask()));
}
extern "C" __global__ void print_lines(int n) {
    if (threadIdx.x < n) printf("thread %d of %u: %.2f %s %lld%%\n", threadIdx.x, blockDim.x, threadIdx.x * 0.5, "text", -1ll - threadIdx.x);
}
extern "C" __global__ void out_of_bounds(int* p, int where) { p[threadIdx.x == 7 ? where : 0] = 1; }
extern "C" __global__ void misaligned(char* p) { *reinterpret_cast<int*>(p + (threadIdx.x == 3 ? 2 : 0)) = 1; }
extern "C" __global__ void shared_overflow(int* out, int where) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[where];
}
extern "C" __global__ void divergent_barrier(int* out) {
    if (threadIdx.x % 32 < 16) __syncthreads();
    out[threadIdx.x] = 1;
}
extern "C" __global__ void barrier_after_return(int* out, int n) {
    if (static_cast<int>(threadIdx.x) >= n) return;
    out[threadIdx.x] = 1;
    __syncthreads();
    int const other = out[n - 1 - threadIdx.x];
    __syncthreads();
    out[threadIdx.x] += other;
}
extern "C" __global__ void traps(int when) {
    if (static_cast<int>(threadIdx.x) == when) __trap();
}
extern "C" __global__ void asserts(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }
extern "C" __global__ void never_ends(int volatile* flag) {
    while (*flag == 0) {
    }
}
extern "C" __global__ void deep_recursion(int* out, int depth) { out[0] = fibonacci(depth); }
extern "C" __global__ void cooperative_flags(int volatile* flags, int* out) { // every CTA waits for the one after it
    if (threadIdx.x == 0) {
        flags[blockIdx.x] = 1;
        while (flags[(blockIdx.x + 1) % gridDim.x] == 0) {
        }
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(blockIdx.x);
}
