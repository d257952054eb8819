// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many CTAs an SM has at once, by what limits them: the rounds that 16 more CTAs an SM take, each of which lasts as long as one
// alone.
#include "bench.hpp"

namespace {

// One chain through `Registers` - 20 values, all of which stay alive. nvcc 13.0 takes 112 registers where 128 are allowed, and 224
// of 240.
template <unsigned Registers>
__global__ void __maxnreg__(Registers) lasting(unsigned steps, float* never) {
    constexpr unsigned kept = Registers - 20;
    float values[kept];
    unrolled<kept>([&](unsigned k) { values[k] = static_cast<float>(threadIdx.x + k); });
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += kept)
        unrolled<kept>([&](unsigned k) {
            asm volatile("fma.rn.f32 %0, %0, %1, 0f3F000000;" : "+f"(values[k]) : "f"(values[(k + kept - 1) % kept]));
        });
    float sum = 0;
    unrolled<kept>([&](unsigned k) { sum += values[k]; });
    if (sum == 12345.0f) *never = sum;
}

constexpr unsigned steps = 2048; // 4.1 us at 1.98 GHz

template <unsigned Registers>
void rounds(time_table& table, char const* name, char const* what, unsigned block, unsigned shared_kb) {
    auto* const never = static_cast<float*>(table.memory(1 << 20));
    CHECK_CUDA(cudaFuncSetAttribute(lasting<Registers>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    auto const grid = [=, &table](unsigned an_sm, unsigned n) {
        lasting<Registers><<<an_sm * table.sms(), block, shared_kb * 1024>>>(n, never);
    };
    table.ratio(
        std::string("resident_") + name, "rounds", what, [=] { grid(32, steps); }, [=] { grid(16, steps); },
        [=] { grid(1, steps); }, [=] { grid(1, 0); });
}

} // namespace

void residency(time_table& table) {
    rounds<32>(table, "block_32", "16 CTAs more an SM beside 16; 32 threads: 32 fit", 32, 0);
    rounds<32>(table, "block_128", "16 CTAs more an SM; 128 threads: 16 fit", 128, 0);
    rounds<128>(table, "registers_112", "16 CTAs more an SM; 32 threads of 112 registers: 18 fit", 32, 0);
    rounds<240>(table, "registers_224", "16 CTAs more an SM; 32 threads of 224 registers: 9 fit", 32, 0);
    rounds<32>(table, "shared_24k", "16 CTAs more an SM; 24 KiB and 1 of the system: 9 fit", 32, 24);
    rounds<32>(table, "shared_100k", "16 CTAs more an SM; 100 KiB and 1 of the system: 2 fit", 32, 100);
}
