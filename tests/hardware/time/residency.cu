// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many CTAs an SM has at once, by what limits them: the rounds that 16 more CTAs an SM take, each of which lasts as long as one
// alone.
#include "bench.hpp"

namespace {

template <unsigned Registers>
__global__ void __maxnreg__(Registers) lasting(unsigned steps, float* never) {
    // Values that stay alive take the registers; one chain is what lasts.
    constexpr unsigned kept = Registers - 24;
    float values[kept];
    unrolled<kept>([&](unsigned k) { asm volatile("cvt.rn.f32.u32 %0, %1;" : "=f"(values[k]) : "r"(threadIdx.x + k)); });
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32)
        unrolled<32>([&](unsigned) { asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(values[0])); });
    float sum = 0;
    unrolled<kept>([&](unsigned k) { asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(sum) : "f"(values[k])); });
    if (sum == 12345.0f) *never = sum;
}

constexpr unsigned steps = 4096; // 8.3 us at 1.98 GHz

template <unsigned Registers>
void rounds(time_table& table, char const* name, char const* what, unsigned block, unsigned shared_kb) {
    auto* const never = static_cast<float*>(table.memory(1 << 20));
    CHECK_CUDA(cudaFuncSetAttribute(lasting<Registers>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    auto const grid = [=, &table](unsigned an_sm, unsigned n) { lasting<Registers><<<an_sm * table.sms(), block, shared_kb * 1024>>>(n, never); };
    table.ratio(std::string("resident_") + name, "rounds", what, [=] { grid(32, steps); }, [=] { grid(16, steps); },
                [=] { grid(1, steps); }, [=] { grid(1, 0); });
}

} // namespace

void residency(time_table& table) {
    rounds<32>(table, "block_32", "16 CTAs more an SM beside 16; 32 threads, nothing else limits: 32 fit", 32, 0);
    rounds<32>(table, "block_256", "16 CTAs more an SM; 256 threads: 8 fit", 256, 0);
    rounds<64>(table, "registers_64", "16 CTAs more an SM; 256 threads of 64 registers: 4 fit", 256, 0);
    rounds<128>(table, "registers_128", "16 CTAs more an SM; 256 threads of 128 registers: 2 fit", 256, 0);
    rounds<64>(table, "shared_24k", "16 CTAs more an SM; 64 threads, 24 KiB and 1 of the system: 9 fit", 64, 24);
    rounds<64>(table, "shared_100k", "16 CTAs more an SM; 64 threads, 100 KiB and 1 of the system: 2 fit", 64, 100);
}
