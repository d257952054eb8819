// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of tiles of tensors (TMA) on compute_90: loads that dump the tile as it lies in shared memory, stores and
// reductions from a tile whose byte i is known, and a load for all blocks of a cluster.
struct alignas(64) map_bytes {
    unsigned char bytes[128];
};
struct place {
    int at[5];
};

__device__ unsigned at(void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void init(unsigned long long& barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(unsigned long long& barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&barrier)), "r"(bytes) : "memory");
}
__device__ void wait(unsigned long long& barrier) {
    unsigned ready = 0;
    while (!ready)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(ready)
                     : "r"(at(&barrier))
                     : "memory");
}

#define LOAD "cp.async.bulk.tensor."
#define TO_SHARED "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
template <int N>
__device__ void load(void* to, map_bytes const& map, place p, unsigned long long& barrier) {
    auto const m = reinterpret_cast<unsigned long long>(&map);
    auto const t = at(to), b = at(&barrier);
    if constexpr (N == 1)
        asm volatile(LOAD "1" TO_SHARED "{%2}], [%3];" ::"r"(t), "l"(m), "r"(p.at[0]), "r"(b) : "memory");
    if constexpr (N == 2)
        asm volatile(LOAD "2" TO_SHARED "{%2, %3}], [%4];" ::"r"(t), "l"(m), "r"(p.at[0]), "r"(p.at[1]), "r"(b)
                     : "memory");
    if constexpr (N == 3)
        asm volatile(LOAD "3" TO_SHARED "{%2, %3, %4}], [%5];" ::"r"(t), "l"(m), "r"(p.at[0]), "r"(p.at[1]),
                     "r"(p.at[2]), "r"(b)
                     : "memory");
    if constexpr (N == 4)
        asm volatile(LOAD "4" TO_SHARED "{%2, %3, %4, %5}], [%6];" ::"r"(t), "l"(m), "r"(p.at[0]), "r"(p.at[1]),
                     "r"(p.at[2]), "r"(p.at[3]), "r"(b)
                     : "memory");
    if constexpr (N == 5)
        asm volatile(LOAD "5" TO_SHARED "{%2, %3, %4, %5, %6}], [%7];" ::"r"(t), "l"(m), "r"(p.at[0]), "r"(p.at[1]),
                     "r"(p.at[2]), "r"(p.at[3]), "r"(p.at[4]), "r"(b)
                     : "memory");
}

constexpr unsigned room = 16384;

// Shared memory as it is after the load; what it did not write is 0xee. `shift`: the tile begins there.
template <int N>
__device__ void dump_tile(map_bytes const& map, place p, unsigned bytes, unsigned shift, unsigned char* out) {
    __shared__ alignas(1024) unsigned char tile[room];
    __shared__ unsigned long long full;
    for (unsigned i = threadIdx.x; i < room; i += blockDim.x) tile[i] = 0xee;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x == 0) init(full);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(full, bytes);
        load<N>(tile + shift, map, p, full);
    }
    wait(full);
    for (unsigned i = threadIdx.x; i < room; i += blockDim.x) out[i] = tile[i];
}
#define DUMP(N)                                                                                                        \
    extern "C" __global__ void load_##N##d(__grid_constant__ map_bytes const map, place p, unsigned bytes,             \
                                           unsigned shift, unsigned char* out) {                                       \
        dump_tile<N>(map, p, bytes, shift, out);                                                                       \
    }
DUMP(1)
DUMP(2)
DUMP(3)
DUMP(4)
DUMP(5)

// From shared memory whose 32-bit word i is i + 1, or of half-precision ones.
extern "C" __global__ void store_2d(__grid_constant__ map_bytes const map, place p, int operation, int halves) {
    __shared__ alignas(1024) unsigned tile[room / 4];
    for (unsigned i = threadIdx.x; i < room / 4; i += blockDim.x) tile[i] = halves ? 0x3c003c00u : i + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0) return;
    auto const m = reinterpret_cast<unsigned long long>(&map);
    if (operation == 0)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(m),
                     "r"(p.at[0]), "r"(p.at[1]), "r"(at(tile))
                     : "memory");
    if (operation == 1)
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(m),
            "r"(p.at[0]), "r"(p.at[1]), "r"(at(tile))
            : "memory");
    if (operation == 2)
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(m),
            "r"(p.at[0]), "r"(p.at[1]), "r"(at(tile))
            : "memory");
    if (operation == 3)
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(m),
            "r"(p.at[0]), "r"(p.at[1]), "r"(at(tile))
            : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

// Sums of rows without a map, from all blocks at one place.
extern "C" __global__ void reduce_rows(unsigned* to, unsigned bytes) {
    __shared__ alignas(128) unsigned row[1024];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) row[i] = i + blockIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0) return;
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to), "r"(at(row)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

// The first block of a cluster of two loads for both.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    load_for_both(__grid_constant__ map_bytes const map, place p, unsigned bytes, unsigned char* out) {
    __shared__ alignas(1024) unsigned char tile[room];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        init(full);
        expect(full, bytes);
    }
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
    if (blockIdx.x == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0], [%1, "
                     "{%2, %3}], [%4], %5;" ::"r"(at(tile)),
                     "l"(reinterpret_cast<unsigned long long>(&map)), "r"(p.at[0]), "r"(p.at[1]), "r"(at(&full)),
                     "h"(static_cast<unsigned short>(3))
                     : "memory");
    wait(full);
    for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) out[blockIdx.x * room + i] = tile[i];
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}

// Loads 2d tiles by a map that the kernel makes of another one in shared memory, as grouped products do, and publishes at
// `made`: other address, sizes, stride and box. `in_global`: it is copied first and changed where it is published.
struct changes {
    unsigned long long address, stride;
    unsigned width, height, box_width, box_height, step;
};
#define REPLACE(space, field, type, constraint, pointer, ordinal, value)                                               \
    asm volatile("tensormap.replace.tile." field "." space ".b1024." type " [%0], " ordinal "%1;" ::"l"(pointer),      \
                 constraint(value)                                                                                     \
                 : "memory")
#define REPLACE_ALL(space, p, c)                                                                                       \
    REPLACE(space, "global_address", "b64", "l", p, "", c.address);                                                    \
    REPLACE(space, "global_stride", "b64", "l", p, "0, ", c.stride);                                                   \
    REPLACE(space, "global_dim", "b32", "r", p, "0, ", c.width);                                                       \
    REPLACE(space, "global_dim", "b32", "r", p, "1, ", c.height);                                                      \
    REPLACE(space, "box_dim", "b32", "r", p, "0, ", c.box_width);                                                      \
    REPLACE(space, "box_dim", "b32", "r", p, "1, ", c.box_height);                                                     \
    REPLACE(space, "element_stride", "b32", "r", p, "1, ", c.step);                                                    \
    REPLACE(space, "rank", "b32", "n", p, "", 1);                                                                      \
    REPLACE(space, "elemtype", "b32", "n", p, "", 6);                                                                  \
    REPLACE(space, "interleave_layout", "b32", "n", p, "", 0);                                                         \
    REPLACE(space, "swizzle_mode", "b32", "n", p, "", 1);                                                              \
    REPLACE(space, "fill_mode", "b32", "n", p, "", 1)

extern "C" __global__ void load_changed(__grid_constant__ map_bytes const map, map_bytes* made, changes c,
                                        int in_global, place p, unsigned bytes, unsigned char* out) {
    __shared__ alignas(128) map_bytes draft;
    for (unsigned i = threadIdx.x; i < 128; i += blockDim.x) draft.bytes[i] = map.bytes[i];
    __syncthreads();
    if (threadIdx.x == 0 && !in_global) {
        REPLACE_ALL("shared::cta", __cvta_generic_to_shared(&draft), c);
    }
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile(
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
            "128;" ::"l"(made),
            "r"(at(&draft))
            : "memory");
    if (threadIdx.x == 0 && in_global) {
        REPLACE_ALL("global", made, c);
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    }
    __syncthreads();
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(made) : "memory");
    dump_tile<2>(*made, p, bytes, 0, out);
}

// Columns of pixels of an image of two dimensions: as dump_tile, and back from a tile whose word i is i + 1.
extern "C" __global__ void load_image(__grid_constant__ map_bytes const map, place p, unsigned short x,
                                      unsigned short y, unsigned bytes, unsigned char* out) {
    __shared__ alignas(1024) unsigned char tile[room];
    __shared__ unsigned long long full;
    for (unsigned i = threadIdx.x; i < room; i += blockDim.x) tile[i] = 0xee;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (threadIdx.x == 0) init(full);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(full, bytes);
        asm volatile(
            "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
            "%3, %4, %5}], [%6], {%7, %8};" ::"r"(at(tile)),
            "l"(reinterpret_cast<unsigned long long>(&map)), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]),
            "r"(at(&full)), "h"(x), "h"(y)
            : "memory");
    }
    wait(full);
    for (unsigned i = threadIdx.x; i < room; i += blockDim.x) out[i] = tile[i];
}
extern "C" __global__ void store_image(__grid_constant__ map_bytes const map, place p) {
    __shared__ alignas(1024) unsigned tile[room / 4];
    for (unsigned i = threadIdx.x; i < room / 4; i += blockDim.x) tile[i] = i + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0) return;
    asm volatile(
        "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(
            reinterpret_cast<unsigned long long>(&map)),
        "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]), "r"(at(tile))
        : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}
