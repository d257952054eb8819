// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with one flaw each, at a line that is known: whether gpuprof names the flaw and its line. Compiled with -lineinfo.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <gpuprof/explain_lines.hpp>
#include <gpuprof/gpuprof.hpp>

#define CHECKED(call)                                                                                                  \
    do {                                                                                                               \
        if (auto const status_ = (call)) std::printf("%s: %d\n", #call, static_cast<int>(status_)), std::exit(3);      \
    } while (false)

namespace kernels {

constexpr int width = 4096, threads = 256;

__device__ __forceinline__ float scaled(float const* from, int i) { return 3 * from[i] + 1; }

// Threads of a warp read words that lie a row apart.
constexpr int columns_line = __LINE__ + 3;
__global__ void columns(float* to, float const* from) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    float const x = from[i % width * width + i / width];
    to[i] = x + 1;
}
// The same in a function that is inlined.
constexpr int inlined_line = __LINE__ + 3;
__global__ void inlined(float* to, float const* from) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = scaled(from, i % width * width + i / width);
}
// Threads of a warp store to one bank, again and again.
constexpr int banks_line = __LINE__ + 6;
__global__ void banks(float* to) {
    __shared__ float tile[32 * 33];
    float x = threadIdx.x;
    for (int round = 0; round < 512; ++round) {
        int const at = threadIdx.x % 32 * 32 + (threadIdx.x / 32 + round) % 32;
        reinterpret_cast<float volatile*>(tile)[at] = x;
        x += 1;
    }
    __syncthreads();
    to[blockIdx.x * blockDim.x + threadIdx.x] = x + tile[threadIdx.x];
}
// Threads of a warp leave the loop one after the other.
constexpr int parts_line = __LINE__ + 4;
__global__ void parts(float* to, float factor) {
    float x = threadIdx.x;
    int const rounds = 32 * (threadIdx.x % 32);
    for (int round = 0; round < rounds; ++round) x = x * factor + __fdividef(factor, x + static_cast<float>(round));
    to[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// An array whose places are known when it runs lies in local memory.
constexpr int room_line = __LINE__ + 6;
__global__ void room(float* to, int step) {
    float place[64] = {};
    int at = threadIdx.x % 64;
    for (int round = 0; round < 256; ++round) {
        at = (at + step) % 64;
        place[at] += static_cast<float>(round);
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = place[step % 64] + place[at];
}

} // namespace kernels

namespace explain = gpuprof::explain;

static int failures = 0;
static void row(std::string const& kernel, std::string const& what, std::string const& value, bool expected) {
    std::printf("%s | %s | %s | %s\n", kernel.c_str(), what.c_str(), value.c_str(), expected ? "yes" : "NO");
    failures += expected ? 0 : 1;
}
static bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    constexpr std::size_t count = std::size_t{kernels::width} * kernels::width;
    auto const gpu = gpuprof::open_device();
    auto const code = gpuprof::module_code::try_watch(gpu).value(); // before a kernel is loaded
    float *x = nullptr, *y = nullptr;
    CHECKED(cudaMalloc(&x, count * sizeof *x));
    CHECKED(cudaMalloc(&y, count * sizeof *y));
    CHECKED(cudaMemset(x, 0, count * sizeof *x));
    auto const work = [&] {
        using kernels::threads;
        kernels::columns<<<static_cast<unsigned>(count / threads), threads>>>(y, x);
        kernels::inlined<<<static_cast<unsigned>(count / threads), threads>>>(y, x);
        kernels::banks<<<4096, threads>>>(y);
        kernels::parts<<<4096, threads>>>(y, 0.999f);
        kernels::room<<<4096, threads>>>(y, 7);
        CHECKED(cudaDeviceSynchronize());
    };
    auto const lines = explain::measure_lines(gpu, code, work);
    if (lines.no_counts) row("all", "counts of instructions", lines.no_counts->message(), false);
    if (lines.no_samples) row("all", "samples of warps", lines.no_samples->message(), false);
    row("all", "text of SASS instructions", lines.no_text ? lines.no_text->message() : "there", !lines.no_text);
    row("all", "samples", std::to_string(lines.counts.samples), lines.counts.samples > 0);
    auto why = explain::measure(gpu, explain::set::full, work);
    why.locate(lines);

    struct expected {
        char const* kernel;
        char const* finding;
        std::string line;
    };
    auto const at = [](int line) { return "explain_lines.cu:" + std::to_string(line); };
    expected const all[]{{"columns", "uncoalesced_global_access", at(kernels::columns_line)},
                         {"inlined", "uncoalesced_global_access", " inlined at " + at(kernels::inlined_line)},
                         {"banks", "shared_bank_conflicts", at(kernels::banks_line)},
                         {"parts", "thread_divergence", at(kernels::parts_line)},
                         {"room", "local_memory", at(kernels::room_line)}};
    for (expected const& each : all) {
        explain::finding const* found = nullptr;
        for (explain::finding const& one : why.findings())
            if (one.id == each.finding && has(one.path, each.kernel)) found = &one;
        std::string named;
        if (found != nullptr)
            for (std::string const& line : found->lines) named += (named.empty() ? "" : ", ") + line;
        row(each.kernel, std::string{each.finding} + ", first of the lines", found == nullptr ? "not found" : named,
            found != nullptr && !found->lines.empty() && has(found->lines[0], each.line));
    }
    std::cout << gpuprof::io::table(lines);
    return failures != 0;
}
