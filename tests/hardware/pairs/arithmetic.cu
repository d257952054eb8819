// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs: what instructions are used, registers, local memory, instruction cache, sleeping.
#include "pair.hpp"
#include "products.hpp"

namespace {

// Registers for 64 running sums, or 32 registers in all.
__device__ void running_sums(float const* in, float* out, unsigned turns) {
    float sums[64];
#pragma unroll
    for (unsigned k = 0; k < 64; ++k) sums[k] = in[k * 32 + threadIdx.x % 32];
    float x = static_cast<float>(threadIdx.x) * 0.01f;
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t) {
#pragma unroll
        for (unsigned k = 0; k < 64; ++k) sums[k] = fmaf(sums[k], 0.5f, x);
        x = x * 0.5f + sums[0] * 0.25f;
    }
    float all = 0;
#pragma unroll
    for (unsigned k = 0; k < 64; ++k) all += sums[k];
    out[global_thread()] = all;
}
template <class Kernel>
launches sums(workspace& memory, unsigned turns, Kernel bad, Kernel mended) {
    unsigned const grid = memory.pick(sms * 16u, sms * 2u);
    float const* const in = memory.input<float>(64 * 32);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad<<<grid, 256>>>(in, out.bad, turns); }, [=] { mended<<<grid, 256>>>(in, out.mended, turns); }};
}

} // namespace

KERNEL(__maxnreg__(32) bad_spills_32)(float const* in, float* out, unsigned turns) { running_sums(in, out, turns); }
KERNEL(mended_spills_32)(float const* in, float* out, unsigned turns) { running_sums(in, out, turns); }
PAIR(spills_32, register_spills) { return sums(memory, memory.pick(400u, 8u), bad_spills_32, mended_spills_32); }
KERNEL(__maxnreg__(64) bad_spills_64)(float const* in, float* out, unsigned turns) { running_sums(in, out, turns); }
KERNEL(mended_spills_64)(float const* in, float* out, unsigned turns) { running_sums(in, out, turns); }
PAIR(spills_64, register_spills) { return sums(memory, memory.pick(40u, 8u), bad_spills_64, mended_spills_64); }

// A window of 16 values, moved on by an index or by copying. Weights of sum 1: the values stay where they are for any turns.
KERNEL(bad_local_array)(float const* in, float* out, unsigned turns) {
    float window[16];
    for (unsigned k = 0; k < 16; ++k) window[k] = in[k * 32 + threadIdx.x % 32];
    float sum = 0;
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t) {
        sum = fmaf(sum, 0.5f, window[(t + 5) % 16] * 0.5f);
        window[t % 16] = sum;
    }
    out[global_thread()] = sum;
}
KERNEL(mended_local_array)(float const* in, float* out, unsigned turns) {
    float window[16];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) window[k] = in[k * 32 + threadIdx.x % 32];
    float sum = 0;
#pragma unroll 1
    for (unsigned t = 0; t < turns; t += 16)
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) {
            sum = fmaf(sum, 0.5f, window[(k + 5) % 16] * 0.5f);
            window[k] = sum;
        }
    out[global_thread()] = sum;
}
PAIR(local_array, local_memory_arrays) {
    unsigned const turns = memory.pick(1600u, 16u);
    unsigned const grid = sms * 8;
    float const* const in = memory.input<float>(16 * 32);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_local_array<<<grid, 256>>>(in, out.bad, turns); },
            [=] { mended_local_array<<<grid, 256>>>(in, out.mended, turns); }};
}

namespace {

// Arithmetic on n values that come from memory and go back; `turns` is how much of it.
template <class Kernel>
launches arithmetic(workspace& memory, unsigned turns, unsigned per_sm, Kernel bad, Kernel mended,
                    double tolerance = 1e-4) {
    unsigned const grid = sms * per_sm;
    float const* const in = memory.input<float>(grid * 256);
    results<float> const out = memory.output<float>(grid * 256, tolerance);
    return {[=] { bad<<<grid, 256>>>(in, out.bad, turns); }, [=] { mended<<<grid, 256>>>(in, out.mended, turns); }};
}

template <class Number>
__device__ void damped(float const* in, float* out, unsigned turns, Number factor, Number offset) {
    float x = in[global_thread()];
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k) x = static_cast<float>(x * factor + offset);
    out[global_thread()] = x;
}

} // namespace

KERNEL(bad_double_literals)(float const* in, float* out, unsigned turns) { damped(in, out, turns, 0.96, 0.02); }
KERNEL(mended_double_literals)(float const* in, float* out, unsigned turns) { damped(in, out, turns, 0.96f, 0.02f); }
PAIR(double_literals, accidental_fp64) {
    return arithmetic(memory, memory.pick(1000u, 20u), 8, bad_double_literals, mended_double_literals);
}
// One in a streaming kernel.
KERNEL(bad_double_literal_once)(float const* in, float* out, unsigned turns) { damped(in, out, turns, 0.96, 0.02); }
KERNEL(mended_double_literal_once)(float const* in, float* out, unsigned turns) {
    damped(in, out, turns, 0.96f, 0.02f);
}
PAIR(double_literal_once, accidental_fp64) {
    return arithmetic(memory, 1, memory.pick(2000u, 20u), bad_double_literal_once, mended_double_literal_once);
}

// Four chains a thread. The compiler must not fuse; then it may.
KERNEL(bad_unfused)(float const* in, float* out, unsigned turns) {
    float x[4];
    for (unsigned j = 0; j < 4; ++j) x[j] = in[global_thread()] + static_cast<float>(j);
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
        for (unsigned j = 0; j < 4; ++j) x[j] = __fadd_rn(__fmul_rn(x[j], 0.96f), 0.02f);
    out[global_thread()] = x[0] + x[1] + x[2] + x[3];
}
KERNEL(mended_unfused)(float const* in, float* out, unsigned turns) {
    float x[4];
    for (unsigned j = 0; j < 4; ++j) x[j] = in[global_thread()] + static_cast<float>(j);
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
        for (unsigned j = 0; j < 4; ++j) x[j] = fmaf(x[j], 0.96f, 0.02f);
    out[global_thread()] = x[0] + x[1] + x[2] + x[3];
}
PAIR(unfused, unfused_arithmetic) { return arithmetic(memory, memory.pick(2000u, 8u), 8, bad_unfused, mended_unfused); }
KERNEL(bad_unfused_double)(float const* in, float* out, unsigned turns) {
    double x[4];
    for (unsigned j = 0; j < 4; ++j) x[j] = in[global_thread()] + j;
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
        for (unsigned j = 0; j < 4; ++j) x[j] = __dadd_rn(__dmul_rn(x[j], 0.96), 0.02);
    out[global_thread()] = static_cast<float>(x[0] + x[1] + x[2] + x[3]);
}
KERNEL(mended_unfused_double)(float const* in, float* out, unsigned turns) {
    double x[4];
    for (unsigned j = 0; j < 4; ++j) x[j] = in[global_thread()] + j;
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
        for (unsigned j = 0; j < 4; ++j) x[j] = fma(x[j], 0.96, 0.02);
    out[global_thread()] = static_cast<float>(x[0] + x[1] + x[2] + x[3]);
}
PAIR(unfused_double, unfused_arithmetic) {
    return arithmetic(memory, memory.pick(200u, 8u), 8, bad_unfused_double, mended_unfused_double);
}
// Little arithmetic beside much memory: nothing to be gained.
KERNEL(bad_unfused_streaming)(float const* in, float* out, unsigned) {
    out[global_thread()] = __fadd_rn(__fmul_rn(in[global_thread()], 0.96f), 0.02f);
}
KERNEL(mended_unfused_streaming)(float const* in, float* out, unsigned) {
    out[global_thread()] = fmaf(in[global_thread()], 0.96f, 0.02f);
}
PAIR(unfused_streaming, unfused_arithmetic) {
    return arithmetic(memory, 1, memory.pick(2000u, 20u), bad_unfused_streaming, mended_unfused_streaming);
}

// Functions of the library and of the hardware.
KERNEL(bad_sine)(float const* in, float* out, unsigned turns) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) x = fmaf(sinf(x), 0.4f, expf(-x) * 0.3f + 0.5f);
    out[global_thread()] = x;
}
KERNEL(mended_sine)(float const* in, float* out, unsigned turns) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) x = fmaf(__sinf(x), 0.4f, __expf(-x) * 0.3f + 0.5f);
    out[global_thread()] = x;
}
PAIR(sine, slow_functions) { return arithmetic(memory, memory.pick(200u, 20u), 8, bad_sine, mended_sine, 1e-3); }
KERNEL(bad_power)(float const* in, float* out, unsigned turns) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) x = powf(x, 1.7f) / (x + 1.3f) + 0.5f;
    out[global_thread()] = x;
}
KERNEL(mended_power)(float const* in, float* out, unsigned turns) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) x = __fdividef(__powf(x, 1.7f), x + 1.3f) + 0.5f;
    out[global_thread()] = x;
}
PAIR(power, slow_functions) { return arithmetic(memory, memory.pick(1000u, 20u), 8, bad_power, mended_power, 1e-3); }

// Quotient and remainder by a power of two that the compiler does not know.
KERNEL(bad_division)(unsigned const* in, unsigned* out, unsigned divisor, unsigned turns) {
    unsigned x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) x = x / divisor * 2654435761u + x % divisor + k;
    out[global_thread()] = x;
}
KERNEL(mended_division)(unsigned const* in, unsigned* out, unsigned shift, unsigned turns) {
    unsigned x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) x = (x >> shift) * 2654435761u + (x & ((1u << shift) - 1)) + k;
    out[global_thread()] = x;
}
PAIR(division, integer_division) {
    unsigned const grid = sms * 8;
    unsigned const turns = memory.pick(500u, 8u);
    unsigned const* const in = memory.input<unsigned>(grid * 256);
    results<unsigned> const out = memory.output<unsigned>(grid * 256, 0);
    return {[=] { bad_division<<<grid, 256>>>(in, out.bad, 64, turns); },
            [=] { mended_division<<<grid, 256>>>(in, out.mended, 6, turns); }};
}

// Eight values a thread, one after the other or side by side; one warp a scheduler.
KERNEL(bad_one_chain)(float const* in, float* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned j = 0; j < 8; ++j) {
        float x = in[j * threads + global_thread()];
#pragma unroll 8
        for (unsigned k = 0; k < turns; ++k) x = fmaf(x, 0.96f, 0.02f);
        out[j * threads + global_thread()] = x;
    }
}
KERNEL(mended_one_chain)(float const* in, float* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    float x[8];
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) x[j] = in[j * threads + global_thread()];
#pragma unroll 8
    for (unsigned k = 0; k < turns; ++k)
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) x[j] = fmaf(x[j], 0.96f, 0.02f);
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) out[j * threads + global_thread()] = x[j];
}
PAIR(one_chain, dependent_arithmetic) {
    unsigned const turns = memory.pick(2000u, 64u);
    float const* const in = memory.input<float>(sms * 128 * 8);
    results<float> const out = memory.output<float>(sms * 128 * 8);
    return {[=] { bad_one_chain<<<sms, 128>>>(in, out.bad, turns); },
            [=] { mended_one_chain<<<sms, 128>>>(in, out.mended, turns); }};
}

namespace {

constexpr unsigned straight = 12'288; // instructions of 16 bytes: 192 KB

} // namespace

KERNEL(bad_long_code)(float const* in, float* out, float factor, float offset, unsigned rounds) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r)
#pragma unroll
        for (unsigned k = 0; k < straight; ++k) x = fmaf(x, factor, offset);
    out[global_thread()] = x;
}
KERNEL(mended_long_code)(float const* in, float* out, float factor, float offset, unsigned rounds) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r)
#pragma unroll 64
        for (unsigned k = 0; k < straight; ++k) x = fmaf(x, factor, offset);
    out[global_thread()] = x;
}
PAIR(long_code, instruction_cache_misses) {
    unsigned const block = memory.pick(1024u, 32u);
    unsigned const rounds = memory.pick(8u, 1u);
    float const* const in = memory.input<float>(sms * block);
    results<float> const out = memory.output<float>(sms * block);
    return {[=] { bad_long_code<<<sms, block>>>(in, out.bad, 0.96f, 0.02f, rounds); },
            [=] { mended_long_code<<<sms, block>>>(in, out.mended, 0.96f, 0.02f, rounds); }};
}

// Eight halves a thread, one by one or two by two.
KERNEL(bad_halves)(half const* in, half* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    half const factor = __float2half(0.9375f);
    half const offset = __float2half(0.0625f);
    half x[8];
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) x[j] = in[j * threads + global_thread()];
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) x[j] = __hfma(x[j], factor, offset);
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) out[j * threads + global_thread()] = x[j];
}
KERNEL(mended_halves)(half2 const* in, half2* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    half2 const factor = __float2half2_rn(0.9375f);
    half2 const offset = __float2half2_rn(0.0625f);
    half2 x[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) x[j] = in[j * threads + global_thread()];
#pragma unroll 4
    for (unsigned k = 0; k < turns; ++k)
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) x[j] = __hfma2(x[j], factor, offset);
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) out[j * threads + global_thread()] = x[j];
}
PAIR(halves, scalar_half) {
    unsigned const grid = sms * 8;
    unsigned const turns = memory.pick(1000u, 8u);
    half const* const in = memory.input<half>(grid * 256 * 8);
    results<half> const out = memory.output<half>(grid * 256 * 8, 0);
    return {[=] { bad_halves<<<grid, 256>>>(in, out.bad, turns); },
            [=] {
                mended_halves<<<grid, 256>>>(reinterpret_cast<half2 const*>(in), reinterpret_cast<half2*>(out.mended),
                                             turns);
            }};
}

// By FP32 or by tensor cores, both as well as can be without much ado.
KERNEL(__launch_bounds__(256, 2) bad_tensor_cores)(float const* a, float const* b, float* c, unsigned n) {
    fp32_product(a, b, c, n);
}
KERNEL(__launch_bounds__(256, 2) mended_tensor_cores)(half const* a, half const* b, float* c, unsigned n) {
    tensor_product(a, b, c, n);
}
PAIR(tensor_cores, no_tensor_cores) {
    unsigned const n = memory.pick(8192u, 256u);
    float const* const a = memory.input<float>(std::size_t{n} * n);
    half const* const half_a = memory.input<half>(std::size_t{n} * n);
    results<float> const c = memory.output<float>(std::size_t{n} * n, 2e-3);
    dim3 const grid(n / 128, n / 128);
    return {[=] { bad_tensor_cores<<<grid, 256>>>(a, a, c.bad, n); },
            [=] { mended_tensor_cores<<<grid, 256>>>(half_a, half_a, c.mended, n); }};
}

// A back-off that nothing asks for.
KERNEL(bad_sleep)(float const* in, float* out, unsigned turns) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k) {
        for (unsigned j = 0; j < 16; ++j) x = fmaf(x, 0.96f, 0.02f);
        __nanosleep(500);
    }
    out[global_thread()] = x;
}
KERNEL(mended_sleep)(float const* in, float* out, unsigned turns) {
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < turns; ++k)
        for (unsigned j = 0; j < 16; ++j) x = fmaf(x, 0.96f, 0.02f);
    out[global_thread()] = x;
}
PAIR(sleep, sleeping) { return arithmetic(memory, memory.pick(100u, 4u), 8, bad_sleep, mended_sleep); }
