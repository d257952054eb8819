// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many to one and prefix sums: shuffles, shared memory, votes, atomics.
extern "C" __global__ void reduce_shuffle(int const* in, int* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    __shared__ int of_warps[32];
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < (blockDim.x + 31) / 32 ? of_warps[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}
extern "C" __global__ void reduce_shared(float const* in, float* out, int n) {
    extern __shared__ float cell[];
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    cell[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cell[threadIdx.x] += cell[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = cell[0];
}
extern "C" __global__ void scan_block(int const* in, int* out) {
    __shared__ int buffer[2][256];
    int const t = threadIdx.x;
    int side = 0;
    buffer[0][t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        buffer[1 - side][t] = t >= d ? buffer[side][t] + buffer[side][t - d] : buffer[side][t];
        side = 1 - side;
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = buffer[side][t];
}
extern "C" __global__ void scan_warp(unsigned const* in, unsigned* out) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = in[i];
    for (int d = 1; d < 32; d *= 2) {
        unsigned const below = __shfl_up_sync(0xffffffffu, sum, d);
        if (threadIdx.x % 32 >= d) sum += below;
    }
    out[i] = sum;
}
extern "C" __global__ void histogram(unsigned char const* in, unsigned* bins, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    if (mine[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
extern "C" __global__ void votes(int const* in, unsigned* ballots, int* all, int* any, int* counts) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    bool const p = in[i] > 0;
    unsigned const b = __ballot_sync(0xffffffffu, p);
    int const every = __all_sync(0xffffffffu, p);
    int const some = __any_sync(0xffffffffu, p);
    int const positive = __syncthreads_count(p);
    int const both = __syncthreads_and(p) * 2 + __syncthreads_or(p);
    if (threadIdx.x % 32 == 0) {
        ballots[i / 32] = b;
        all[i / 32] = every;
        any[i / 32] = some;
    }
    if (threadIdx.x == 0) counts[blockIdx.x * 2] = positive, counts[blockIdx.x * 2 + 1] = both;
}
extern "C" __global__ void match_groups(int const* in, unsigned* peers, int* uniform) {
    int const i = threadIdx.x;
    peers[i] = __match_any_sync(0xffffffffu, in[i]);
    int same = 0;
    __match_all_sync(0xffffffffu, in[i], &same);
    uniform[i] = same;
}
extern "C" __global__ void redux(int const* in, int* out) {
    int const v = in[threadIdx.x];
    int* const to = out + threadIdx.x / 32 * 6;
    int const sum = __reduce_add_sync(0xffffffffu, v);
    int const low = __reduce_min_sync(0xffffffffu, v);
    int const high = __reduce_max_sync(0xffffffffu, v);
    unsigned const conjunction = __reduce_and_sync(0xffffffffu, static_cast<unsigned>(v));
    unsigned const disjunction = __reduce_or_sync(0xffffffffu, static_cast<unsigned>(v));
    unsigned const parity = __reduce_xor_sync(0xffffffffu, static_cast<unsigned>(v));
    if (threadIdx.x % 32 == 0) {
        to[0] = sum, to[1] = low, to[2] = high;
        to[3] = static_cast<int>(conjunction), to[4] = static_cast<int>(disjunction), to[5] = static_cast<int>(parity);
    }
}
extern "C" __global__ void atomics(int* cells, unsigned* ucells, unsigned long long* wide, float* f, double* d, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&cells[0], i);
    atomicSub(&cells[1], i);
    atomicMin(&cells[2], -i);
    atomicMax(&cells[3], i);
    atomicAnd(&cells[4], ~(1 << (i % 31)));
    atomicOr(&cells[5], 1 << (i % 31));
    atomicXor(&cells[6], i);
    atomicInc(&ucells[0], 6);
    atomicDec(&ucells[1], 9);
    atomicAdd(&wide[0], 1ull << 33);
    atomicMax(&wide[1], static_cast<unsigned long long>(i) << 32);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    int seen = cells[7];
    while (true) { // an addition by compare-and-swap
        int const old = atomicCAS(&cells[7], seen, seen + 3);
        if (old == seen) break;
        seen = old;
    }
    atomicExch(&ucells[2 + i % 4], static_cast<unsigned>(i % 4));
}
