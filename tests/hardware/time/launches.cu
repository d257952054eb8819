// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: what a launch costs, how fast CTAs are dispatched, waves and the tail of a grid.
#include "bench.hpp"

namespace {

__global__ void empty() {}
__global__ void empty_with_shared() {
    extern __shared__ unsigned char unused[];
    if (gridDim.y > 1) unused[threadIdx.x] = 1; // never
}
// A hundred values and more that are alive at once, for which a CTA needs registers though it never has them.
__global__ void empty_with_registers(float* never) {
    if (gridDim.y == 1) return;
    float values[100];
    unrolled<100>([&](unsigned k) {
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(values[k]) : "l"(never + k * blockDim.x));
    });
    unrolled<100>([&](unsigned k) {
        asm volatile("st.global.f32 [%0], %1;" ::"l"(never + k), "f"(values[k]) : "memory");
    });
}

// A CTA that lasts: `steps` dependent multiplications, 4 cycles each.
__global__ void lasting(unsigned steps, float* never) {
    float value = static_cast<float>(threadIdx.x);
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32)
        unrolled<32>([&](unsigned) { asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value)); });
    if (value == 12345.0f) *never = value;
}

// When blocks begin and end: the least and the greatest of %globaltimer.
__global__ void begins(unsigned long long* first, unsigned long long* last) {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (threadIdx.x == 0) {
        atomicMin(first, now);
        atomicMax(last, now);
    }
    unsigned long long later = now;
    while (later < now + 50000) asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(later)); // all are resident at once
}

constexpr unsigned lasting_steps = 8192; // 16.5 us at 1.98 GHz

} // namespace

void launches(time_table& table) {
    unsigned const sms = table.sms();
    table.difference(
        "launch_one_empty", "a kernel between two events beside none; grid 1 block 32", [] { empty<<<1, 32>>>(); },
        [] {});
    table.microseconds("launch_back_to_back", "from launch to launch of a queue; grid 1 block 32", {20, 200}, 1,
                       [](unsigned n) {
                           for (unsigned i = 0; i < n; ++i) empty<<<1, 32>>>();
                       });
    table.microseconds("launch_back_to_back_full", "the same with grid 132 block 1024", {20, 200}, 1, [](unsigned n) {
        for (unsigned i = 0; i < n; ++i) empty<<<132, 1024>>>();
    });
    if (table.wants("launch_in_graph")) {
        cudaStream_t stream{};
        CHECK_CUDA(cudaStreamCreate(&stream));
        cudaGraphExec_t graphs[2]{};
        for (unsigned k = 0; k < 2; ++k) {
            cudaGraph_t graph{};
            CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
            for (unsigned i = 0; i < (k != 0 ? 100 : 10); ++i) empty<<<1, 32, 0, stream>>>();
            CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
            CHECK_CUDA(cudaGraphInstantiate(&graphs[k], graph, 0));
            CHECK_CUDA(cudaGraphDestroy(graph));
        }
        table.microseconds("launch_in_graph",
                           "from kernel to kernel of a graph, each after the one before; grid 1 block 32", {10, 100}, 1,
                           [&](unsigned n) { CHECK_CUDA(cudaGraphLaunch(graphs[n > 10], nullptr)); });
        for (cudaGraphExec_t each : graphs) CHECK_CUDA(cudaGraphExecDestroy(each));
        CHECK_CUDA(cudaStreamDestroy(stream));
    }

    for (unsigned block : {32u, 64u, 128u, 256u, 512u, 1024u}) {
        table.per_ns("dispatch_block_" + std::to_string(block), "CTAs/ns", "empty CTAs, 8448 and 33792 in a grid",
                     {64, 256}, 132, [=](unsigned n) { empty<<<132 * n, block>>>(); });
    }
    CHECK_CUDA(cudaFuncSetAttribute(empty_with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    for (unsigned kb : {8u, 64u})
        table.per_ns("dispatch_shared_" + std::to_string(kb) + "k", "CTAs/ns",
                     "empty CTAs of 32 threads with dynamic shared memory", {64, 256}, 132,
                     [=](unsigned n) { empty_with_shared<<<132 * n, 32, kb * 1024>>>(); });
    table.per_ns("dispatch_registers_128", "CTAs/ns", "empty CTAs of 256 threads, more than 100 registers each",
                 {64, 256}, 132, [](unsigned n) { empty_with_registers<<<132 * n, 256>>>(nullptr); });
    table.microseconds("launch_grid_1056", "empty kernel beside grid 1; block 32", {1, 1056}, 1.0 / 1055,
                       [](unsigned n) { empty<<<n, 32>>>(); });

    auto* const never = static_cast<float*>(table.memory(1 << 20));
    CHECK_CUDA(cudaFuncSetAttribute(lasting, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    // One CTA fits on an SM, by its shared memory.
    auto const waves = [=](unsigned grid) { lasting<<<grid, 32, 200 * 1024>>>(lasting_steps, never); };
    table.difference(
        "wave_length", "one wave of CTAs of 8192 dependent FFMAs beside CTAs of none; one CTA of 32 threads an SM",
        [=] { waves(sms); }, [=] { lasting<<<sms, 32, 200 * 1024>>>(0, never); });
    auto const in_waves = [&](char const* name, char const* parameters, unsigned longer, unsigned shorter) {
        table.ratio(
            name, "waves", parameters, [=] { waves(longer); }, [=] { waves(shorter); }, [=] { waves(sms); },
            [=] { lasting<<<sms, 32, 200 * 1024>>>(0, never); });
    };
    in_waves("wave_one_more_cta", "one CTA more than a wave beside a wave", sms + 1, sms);
    in_waves("wave_half_more", "a wave and a half beside a wave", sms + sms / 2, sms);
    in_waves("wave_second", "two waves beside one", 2 * sms, sms);
    in_waves("wave_of_one_cta", "a wave beside a single CTA", sms, 1);
    in_waves("wave_eighth", "eight waves beside seven", 8 * sms, 7 * sms);

    unsigned long long* const ends = table.clock() + 1;
    table.clocked("ramp_one_wave", "ns", "from the first CTA's begin to the last's; grid 132 block 256, %globaltimer",
                  [=] {
                      unsigned long long cells[2]{~0ull, 0};
                      CHECK_CUDA(cudaMemcpy(ends, cells, sizeof cells, cudaMemcpyHostToDevice));
                      begins<<<sms, 256>>>(ends, ends + 1);
                      CHECK_CUDA(cudaMemcpy(cells, ends, sizeof cells, cudaMemcpyDeviceToHost));
                      return static_cast<double>(cells[1] - cells[0]);
                  });
    table.clocked("ramp_full", "ns", "from the first CTA's begin to the last's; grid 1056 block 256, %globaltimer",
                  [=] {
                      unsigned long long cells[2]{~0ull, 0};
                      CHECK_CUDA(cudaMemcpy(ends, cells, sizeof cells, cudaMemcpyHostToDevice));
                      begins<<<8 * sms, 256>>>(ends, ends + 1);
                      CHECK_CUDA(cudaMemcpy(cells, ends, sizeof cells, cudaMemcpyDeviceToHost));
                      return static_cast<double>(cells[1] - cells[0]);
                  });
}
