// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of instructions, added up over each kernel, against the range profiler's counters of the same kernels; the lines that
// they lie in; a second counter in one process; what counting costs.
#include <chrono>
#include <iostream>
#include <map>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>

#include "rows.hpp"

namespace kernels {

__global__ void stream(float* to, float const* from, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = 2 * from[i] + 1;
}
__global__ void strided(float* to, float const* from, int n, int stride) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[static_cast<long long>(i) * stride % n];
}
// Threads of a warp leave the loop one after the other.
__global__ void diverging(float* to) {
    float x = 1;
    for (unsigned i = 0; i < threadIdx.x % 32; ++i) x = x * 1.5f + 1;
    to[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void shared_sum(float* to, float const* from) {
    __shared__ float part[256];
    part[threadIdx.x] = from[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned n = 128; n > 0; n /= 2) {
        if (threadIdx.x < n) part[threadIdx.x] += part[threadIdx.x + n];
        __syncthreads();
    }
    if (threadIdx.x == 0) to[blockIdx.x] = part[0];
}
__global__ void histogram(unsigned* to, float const* from) {
    __shared__ unsigned part[64];
    if (threadIdx.x < 64) part[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&part[(threadIdx.x * 7 + static_cast<unsigned>(from[threadIdx.x])) % 64], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&to[threadIdx.x], part[threadIdx.x]);
}

} // namespace kernels

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // what was found before a crash is seen
    constexpr int n = 1 << 20, threads = 256;
    float *x = nullptr, *y = nullptr;
    unsigned* bins = nullptr;
    CHECKED(cudaMalloc(&x, n * sizeof *x));
    CHECKED(cudaMalloc(&y, n * sizeof *y));
    CHECKED(cudaMalloc(&bins, 64 * sizeof *bins));
    CHECKED(cudaMemset(x, 0, n * sizeof *x));
    CHECKED(cudaMemset(bins, 0, 64 * sizeof *bins));
    struct job {
        char const* name;
        void (*run)(float*, float*, unsigned*);
    };
    job const jobs[]{
        {"stream",
         [](float* to, float* from, unsigned*) { kernels::stream<<<n / threads, threads>>>(to, from, n - 37); }},
        {"strided", [](float* to, float* from, unsigned*) { kernels::strided<<<300, threads>>>(to, from, n, 32); }},
        {"diverging", [](float* to, float*, unsigned*) { kernels::diverging<<<100, threads>>>(to); }},
        {"shared_sum", [](float* to, float* from, unsigned*) { kernels::shared_sum<<<500, threads>>>(to, from); }},
        {"histogram", [](float*, float* from, unsigned* to) { kernels::histogram<<<200, threads>>>(to, from); }}};

    auto const gpu = gpuprof::open_device();
    using namespace gpuprof;
    auto const code = module_code::try_watch(gpu); // before any kernel is loaded
    std::vector<std::string> const names{"smsp__sass_inst_executed",
                                         "smsp__sass_thread_inst_executed",
                                         "smsp__sass_thread_inst_executed_pred_on",
                                         "smsp__sass_inst_executed_op_global_ld",
                                         "smsp__sass_inst_executed_op_global_st",
                                         "smsp__sass_inst_executed_op_shared_ld",
                                         "smsp__sass_inst_executed_op_shared_st",
                                         "smsp__sass_inst_executed_op_shared_atom",
                                         "smsp__sass_inst_executed_op_branch"};

    // By ranges, which replay.
    std::map<std::string, std::vector<double>> by_ranges;
    {
        profiler counted{gpu,
                         metric<"smsp__sass_inst_executed.sum">,
                         metric<"smsp__sass_thread_inst_executed.sum">,
                         metric<"smsp__sass_thread_inst_executed_pred_on.sum">,
                         metric<"smsp__sass_inst_executed_op_global_ld.sum">,
                         metric<"smsp__sass_inst_executed_op_global_st.sum">,
                         metric<"smsp__sass_inst_executed_op_shared_ld.sum">,
                         metric<"smsp__sass_inst_executed_op_shared_st.sum">,
                         metric<"smsp__sass_inst_executed_op_shared_atom.sum">,
                         metric<"smsp__sass_inst_executed_op_branch.sum">};
        for (auto pass : counted.passes())
            for (job const& each : jobs) {
                scope const step{counted, each.name};
                each.run(y, x, bins);
            }
        report const all = counted.report();
        for (job const& each : jobs) {
            auto const range = all[each.name];
            auto& values = by_ranges[each.name];
            auto const add = [&](auto const& which) { values.push_back(static_cast<double>(range[which].value())); };
            add(metric<"smsp__sass_inst_executed.sum">);
            add(metric<"smsp__sass_thread_inst_executed.sum">);
            add(metric<"smsp__sass_thread_inst_executed_pred_on.sum">);
            add(metric<"smsp__sass_inst_executed_op_global_ld.sum">);
            add(metric<"smsp__sass_inst_executed_op_global_st.sum">);
            add(metric<"smsp__sass_inst_executed_op_shared_ld.sum">);
            add(metric<"smsp__sass_inst_executed_op_shared_st.sum">);
            add(metric<"smsp__sass_inst_executed_op_shared_atom.sum">);
            add(metric<"smsp__sass_inst_executed_op_branch.sum">);
        }
    }

    row("against_ranges", "values by ranges", std::to_string(by_ranges.size() * names.size()), by_ranges.size() == 5);
    auto const listed = sass_counter::try_list(gpu).value();
    row("against_ranges", "metrics of " + std::string{gpu.chip()}, std::to_string(listed.size()), listed.size() > 40);

    auto const time = [&] {
        CHECKED(cudaDeviceSynchronize());
        auto const before = std::chrono::steady_clock::now();
        for (int i = 0; i < 100; ++i) jobs[0].run(y, x, bins);
        CHECKED(cudaDeviceSynchronize());
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count() / 100;
    };
    time();
    double const plain = time();
    std::size_t compared = 0, equal = 0;
    {
        auto counter = sass_counter::try_open(gpu, names).value();
        for (job const& each : jobs) {
            each.run(y, x, bins);
            auto const counts = counter.try_take().value();
            auto const functions = counts.functions();
            row("against_ranges", std::string{"functions of "} + each.name, std::to_string(functions.size()),
                functions.size() == 1);
            if (functions.empty()) continue;
            for (std::size_t m = 0; m < names.size(); ++m) {
                double const here = static_cast<double>(functions[0].values[m]), there = by_ranges[each.name][m];
                ++compared;
                equal += here == there;
                if (here != there)
                    row("against_ranges", names[m] + " of " + each.name,
                        std::to_string(functions[0].values[m]) + ", by ranges " +
                            std::to_string(static_cast<long long>(there)),
                        false);
            }
            std::uint64_t placed = 0, all = 0;
            if (code)
                for (auto const& line : lines_of(counts, *code)) {
                    all += line.values[0];
                    if (line.at.line != 0) placed += line.values[0];
                }
            row("against_ranges", std::string{"instructions executed that have a source line, of "} + each.name,
                std::to_string(placed) + " of " + std::to_string(all), placed == all && all == functions[0].values[0]);
        }
        time();
        std::printf("against_ranges | stream: plain, and counted by 9 metrics | %.1f us, %.1f us | not judged\n", plain,
                    time());
        static_cast<void>(counter.try_finish().value());
    }
    row("against_ranges", "sums equal to the range profiler's",
        std::to_string(equal) + " of " + std::to_string(compared), equal == compared && compared == 5 * names.size());
    {
        auto counter = sass_counter::try_open(gpu, names);
        row("against_ranges", "a second counter of the same metrics", counter ? "opens" : counter.error().message(),
            counter.has_value());
        if (counter) {
            jobs[2].run(y, x, bins);
            auto const again = counter->try_finish().value().functions();
            row("against_ranges", "and counts", again.empty() ? "nothing" : std::to_string(again[0].values[0]),
                again.size() == 1 && static_cast<double>(again[0].values[0]) == by_ranges["diverging"][0]);
        }
    }
    auto const other = sass_counter::try_open(gpu, {names[0]});
    row("against_ranges", "other metrics in the same process", other ? "opens" : std::string{other.error().cause},
        !other && other.error().code == errc::invalid_state);
    return failures != 0;
}
