// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unit tests of kernels that are launched by <<<>>>. You learn: the checks of kernel_tests.cpp in a .cu
// file, and checks of what the host does.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/judge/traced_work.hpp>

#include <gpuprof/judge/adaptor/doctest.hpp>

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

namespace {

constexpr unsigned elements = 4096;
__device__ float x[elements];
__device__ float y[elements];

// y = 2 x + y
__global__ void saxpy() {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2.0f * x[i] + y[i];
}

// Transposes a tile of 32 by 32 words through shared memory, whose rows are `Pitch` words long.
template <unsigned Pitch>
__global__ void transpose() {
    __shared__ float tile[32 * Pitch];
    tile[threadIdx.y * Pitch + threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    y[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * Pitch + threadIdx.y];
}

// Without a device, checks are inconclusive.
gpuprof::result<gpuprof::device> const& gpu() {
    static gpuprof::result<gpuprof::device> const device = gpuprof::try_open_device();
    return device;
}

} // namespace

TEST_CASE("saxpy") {
    auto const m = gpuprof::observe(
        gpu(), [] { saxpy<<<elements / 256, 256>>>(); }, metrics::global_load_sectors, metrics::global_load_requests,
        metrics::global_store_sectors, metrics::warps_launched);
    GPUPROF_CHECK(m.ratio(0, 1) <= 4.0); // sectors a request
    GPUPROF_CHECK(m[metrics::warps_launched] == gpuprof::warps{elements / 32});
    GPUPROF_CHECK(m[metrics::global_store_sectors] == near(512_sectors, 1_percent)); // 4 bytes each, 32 a sector
    GPUPROF_EXPECT(m, expect::launch_count(1));
}

TEST_CASE("transpose") {
    auto const m = gpuprof::observe_for(
        gpu(), {expect::no_bank_conflicts(), expect::coalesced_global_stores(), expect::no_divergence()},
        [] { transpose<33><<<1, dim3(32, 32)>>>(); }); // a word more than 32: columns are free of bank conflicts
    GPUPROF_EXPECT(m, expect::no_bank_conflicts());
    GPUPROF_EXPECT(m, expect::coalesced_global_stores());
    GPUPROF_EXPECT(m, expect::no_divergence());
}

// What the host does meanwhile: it waits for nothing, and nothing is copied.
TEST_CASE("saxpy_alone") {
    saxpy<<<elements / 256, 256>>>(); // the first launch loads the code
    auto const step = gpuprof::observe_trace(gpu(), [] { saxpy<<<elements / 256, 256>>>(); });
    GPUPROF_EXPECT(step, expect::no_hidden_synchronisation());
    GPUPROF_EXPECT(step, expect::no_hidden_copies());
}

// Tests that fail. Somebody forgot the padding.
TEST_CASE("transpose_unpadded") {
    auto const m =
        gpuprof::observe_for(gpu(), {expect::no_bank_conflicts()}, [] { transpose<32><<<1, dim3(32, 32)>>>(); });
    GPUPROF_EXPECT(m, expect::no_bank_conflicts());
}
// Somebody launches in both branches.
TEST_CASE("saxpy_twice") {
    auto const m = gpuprof::observe_for(gpu(), {expect::launch_count(1)}, [] {
        saxpy<<<elements / 256, 256>>>();
        saxpy<<<elements / 256, 256>>>();
    });
    GPUPROF_EXPECT(m, expect::launch_count(1));
}
// Somebody looks at a value in between.
TEST_CASE("saxpy_looks") {
    auto const step = gpuprof::observe_trace(gpu(), [] {
        saxpy<<<elements / 256, 256>>>();
        float first = 0;
        static_cast<void>(cudaMemcpyFromSymbol(&first, y, sizeof first));
        static_cast<void>(cudaDeviceSynchronize());
    });
    GPUPROF_EXPECT(step, expect::no_hidden_synchronisation());
    GPUPROF_EXPECT(step, expect::no_hidden_copies());
}
