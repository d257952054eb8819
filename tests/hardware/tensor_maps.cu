// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -arch=sm_90a
// Tensor maps of all types, fills, swizzles and interleaved layouts: a line a case with the status of cuTensorMapEncodeTiled, or
// a digest of what a load puts into shared memory, or of what a store leaves in global memory; for last_tensor_maps.txt.
// tensor_maps: all; tensor_maps list: their names; tensor_maps NAME [FOLDER]: one, since a map that a GPU cannot use ends
// the process's context. FOLDER gets all bytes.
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "driver_calls.hpp"

constexpr unsigned tile_bytes = 16384, tensor_bytes = 131072;

struct tensor_case {
    std::string name;
    int type;
    std::vector<std::uint64_t> sizes, strides;
    std::vector<std::uint32_t> box, steps;
    std::vector<int> at;
    int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
    bool stores = false;
};

template <unsigned Rank>
__device__ void load(CUtensorMap const& map, int const (&at)[5], unsigned tile, unsigned barrier) {
    if constexpr (Rank == 1)
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
                     "{%2}], [%3];" ::"r"(tile),
                     "l"(&map), "r"(at[0]), "r"(barrier)
                     : "memory");
    if constexpr (Rank == 2)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                     "%3}], [%4];" ::"r"(tile),
                     "l"(&map), "r"(at[0]), "r"(at[1]), "r"(barrier)
                     : "memory");
    if constexpr (Rank == 3)
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                     "%3, %4}], [%5];" ::"r"(tile),
                     "l"(&map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(barrier)
                     : "memory");
    if constexpr (Rank == 4)
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                     "%3, %4, %5}], [%6];" ::"r"(tile),
                     "l"(&map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(barrier)
                     : "memory");
    if constexpr (Rank == 5)
        asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                     "%3, %4, %5, %6}], [%7];" ::"r"(tile),
                     "l"(&map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]), "r"(barrier)
                     : "memory");
}
template <unsigned Rank>
__device__ void store(CUtensorMap const& map, int const (&at)[5], unsigned tile) {
    if constexpr (Rank == 2)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                     "r"(at[0]), "r"(at[1]), "r"(tile)
                     : "memory");
    if constexpr (Rank == 3)
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&map),
                     "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(tile)
                     : "memory");
    if constexpr (Rank == 4)
        asm volatile(
            "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&map),
            "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(tile)
            : "memory");
}

struct coordinates {
    int at[5];
};

// Brings `tile` into shared memory, loads or stores, and takes shared memory out again. `waited`: whether the copy ended, or
// the bytes that are still missing.
template <unsigned Rank>
__global__ void move(const __grid_constant__ CUtensorMap map, coordinates where, bool stores, unsigned bytes,
                     std::uint8_t* tile, int* waited) {
    __shared__ alignas(1024) std::uint8_t in_shared[tile_bytes];
    __shared__ alignas(8) std::uint64_t barrier;
    auto const shared = static_cast<unsigned>(__cvta_generic_to_shared(in_shared));
    auto const of_barrier = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    for (unsigned i = threadIdx.x; i < tile_bytes; i += blockDim.x) in_shared[i] = tile[i];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(of_barrier)
                     : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0 && stores) {
        store<Rank>(map, where.at, shared);
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
        *waited = 1;
    }
    if (threadIdx.x == 0 && !stores) {
        load<Rank>(map, where.at, shared, of_barrier);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(of_barrier), "r"(bytes) : "memory");
        unsigned done = 0;
        for (unsigned turn = 0; turn < 1000 && done == 0; ++turn) {
            asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                         : "=r"(done)
                         : "r"(of_barrier)
                         : "memory");
            __nanosleep(1000);
        }
        *waited = static_cast<int>(done);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < tile_bytes; i += blockDim.x) tile[i] = in_shared[i];
}

static unsigned size_of(int type) {
    constexpr unsigned sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 1, 1, 1};
    return sizes[type];
}

static std::vector<tensor_case> every_case() {
    std::vector<tensor_case> cases;
    char const* const names[] = {"u8",  "u16",  "u32",    "s32",  "u64",     "s64",      "f16",       "f32",
                                 "f64", "bf16", "f32ftz", "tf32", "tf32ftz", "u4align8", "u4align16", "u6align16"};
    for (int type = 0; type < 13; ++type)
        for (int fill = 0; fill < 2; ++fill)
            for (bool const stores : {false, true}) {
                unsigned const size = size_of(type), row = 128 / size;
                tensor_case c{std::string{names[type]} + (fill != 0 ? "_nan" : "_zero") + (stores ? "_store" : "_load"),
                              type,
                              {row - 16 / size, 5},
                              {256},
                              {row, 8},
                              {1, 1},
                              {-static_cast<int>(16 / size), -1}};
                c.fill = fill;
                c.stores = stores;
                cases.push_back(c);
            }
    for (int swizzle = 0; swizzle < 7; ++swizzle)
        for (bool const stores : {false, true}) {
            unsigned const width = swizzle == 1 ? 32 : swizzle == 2 ? 64 : 128;
            tensor_case c{"swizzle" + std::to_string(swizzle) + (stores ? "_store" : "_load"),
                          1,
                          {100, 40},
                          {256},
                          {width / 2, 32},
                          {1, 1},
                          {8, 3}};
            c.swizzle = swizzle;
            c.stores = stores;
            cases.push_back(c);
        }
    for (int x : {-16, -8, -1, 0, 8})
        for (int y : {-1, 0, 1})
            for (int type : {0, 1}) {
                std::uint32_t const width = type == 0 ? 128 : 64;
                tensor_case c{std::string{names[type]} + "_at" + std::to_string(x) + "," + std::to_string(y),
                              type,
                              {112, 5},
                              {256},
                              {width, 8},
                              {1, 1},
                              {x, y}};
                cases.push_back(c);
            }
    for (int promotion = 1; promotion < 4; ++promotion) {
        tensor_case c{"promotion" + std::to_string(promotion), 1, {100, 40}, {256}, {64, 32}, {1, 1}, {8, 3}};
        c.promotion = promotion;
        cases.push_back(c);
    }
    for (int type = 13; type < 16; ++type) {
        tensor_case c{names[type], type, {128, 40}, {256}, {128, 8}, {1, 1}, {0, 3}};
        cases.push_back(c);
    }
    unsigned number = 0;
    auto const interleaved = [&](int type, int interleave, int swizzle, std::vector<std::uint64_t> sizes,
                                 std::vector<std::uint64_t> strides, std::vector<std::uint32_t> box,
                                 std::vector<int> at, std::uint32_t step = 1, bool stores = false) {
        tensor_case c{"interleaved" + std::to_string(number++),
                      type,
                      sizes,
                      strides,
                      box,
                      std::vector<std::uint32_t>(box.size(), 1),
                      at,
                      interleave,
                      swizzle,
                      0,
                      0,
                      stores};
        c.steps[0] = step;
        cases.push_back(c);
    };
    for (int const interleave : {1, 2}) {
        std::uint32_t const slice = interleave == 1 ? 8 : 16; // elements of 2 bytes
        int const swizzle = interleave == 1 ? 0 : 1;
        std::uint64_t const w = 2 * slice; // bytes of a slice
        for (std::vector<int> const& at :
             {std::vector<int>{0, 1, 1}, {static_cast<int>(slice), 1, 1}, {3, 0, 0}, {1, 0, 0}, {0, -1, 2}})
            interleaved(1, interleave, swizzle, {3 * slice, 6, 5}, {256, 4096}, {slice, 4, 3}, at);
        for (std::uint32_t const box : {slice / 2, 2 * slice, 3 * slice, 1u, 2u, 3u})
            interleaved(1, interleave, swizzle, {3 * slice, 6, 5}, {256, 4096}, {box, 4, 3}, {0, 1, 1});
        interleaved(1, interleave, swizzle, {slice, 6, 5}, {w, 8 * w}, {slice, 4, 3}, {0, 1, 1});
        interleaved(1, interleave, swizzle, {3, 6, 5}, {256, 4096}, {2, 4, 3}, {1, 1, 1});
        interleaved(1, interleave, swizzle, {3 * slice, 6, 5}, {256, 4096}, {2 * slice, 4, 3}, {0, 1, 1}, 2);
        interleaved(1, interleave, swizzle, {3 * slice, 6, 5, 3}, {256, 2048, 16384}, {slice, 3, 2, 2}, {0, 1, 1, 1});
        interleaved(1, interleave, swizzle, {3 * slice, 6, 5, 3}, {256, 2048, 16384}, {2 * slice, 3, 2, 2},
                    {static_cast<int>(slice), 0, 0, 0});
        interleaved(1, interleave, swizzle, {6, 5, 3, 4}, {256, 2048, 16384}, {4, 3, 2, 2}, {1, 1, 1, 1});
        interleaved(0, interleave, swizzle, {6 * slice, 6, 5}, {256, 4096}, {2 * slice, 4, 3}, {0, 1, 1});
        interleaved(2, interleave, swizzle, {3 * slice, 6, 5}, {256, 4096}, {slice / 2, 4, 3}, {0, 1, 1});
        interleaved(1, interleave, swizzle, {3 * slice, 6, 5}, {256, 4096}, {slice, 4, 3}, {0, 1, 1}, 1, true);
        interleaved(1, interleave, swizzle, {3 * slice, 6, 5}, {256, 4096}, {2 * slice, 4, 3},
                    {static_cast<int>(slice), 1, 1}, 1, true);
        if (interleave == 1)
            for (int const other : {1, 2, 3})
                interleaved(1, 1, other, {3 * slice, 16, 8}, {256, 8192}, {slice, 16, 8}, {0, 0, 0});
        else interleaved(1, 2, 0, {3 * slice, 6, 5}, {256, 4096}, {slice, 4, 3}, {0, 1, 1});
    }
    return cases;
}

static std::uint64_t digest(std::vector<std::uint8_t> const& bytes) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::uint8_t const byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
    return hash;
}

// Of every element its own place, and for floating-point types numbers of all kinds.
static std::vector<std::uint8_t> contents(int type, std::size_t bytes, std::uint32_t seed) {
    std::vector<std::uint8_t> all(bytes);
    constexpr std::uint32_t words[] = {0,          0x80000000, 1,          0x007fffff, 0x807fffff, 0x00800000,
                                       0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0xffffffff, 0x7f7fffff,
                                       0x3f800fff, 0x3f801000, 0x3f801001, 0x3f803000, 0x3f802fff, 0xbf801000,
                                       0x7f7ff000, 0x00001fff, 0x00601000};
    for (std::size_t i = 0; i < bytes / 4; ++i) {
        seed = seed * 1664525u + 1013904223u;
        std::uint32_t word = static_cast<std::uint32_t>(2 * i) | static_cast<std::uint32_t>(2 * i + 1) << 16;
        if (type >= 6 && type <= 12) word = seed >> 28 < 10 ? words[(seed >> 8) % (sizeof words / 4)] : seed;
        std::memcpy(&all[4 * i], &word, 4);
    }
    return all;
}

static void run(tensor_case const& c, std::string const& folder) {
    static auto* const encode =
        driver_function<CUresult(CUtensorMap*, int, std::uint32_t, void*, std::uint64_t const*, std::uint64_t const*,
                                 std::uint32_t const*, std::uint32_t const*, int, int, int, int)>(
            "cuTensorMapEncodeTiled");
    on_device<std::uint8_t> const tensor{contents(c.type, tensor_bytes, 1)};
    alignas(64) CUtensorMap map{};
    auto const rank = static_cast<std::uint32_t>(c.sizes.size());
    CUresult const encoded = encode(&map, c.type, rank, tensor.at, c.sizes.data(), c.strides.data(), c.box.data(),
                                    c.steps.data(), c.interleave, c.swizzle, c.promotion, c.fill);
    if (encoded != CUDA_SUCCESS) {
        std::printf("%s: encode %d\n", c.name.c_str(), static_cast<int>(encoded));
        return;
    }
    // Interleaved, the first dimension counts slices, and of the last but one there is one.
    unsigned bytes = c.interleave == 0 ? size_of(c.type) : 16u * static_cast<unsigned>(c.interleave);
    for (std::size_t d = 0; d < c.box.size(); ++d)
        if (c.interleave == 0 || d + 2 != c.box.size()) bytes *= (c.box[d] + c.steps[d] - 1) / c.steps[d];
    on_device<std::uint8_t> const tile{c.stores ? contents(c.type, tile_bytes, 2)
                                                : std::vector<std::uint8_t>(tile_bytes, std::uint8_t{0xee})};
    on_device<int> const waited{std::vector<int>{-1}};
    coordinates where{};
    for (std::size_t d = 0; d < c.at.size(); ++d) where.at[d] = c.at[d];
    switch (rank) {
        case 2: move<2><<<1, 128>>>(map, where, c.stores, bytes, tile.at, waited.at); break;
        case 3: move<3><<<1, 128>>>(map, where, c.stores, bytes, tile.at, waited.at); break;
        case 4: move<4><<<1, 128>>>(map, where, c.stores, bytes, tile.at, waited.at); break;
        case 5: move<5><<<1, 128>>>(map, where, c.stores, bytes, tile.at, waited.at); break;
        default: return;
    }
    cudaError_t const status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
        std::printf("%s: %s\n", c.name.c_str(), cudaGetErrorName(status));
        return;
    }
    auto const result = c.stores ? tensor.values() : tile.values();
    std::printf("%s: %s %016llx\n", c.name.c_str(), waited.values()[0] == 1 ? "done" : "other bytes than expected",
                static_cast<unsigned long long>(digest(result)));
    if (!folder.empty())
        std::ofstream{folder + "/" + c.name + ".bin", std::ios::binary}.write(
            reinterpret_cast<char const*>(result.data()), static_cast<std::streamsize>(result.size()));
}

int main(int argc, char** argv) {
    std::string const what = argc > 1 ? argv[1] : "all", folder = argc > 2 ? argv[2] : "";
    if (what != "list") cudaFree(nullptr); // makes the context that the driver's calls need
    for (tensor_case const& c : every_case()) {
        if (what == "list") std::printf("%s\n", c.name.c_str());
        if (what == c.name || what == "all") run(c, folder);
    }
}
