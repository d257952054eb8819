// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of values that cp.async.bulk.tensor loads and stores by maps of types that change them: FLOAT32_FTZ, TFLOAT32 and
// TFLOAT32_FTZ beside FLOAT32.
//
//   nvcc -std=c++17 -gencode arch=compute_90,code=[compute_90,sm_90] -cudart shared -o tensor_types tests/hardware/tensor_types.cu -lcuda
//
// Prints a line for each value: its bits, and for each type what was loaded and what was stored.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr unsigned count = 256;

// Loads a tile by a map, and stores it as it is; or stores what it finds by the map.
__global__ void copy(const __grid_constant__ CUtensorMap map, std::uint32_t* out, bool stores) {
    __shared__ alignas(128) std::uint32_t tile[count];
    __shared__ alignas(8) std::uint64_t barrier;
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(tile)),
               mbarrier = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    if (stores) {
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) tile[i] = out[i];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];\n"
                         "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(&map),
                         "r"(0), "r"(at)
                         : "memory");
        return;
    }
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(mbarrier)
                     : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(mbarrier), "r"(count * 4)
                     : "memory");
        asm volatile(
            "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                at),
            "l"(&map), "r"(0), "r"(mbarrier)
            : "memory");
    }
    __syncthreads();
    unsigned done = 0;
    while (done == 0)
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(mbarrier)
                     : "memory");
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) out[i] = tile[i];
}

} // namespace

int main() {
    std::vector<std::uint32_t> in;
    for (std::uint32_t sign : {0u, 0x8000'0000u})
        for (std::uint32_t high :
             {0x3f80'0000u, 0x3f80'2000u, 0x7f7f'e000u, 0x7f80'0000u, 0u, 0x0000'2000u, 0x0080'0000u, 0x7fc0'0000u})
            for (std::uint32_t low : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x17ffu, 0x1fffu})
                in.push_back(sign | high | low);
    const std::size_t used = in.size();
    in.resize(count);
    std::uint32_t *values, *out;
    cudaMalloc(&values, count * 4);
    cudaMalloc(&out, count * 4);
    const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
                                         CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ};
    std::vector<std::vector<std::uint32_t>> results;
    for (const CUtensorMapDataType type : types)
        for (const bool stores : {false, true}) {
            CUtensorMap map;
            const cuuint64_t sizes[] = {count}, strides[] = {0};
            const cuuint32_t box[] = {count}, steps[] = {1};
            if (cuTensorMapEncodeTiled(&map, type, 1, stores ? out : values, sizes, strides, box, steps,
                                       CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                       CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
                std::printf("type %d: no map\n", static_cast<int>(type));
            cudaMemcpy(values, in.data(), count * 4, cudaMemcpyDefault);
            cudaMemset(out, 0xaa, count * 4);
            copy<<<1, 32>>>(map, stores ? values : out, stores);
            std::vector<std::uint32_t> got(count);
            if (cudaMemcpy(got.data(), out, count * 4, cudaMemcpyDefault) != cudaSuccess)
                std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
            results.push_back(got);
        }
    std::printf("value     FLOAT32 loaded, stored  FLOAT32_FTZ loaded, stored  TFLOAT32 loaded, stored  TFLOAT32_FTZ "
                "loaded, stored\n");
    for (std::size_t i = 0; i < used; ++i) {
        std::printf("%08x ", in[i]);
        for (const auto& each : results) std::printf(" %08x", each[i]);
        std::printf("\n");
    }
}
