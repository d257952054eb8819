// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank of a program with a GPU for each, for ranks.sh. Ranks pass messages by a folder.
//   ranks FOLDER RANK SIZE spread       passes are spread; each rank's own run of all passes counts the same
//   ranks FOLDER RANK SIZE straggler    20 runs with more work in one rank, 20 with a late host, 50 without: who is named, and why.
//                                       At least three ranks
// Exit status 0 if all that is known beforehand is so, 1 if it is not, 77 without so many GPUs.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <cuda_runtime.h>

#include <gpuprof/ranks.hpp>

#include "spread_run.hpp"

namespace ranks = gpuprof::ranks;

constexpr std::size_t numbers = std::size_t{1} << 24;
constexpr unsigned block = 256, grid = 1024;

__global__ void add(float const* from, float* to, std::size_t count, unsigned times) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
        float value = from[i];
        for (unsigned k = 0; k < times; ++k) value = value * 1.0001f + 1;
        to[i] = value;
    }
}

static void must(cudaError_t status, char const* call) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", call, cudaGetErrorString(status));
    std::exit(1);
}

struct buffers {
    float* from = nullptr;
    float* to = nullptr;
    buffers() {
        must(cudaMalloc(&from, numbers * sizeof(float)), "cudaMalloc");
        must(cudaMalloc(&to, numbers * sizeof(float)), "cudaMalloc");
        must(cudaMemset(from, 0, numbers * sizeof(float)), "cudaMemset");
    }
    void run(unsigned times) const { add<<<grid, block>>>(from, to, numbers, times); }
};

static void spread(gpuprof::device const& gpu, ranks::communicator& all) {
    buffers const memory;
    compare_spread(gpu, all, steady_metrics("smsp__inst_issued.sum"), {"few", "many"}, [&](gpuprof::scope_target& on) {
        for (unsigned const times : {8u, 64u}) {
            gpuprof::scope const here{on, times == 8 ? "few" : "many"};
            memory.run(times);
        }
    });
}

static void straggler(gpuprof::device const& gpu, ranks::communicator& all) {
    buffers const memory;
    gpuprof::profiler prof{gpu, ranks::options_of_ranks(), ranks::try_straggler_metrics().value()};
    std::size_t right[2] = {}, false_alarms = 0;
    double least = 1e9, most = 0;
    for (std::size_t run = 0; run < 90; ++run) {
        bool const is_work = run < 20, is_host = run >= 20 && run < 40;
        bool const is_slow = (is_work || is_host) && all.rank() == run % all.size();
        all.try_barrier(deadline_ms).value();
        auto const begin = std::chrono::steady_clock::now();
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            {
                gpuprof::scope const here{prof, "compute"};
                memory.run(is_work && is_slow ? 3000 : 2000);
                if (is_host && is_slow) std::this_thread::sleep_for(std::chrono::milliseconds{200});
                memory.run(100);
            }
            all.try_barrier(deadline_ms).value(); // as a collective: all are as slow as the slowest
        }
        double const wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (is_work) {
            least = wall < least ? wall : least;
            most = wall > most ? wall : most;
        }
        ranks::straggler_options options;
        options.deadline_ms = deadline_ms;
        auto const found = ranks::try_find_stragglers(all, prof.report(), options).value();
        if (all.rank() != 0) continue;
        for (auto const& each : found.problems) std::printf("run %zu: %s\n", run, each.message().c_str());
        auto const cause = is_work ? ranks::straggler_cause::more_work : ranks::straggler_cause::late_host;
        bool const is_right =
            found.found.size() == 1 && found.found[0].rank == run % all.size() && found.found[0].cause == cause;
        if (is_work || is_host) right[is_host ? 1 : 0] += is_right ? 1 : 0;
        else false_alarms += found.found.size();
        if ((is_work || is_host) ? !is_right : !found.found.empty())
            std::printf("run %zu: %s", run, gpuprof::io::table(found).c_str());
    }
    std::printf("rank %zu: wall times of the runs with more work in one rank: %.4f to %.4f s\n", all.rank(), least,
                most);
    if (all.rank() != 0) return;
    std::printf("more work: %zu of 20 right; late host: %zu of 20 right; without: %zu alarms in 50 runs\n", right[0],
                right[1], false_alarms);
    check(right[0] == 20, "more work is found");
    check(right[1] == 20, "a late host is found");
    check(false_alarms == 0, "no false alarm");
}

int main(int count, char** arguments) {
    if (count != 5) return 2;
    std::size_t const rank = std::strtoul(arguments[2], nullptr, 10), size = std::strtoul(arguments[3], nullptr, 10);
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || static_cast<std::size_t>(gpus) < size) {
        std::printf("there are %d GPUs, and %zu are needed\n", gpus, size);
        return 77;
    }
    must(cudaSetDevice(static_cast<int>(rank)), "cudaSetDevice");
    must(cudaFree(nullptr), "a context");
    auto all = ranks::folder_communicator::try_create(arguments[1], rank, size).value();
    auto const gpu = gpuprof::open_device(static_cast<int>(rank));
    std::string const mode = arguments[4];
    if (mode == "spread") spread(gpu, all);
    else straggler(gpu, all);
    return failed;
}
