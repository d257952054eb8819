// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank of a program, for ranks.sh. Ranks pass messages by a folder.
//   ranks FOLDER RANK SIZE spread       passes are spread; each rank's own run of all passes counts the same
//   ranks FOLDER RANK SIZE straggler    20 runs with more work in one rank, 20 with a late host, 20 with slower memory, 50 without: who
//                                       is named, and why. At least three ranks; those that share a GPU take turns
// Exit status 0 if all that is known beforehand is so, 1 if it is not, 77 without the GPUs.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include <gpuprof/ranks.hpp>

#include "spread_run.hpp"

namespace ranks = gpuprof::ranks;

constexpr std::size_t numbers = std::size_t{1} << 24;
constexpr unsigned block = 256, grid = 1024;

// @param count a power of two
// @param apart neighbouring threads touch numbers so far apart; odd, so that each number is touched once
__global__ void add(float const* from, float* to, std::size_t count, unsigned times, std::size_t apart) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
        std::size_t const at = i * apart & (count - 1);
        float value = from[at];
        for (unsigned k = 0; k < times; ++k) value = value * 1.0001f + 1;
        to[at] = value;
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
    void run(unsigned times, std::size_t apart = 1) const { add<<<grid, block>>>(from, to, numbers, times, apart); }
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

// What is wrong with one rank in a run.
struct injection {
    char const* name;
    ranks::straggler_cause cause;
    std::size_t runs;
};
constexpr injection injections[]{{"more work", ranks::straggler_cause::more_work, 20},
                                 {"late host", ranks::straggler_cause::late_host, 20},
                                 {"slower memory", ranks::straggler_cause::slower_memory, 20}};
constexpr std::size_t runs_without = 50;

class straggler_runs {
public:
    // @param turn when this rank measures, of the turns of the ranks that share a GPU
    straggler_runs(gpuprof::device const& gpu, ranks::communicator& all, std::size_t turn, std::size_t turns)
        : gpu_{gpu}, all_{all}, turn_{turn}, turns_{turns} {}

    void run() {
        for (injection const& each : injections) {
            std::size_t right = 0;
            for (std::size_t run = 0; run < each.runs; ++run) {
                std::size_t const slow = run % all_.size();
                auto const found = measure(slow == all_.rank() ? &each : nullptr);
                bool const is_right = found.size() == 1 && found[0].rank == slow && found[0].cause == each.cause;
                right += is_right ? 1 : 0;
            }
            if (all_.rank() == 0) std::printf("%s: %zu of %zu right\n", each.name, right, each.runs);
            if (all_.rank() == 0) check(right == each.runs, std::string{each.name} + " is found");
        }
        std::size_t alarms = 0;
        for (std::size_t run = 0; run < runs_without; ++run) alarms += measure(nullptr).size();
        std::printf("rank %zu: wall times of a run: %.4f to %.4f s\n", all_.rank(), least_, most_);
        if (all_.rank() == 0) std::printf("without: %zu alarms in %zu runs\n", alarms, runs_without);
        check(alarms == 0, "no false alarm");
    }

private:
    // Who is named, on rank 0.
    std::vector<ranks::straggler> measure(injection const* wrong) {
        all_.try_barrier(deadline_ms).value();
        auto const begin = std::chrono::steady_clock::now();
        gpuprof::report mine;
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            if (turn == turn_) mine = measure_turn(wrong);
            all_.try_barrier(deadline_ms).value(); // as a collective: all are as slow as the slowest
        }
        double const wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        least_ = std::min(least_, wall);
        most_ = std::max(most_, wall);
        ranks::straggler_options options;
        options.deadline_ms = deadline_ms;
        auto const found = ranks::try_find_stragglers(all_, mine, options).value();
        for (auto const& each : found.problems) std::printf("%s\n", each.message().c_str());
        if (all_.rank() == 0 && !found.found.empty()) std::printf("%s", gpuprof::io::table(found).c_str());
        return found.found;
    }
    // The counters of a GPU belong to one profiler at a time.
    gpuprof::report measure_turn(injection const* wrong) {
        gpuprof::profiler prof{gpu_, ranks::options_of_ranks(), ranks::try_straggler_metrics().value()};
        for ([[maybe_unused]] auto const& pass : prof.passes()) compute(prof, wrong);
        return prof.report();
    }
    void compute(gpuprof::scope_target& on, injection const* wrong) {
        gpuprof::scope const here{on, "compute"};
        auto const is = [&](ranks::straggler_cause cause) { return wrong != nullptr && wrong->cause == cause; };
        memory_.run(is(ranks::straggler_cause::more_work) ? 1500 : 1000);
        if (is(ranks::straggler_cause::late_host)) {
            must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
            std::this_thread::sleep_for(std::chrono::milliseconds{200});
        }
        memory_.run(100, is(ranks::straggler_cause::slower_memory) ? 4099 : 1);
    }

    gpuprof::device const& gpu_;
    ranks::communicator& all_;
    std::size_t turn_, turns_;
    buffers memory_;
    double least_ = 1e9, most_ = 0;
};

int main(int count, char** arguments) {
    if (count != 5) return 2;
    std::size_t const rank = std::strtoul(arguments[2], nullptr, 10), size = std::strtoul(arguments[3], nullptr, 10);
    std::string const mode = arguments[4];
    int found = 0;
    auto const status = cudaGetDeviceCount(&found);
    std::size_t const gpus = status == cudaSuccess ? static_cast<std::size_t>(found) : 0;
    std::size_t const needed = mode == "spread" ? size : 1;
    if (gpus < needed) {
        std::printf("there are %zu GPUs, and %zu are needed\n", gpus, needed);
        return 77;
    }
    int const device = static_cast<int>(rank % gpus);
    must(cudaSetDevice(device), "cudaSetDevice");
    must(cudaFree(nullptr), "a context");
    auto all = ranks::folder_communicator::try_create(arguments[1], rank, size).value();
    auto const gpu = gpuprof::open_device(device);
    if (mode == "spread") spread(gpu, all);
    else straggler_runs{gpu, all, rank / gpus, (size + gpus - 1) / gpus}.run();
    return failed;
}
