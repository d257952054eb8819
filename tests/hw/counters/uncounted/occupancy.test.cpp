// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The occupancy calculation against NVIDIA's own, cuda_occupancy.h, where a toolkit has it.
#include <doctest/doctest.h>

#if __has_include(<cuda_occupancy.h>)
#include <climits>
#include <cuda_occupancy.h>
#endif

#include <gpuprof/hw/counters/uncounted/occupancy.hpp>

namespace occupancy_test {

using namespace gpuprof;
using namespace gpuprof::hw::provided;

#if __has_include(<cuda_occupancy.h>)
namespace {
struct limits_row {
    compute_capability capability;
    int threads, blocks;
    std::size_t shared, shared_per_block, reserved;
};
// Threads, blocks and shared memory of an SM (CUDA programming guide, technical specifications by compute capability).
constexpr limits_row rows[] = {
    {{3, 5}, 2048, 16, 49152, 49152, 0},       {{5, 0}, 2048, 32, 65536, 49152, 0},
    {{6, 0}, 2048, 32, 65536, 49152, 0},       {{6, 1}, 2048, 32, 98304, 49152, 0},
    {{7, 0}, 2048, 32, 98304, 98304, 0},       {{7, 5}, 1024, 16, 65536, 65536, 0},
    {{8, 0}, 2048, 32, 167936, 166912, 1024},  {{8, 6}, 1536, 16, 102400, 101376, 1024},
    {{8, 9}, 1536, 24, 102400, 101376, 1024},  {{9, 0}, 2048, 32, 233472, 232448, 1024},
    {{10, 0}, 2048, 32, 233472, 232448, 1024}, {{12, 0}, 1536, 24, 102400, 101376, 1024},
};
} // namespace
#endif

TEST_CASE("limits of occupancy are those of cuda_occupancy.h") {
#if __has_include(<cuda_occupancy.h>)
    int compared = 0;
    for (limits_row const& row : rows) {
        multiprocessor const sm{row.capability, 100,   row.threads, row.blocks,           1024,
                                65536,          65536, row.shared,  row.shared_per_block, row.reserved};
        cudaOccDeviceProp properties;
        properties.computeMajor = row.capability.generation;
        properties.computeMinor = row.capability.revision;
        properties.maxThreadsPerBlock = 1024;
        properties.maxThreadsPerMultiprocessor = row.threads;
        properties.regsPerBlock = properties.regsPerMultiprocessor = 65536;
        properties.warpSize = 32;
        properties.sharedMemPerBlock = 49152;
        properties.sharedMemPerMultiprocessor = row.shared;
        properties.numSms = 100;
        properties.sharedMemPerBlockOptin = row.shared_per_block;
        properties.reservedSharedMemPerBlock = row.reserved;
        for (int const threads : {1, 32, 33, 96, 128, 256, 320, 768, 1024})
            for (int const registers : {1, 16, 17, 32, 40, 64, 65, 96, 128, 168, 255})
                for (std::size_t const shared :
                     {0u, 1u, 1000u, 5096u, 16384u, 40000u, 49152u, 65000u, 101376u, 232448u})
                    for (int const carveout : {100, 50, 0}) {
                        cudaOccFuncAttributes function;
                        function.maxThreadsPerBlock = INT_MAX;
                        function.numRegs = registers;
                        function.sharedSizeBytes = 0;
                        function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
                        function.maxDynamicSharedSizeBytes = shared;
                        function.numBlockBarriers = 0;
                        cudaOccDeviceState state;
                        state.carveoutConfig = carveout;
                        cudaOccResult theirs;
                        REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &properties, &function, &state,
                                                                        threads, shared) == CUDA_OCC_SUCCESS);
                        block_demand const block{threads, registers, 0, shared, carveout, 0};
                        block_limits const ours = limits_of(sm, block);
                        CAPTURE(row.capability.generation);
                        CAPTURE(row.capability.revision);
                        CAPTURE(threads);
                        CAPTURE(registers);
                        CAPTURE(shared);
                        CAPTURE(carveout);
                        CHECK(ours.blocks == theirs.blockLimitBlocks);
                        CHECK(ours.warps == theirs.blockLimitWarps);
                        CHECK(ours.registers == theirs.blockLimitRegs);
                        if (theirs.blockLimitSharedMem != INT_MAX) CHECK(ours.shared == theirs.blockLimitSharedMem);
                        CHECK(allocated_shared(sm, block) == theirs.allocatedSharedMemPerBlock);
                        CHECK(ours.resident() == theirs.activeBlocksPerMultiprocessor);
                        ++compared;
                    }
    }
    CHECK(compared == 12 * 9 * 11 * 10 * 3);
#else
    MESSAGE("skipped: no toolkit with cuda_occupancy.h");
#endif
}

} // namespace occupancy_test
