// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the microbenchmarks of time share. Each measures one mechanism and prints one line:
//   name,unit,by_events,by_clock,spread,"parameters"
// A kernel does its thing n times. It is launched with two lengths, and the difference is divided by the difference of the
// lengths: what a launch, its begin and its end cost is not in the value. by_events is the difference of times between events,
// in cycles of the clock that the device names where the unit has cycles. by_clock, where a kernel writes it, is the difference
// of clock64() in one block: right whatever the clock does on hardware. The embedded GPU's clock64() counts instructions, so
// that only by_events is of its model. Values are medians, the spread is that between quartiles, of the median.
#ifndef TIME_BENCH_HPP
#define TIME_BENCH_HPP
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

inline constexpr unsigned warp_lanes = 32;

void check_cuda(cudaError_t status, char const* what);
#define CHECK_CUDA(call) check_cuda(call, #call)

using clock_cell = unsigned long long; // cycles that block 0 took for its loop

// Launches a kernel that does its thing n times.
using launcher = std::function<void(unsigned n)>;

struct lengths {
    unsigned few;
    unsigned many;
};

struct options {
    unsigned samples = 15;
    bool events_only = false; // leaves out what clocks of the device say
    std::string only;         // names that begin so
};

inline constexpr unsigned clock_cells = 3; // block 0's cycles, then two for a kernel's own

// The table that is printed, a line a benchmark.
class time_table {
public:
    explicit time_table(options of);
    time_table(time_table const&) = delete;
    time_table& operator=(time_table const&) = delete;
    ~time_table();

    // Cycles of one thing. @param things that a kernel does for each of its n, one after the other
    void cycles(std::string const& name, std::string const& parameters, lengths n, double things,
                launcher const& launch);
    // Things in a cycle. @param things that an SM does for each n
    void per_cycle(std::string const& name, std::string const& unit, std::string const& parameters, lengths n,
                   double things, launcher const& launch);
    // Things in a nanosecond (bytes: GB/s), by events alone. @param things that the GPU does for each n
    void per_ns(std::string const& name, std::string const& unit, std::string const& parameters, lengths n,
                double things, launcher const& launch);
    // Microseconds for each n, by events alone.
    void microseconds(std::string const& name, std::string const& parameters, lengths n, double things,
                      launcher const& launch);
    // Microseconds that `longer` takes more than `shorter`, by events alone.
    void difference(std::string const& name, std::string const& parameters, std::function<void()> const& longer,
                    std::function<void()> const& shorter);
    // The same in units of another difference.
    void ratio(std::string const& name, std::string const& unit, std::string const& parameters,
               std::function<void()> const& longer, std::function<void()> const& shorter,
               std::function<void()> const& unit_longer, std::function<void()> const& unit_shorter);
    // What a kernel wrote by itself, which the embedded GPU has no model of: a line without by_events.
    void clocked(std::string const& name, std::string const& unit, std::string const& parameters,
                 std::function<double()> const& measure);

    // @param name or the beginning of several, which one benchmark's name begins with or is the beginning of
    [[nodiscard]] bool wants(std::string const& name) const {
        return name.rfind(of_.only, 0) == 0 || of_.only.rfind(name, 0) == 0;
    }

    [[nodiscard]] unsigned sms() const { return sms_; }
    [[nodiscard]] clock_cell* clock() const { return clock_; } // device memory for the kernel's cycles
    // `bytes` of zeroed device memory, the same for all benchmarks, or the first part of it.
    [[nodiscard]] void* memory(std::size_t bytes);

private:
    struct pair_of_times {
        double ns = 0;
        double cycles = 0; // by clock64(); 0: not written
    };
    [[nodiscard]] pair_of_times time(std::function<void()> const& launch);
    [[nodiscard]] std::vector<pair_of_times> slopes(lengths n, launcher const& launch);
    void print(std::string const& name, std::string const& unit, std::string const& parameters,
               std::vector<double> const& by_events, std::vector<double> const& by_clock);

    options of_;
    cudaEvent_t begin_{};
    cudaEvent_t end_{};
    clock_cell* clock_ = nullptr;
    void* memory_ = nullptr;
    std::size_t memory_bytes_ = 0;
    unsigned sms_ = 0;
    double ghz_ = 0;
};

// The parts, each a file. They run in this order.
void launches(time_table& table);
void latencies(time_table& table);
void pipes(time_table& table);
void memory_latencies(time_table& table);
void bandwidths(time_table& table);
void atomics(time_table& table);
void barriers(time_table& table);
void control(time_table& table);
void residency(time_table& table);
void scattered_reads(time_table& table);
void cta_begins(time_table& table);
void streams(time_table& table);

#ifdef __CUDACC__
// Runs `Work` n rounds and writes the cycles of block 0. Work is made of a number that the compiler does not know, has round()
// and a result() that depends on all rounds. What is not in the rounds is in both lengths.
template <class Work>
__global__ void repeat(unsigned n, clock_cell* clock, unsigned char* memory, unsigned unknown) {
    Work work(memory, unknown);
    __syncthreads();
    long long const begin = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) work.round();
    bool const used = work.result() == 0x5eed1234u; // never, which the compiler does not know
    if (used) *clock = 0;
    __syncthreads();
    long long const end = clock64();
    if (blockIdx.x == 0 && threadIdx.x == 0) *clock = static_cast<clock_cell>(end - begin);
}

template <unsigned Times, class Step>
__device__ void unrolled(Step const& step) {
#pragma unroll
    for (unsigned i = 0; i < Times; ++i) step(i);
}
#endif

#endif
