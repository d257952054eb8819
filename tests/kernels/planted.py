#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants bugs into working kernels, and writes planted.cu and planted_bugs.inc, for planted_bugs.test.cpp.

    planted.py      writes both beside itself; regenerate.sh then compiles planted.cu

A kernel takes (int* out, int const* in, int* aux, int n). A bug is a piece of its text and what takes its place, the kind of
finding that a check must make of it, and why it is a bug. Bugs of the host are names that the test knows.
"""
import pathlib

KERNELS = {}  # name: text
BUGS = []     # kernel, old, new, kind, reason
HOST = []     # kernel, bug, kind, reason


def kernel(text, bugs=(), host=(), name=None):
    name = name or text.split("(")[0].split()[-1]
    KERNELS[name] = text.strip("\n")
    for old, new, kind, reason in bugs:
        assert text.count(old) == 1, (name, old, text.count(old))
        BUGS.append((name, old, new, kind, reason))
    for bug, kind, reason in host:
        HOST.append((name, bug, kind, reason))


BOUNDS, MISALIGNED, FREED, UNWRITTEN, RACE, BARRIER = (
    "out_of_bounds", "misaligned", "use_after_free", "uninitialised", "race", "barrier")
SYNC = "    __syncthreads(); // "

kernel("""
scale(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 3;
}
""", [
    ("i < n", "i <= n", BOUNDS, "one thread more than there are elements"),
    ("if (i < n) ", "", BOUNDS, "the last block has more threads than elements are left"),
    ("in[i]", "in[i + 1]", BOUNDS, "the last thread reads one element beyond"),
    ("in[i]", "in[i - 1]", BOUNDS, "the first thread reads one element before"),
    ("out[i]", "out[2 * i]", BOUNDS, "the stride is not in the size"),
    ("out[i]", "out[i / 2]", RACE, "two threads write one element"),
    ("out[i]", "out[0]", RACE, "all threads write one element"),
    ("out[i] =", "*(int*)((char*)out + 4 * i + 2) =", MISALIGNED, "a byte offset that is no multiple of the size"),
], [
    ("in_not_written", UNWRITTEN, "the host forgot to copy the input"),
    ("in_half_written", UNWRITTEN, "the host copied half of the input"),
    ("out_freed", FREED, "the output was freed before the launch"),
    ("in_freed", FREED, "the input was freed before the launch"),
    ("in_freed_async", FREED, "the input was freed in the order of the stream before the launch"),
    ("out_short", BOUNDS, "the output has an element less, in bytes of the last one"),
    ("in_misaligned", MISALIGNED, "the host passed an address of two bytes further"),
    ("n_larger", BOUNDS, "the host passed the number of bytes as the number of elements"),
    ("out_is_null", BOUNDS, "a pointer that was never set"),
])

kernel("""
block_sum(int* out, int const* in, int* aux, int n) {
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
""", [
    (SYNC + "loaded\n", "", RACE, "sums begin before all is loaded"),
    ("    " + SYNC + "added\n", "", RACE, "sums begin before those of the step before are done"),
    ("s[t] = i < n ? in[i] : 0;", "if (i < n) s[t] = in[i];", UNWRITTEN, "the tail of the last block is not set"),
    ("__shared__ int s[256]", "__shared__ int s[200]", BOUNDS, "the array has fewer elements than the block has threads"),
    ("d = 128", "d = 256", BOUNDS, "the first step goes beyond the array"),
    ("t < d) s[t] += s[t + d];\n        __syncthreads(); // added", "t < d) { s[t] += s[t + d]; __syncthreads(); }", BARRIER,
     "a barrier that only some lanes of a warp reach"),
    ("s[t] = i < n ? in[i] : 0", "s[t] = in[i]", BOUNDS, "the tail of the last block is read beyond the input"),
    ("if (t == 0) out[blockIdx.x] = s[0]", "out[blockIdx.x] = s[t]", RACE, "every thread writes the block's result"),
    ("out[blockIdx.x] = s[0]", "out[blockIdx.x + 1] = s[0]", BOUNDS, "results begin at one"),
])

kernel("""
histogram(int* out, int const* in, int* aux, int n) {
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads(); // zeroed
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 31], 1);
    __syncthreads(); // counted
    if (t < 32) atomicAdd(&aux[t], bins[t]);
}
""", [
    ("    if (t < 32) bins[t] = 0;\n", "", UNWRITTEN, "the bins are not zeroed"),
    ("if (t < 32) bins[t] = 0", "if (t < 31) bins[t] = 0", UNWRITTEN, "one bin is not zeroed"),
    (SYNC + "zeroed\n", "", RACE, "counting begins before the bins are zeroed"),
    (SYNC + "counted\n", "", RACE, "the bins are added up while others count"),
    ("atomicAdd(&bins[in[i] & 31], 1)", "bins[in[i] & 31]++", RACE, "an atomic made plain, in shared memory"),
    ("atomicAdd(&aux[t], bins[t])", "aux[t] += bins[t]", RACE, "an atomic made plain, in global memory"),
    ("in[i] & 31", "in[i] & 63", BOUNDS, "values have more bits than there are bins"),
    ("atomicAdd(&aux[t], bins[t])", "atomicAdd_block(&aux[t], bins[t])", RACE, "the atomic's scope is the block, and blocks share the bins"),
], [
    ("aux_not_written", UNWRITTEN, "the host forgot to zero the bins"),
])

kernel("""
scan(int* out, int const* in, int* aux, int n) {
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
""", [
    (SYNC + "loaded\n", "", RACE, "steps begin before all is loaded"),
    ("    " + SYNC + "added\n", "", RACE, "a step begins before the one before is done"),
    ("s[1 - from][t] = t", "s[from][t] = t", RACE, "elements are read and written in one step"),
    ("t >= d ? s[from][t] + s[from][t - d] : s[from][t]", "s[from][t] + s[from][t - d]", BOUNDS,
     "the first elements have none before them"),
    ("__shared__ int s[2][128]", "__shared__ int s[2][112]", BOUNDS, "the buffers have fewer elements than the block has threads"),
])

kernel("""
product(int* out, int const* in, int* aux, int n) {
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
""", [
    ("    " + SYNC + "loaded\n", "", RACE, "tiles are used before they are loaded"),
    ("    " + SYNC + "used\n", "", RACE, "tiles are loaded again before all have used them"),
    ("k < n;", "k <= n;", BOUNDS, "a tile more than there are"),
    ("b[y][x] = in[(k + y) * n + column];", "if (y < 15) b[y][x] = in[(k + y) * n + column];", UNWRITTEN,
     "the last row of a tile is not loaded"),
    ("out[row * n + column]", "out[row * n + x]", RACE, "blocks of a row write the same columns"),
    ("row * n + k + x", "row * (n + 16) + k + x", BOUNDS, "a pitch that the matrix does not have"),
])

kernel("""
stencil(int* out, int const* in, int* aux, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads(); // loaded
    out[i] = s[t] + s[t + 1] + s[t + 2];
}
""", [
    (SYNC + "loaded\n", "", RACE, "neighbours are read before they are loaded"),
    ("    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;\n", "", UNWRITTEN, "the left border is not loaded"),
    ("    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;\n", "", UNWRITTEN, "the right border is not loaded"),
    ("s[130]", "s[129]", BOUNDS, "the array lacks the right border"),
    ("i + 1 < n ? in[i + 1] : 0", "in[i + 1]", BOUNDS, "the last block reads beyond the input"),
    ("i > 0 ? in[i - 1] : 0", "in[i - 1]", BOUNDS, "the first block reads before the input"),
    ("s[129] = i", "s[128] = i", UNWRITTEN, "the right border is loaded into the element before"),
])

kernel("""
last_block(int* out, int const* in, int* aux, int n) {
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
""", [
    ("        __threadfence();\n", "", RACE, "nothing orders the partial result before the counter"),
    ("__threadfence();", "__threadfence_block();", RACE, "the fence is for the block, and another block reads"),
    ("atomicAdd(&aux[0], 1)", "aux[0]++", RACE, "the counter is not atomic"),
    (SYNC + "known\n", "", RACE, "other threads read the shared flag before it is set"),
    ("if (last && t == 0)", "if (t == 0)", RACE, "every block adds up, whether or not the others are done"),
    ("        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;\n        __threadfence();\n",
     "        __threadfence();\n        aux[1 + blockIdx.x] = in[blockIdx.x] * 2;\n", RACE, "the fence comes before what it is to order"),
    ("sum += aux[1 + b]", "sum += aux[2 + b]", UNWRITTEN, "partial results are read one too far, where nobody wrote"),
], [
    ("aux_not_written", UNWRITTEN, "the host forgot to zero the counter"),
])

kernel("""
chain(int* out, int const* in, int* aux, int n) {
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
""", [
    ("    __threadfence();\n", "", RACE, "nothing orders the result before the flag"),
    ("        while (flags[b - 1] == 0) {}\n", "", RACE, "the block does not wait for the one before"),
    ("while (flags[b - 1] == 0)", "while (flags[b] != 0)", RACE, "the block waits for the wrong flag"),
    ("    __threadfence();\n    flags[b] = 1;", "    flags[b] = 1;\n    __threadfence();", RACE, "the flag is set before the fence"),
    ("    volatile int* flags", "    int* flags", RACE, "the flags are plain memory"),
], [
    ("aux_not_written", UNWRITTEN, "the host forgot to zero the flags"),
])

kernel("""
grid_phases(int* out, int const* in, int* aux, int n) {
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
""", [
    (SYNC + "written\n", "", RACE, "other warps may not have written as the block says so"),
    ("        while (*(int volatile*)&aux[0] != gridDim.x) {}\n", "", RACE, "the blocks do not wait for each other"),
    ("__threadfence();\n        atomicAdd(&aux[0], 1);", "atomicAdd(&aux[0], 1);", RACE, "nothing orders the first phase before the counter"),
    (SYNC + "met\n", "", RACE, "warps that do not wait go on to the second phase"),
    ("atomicAdd(&aux[0], 1);", "atomicAdd(&aux[0], 1); aux[16 + i] = in[i] + 2;", RACE, "something is written after the block said it was done"),
])

kernel("""
locked_sum(int* out, int const* in, int* aux, int n) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&aux[0], 0, 1) != 0) {}
    __threadfence();
    aux[1] += in[blockIdx.x];
    __threadfence(); // done
    atomicExch(&aux[0], 0);
}
""", [
    ("    while (atomicCAS(&aux[0], 0, 1) != 0) {}\n", "", RACE, "the lock is not taken"),
    ("    __threadfence(); // done\n", "", RACE, "nothing orders the sum before the lock is given back"),
    ("    __threadfence(); // done\n    atomicExch(&aux[0], 0);", "    atomicExch(&aux[0], 0);\n    aux[1] += 0 * n + (in[0] & 1);", RACE,
     "the sum is touched after the lock is given back"),
    ("atomicExch(&aux[0], 0)", "aux[0] = 0", RACE, "the lock is given back by a plain write"),
])

kernel("""
largest(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, seen = aux[0];
    while (in[i] > seen) {
        int before = atomicCAS(&aux[0], seen, in[i]);
        if (before == seen) break;
        seen = before;
    }
}
""", [
    ("int before = atomicCAS(&aux[0], seen, in[i]);", "int before = seen; aux[0] = in[i];", RACE, "the value is replaced by a plain write"),
], [
    ("aux_not_written", UNWRITTEN, "the host forgot to set the least value"),
])

kernel("""
warp_exchange(int* out, int const* in, int* aux, int n) {
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
""", [
    ("    __syncwarp(); // written\n", "", RACE, "a lane reads what another may not have written yet"),
    ("    __syncwarp(); // read\n", "", RACE, "a lane writes what another may not have read yet"),
    ("    __syncwarp(); // written again\n", "", RACE, "a lane reads what another may not have written yet"),
    ("s[w][31 - lane]", "s[w ^ 1][31 - lane]", RACE, "another warp's part is read, which no barrier orders"),
    ("s[w][31 - lane]", "s[w][32 + lane]", BOUNDS, "beyond the row, and for the last warp beyond the array"),
    ("    __syncwarp(); // written\n", "    __syncwarp(0xffffu << (lane & 16)); // half\n", RACE, "the halves of the warp meet by themselves"),
])

kernel("""
warp_sum(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) out[i / 32] = v;
}
""", [
    ("v = in[i];", "v = in[i]; if (threadIdx.x % 32 >= 24) return;", UNWRITTEN, "lanes that have left are read from"),
    ("for (int d", "if (threadIdx.x % 32 < 16) for (int d", BARRIER, "the mask names lanes that do not take part"),
    ("~0u", "0xffu", BARRIER, "the mask does not name all lanes that take part"),
    ("if (threadIdx.x % 32 == 0) out", "out", RACE, "all lanes write the warp's result"),
])

kernel("""
local_table(int* out, int const* in, int* aux, int n) {
    int table[16], i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; ++k) table[k] = k * k;
    out[i] = table[in[i] & 15];
}
""", [
    ("k < 16; ++k", "k < 15; ++k", UNWRITTEN, "the last entry is not set"),
    ("in[i] & 15", "in[i] & 63", BOUNDS, "values have more bits than the table has entries"),
    ("k < 16; ++k", "k < 16; k += blockDim.x / 32", UNWRITTEN, "every other entry is not set"),
])

kernel("""
gather(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[aux[i]];
}
""", [
    ("in[aux[i]]", "in[aux[i] + n - 8]", BOUNDS, "an offset that goes beyond for most indices"),
    ("out[i] = in[aux[i]]", "out[aux[i] / 2] = in[i]", RACE, "two threads scatter to one place"),
], [
    ("aux_not_written", UNWRITTEN, "the indices were never copied"),
    ("aux_garbage", BOUNDS, "an index is wrong by a bit"),
])

kernel("""
compact(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0) out[atomicAdd(&aux[0], 1)] = in[i];
}
""", [
    ("atomicAdd(&aux[0], 1)", "aux[0]++", RACE, "the counter is not atomic"),
    ("atomicAdd(&aux[0], 1)", "atomicAdd(&aux[0], 1) / 2", RACE, "two elements get one place"),
    ("in[i] % 2 == 0", "in[i] >= 0", BOUNDS, "more elements are kept than the output has room for"),
], [
    ("aux_not_written", UNWRITTEN, "the host forgot to zero the counter"),
])

kernel("""
handed_over(int* out, int const* in, int* aux, int n) {
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
""", [
    ("        s[t] = in[t] + 5;\n        asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\");\n",
     "        asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\");\n        s[t] = in[t] + 5;\n", RACE, "the producer says so before it has written"),
    ("        asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\");\n", "", BARRIER, "the producer never says that it has written"),
    ("\"bar.sync 1, 64;\"", "\"bar.sync 2, 64;\"", BARRIER, "the consumer waits at another barrier"),
    ("        asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n", "", RACE, "the consumer does not wait"),
])

kernel("""
staged(int* out, int const* in, int* aux, int n) {
    __shared__ __align__(16) int s[256];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads(); // arrived
    for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + t] = s[255 - k * 64 - t] + 1;
}
""", [
    (SYNC + "arrived\n", "", RACE, "each thread waits for its own copies alone"),
    ("    asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n", "", UNWRITTEN, "the copies are not waited for"),
    ("\"l\"(in + 4 * i)", "\"l\"(in + 4 * i + 1)", MISALIGNED, "a copy of 16 bytes from where there are four"),
    ("s[256]", "s[192]", BOUNDS, "the stage has room for three quarters"),
    ("in + 4 * i)", "in + 4 * i + 4 * n)", BOUNDS, "the source begins beyond the input"),
])

kernel("""
sort(int* out, int const* in, int* aux, int n) {
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
""", [
    (SYNC + "loaded\n", "", RACE, "elements are exchanged before all are loaded"),
    ("        " + SYNC + "exchanged\n", "", RACE, "a step begins before the one before is done"),
    ("other > t && ", "", RACE, "both threads of a pair exchange it"),
    ("t ^ d", "t + d", BOUNDS, "the other one lies beyond the array"),
    ("s[other] = v;", "s[other + 1] = v;", RACE, "the exchange writes its neighbour's element"),
])

kernel("""
any_negative(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] >= 0) out[0] = 1;
}
""", [
    ("out[0] = 1", "out[0] = i", RACE, "threads write different values to one place"),
    ("out[0] = 1", "out[0] += 1", RACE, "threads add to one place"),
])

kernel("""
dynamic(int* out, int const* in, int* aux, int n) {
    extern __shared__ long long d[];
    int t = threadIdx.x;
    d[t] = in[t];
    __syncthreads();
    out[t] = static_cast<int>(d[127 - t]);
}
""", [
    ("d[t] = in[t]", "*(long long*)((char*)d + 8 * t + 4 * (t & 1)) = in[t]", MISALIGNED, "eight bytes at a multiple of four"),
    ("d[127 - t]", "d[128 - t]", BOUNDS, "one beyond the block's memory"),
], [
    ("shared_short", BOUNDS, "the launch gives less shared memory than the kernel uses"),
])

kernel("""
vectors(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n) reinterpret_cast<int4*>(out)[i] = reinterpret_cast<int4 const*>(in)[i];
}
""", [
    ("4 * i < n", "4 * i < n + 4", BOUNDS, "a vector more than there are"),
    ("reinterpret_cast<int4 const*>(in)", "reinterpret_cast<int4 const*>(in + 1)", MISALIGNED, "a vector at an element that begins none"),
    ("reinterpret_cast<int4*>(out)[i]", "reinterpret_cast<int4*>(out + 4 * (i / 2))[0]", RACE, "two threads write one vector"),
], [
    ("out_freed", FREED, "the output was freed before the launch"),
])

kernel("""
relax(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i > 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
    out[i] = left + right;
}
""", [
    ("left = i > 0 ? in[i - 1]", "left = i > 0 ? out[i - 1]", RACE, "the step works in place"),
    ("i + 1 < n ? ", "i < n ? ", BOUNDS, "the right border is read"),
    ("i > 0 ? in[i - 1]", "i >= 0 ? in[i - 1]", BOUNDS, "the left border is read"),
])

kernel("""
phases(int* out, int const* in, int* aux, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads(); // one
    int v = s[63 - t];
    out[t] = v;
}
""", [
    (SYNC + "one\n", "    if (t < 32) __syncthreads();\n    else { out[t] = 0; __syncthreads(); }\n", BARRIER,
     "the warps meet at different barriers"),
    (SYNC + "one\n", "    if (t % 2 == 0) __syncthreads();\n", BARRIER, "half of each warp comes to the barrier"),
    (SYNC + "one\n", "    if (t < 32) __syncthreads();\n", RACE, "one warp does not come to the barrier, and is gone when the other meets itself"),
    (SYNC + "one\n", "    if (t >= 32) return;\n    __syncthreads(); // one\n", "exits", "threads leave before the barrier"),
])

kernel("""
bytes(int* out, int const* in, int* aux, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char* to = reinterpret_cast<unsigned char*>(out);
    to[i] = static_cast<unsigned char>(in[i]);
}
""", [
    ("to[i] =", "to[i & ~1] =", RACE, "two threads write one byte"),
    ("to[i] =", "to[i + 1] =", BOUNDS, "the last byte lies beyond"),
    ("to[i] =", "reinterpret_cast<unsigned short*>(to + (i & ~1))[0] =", RACE, "two threads write one pair of bytes"),
])


def main():
    here = pathlib.Path(__file__).parent
    head = ("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
            "// Written by planted.py, which says what this is. Working kernels come first, then those with a bug each.\n")
    text, rows = [head], []
    for body in KERNELS.values():
        text.append(f'extern "C" __global__ void {body}\n')
    for number, (name, old, new, kind, reason) in enumerate(BUGS):
        planted = f"{name}_{number}"
        body = KERNELS[name].replace(f"{name}(", f"{planted}(", 1).replace(old, new)
        text.append(f'// {reason}\nextern "C" __global__ void {body}\n')
        rows.append((planted, name, "none", kind, reason))
    for name, bug, kind, reason in HOST:
        rows.append((name, name, bug, kind, reason))
    (here / "planted.cu").write_text("\n".join(text))
    lines = [f'    {{"{k}", "{n}", host_bug::{h}, planted_kind::{kind}, "{r}"}},' for k, n, h, kind, r in rows]
    (here / "planted_bugs.inc").write_text(
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
        "// Written by planted.py: kernel, the kernel that works, the host's bug, the kind of finding, why it is a bug.\n"
        + "\n".join(lines) + "\n")
    print(len(rows), "bugs in", len(KERNELS), "kernels")


if __name__ == "__main__":
    main()
