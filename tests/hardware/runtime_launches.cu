// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of the CUDA runtime as a launch watch hears them on a GPU: every way to launch, and what hearing costs.
// Built by nvcc; exit status 0 if all is as it should be.
#include <cooperative_groups.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/callbacks/launch_watch.hpp>

template <class T>
__global__ void fill(T* to, T value) {
    to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void together(int* to) {
    cooperative_groups::this_grid().sync();
    to[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void nothing() {}

namespace {

int failures = 0;
void expect(bool truth, char const* what) {
    if (!truth) ++failures;
    std::printf("%s %s\n", truth ? "ok  " : "FAIL", what);
}

struct heard {
    std::vector<gpuprof::hw::kernel_launch> kernels;
    int graphs = 0;
    gpuprof::abi::driver_table const* driver = nullptr;
    static void listen(void* self, gpuprof::hw::launch_event const& launch) {
        auto& all = *static_cast<heard*>(self);
        if (launch.graph) ++all.graphs;
        else all.kernels.push_back(describe(launch, *all.driver));
    }
};
struct counted {
    unsigned long long launches = 0;
    static void listen(void* self, gpuprof::hw::launch_event const&) { ++static_cast<counted*>(self)->launches; }
};

double microseconds_a_launch(int launches) {
    cudaDeviceSynchronize();
    auto const begin = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i) nothing<<<1, 32>>>();
    auto const end = std::chrono::steady_clock::now();
    cudaDeviceSynchronize();
    return std::chrono::duration<double, std::micro>(end - begin).count() / launches;
}

} // namespace

int main() {
    float* floats = nullptr;
    int* ints = nullptr;
    cudaMalloc(&floats, 1 << 20);
    cudaMalloc(&ints, 1 << 20);
    auto const gpu = gpuprof::open_device();
    std::printf("%s\n", std::string{gpu.name()}.c_str());

    double bare = microseconds_a_launch(200);
    for (int i = 0; i < 5; ++i) bare = std::min(bare, microseconds_a_launch(500));
    {
        heard list;
        list.driver = &gpu.driver();
        gpuprof::hw::launch_watch watch;
        auto const begun = watch.try_begin(gpu, &heard::listen, &list);
        if (!begun) return std::printf("FAIL %s\n", begun.error().message().c_str()), 1;

        fill<<<4, 128, 1024>>>(floats, 1.0f);
        expect(list.kernels.size() == 1, "<<<>>> is heard once");
        auto const& plain = list.kernels.back();
        std::printf("     %s, %d registers\n", plain.kernel.c_str(), plain.registers);
        expect(plain.kernel == "_Z4fillIfEvPT_S0_", "with its mangled name");
        expect(plain.grid[0] == 4 && plain.block[0] == 128 && plain.dynamic_shared == 1024, "and its configuration");
        cudaFuncAttributes attributes{};
        cudaFuncGetAttributes(&attributes, reinterpret_cast<void const*>(&fill<float>));
        expect(plain.registers == attributes.numRegs && plain.registers > 0, "and the registers that the runtime says");

        void* params[]{&ints};
        cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(&together), dim3{4}, dim3{64}, params, 0, nullptr);
        expect(list.kernels.size() == 2 && list.kernels.back().cooperative, "a cooperative launch");

        cudaLaunchConfig_t config{};
        config.gridDim = 8;
        config.blockDim = 64;
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {2, 1, 1};
        config.attrs = &attribute;
        config.numAttrs = 1;
        cudaLaunchKernelEx(&config, fill<int>, ints, 3);
        expect(list.kernels.size() == 3 && list.kernels.back().cluster[0] == 2, "a launch in clusters of 2");

        cudaStream_t stream = nullptr;
        cudaStreamCreate(&stream);
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        nothing<<<1, 32, 0, stream>>>();
        cudaStreamEndCapture(stream, &graph);
        expect(list.kernels.size() == 3, "a captured launch is not heard");
        cudaGraphInstantiate(&executable, graph, 0);
        cudaGraphLaunch(executable, stream);
        cudaStreamSynchronize(stream);
        expect(list.graphs == 1 && list.kernels.size() == 3, "its graph is, once");

        nothing<<<1, 2048>>>();
        bool const refused_by_runtime = cudaGetLastError() != cudaSuccess;
        std::printf("     a block of 2048: %zu launches heard, status of the last %d\n", list.kernels.size(),
                    static_cast<int>(list.kernels.back().status));
        expect(refused_by_runtime && list.kernels.size() == 4 && list.kernels.back().status != 0,
               "a refused launch is heard with its status");
    }
    counted count;
    double watched = 0;
    {
        gpuprof::hw::launch_watch watch;
        auto const begun = watch.try_begin(gpu, &counted::listen, &count);
        if (!begun) return std::printf("FAIL %s\n", begun.error().message().c_str()), 1;
        watched = microseconds_a_launch(200);
        for (int i = 0; i < 5; ++i) watched = std::min(watched, microseconds_a_launch(500));
        expect(count.launches == 200 + 5 * 500, "every one of 2,700 launches is heard");
    }
    double after = microseconds_a_launch(200);
    for (int i = 0; i < 5; ++i) after = std::min(after, microseconds_a_launch(500));
    std::printf("a launch: %.2f us before, %.2f us watched, %.2f us after\n", bare, watched, after);
    auto const first = std::chrono::steady_clock::now();
    {
        gpuprof::hw::launch_watch again;
        expect(static_cast<bool>(again.try_begin(gpu, &counted::listen, &count)), "a watch begins again");
    }
    std::printf("a watch begins and ends in %.1f us\n",
                std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - first).count());
    std::printf("%d failures\n", failures);
    return failures != 0;
}
