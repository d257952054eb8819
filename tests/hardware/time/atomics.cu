// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: latency where the result is used, throughput by how many lanes meet at an address.
#include "bench.hpp"

namespace {

// Where the lanes of the grid go.
enum class place { one_address, one_line_a_warp, one_sector_a_lane };
template <place Where>
__device__ std::size_t offset() {
    std::size_t const thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
    if constexpr (Where == place::one_address) return 0;
    else if constexpr (Where == place::one_line_a_warp) return thread / 32 * 256 + thread % 32 * 8;
    else return thread * 32;
}

#define ATOMIC(name, type, constraint, text)                                                                           \
    template <place Where>                                                                                             \
    struct name {                                                                                                      \
        static constexpr unsigned things = 8;                                                                          \
        unsigned char* at;                                                                                             \
        type value;                                                                                                    \
        __device__ name(unsigned char* memory, unsigned unknown)                                                       \
            : at(memory + offset<Where>() + unknown * threadIdx.x), value(static_cast<type>(threadIdx.x)) {}           \
        __device__ void round() {                                                                                      \
            unrolled<things>([&](unsigned) { asm volatile(text ::"l"(at), constraint(value) : "memory"); });           \
        }                                                                                                              \
        __device__ unsigned result() const { return 0; }                                                               \
    }
ATOMIC(add_int, unsigned, "r", "red.global.add.u32 [%0], %1;");
ATOMIC(add_long, unsigned long long, "l", "red.global.add.u64 [%0], %1;");
ATOMIC(max_int, unsigned, "r", "red.global.max.u32 [%0], %1;");
ATOMIC(add_float, float, "f", "red.global.add.f32 [%0], %1;");
ATOMIC(add_double, double, "d", "red.global.add.f64 [%0], %1;");
// The old values come back.
template <place Where>
struct add_int_returned : add_int<Where> {
    unsigned sum = 0;
    __device__ add_int_returned(unsigned char* memory, unsigned unknown) : add_int<Where>(memory, unknown) {}
    __device__ void round() {
        unrolled<add_int<Where>::things>([&](unsigned) {
            unsigned old;
            asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(this->at), "r"(this->value) : "memory");
            sum += old;
        });
    }
    __device__ unsigned result() const { return sum; }
};

// The next address depends on the old value, which is 0.
#define RETURNED(name, text)                                                                                           \
    struct name {                                                                                                      \
        static constexpr unsigned things = 16;                                                                         \
        unsigned char* at;                                                                                             \
        __device__ name(unsigned char* memory, unsigned) : at(memory + 8 * threadIdx.x) {}                             \
        __device__ void round() {                                                                                      \
            unrolled<things>([&](unsigned) {                                                                           \
                unsigned old;                                                                                          \
                asm volatile(text : "=r"(old) : "l"(at) : "memory");                                                   \
                at += old;                                                                                             \
            });                                                                                                        \
        }                                                                                                              \
        __device__ unsigned result() const { return static_cast<unsigned>(reinterpret_cast<unsigned long long>(at)); } \
    }
RETURNED(chained_max, "atom.global.max.u32 %0, [%1], 0;");
RETURNED(chained_cas, "atom.global.cas.b32 %0, [%1], 0, 0;");
RETURNED(chained_exchange, "atom.global.exch.b32 %0, [%1], 0;");

// The usual source: nothing that the compiler could not add up for a warp.
__global__ void counter(unsigned n, unsigned* sum) {
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) atomicAdd(sum, 1u);
}
__global__ void ticket(unsigned n, unsigned* sum, unsigned* never) {
    unsigned last = 0;
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) last += atomicAdd(sum, 1u);
    if (last == 0x5eed1234u && n == 0) *never = last;
}

// Shared memory. `Apart`: how far lanes are from each other, in words. `Known`: that they are at one address, to the compiler.
template <class T, unsigned Apart, bool Known = false>
struct in_shared {
    static constexpr unsigned things = 8;
    T* at;
    __device__ in_shared(unsigned char*, unsigned unknown) {
        __shared__ T words[32];
        if (threadIdx.x < 32) words[threadIdx.x] = 0;
        at = words + threadIdx.x % 32 * (Known ? Apart : Apart + unknown);
        __syncthreads();
    }
    __device__ void round() {
        unrolled<things>([&](unsigned) { atomicAdd(at, static_cast<T>(threadIdx.x)); });
    }
    __device__ unsigned result() const { return 0; }
};

template <class Work>
void rate(time_table& table, unsigned char* memory, char const* name, char const* what) {
    for (unsigned blocks : {1u, 132u})
        table.per_ns(std::string("atomic_") + name + "_" + std::to_string(blocks), "lanes/ns",
                     std::string(what) + "; so many blocks of 256 threads", {4, 36}, Work::things * 256.0 * blocks,
                     [=, &table](unsigned n) { repeat<Work><<<blocks, 256>>>(n, table.clock(), memory, 0); });
}
template <class Work>
void latency(time_table& table, unsigned char* memory, char const* name, char const* what) {
    table.cycles(std::string("atomic_latency_") + name, std::string(what) + "; one warp, and an addition", {16, 80},
                 Work::things, [&](unsigned n) { repeat<Work><<<1, 32>>>(n, table.clock(), memory, 0); });
}
template <class Work>
void shared_rate(time_table& table, char const* name, char const* what) {
    for (unsigned warps : {1u, 8u})
        table.per_cycle(std::string("atomic_shared_") + name + "_" + std::to_string(warps), "lanes/cycle/SM",
                        std::string(what) + "; so many warps of an SM", {4, 36}, Work::things * 32.0 * warps,
                        [&](unsigned n) { repeat<Work><<<1, 32 * warps>>>(n, table.clock(), nullptr, 0); });
}

} // namespace

void atomics(time_table& table) {
    if (!table.wants("atomic")) return;
    unsigned char* memory = nullptr; // its own: values do not stay 0
    CHECK_CUDA(cudaMalloc(&memory, 16 << 20));
    CHECK_CUDA(cudaMemset(memory, 0, 16 << 20));
    unsigned char* const zeros = memory + (15 << 20);
    latency<chained_max>(table, zeros, "max", "dependent ATOMG.MAX");
    latency<chained_cas>(table, zeros, "cas", "dependent ATOMG.CAS");
    latency<chained_exchange>(table, zeros, "exchange", "dependent ATOMG.EXCH");
    using enum place;
    rate<add_int<one_address>>(table, memory, "int_address",
                               "RED.ADD of 32 bits, all to one address, different values");
    rate<add_int<one_line_a_warp>>(table, memory, "int_line", "RED.ADD, 8 bytes apart, a warp's own two lines");
    rate<add_int<one_sector_a_lane>>(table, memory, "int_sector", "RED.ADD, a sector a lane");
    rate<max_int<one_address>>(table, memory, "max_address", "RED.MAX, all to one address");
    rate<add_long<one_line_a_warp>>(table, memory, "long_line", "RED.ADD of 64 bits, a warp's own two lines");
    rate<add_float<one_address>>(table, memory, "float_address", "RED.ADD.F32, all to one address");
    rate<add_float<one_line_a_warp>>(table, memory, "float_line", "RED.ADD.F32, 8 bytes apart, a warp's own two lines");
    rate<add_float<one_sector_a_lane>>(table, memory, "float_sector", "RED.ADD.F32, a sector a lane");
    rate<add_double<one_address>>(table, memory, "double_address", "RED.ADD.F64, all to one address");
    rate<add_double<one_line_a_warp>>(table, memory, "double_line", "RED.ADD.F64, a warp's own two lines");
    rate<add_int_returned<one_line_a_warp>>(table, memory, "int_line_returned", "ATOMG.ADD, a warp's own two lines");
    auto* const sum = reinterpret_cast<unsigned*>(memory);
    table.per_ns("atomic_counter", "lanes/ns", "atomicAdd(sum, 1), result unused; 132 blocks of 256 threads", {16, 144},
                 132 * 256.0, [=](unsigned n) { counter<<<132, 256>>>(n, sum); });
    table.per_ns("atomic_ticket", "lanes/ns", "atomicAdd(sum, 1), result used; 132 blocks of 256 threads", {16, 144},
                 132 * 256.0, [=](unsigned n) { ticket<<<132, 256>>>(n, sum, sum + 1); });
    shared_rate<in_shared<unsigned, 0>>(table, "int_address", "ATOMS.ADD of all lanes to one word, different values");
    shared_rate<in_shared<unsigned, 0, true>>(table, "int_known",
                                              "the same where the compiler knows it and adds up the warp");
    shared_rate<in_shared<unsigned, 1>>(table, "int_banks", "ATOMS.ADD, a bank a lane");
    shared_rate<in_shared<float, 0>>(table, "float_address", "float atomicAdd of all lanes to one word");
    shared_rate<in_shared<float, 1>>(table, "float_banks", "float atomicAdd, a bank a lane");
    CHECK_CUDA(cudaFree(memory));
}
