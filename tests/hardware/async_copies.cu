// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -arch=compute_90
// One cp.async of a warp in many forms, for programs.py: how many wavefronts of shared memory a GPU counts by where lanes copy from
// and to, where some of them fill with zeros, and where they arrive on an mbarrier. Each form is a kernel of one warp, which reads a
// word of what it copied.
#include <cstdio>

struct copy_of_lane {
    unsigned to;   // bytes in shared memory
    unsigned from; // bytes in global memory
    unsigned size; // bytes read; the others are zeros
    bool on;       // not predicated off
};

enum form {
    together,
    first_1,
    first_2,
    first_4,
    first_8,
    first_16,
    first_24,
    first_31,
    odd,
    half_sizes,
    none,
    sixteen_on, // consecutive places
    from_lines,
    from_sectors,
    from_16,
    from_64,
    to_16,
    to_64,
    to_lines,           // all lanes in one bank
    rows,               // four rows of 128 bytes, swizzled, from rows 512 bytes apart
    rows_after_another, // from consecutive rows
    last_row_fills,
    rows_of_two_tiles, // sixteen lanes in each row of 256 bytes, which is half in one tile and half in another
    tiles_second_fills,
    forms
};

__device__ copy_of_lane place(form f, unsigned lane, unsigned bytes) {
    copy_of_lane c{lane * bytes, lane * bytes, bytes, true};
    unsigned const first[] = {32, 1, 2, 4, 8, 16, 24, 31};
    if (f <= first_31 && lane >= first[f]) c.size = 0;
    unsigned const in_row = 128 / bytes, row = lane / in_row, chunk = lane % in_row;
    unsigned const swizzled = ((chunk * bytes / 16) ^ (row & 7)) * 16 + chunk * bytes % 16;
    switch (f) {
        case odd: c.size = lane % 2 ? bytes : 0; break;
        case half_sizes: c.size = bytes / 2; break;
        case none: c.size = 0; break;
        case sixteen_on: c.on = lane < 16; break;
        case from_lines: c.from = lane * 128; break;
        case from_sectors: c.from = lane * 32; break;
        case from_16: c.from += 16; break;
        case from_64: c.from += 64; break;
        case to_16: c.to += 16; break;
        case to_64: c.to += 64; break;
        case to_lines: c.to = lane * 128; break;
        case last_row_fills: c.size = lane >= 32 - in_row ? 0 : bytes; [[fallthrough]];
        case rows: c.to = row * 128 + swizzled, c.from = row * 512 + chunk * bytes; break;
        case rows_after_another: c.to = row * 128 + swizzled; break;
        case tiles_second_fills: c.size = lane % 16 >= 8 ? 0 : bytes; [[fallthrough]];
        case rows_of_two_tiles: {
            unsigned const k = lane / 16, m = lane % 16;
            c.to = m / 8 * 1024 + k * 128 + ((m % 8) ^ k) * bytes, c.from = k * 512 + m * bytes;
            break;
        }
        default: break;
    }
    return c;
}

template <unsigned bytes, bool past_l1, form f>
__global__ void copy(char const* in, int* out) {
    __shared__ alignas(128) char tile[4096 + 128];
    copy_of_lane const c = place(f, threadIdx.x, bytes);
    unsigned const to = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + c.to;
    if (c.on) {
        if constexpr (past_l1)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + c.from), "r"(c.size)
                         : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(in + c.from), "r"(c.size),
                         "n"(bytes)
                         : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = *reinterpret_cast<int const*>(tile + threadIdx.x * 4);
}

// The copies of some lanes arrive on an mbarrier, several times.
template <int times, unsigned lanes>
__global__ void arrive(char const* in, int* out) {
    __shared__ alignas(128) char tile[512];
    __shared__ unsigned long long full;
    unsigned const to = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + threadIdx.x * 16;
    unsigned const barrier = static_cast<unsigned>(__cvta_generic_to_shared(&full));
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "n"(times * lanes) : "memory");
    __syncthreads();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x * 16) : "memory");
    if (threadIdx.x < lanes)
        for (int i = 0; i < times; ++i)
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = *reinterpret_cast<int const*>(tile + threadIdx.x * 4);
}

template <unsigned bytes, bool past_l1, int f = 0>
void all_forms(char const* in, int* out) {
    if constexpr (f < forms) {
        copy<bytes, past_l1, static_cast<form>(f)><<<1, 32>>>(in, out);
        all_forms<bytes, past_l1, f + 1>(in, out);
    }
}

int main() {
    char* in = nullptr;
    int* out = nullptr;
    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 1, 1 << 16);
    all_forms<4, false>(in, out);
    all_forms<8, false>(in, out);
    all_forms<16, false>(in, out);
    all_forms<16, true>(in, out);
    arrive<1, 32><<<1, 32>>>(in, out);
    arrive<3, 32><<<1, 32>>>(in, out);
    arrive<1, 1><<<1, 32>>>(in, out);
    arrive<3, 5><<<1, 32>>>(in, out);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        std::printf("FAILED: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    std::printf("PASSED\n");
}
