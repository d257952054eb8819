// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait for later blocks without a cooperative launch, and lanes that wait for others of their warp.
#include <cuda/atomic>

__device__ int read_acquire(int const* p) {
    int value;
    asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

// Block 0 adds up what all others left, once the last one has.
extern "C" __global__ void first_waits_for_all(int* arrived, int* values, int* sum) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x != 0) {
        values[blockIdx.x] = static_cast<int>(blockIdx.x) * 3;
        __threadfence();
        atomicAdd(arrived, 1);
        return;
    }
    while (read_acquire(arrived) != static_cast<int>(gridDim.x) - 1) {
    }
    for (unsigned i = 1; i < gridDim.x; ++i) *sum += values[i];
}

// A semaphore that lets blocks in one after the other, the last one first: all threads of a block go around the loop.
extern "C" __global__ void semaphore_backwards(int* semaphore, int* order) {
    int const mine = static_cast<int>(gridDim.x - 1 - blockIdx.x);
    int state = -1;
    while (__syncthreads_and(state != mine))
        if (threadIdx.x == 0) state = read_acquire(semaphore);
    __syncthreads();
    if (threadIdx.x < 32) order[mine * 32 + static_cast<int>(threadIdx.x)] = static_cast<int>(blockIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(semaphore), "r"(mine + 1) : "memory");
}

// The sums of all tiles before it: a warp looks at 32 of them at once, and waits for those that have nothing yet. Tiles are
// taken from the end, so each waits for later blocks. Once more than the GPU holds have begun they could not end.
extern "C" __global__ void look_back(int const* in, unsigned long long* states, int* out, int backwards) {
    int const tile = static_cast<int>(backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
    int const lane = static_cast<int>(threadIdx.x);
    int sum = __reduce_add_sync(~0u, in[tile * 32 + lane]);
    unsigned long long const aggregate = 1ull << 32, prefix = 2ull << 32; // status above the value
    if (lane == 0) atomicExch(&states[tile], (tile == 0 ? prefix : aggregate) | static_cast<unsigned>(sum));
    int before = 0;
    for (int first = tile - 32; tile != 0; first -= 32) {
        int const looked = first + lane;
        unsigned long long state;
        do state = looked < 0 ? prefix : *reinterpret_cast<unsigned long long volatile*>(&states[looked]);
        while (__any_sync(~0u, state == 0));
        unsigned const ends = __ballot_sync(~0u, state >> 32 == 2);
        int const last = ends == 0 ? 0 : 31 - __clz(static_cast<int>(ends));
        before += __reduce_add_sync(~0u, lane >= last ? static_cast<int>(state & 0xffffffffu) : 0);
        if (ends != 0) break;
    }
    if (lane == 0) {
        atomicExch(&states[tile], prefix | static_cast<unsigned>(before + sum));
        out[tile] = before;
    }
}

// Block 0 keeps a lock until block 1 has tried to take it.
extern "C" __global__ void lock_is_held(int* lock, int volatile* tried, int* counter) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 1) *tried = 1;
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
    if (blockIdx.x == 0)
        while (*tried == 0) {
        }
    __threadfence();
    *counter = *counter * 3 + static_cast<int>(blockIdx.x) + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// Each thread takes the lock, also those of one warp.
extern "C" __global__ void lock_of_lanes(int* lock, int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *static_cast<int volatile*>(counter) += static_cast<int>(threadIdx.x);
    __threadfence();
    atomicExch(lock, 0);
}

// Lanes wait in shared memory for a value that another lane of the warp stores after them.
extern "C" __global__ void lanes_wait(int* out) {
    __shared__ int volatile flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x % 2 == 0) {
        while (flag == 0) {
        }
        out[threadIdx.x] = flag;
    } else if (threadIdx.x == 31) {
        flag = 7;
    }
}

// The next cluster tells this one that it is there; the last one waits for nobody.
extern "C" __global__ void __cluster_dims__(2, 1, 1) clusters_wait(int* flags, int* out) {
    unsigned const cluster = blockIdx.x / 2;
    if (blockIdx.x % 2 == 0 && threadIdx.x == 0) {
        if (cluster + 1 != gridDim.x / 2)
            while (read_acquire(flags + cluster + 1) == 0) {
            }
        atomicExch(flags + cluster, 1);
    }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    out[blockIdx.x * blockDim.x + threadIdx.x] = read_acquire(flags + cluster);
}

// As a library's atomics wait: with pauses that get longer, and a clock.
extern "C" __global__ void waits_by_library(int* turn, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> now{*turn};
    if (threadIdx.x == 0) {
        int const before = static_cast<int>(gridDim.x - 1 - blockIdx.x);
        for (int seen = now.load(); seen != before; seen = now.load()) now.wait(seen);
        out[before] = static_cast<int>(blockIdx.x);
        now.fetch_add(1);
        now.notify_all();
    }
}
