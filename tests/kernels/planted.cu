// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written by planted.py, which says what this is. Working kernels come first, then those with a bug each.

extern "C" __global__ void scale(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 3;
}

extern "C" __global__ void block_sum(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

extern "C" __global__ void histogram(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    __syncthreads(); // counted
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}

extern "C" __global__ void scan(int* out, int const* in, int* aux, int n) {
    __shared__ int s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads(); // loaded
    for (int d = 1; d < 128; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads(); // added
    }
    out[t] = s[from][t];
}

extern "C" __global__ void product(int* out, int const* in, int* aux, int n) {
    __shared__ int a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * n + k + x];
        b[y][x] = in[(k + y) * n + column];
        __syncthreads(); // loaded
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
        __syncthreads(); // used
    }
    out[row * n + column] = sum;
}

extern "C" __global__ void stencil(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

extern "C" __global__ void last_block(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence();
        last = atomicAdd(&aux[0], 1) == gridDim.x - 1;
    }
    __syncthreads(); // known
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[1 + b];
        out[0] = sum;
    }
}

extern "C" __global__ void chain(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x, before = 0;
    volatile int* flags = aux;
    if (b > 0) {
        while (flags[b - 1] == 0) {}
        before = out[b - 1];
    }
    out[b] = before + in[b];
    __threadfence();
    flags[b] = 1;
}

extern "C" __global__ void grid_phases(int* out, int const* in, int* aux, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    aux[16 + i] = in[i] + 1;
    __syncthreads(); // written
    if (t == 0) {
        __threadfence();
        atomicAdd(&aux[0], 1);
        while (*(int volatile*)&aux[0] != gridDim.x) {}
        __threadfence();
    }
    __syncthreads(); // met
    out[i] = aux[16 + (i + blockDim.x) % n];
}

extern "C" __global__ void locked_sum(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&aux[0], 0, 1) != 0) {}
    __threadfence();
    aux[1] += in[blockIdx.x];
    __threadfence(); // done
    atomicExch(&aux[0], 0);
}

extern "C" __global__ void largest(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, seen = aux[0];
    while (in[i] > seen) {
        int before = atomicCAS(&aux[0], seen, in[i]);
        if (before == seen) break;
        seen = before;
    }
}

extern "C" __global__ void warp_exchange(int* out, int const* in, int* aux, int n) {
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    s[w][lane] = in[i];
    __syncwarp(); // written
    int v = s[w][31 - lane];
    __syncwarp(); // read
    s[w][lane] = v + 1;
    __syncwarp(); // written again
    out[i] = s[w][lane ^ 1];
}

extern "C" __global__ void warp_sum(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) out[i / 32] = v;
}

extern "C" __global__ void local_table(int* out, int const* in, int* aux, int n) {
    int table[16], i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; ++k) table[k] = k * k;
    out[i] = table[in[i] & 15];
}

extern "C" __global__ void gather(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[aux[i]];
}

extern "C" __global__ void compact(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0) out[atomicAdd(&aux[0], 1)] = in[i];
}

extern "C" __global__ void handed_over(int* out, int const* in, int* aux, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t] + 5;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - 32] = s[63 - t];
    }
}

extern "C" __global__ void staged(int* out, int const* in, int* aux, int n) {
    __shared__ __align__(16) int s[256];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads(); // arrived
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + t] = s[255 - k * 64 - t] + 1;
}

extern "C" __global__ void sort(int* out, int const* in, int* aux, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads(); // loaded
    for (int k = 2; k <= 128; k *= 2)
        for (int d = k / 2; d > 0; d /= 2) {
            int other = t ^ d;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
            __syncthreads(); // exchanged
        }
    out[t] = s[t];
}

extern "C" __global__ void any_negative(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] >= 0) out[0] = 1;
}

extern "C" __global__ void dynamic(int* out, int const* in, int* aux, int n) {
    extern __shared__ long long d[];
    int t = threadIdx.x;
    d[t] = in[t];
    __syncthreads();
    out[t] = static_cast<int>(d[127 - t]);
}

extern "C" __global__ void vectors(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n) reinterpret_cast<int4*>(out)[i] = reinterpret_cast<int4 const*>(in)[i];
}

extern "C" __global__ void relax(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i > 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
    out[i] = left + right;
}

extern "C" __global__ void phases(int* out, int const* in, int* aux, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads(); // one
    int v = s[63 - t];
    out[t] = v;
}

extern "C" __global__ void bytes(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char* to = reinterpret_cast<unsigned char*>(out);
    to[i] = static_cast<unsigned char>(in[i]);
}

// one thread more than there are elements
extern "C" __global__ void scale_0(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = in[i] * 3;
}

// the last block has more threads than elements are left
extern "C" __global__ void scale_1(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 3;
}

// the last thread reads one element beyond
extern "C" __global__ void scale_2(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1] * 3;
}

// the first thread reads one element before
extern "C" __global__ void scale_3(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i - 1] * 3;
}

// the stride is not in the size
extern "C" __global__ void scale_4(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[2 * i] = in[i] * 3;
}

// two threads write one element
extern "C" __global__ void scale_5(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i / 2] = in[i] * 3;
}

// all threads write one element
extern "C" __global__ void scale_6(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[0] = in[i] * 3;
}

// a byte offset that is no multiple of the size
extern "C" __global__ void scale_7(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *(int*)((char*)out + 4 * i + 2) = in[i] * 3;
}

// sums begin before all is loaded
extern "C" __global__ void block_sum_8(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// sums begin before those of the step before are done
extern "C" __global__ void block_sum_9(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// the tail of the last block is not set
extern "C" __global__ void block_sum_10(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n) s[t] = in[i];
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// the array has fewer elements than the block has threads
extern "C" __global__ void block_sum_11(int* out, int const* in, int* aux, int n) {
    __shared__ int s[200];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// the first step goes beyond the array
extern "C" __global__ void block_sum_12(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); // loaded
    for (int d = 256; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// a barrier that only some lanes of a warp reach
extern "C" __global__ void block_sum_13(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) { s[t] += s[t + d]; __syncthreads(); }
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// the tail of the last block is read beyond the input
extern "C" __global__ void block_sum_14(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// every thread writes the block's result
extern "C" __global__ void block_sum_15(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    out[blockIdx.x] = s[t];
}

// results begin at one
extern "C" __global__ void block_sum_16(int* out, int const* in, int* aux, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); // loaded
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); // added
    }
    if (t == 0) out[blockIdx.x + 1] = s[0];
}

// the bins are not zeroed
extern "C" __global__ void histogram_17(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    __syncthreads(); // counted
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}

// one bin is not zeroed
extern "C" __global__ void histogram_18(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 31) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    __syncthreads(); // counted
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}

// counting begins before the bins are zeroed
extern "C" __global__ void histogram_19(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    __syncthreads(); // counted
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}

// the bins are added up while others count
extern "C" __global__ void histogram_20(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}

// an atomic made plain, in shared memory
extern "C" __global__ void histogram_21(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) bins[in[i] & 31]++;
    __syncthreads(); // counted
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}

// an atomic made plain, in global memory
extern "C" __global__ void histogram_22(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    __syncthreads(); // counted
    if (t < 32) aux[t] += bins[t];
}

// values have more bits than there are bins
extern "C" __global__ void histogram_23(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 63], 1);
    __syncthreads(); // counted
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}

// the atomic's scope is the block, and blocks share the bins
extern "C" __global__ void histogram_24(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    __syncthreads(); // counted
    if (t < 32) atomicAdd_block(&aux[t], bins[t]);
}

// steps begin before all is loaded
extern "C" __global__ void scan_25(int* out, int const* in, int* aux, int n) {
    __shared__ int s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    for (int d = 1; d < 128; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads(); // added
    }
    out[t] = s[from][t];
}

// a step begins before the one before is done
extern "C" __global__ void scan_26(int* out, int const* in, int* aux, int n) {
    __shared__ int s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads(); // loaded
    for (int d = 1; d < 128; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
    }
    out[t] = s[from][t];
}

// elements are read and written in one step
extern "C" __global__ void scan_27(int* out, int const* in, int* aux, int n) {
    __shared__ int s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads(); // loaded
    for (int d = 1; d < 128; d *= 2) {
        s[from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads(); // added
    }
    out[t] = s[from][t];
}

// the first elements have none before them
extern "C" __global__ void scan_28(int* out, int const* in, int* aux, int n) {
    __shared__ int s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads(); // loaded
    for (int d = 1; d < 128; d *= 2) {
        s[1 - from][t] = s[from][t] + s[from][t - d];
        from = 1 - from;
        __syncthreads(); // added
    }
    out[t] = s[from][t];
}

// the buffers have fewer elements than the block has threads
extern "C" __global__ void scan_29(int* out, int const* in, int* aux, int n) {
    __shared__ int s[2][112];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads(); // loaded
    for (int d = 1; d < 128; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads(); // added
    }
    out[t] = s[from][t];
}

// tiles are used before they are loaded
extern "C" __global__ void product_30(int* out, int const* in, int* aux, int n) {
    __shared__ int a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * n + k + x];
        b[y][x] = in[(k + y) * n + column];
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
        __syncthreads(); // used
    }
    out[row * n + column] = sum;
}

// tiles are loaded again before all have used them
extern "C" __global__ void product_31(int* out, int const* in, int* aux, int n) {
    __shared__ int a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * n + k + x];
        b[y][x] = in[(k + y) * n + column];
        __syncthreads(); // loaded
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
    }
    out[row * n + column] = sum;
}

// a tile more than there are
extern "C" __global__ void product_32(int* out, int const* in, int* aux, int n) {
    __shared__ int a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int k = 0; k <= n; k += 16) {
        a[y][x] = in[row * n + k + x];
        b[y][x] = in[(k + y) * n + column];
        __syncthreads(); // loaded
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
        __syncthreads(); // used
    }
    out[row * n + column] = sum;
}

// the last row of a tile is not loaded
extern "C" __global__ void product_33(int* out, int const* in, int* aux, int n) {
    __shared__ int a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * n + k + x];
        if (y < 15) b[y][x] = in[(k + y) * n + column];
        __syncthreads(); // loaded
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
        __syncthreads(); // used
    }
    out[row * n + column] = sum;
}

// blocks of a row write the same columns
extern "C" __global__ void product_34(int* out, int const* in, int* aux, int n) {
    __shared__ int a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * n + k + x];
        b[y][x] = in[(k + y) * n + column];
        __syncthreads(); // loaded
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
        __syncthreads(); // used
    }
    out[row * n + x] = sum;
}

// a pitch that the matrix does not have
extern "C" __global__ void product_35(int* out, int const* in, int* aux, int n) {
    __shared__ int a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * (n + 16) + k + x];
        b[y][x] = in[(k + y) * n + column];
        __syncthreads(); // loaded
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
        __syncthreads(); // used
    }
    out[row * n + column] = sum;
}

// neighbours are read before they are loaded
extern "C" __global__ void stencil_36(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// the left border is not loaded
extern "C" __global__ void stencil_37(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// the right border is not loaded
extern "C" __global__ void stencil_38(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// the array lacks the right border
extern "C" __global__ void stencil_39(int* out, int const* in, int* aux, int n) {
    __shared__ int s[129];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// the last block reads beyond the input
extern "C" __global__ void stencil_40(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[129] = in[i + 1];
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// the first block reads before the input
extern "C" __global__ void stencil_41(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = in[i - 1];
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// the right border is loaded into the element before
extern "C" __global__ void stencil_42(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[128] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// nothing orders the partial result before the counter
extern "C" __global__ void last_block_43(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        last = atomicAdd(&aux[0], 1) == gridDim.x - 1;
    }
    __syncthreads(); // known
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[1 + b];
        out[0] = sum;
    }
}

// the fence is for the block, and another block reads
extern "C" __global__ void last_block_44(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence_block();
        last = atomicAdd(&aux[0], 1) == gridDim.x - 1;
    }
    __syncthreads(); // known
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[1 + b];
        out[0] = sum;
    }
}

// the counter is not atomic
extern "C" __global__ void last_block_45(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence();
        last = aux[0]++ == gridDim.x - 1;
    }
    __syncthreads(); // known
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[1 + b];
        out[0] = sum;
    }
}

// other threads read the shared flag before it is set
extern "C" __global__ void last_block_46(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence();
        last = atomicAdd(&aux[0], 1) == gridDim.x - 1;
    }
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[1 + b];
        out[0] = sum;
    }
}

// every block adds up, whether or not the others are done
extern "C" __global__ void last_block_47(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence();
        last = atomicAdd(&aux[0], 1) == gridDim.x - 1;
    }
    __syncthreads(); // known
    if (t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[1 + b];
        out[0] = sum;
    }
}

// the fence comes before what it is to order
extern "C" __global__ void last_block_48(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        __threadfence();
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        last = atomicAdd(&aux[0], 1) == gridDim.x - 1;
    }
    __syncthreads(); // known
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[1 + b];
        out[0] = sum;
    }
}

// partial results are read one too far, where nobody wrote
extern "C" __global__ void last_block_49(int* out, int const* in, int* aux, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence();
        last = atomicAdd(&aux[0], 1) == gridDim.x - 1;
    }
    __syncthreads(); // known
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += aux[2 + b];
        out[0] = sum;
    }
}

// nothing orders the result before the flag
extern "C" __global__ void chain_50(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x, before = 0;
    volatile int* flags = aux;
    if (b > 0) {
        while (flags[b - 1] == 0) {}
        before = out[b - 1];
    }
    out[b] = before + in[b];
    flags[b] = 1;
}

// the block does not wait for the one before
extern "C" __global__ void chain_51(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x, before = 0;
    volatile int* flags = aux;
    if (b > 0) {
        before = out[b - 1];
    }
    out[b] = before + in[b];
    __threadfence();
    flags[b] = 1;
}

// the block waits for the wrong flag
extern "C" __global__ void chain_52(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x, before = 0;
    volatile int* flags = aux;
    if (b > 0) {
        while (flags[b] != 0) {}
        before = out[b - 1];
    }
    out[b] = before + in[b];
    __threadfence();
    flags[b] = 1;
}

// the flag is set before the fence
extern "C" __global__ void chain_53(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x, before = 0;
    volatile int* flags = aux;
    if (b > 0) {
        while (flags[b - 1] == 0) {}
        before = out[b - 1];
    }
    out[b] = before + in[b];
    flags[b] = 1;
    __threadfence();
}

// the flags are plain memory
extern "C" __global__ void chain_54(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x, before = 0;
    int* flags = aux;
    if (b > 0) {
        while (flags[b - 1] == 0) {}
        before = out[b - 1];
    }
    out[b] = before + in[b];
    __threadfence();
    flags[b] = 1;
}

// other warps may not have written as the block says so
extern "C" __global__ void grid_phases_55(int* out, int const* in, int* aux, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    aux[16 + i] = in[i] + 1;
    if (t == 0) {
        __threadfence();
        atomicAdd(&aux[0], 1);
        while (*(int volatile*)&aux[0] != gridDim.x) {}
        __threadfence();
    }
    __syncthreads(); // met
    out[i] = aux[16 + (i + blockDim.x) % n];
}

// the blocks do not wait for each other
extern "C" __global__ void grid_phases_56(int* out, int const* in, int* aux, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    aux[16 + i] = in[i] + 1;
    __syncthreads(); // written
    if (t == 0) {
        __threadfence();
        atomicAdd(&aux[0], 1);
        __threadfence();
    }
    __syncthreads(); // met
    out[i] = aux[16 + (i + blockDim.x) % n];
}

// nothing orders the first phase before the counter
extern "C" __global__ void grid_phases_57(int* out, int const* in, int* aux, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    aux[16 + i] = in[i] + 1;
    __syncthreads(); // written
    if (t == 0) {
        atomicAdd(&aux[0], 1);
        while (*(int volatile*)&aux[0] != gridDim.x) {}
        __threadfence();
    }
    __syncthreads(); // met
    out[i] = aux[16 + (i + blockDim.x) % n];
}

// warps that do not wait go on to the second phase
extern "C" __global__ void grid_phases_58(int* out, int const* in, int* aux, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    aux[16 + i] = in[i] + 1;
    __syncthreads(); // written
    if (t == 0) {
        __threadfence();
        atomicAdd(&aux[0], 1);
        while (*(int volatile*)&aux[0] != gridDim.x) {}
        __threadfence();
    }
    out[i] = aux[16 + (i + blockDim.x) % n];
}

// something is written after the block said it was done
extern "C" __global__ void grid_phases_59(int* out, int const* in, int* aux, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    aux[16 + i] = in[i] + 1;
    __syncthreads(); // written
    if (t == 0) {
        __threadfence();
        atomicAdd(&aux[0], 1); aux[16 + i] = in[i] + 2;
        while (*(int volatile*)&aux[0] != gridDim.x) {}
        __threadfence();
    }
    __syncthreads(); // met
    out[i] = aux[16 + (i + blockDim.x) % n];
}

// the lock is not taken
extern "C" __global__ void locked_sum_60(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    __threadfence();
    aux[1] += in[blockIdx.x];
    __threadfence(); // done
    atomicExch(&aux[0], 0);
}

// nothing orders the sum before the lock is given back
extern "C" __global__ void locked_sum_61(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&aux[0], 0, 1) != 0) {}
    __threadfence();
    aux[1] += in[blockIdx.x];
    atomicExch(&aux[0], 0);
}

// the sum is touched after the lock is given back
extern "C" __global__ void locked_sum_62(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&aux[0], 0, 1) != 0) {}
    __threadfence();
    aux[1] += in[blockIdx.x];
    atomicExch(&aux[0], 0);
    aux[1] += 0 * n + (in[0] & 1);
}

// the lock is given back by a plain write
extern "C" __global__ void locked_sum_63(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&aux[0], 0, 1) != 0) {}
    __threadfence();
    aux[1] += in[blockIdx.x];
    __threadfence(); // done
    aux[0] = 0;
}

// the value is replaced by a plain write
extern "C" __global__ void largest_64(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, seen = aux[0];
    while (in[i] > seen) {
        int before = seen; aux[0] = in[i];
        if (before == seen) break;
        seen = before;
    }
}

// a lane reads what another may not have written yet
extern "C" __global__ void warp_exchange_65(int* out, int const* in, int* aux, int n) {
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    s[w][lane] = in[i];
    int v = s[w][31 - lane];
    __syncwarp(); // read
    s[w][lane] = v + 1;
    __syncwarp(); // written again
    out[i] = s[w][lane ^ 1];
}

// a lane writes what another may not have read yet
extern "C" __global__ void warp_exchange_66(int* out, int const* in, int* aux, int n) {
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    s[w][lane] = in[i];
    __syncwarp(); // written
    int v = s[w][31 - lane];
    s[w][lane] = v + 1;
    __syncwarp(); // written again
    out[i] = s[w][lane ^ 1];
}

// a lane reads what another may not have written yet
extern "C" __global__ void warp_exchange_67(int* out, int const* in, int* aux, int n) {
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    s[w][lane] = in[i];
    __syncwarp(); // written
    int v = s[w][31 - lane];
    __syncwarp(); // read
    s[w][lane] = v + 1;
    out[i] = s[w][lane ^ 1];
}

// another warp's part is read, which no barrier orders
extern "C" __global__ void warp_exchange_68(int* out, int const* in, int* aux, int n) {
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    s[w][lane] = in[i];
    __syncwarp(); // written
    int v = s[w ^ 1][31 - lane];
    __syncwarp(); // read
    s[w][lane] = v + 1;
    __syncwarp(); // written again
    out[i] = s[w][lane ^ 1];
}

// beyond the row, and for the last warp beyond the array
extern "C" __global__ void warp_exchange_69(int* out, int const* in, int* aux, int n) {
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    s[w][lane] = in[i];
    __syncwarp(); // written
    int v = s[w][32 + lane];
    __syncwarp(); // read
    s[w][lane] = v + 1;
    __syncwarp(); // written again
    out[i] = s[w][lane ^ 1];
}

// the halves of the warp meet by themselves
extern "C" __global__ void warp_exchange_70(int* out, int const* in, int* aux, int n) {
    __shared__ int s[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    s[w][lane] = in[i];
    __syncwarp(0xffffu << (lane & 16)); // half
    int v = s[w][31 - lane];
    __syncwarp(); // read
    s[w][lane] = v + 1;
    __syncwarp(); // written again
    out[i] = s[w][lane ^ 1];
}

// lanes that have left are read from
extern "C" __global__ void warp_sum_71(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i]; if (threadIdx.x % 32 >= 24) return;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) out[i / 32] = v;
}

// the mask names lanes that do not take part
extern "C" __global__ void warp_sum_72(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    if (threadIdx.x % 32 < 16) for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) out[i / 32] = v;
}

// the mask does not name all lanes that take part
extern "C" __global__ void warp_sum_73(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffu, v, d);
    if (threadIdx.x % 32 == 0) out[i / 32] = v;
}

// all lanes write the warp's result
extern "C" __global__ void warp_sum_74(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    out[i / 32] = v;
}

// the last entry is not set
extern "C" __global__ void local_table_75(int* out, int const* in, int* aux, int n) {
    int table[16], i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 15; ++k) table[k] = k * k;
    out[i] = table[in[i] & 15];
}

// values have more bits than the table has entries
extern "C" __global__ void local_table_76(int* out, int const* in, int* aux, int n) {
    int table[16], i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; ++k) table[k] = k * k;
    out[i] = table[in[i] & 63];
}

// every other entry is not set
extern "C" __global__ void local_table_77(int* out, int const* in, int* aux, int n) {
    int table[16], i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; k += blockDim.x / 32) table[k] = k * k;
    out[i] = table[in[i] & 15];
}

// an offset that goes beyond for most indices
extern "C" __global__ void gather_78(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[aux[i] + n - 8];
}

// two threads scatter to one place
extern "C" __global__ void gather_79(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[aux[i] / 2] = in[i];
}

// the counter is not atomic
extern "C" __global__ void compact_80(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0) out[aux[0]++] = in[i];
}

// two elements get one place
extern "C" __global__ void compact_81(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0) out[atomicAdd(&aux[0], 1) / 2] = in[i];
}

// more elements are kept than the output has room for
extern "C" __global__ void compact_82(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] >= 0) out[atomicAdd(&aux[0], 1)] = in[i];
}

// the producer says so before it has written
extern "C" __global__ void handed_over_83(int* out, int const* in, int* aux, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        s[t] = in[t] + 5;
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - 32] = s[63 - t];
    }
}

// the producer never says that it has written
extern "C" __global__ void handed_over_84(int* out, int const* in, int* aux, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t] + 5;
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - 32] = s[63 - t];
    }
}

// the consumer waits at another barrier
extern "C" __global__ void handed_over_85(int* out, int const* in, int* aux, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t] + 5;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[t - 32] = s[63 - t];
    }
}

// the consumer does not wait
extern "C" __global__ void handed_over_86(int* out, int const* in, int* aux, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t] + 5;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        out[t - 32] = s[63 - t];
    }
}

// each thread waits for its own copies alone
extern "C" __global__ void staged_87(int* out, int const* in, int* aux, int n) {
    __shared__ __align__(16) int s[256];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + t] = s[255 - k * 64 - t] + 1;
}

// the copies are not waited for
extern "C" __global__ void staged_88(int* out, int const* in, int* aux, int n) {
    __shared__ __align__(16) int s[256];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * i) : "memory");
    __syncthreads(); // arrived
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + t] = s[255 - k * 64 - t] + 1;
}

// a copy of 16 bytes from where there are four
extern "C" __global__ void staged_89(int* out, int const* in, int* aux, int n) {
    __shared__ __align__(16) int s[256];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * i + 1) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads(); // arrived
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + t] = s[255 - k * 64 - t] + 1;
}

// the stage has room for three quarters
extern "C" __global__ void staged_90(int* out, int const* in, int* aux, int n) {
    __shared__ __align__(16) int s[192];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads(); // arrived
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + t] = s[255 - k * 64 - t] + 1;
}

// the source begins beyond the input
extern "C" __global__ void staged_91(int* out, int const* in, int* aux, int n) {
    __shared__ __align__(16) int s[256];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * i + 4 * n) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads(); // arrived
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + t] = s[255 - k * 64 - t] + 1;
}

// elements are exchanged before all are loaded
extern "C" __global__ void sort_92(int* out, int const* in, int* aux, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int k = 2; k <= 128; k *= 2)
        for (int d = k / 2; d > 0; d /= 2) {
            int other = t ^ d;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
            __syncthreads(); // exchanged
        }
    out[t] = s[t];
}

// a step begins before the one before is done
extern "C" __global__ void sort_93(int* out, int const* in, int* aux, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads(); // loaded
    for (int k = 2; k <= 128; k *= 2)
        for (int d = k / 2; d > 0; d /= 2) {
            int other = t ^ d;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
        }
    out[t] = s[t];
}

// both threads of a pair exchange it
extern "C" __global__ void sort_94(int* out, int const* in, int* aux, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads(); // loaded
    for (int k = 2; k <= 128; k *= 2)
        for (int d = k / 2; d > 0; d /= 2) {
            int other = t ^ d;
            if ((s[t] > s[other]) == ((t & k) == 0)) {
                int v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
            __syncthreads(); // exchanged
        }
    out[t] = s[t];
}

// the other one lies beyond the array
extern "C" __global__ void sort_95(int* out, int const* in, int* aux, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads(); // loaded
    for (int k = 2; k <= 128; k *= 2)
        for (int d = k / 2; d > 0; d /= 2) {
            int other = t + d;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
            __syncthreads(); // exchanged
        }
    out[t] = s[t];
}

// the exchange writes its neighbour's element
extern "C" __global__ void sort_96(int* out, int const* in, int* aux, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads(); // loaded
    for (int k = 2; k <= 128; k *= 2)
        for (int d = k / 2; d > 0; d /= 2) {
            int other = t ^ d;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int v = s[t];
                s[t] = s[other];
                s[other + 1] = v;
            }
            __syncthreads(); // exchanged
        }
    out[t] = s[t];
}

// threads write different values to one place
extern "C" __global__ void any_negative_97(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] >= 0) out[0] = i;
}

// threads add to one place
extern "C" __global__ void any_negative_98(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] >= 0) out[0] += 1;
}

// eight bytes at a multiple of four
extern "C" __global__ void dynamic_99(int* out, int const* in, int* aux, int n) {
    extern __shared__ long long d[];
    int t = threadIdx.x;
    *(long long*)((char*)d + 8 * t + 4 * (t & 1)) = in[t];
    __syncthreads();
    out[t] = static_cast<int>(d[127 - t]);
}

// one beyond the block's memory
extern "C" __global__ void dynamic_100(int* out, int const* in, int* aux, int n) {
    extern __shared__ long long d[];
    int t = threadIdx.x;
    d[t] = in[t];
    __syncthreads();
    out[t] = static_cast<int>(d[128 - t]);
}

// a vector more than there are
extern "C" __global__ void vectors_101(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n + 4) reinterpret_cast<int4*>(out)[i] = reinterpret_cast<int4 const*>(in)[i];
}

// a vector at an element that begins none
extern "C" __global__ void vectors_102(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n) reinterpret_cast<int4*>(out)[i] = reinterpret_cast<int4 const*>(in + 1)[i];
}

// two threads write one vector
extern "C" __global__ void vectors_103(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n) reinterpret_cast<int4*>(out + 4 * (i / 2))[0] = reinterpret_cast<int4 const*>(in)[i];
}

// the step works in place
extern "C" __global__ void relax_104(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i > 0 ? out[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
    out[i] = left + right;
}

// the right border is read
extern "C" __global__ void relax_105(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i > 0 ? in[i - 1] : 0, right = i < n ? in[i + 1] : 0;
    out[i] = left + right;
}

// the left border is read
extern "C" __global__ void relax_106(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i >= 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
    out[i] = left + right;
}

// the warps meet at different barriers
extern "C" __global__ void phases_107(int* out, int const* in, int* aux, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 32) __syncthreads();
    else { out[t] = 0; __syncthreads(); }
    int v = s[63 - t];
    out[t] = v;
}

// half of each warp comes to the barrier
extern "C" __global__ void phases_108(int* out, int const* in, int* aux, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t % 2 == 0) __syncthreads();
    int v = s[63 - t];
    out[t] = v;
}

// one warp does not come to the barrier, and is gone when the other meets itself
extern "C" __global__ void phases_109(int* out, int const* in, int* aux, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 32) __syncthreads();
    int v = s[63 - t];
    out[t] = v;
}

// threads leave before the barrier
extern "C" __global__ void phases_110(int* out, int const* in, int* aux, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t >= 32) return;
    __syncthreads(); // one
    int v = s[63 - t];
    out[t] = v;
}

// two threads write one byte
extern "C" __global__ void bytes_111(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char* to = reinterpret_cast<unsigned char*>(out);
    to[i & ~1] = static_cast<unsigned char>(in[i]);
}

// the last byte lies beyond
extern "C" __global__ void bytes_112(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char* to = reinterpret_cast<unsigned char*>(out);
    to[i + 1] = static_cast<unsigned char>(in[i]);
}

// two threads write one pair of bytes
extern "C" __global__ void bytes_113(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char* to = reinterpret_cast<unsigned char*>(out);
    reinterpret_cast<unsigned short*>(to + (i & ~1))[0] = static_cast<unsigned char>(in[i]);
}
