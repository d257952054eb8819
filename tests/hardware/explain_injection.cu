// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three kernels of the CUDA runtime, for explain_injection.sh.
//   without IN_PROCESS   launches them, twice each, and knows nothing of gpuprof
//   with IN_PROCESS      measures the same with explain::measure(), twice, and compares both with a saved report:
//                        explain_injection REPORT; exit status 0 if the report's values are the same, as far as two of its own are
#include <cstddef>
#include <cstdio>

constexpr int numbers = 1 << 22;

__global__ void add(float const* a, float const* b, float* sum) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = a[i] + b[i];
}
// Neighbouring threads write 32 numbers apart.
__global__ void scatter(float const* from, float* to) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    to[(i % 32) * (numbers / 32) + i / 32] = from[i];
}
__global__ void sum_blocks(float const* of, float* sums) {
    __shared__ float part[256];
    part[threadIdx.x] = of[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

struct buffers {
    float *a = nullptr, *b = nullptr, *c = nullptr;
    bool make() {
        std::size_t const bytes = sizeof(float) * numbers;
        return cudaMalloc(&a, bytes) == cudaSuccess && cudaMalloc(&b, bytes) == cudaSuccess &&
               cudaMalloc(&c, bytes) == cudaSuccess && cudaMemset(a, 0, bytes) == cudaSuccess &&
               cudaMemset(b, 0, bytes) == cudaSuccess;
    }
    void launch() const {
        add<<<numbers / 256, 256>>>(a, b, c);
        scatter<<<numbers / 256, 256>>>(a, c);
        sum_blocks<<<numbers / 256, 256>>>(a, c);
    }
};

#ifndef IN_PROCESS

int main() {
    buffers of;
    if (!of.make()) return 2;
    of.launch();
    of.launch();
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    std::puts("PASSED");
    return 0;
}

#else

#include <cmath>
#include <string>

#include <gpuprof/explain.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>

namespace explain = gpuprof::explain;

// What the same work counts to the unit each time. Sectors of stores are not it: L1 merges what happens to be there together.
static bool is_exact(std::string const& metric) {
    if (metric.starts_with("launch__")) return true;
    if (metric.find("_lookup_") != metric.npos) return false;
    for (char const* const part : {"inst_executed", "l1tex__t_requests_", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"})
        if (metric.find(part) != metric.npos && metric.ends_with(".sum")) return true;
    return false;
}

int main(int count, char** words) {
    if (count != 2) return 2;
    auto const saved = gpuprof::try_load_report(words[1]);
    if (!saved) return std::printf("%s\n", saved.error().message().c_str()), 2;
    buffers of;
    if (!of.make()) return 2;
    auto const gpu = gpuprof::try_open_device();
    if (!gpu) return std::printf("%s\n", gpu.error().message().c_str()), 2;
    auto const measure = [&] { return explain::measure(*gpu, explain::set::full, [&] { of.launch(); }); };
    explain::explanation const first = measure(), second = measure();

    std::size_t compared = 0, exact = 0, beyond = 0, wrong = 0, missing = 0;
    for (auto const& range : first.report()) {
        auto const again = second.report().try_range(range.name()), injected = saved->try_range(range.name());
        if (!again || !injected) return std::printf("no range %s\n", std::string{range.name()}.c_str()), 1;
        for (auto const& metric : first.report().metrics()) {
            auto const a = range.try_value(metric.name), b = again->try_value(metric.name),
                       c = injected->try_value(metric.name);
            if (a.has_value() != c.has_value()) {
                ++missing;
                std::printf("%s %s: %s\n", std::string{range.name()}.c_str(), metric.name.c_str(),
                            a ? "missing" : "has a value");
            }
            if (!a || !b || !c) continue;
            ++compared;
            double const spread = std::fabs(a->value - b->value), off = std::fabs(c->value - (a->value + b->value) / 2);
            if (is_exact(metric.name)) {
                ++exact;
                if (c->value == a->value && c->value == b->value) continue;
                ++wrong;
            } else {
                if (off <= 3 * spread + 0.1 * std::fabs(a->value) + 1e-9) continue;
                ++beyond;
            }
            std::printf("%s %s: %.9g, in the process %.9g and %.9g\n", std::string{range.name()}.c_str(),
                        metric.name.c_str(), c->value, a->value, b->value);
        }
    }
    std::printf("%zu values compared, %zu of them to the unit: %zu differ; of the others %zu differ by more than 10 %% "
                "and their "
                "spread; %zu are in one alone\n",
                compared, exact, wrong, beyond, missing);
    return compared > 300 && exact > 30 && wrong == 0 && missing == 0 && beyond * 20 < compared ? 0 : 1;
}

#endif
