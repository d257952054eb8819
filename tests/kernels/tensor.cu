// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions: one warp multiplies one tile, operands read from global memory by the fragment layouts of PTX.
#include <cuda_fp16.h>

extern "C" __global__ void mma_f16(unsigned const* a, unsigned const* b, float const* c, float* d) { // a 16x16, b 8x16 (columns), pairs
    int const g = threadIdx.x / 4, t = threadIdx.x % 4;
    unsigned const a0 = a[g * 8 + t], a1 = a[(g + 8) * 8 + t], a2 = a[g * 8 + t + 4], a3 = a[(g + 8) * 8 + t + 4];
    unsigned const b0 = b[g * 8 + t], b1 = b[g * 8 + t + 4];
    float d0, d1, d2, d3;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(c[g * 8 + t * 2]), "f"(c[g * 8 + t * 2 + 1]),
          "f"(c[(g + 8) * 8 + t * 2]), "f"(c[(g + 8) * 8 + t * 2 + 1]));
    d[g * 8 + t * 2] = d0, d[g * 8 + t * 2 + 1] = d1, d[(g + 8) * 8 + t * 2] = d2, d[(g + 8) * 8 + t * 2 + 1] = d3;
}
extern "C" __global__ void mma_bf16(unsigned const* a, unsigned const* b, float const* c, float* d) {
    int const g = threadIdx.x / 4, t = threadIdx.x % 4;
    unsigned const a0 = a[g * 8 + t], a1 = a[(g + 8) * 8 + t], a2 = a[g * 8 + t + 4], a3 = a[(g + 8) * 8 + t + 4];
    unsigned const b0 = b[g * 8 + t], b1 = b[g * 8 + t + 4];
    float d0 = c[g * 8 + t * 2], d1 = c[g * 8 + t * 2 + 1], d2 = c[(g + 8) * 8 + t * 2], d3 = c[(g + 8) * 8 + t * 2 + 1];
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    d[g * 8 + t * 2] = d0, d[g * 8 + t * 2 + 1] = d1, d[(g + 8) * 8 + t * 2] = d2, d[(g + 8) * 8 + t * 2 + 1] = d3;
}
extern "C" __global__ void mma_tf32(unsigned const* a, unsigned const* b, float* d) { // a 16x8, b 8x8 (columns)
    int const g = threadIdx.x / 4, t = threadIdx.x % 4;
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "r"(a[g * 8 + t]), "r"(a[(g + 8) * 8 + t]), "r"(a[g * 8 + t + 4]), "r"(a[(g + 8) * 8 + t + 4]), "r"(b[g * 8 + t]),
          "r"(b[g * 8 + t + 4]));
    d[g * 8 + t * 2] = d0, d[g * 8 + t * 2 + 1] = d1, d[(g + 8) * 8 + t * 2] = d2, d[(g + 8) * 8 + t * 2 + 1] = d3;
}
extern "C" __global__ void mma_s8(int const* a, int const* b, int* d) { // a 16x32, b 8x32 (columns), four to a word
    int const g = threadIdx.x / 4, t = threadIdx.x % 4;
    int d0 = 1, d1 = 2, d2 = 3, d3 = 4;
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(d0), "+r"(d1), "+r"(d2), "+r"(d3)
        : "r"(a[g * 8 + t]), "r"(a[(g + 8) * 8 + t]), "r"(a[g * 8 + t + 4]), "r"(a[(g + 8) * 8 + t + 4]), "r"(b[g * 8 + t]),
          "r"(b[g * 8 + t + 4]));
    d[g * 8 + t * 2] = d0, d[g * 8 + t * 2 + 1] = d1, d[(g + 8) * 8 + t * 2] = d2, d[(g + 8) * 8 + t * 2 + 1] = d3;
}
extern "C" __global__ void mma_f64(double const* a, double const* b, double* d) { // a 8x4, b 8x4 (columns)
    int const g = threadIdx.x / 4, t = threadIdx.x % 4;
    double d0 = 0.5, d1 = -0.5;
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(d0), "+d"(d1)
        : "d"(a[g * 4 + t]), "d"(b[g * 4 + t]));
    d[g * 8 + t * 2] = d0, d[g * 8 + t * 2 + 1] = d1;
}
// A 16x16 by 16x8 product whose operands go through shared memory and ldmatrix, b stored by rows and transposed on the way.
extern "C" __global__ void mma_ldmatrix(__half const* a, __half const* b, float* d) {
    __shared__ __align__(16) __half sa[16][16];
    __shared__ __align__(16) __half sb[16][8];
    for (int i = threadIdx.x; i < 256; i += 32) sa[i / 16][i % 16] = a[i];
    for (int i = threadIdx.x; i < 128; i += 32) sb[i / 8][i % 8] = b[i];
    __syncwarp();
    unsigned a0, a1, a2, a3, b0, b1;
    auto const lane = threadIdx.x;
    auto const pa = static_cast<unsigned>(__cvta_generic_to_shared(&sa[lane % 16][lane / 16 * 8]));
    auto const pb = static_cast<unsigned>(__cvta_generic_to_shared(&sb[lane % 16][0]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b0), "=r"(b1) : "r"(pb));
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    int const g = lane / 4, t = lane % 4;
    d[g * 8 + t * 2] = d0, d[g * 8 + t * 2 + 1] = d1, d[(g + 8) * 8 + t * 2] = d2, d[(g + 8) * 8 + t * 2 + 1] = d3;
}
// Producer and consumer warps hand a buffer over through two mbarriers, once a round.
extern "C" __global__ void mbarrier_handover(int const* in, int* out, int rounds) {
    __shared__ unsigned long long full, empty;
    __shared__ int buffer[32];
    auto const at = [](unsigned long long& b) { return static_cast<unsigned>(__cvta_generic_to_shared(&b)); };
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at(full)) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at(empty)) : "memory");
    }
    __syncthreads();
    auto const arrive = [&](unsigned long long& b) {
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
    };
    auto const wait = [&](unsigned long long& b, unsigned parity) {
        asm volatile("{ .reg .pred done; AGAIN: mbarrier.test_wait.parity.shared.b64 done, [%0], %1; @done bra READY; bra AGAIN; READY: }" ::"r"(at(b)), "r"(parity)
                     : "memory");
    };
    int const lane = threadIdx.x % 32;
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x < 32) {
            if (r > 0) wait(empty, (r - 1) & 1);
            buffer[lane] = in[r * 32 + lane];
            arrive(full);
        } else {
            wait(full, r & 1);
            out[r * 32 + lane] = buffer[31 - lane] * 2;
            arrive(empty);
        }
    }
}
