// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two GPUs of one process, for two_gpus.sh.
//   two_gpus counters          each measured alone, then both side by side by two threads: the same counts, known by arithmetic
//   two_gpus links             what goes over the links while GPU 0 reads 256 MiB of GPU 1, or why it cannot be had
//   two_gpus all_reduce MODE   an all-reduce of NCCL over both, measured on GPU 0: user, written, auto_user, auto_kernel, launch.
//                              auto_kernel: with kernels of the program's around it, which have values; NCCL's is named and has none
//   two_gpus plain             the same without gpuprof, for what measures programs as they are
// Exit status 0 if all that is known beforehand is so, 1 if it is not, 77 without two GPUs.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <nccl.h>

#include <gpuprof/call_replay.hpp>
#include <gpuprof/explain.hpp>
#include <gpuprof/gpuprof.hpp>

constexpr std::size_t numbers = std::size_t{1} << 26; // 256 MiB
constexpr unsigned block = 256, grid = 1024;

__global__ void add(float const* from, float* to, std::size_t count) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
        to[i] = from[i] + 1;
}

static void must(cudaError_t status, char const* call) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", call, cudaGetErrorString(status));
    std::exit(1);
}
static void must(ncclResult_t status, char const* call) {
    if (status == ncclSuccess) return;
    std::printf("%s: %s\n", call, ncclGetErrorString(status));
    std::exit(1);
}

struct memory {
    float *from = nullptr, *to = nullptr;
    cudaStream_t stream = nullptr;
    explicit memory(int gpu) {
        must(cudaSetDevice(gpu), "cudaSetDevice");
        must(cudaMalloc(&from, numbers * sizeof(float)), "cudaMalloc");
        must(cudaMalloc(&to, numbers * sizeof(float)), "cudaMalloc");
        must(cudaMemset(from, 0, numbers * sizeof(float)), "cudaMemset");
        must(cudaStreamCreate(&stream), "cudaStreamCreate");
    }
};

// The counts of one GPU; prints what is wrong. GPU 1 does twice the work of GPU 0, so that values cannot be each other's.
static bool counted(int gpu, memory const& of, char const* how) {
    must(cudaSetDevice(gpu), "cudaSetDevice");
    unsigned const blocks = grid * (gpu + 1);
    gpuprof::device const device = gpuprof::open_device(gpu);
    gpuprof::profiler prof{device, gpuprof::metric<"smsp__warps_launched.sum">,
                           gpuprof::metric<"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum">,
                           gpuprof::metric<"dram__bytes_read.sum">, gpuprof::metric<"sm__cycles_active.avg">};
    for (auto pass : prof.passes()) {
        gpuprof::scope range{prof, "add"};
        add<<<blocks, block, 0, of.stream>>>(of.from, of.to, numbers);
        must(cudaStreamSynchronize(of.stream), "cudaStreamSynchronize");
    }
    auto const report = prof.report();
    for (auto const& each : report.completeness().problems) std::printf("%s\n", each.message().c_str());
    auto const value = [&](char const* metric) { return report.at(0).try_value(metric).value().value; };
    double const warps = value("smsp__warps_launched.sum"),
                 sectors = value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    std::printf("%s, GPU %d: %.0f warps, %.0f sectors, %.0f bytes of DRAM read, %zu passes\n", how, gpu, warps, sectors,
                value("dram__bytes_read.sum"), prof.passes_needed());
    return warps == double(blocks) * block / 32 && sectors == double(numbers) / 8 && report.complete();
}

static int counters() {
    memory const of[2]{memory{0}, memory{1}};
    bool good = counted(0, of[0], "alone");
    good = counted(1, of[1], "alone") && good;
    bool beside[2]{};
    std::thread other{[&] { beside[1] = counted(1, of[1], "side by side"); }};
    beside[0] = counted(0, of[0], "side by side");
    other.join();
    return good && beside[0] && beside[1] ? 0 : 1;
}

static int links() {
    memory const here{0}, there{1};
    must(cudaSetDevice(0), "cudaSetDevice");
    int reaches = 0;
    must(cudaDeviceCanAccessPeer(&reaches, 0, 1), "cudaDeviceCanAccessPeer");
    std::printf("GPU 0 reaches the memory of GPU 1: %s\n", reaches != 0 ? "yes" : "no");
    if (reaches == 0) return 1;
    must(cudaDeviceEnablePeerAccess(1, 0), "cudaDeviceEnablePeerAccess");
    gpuprof::device const device = gpuprof::open_device(0);
    std::size_t values = 0, reasons = 0;
    bool moved = false;
    for (auto const& name : gpuprof::explain::metric_names_of(gpuprof::explain::set::links)) {
        auto const metric = gpuprof::try_metric(name);
        if (!metric) {
            std::printf("%s: %s\n", name.c_str(), metric.error().message().c_str());
            return 1;
        }
        gpuprof::profiler_options options;
        options.max_ranges = 1;
        auto made = gpuprof::profiler::try_create(device, options, std::span<gpuprof::metric_info const>{&*metric, 1});
        if (made)
            for (auto pass : made->passes()) {
                gpuprof::scope range{*made, "read"};
                add<<<grid, block, 0, here.stream>>>(there.from, here.to, numbers);
                must(cudaStreamSynchronize(here.stream), "cudaStreamSynchronize");
            }
        auto const report = made ? made->try_report() : gpuprof::result<gpuprof::report>{made.error()};
        auto const value =
            report ? report->at(0).try_value(name) : gpuprof::result<gpuprof::measured_value>{report.error()};
        if (value) {
            ++values;
            std::printf("%s: %.6g\n", name.c_str(), value->value);
            if (name == "nvlrx__bytes.sum" && value->value >= double(numbers) * sizeof(float)) moved = true;
        } else {
            ++reasons;
            std::printf("%s: %s\n", name.c_str(), value.error().message().c_str());
        }
    }
    std::printf("%zu values, %zu reasons; 256 MiB were received: %s\n", values, reasons, moved ? "yes" : "no");
    return (moved || values == 0) && values + reasons > 0 ? 0 : 1;
}

// Two rounds; the sum over both GPUs of what each holds.
struct all_reduce {
    memory of[2]{memory{0}, memory{1}};
    ncclComm_t comms[2]{};
    all_reduce() {
        int const gpus[2]{0, 1};
        must(ncclCommInitAll(comms, 2, gpus), "ncclCommInitAll");
    }
    void run() const {
        must(ncclGroupStart(), "ncclGroupStart");
        for (int gpu = 0; gpu < 2; ++gpu)
            must(ncclAllReduce(of[gpu].from, of[gpu].to, numbers, ncclFloat, ncclSum, comms[gpu], of[gpu].stream),
                 "ncclAllReduce");
        must(ncclGroupEnd(), "ncclGroupEnd");
        for (auto const& each : of) must(cudaStreamSynchronize(each.stream), "cudaStreamSynchronize");
    }
};

static int plain() {
    all_reduce const work;
    must(cudaSetDevice(0), "cudaSetDevice");
    for (int round = 0; round < 3; ++round) {
        work.run();
        add<<<grid, block, 0, work.of[0].stream>>>(work.of[0].to, work.of[0].from, numbers);
        must(cudaStreamSynchronize(work.of[0].stream), "cudaStreamSynchronize");
    }
    std::puts("PASSED");
    return 0;
}

// Kernel replay: NCCL's kernel must not be repeated, is named by the report, and the kernels around it have all values: by launch
// replay, since CUPTI cannot save what NCCL maps, or by CUPTI where NCCL maps nothing (NCCL_CUMEM_ENABLE=0).
static int guarded_all_reduce() {
    all_reduce const work;
    work.run();
    must(cudaSetDevice(0), "cudaSetDevice");
    gpuprof::device const device = gpuprof::open_device(0);
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    gpuprof::profiler prof{device,
                           options,
                           gpuprof::metric<"smsp__warps_launched.sum">,
                           gpuprof::metric<"dram__bytes_read.sum">,
                           gpuprof::metric<"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum">,
                           gpuprof::metric<"sm__throughput.avg.pct_of_peak_sustained_elapsed">};
    constexpr int rounds = 3;
    memory const& mine = work.of[0];
    for (auto pass : prof.passes())
        for (int round = 0; round < rounds; ++round) {
            add<<<grid, block, 0, mine.stream>>>(mine.from, mine.from, numbers); // 1, 2, 3 everywhere
            work.run();
            must(cudaSetDevice(0), "cudaSetDevice");
            add<<<grid, block, 0, mine.stream>>>(mine.to, mine.to, numbers);
            must(cudaStreamSynchronize(mine.stream), "cudaStreamSynchronize");
        }
    bool good = true;
    auto const report = prof.report();
    bool is_named = false;
    for (auto const& each : report.completeness().problems) {
        std::printf("%s\n", each.message().c_str());
        is_named =
            is_named || (each.what.starts_with("ncclDevKernel") && each.what.ends_with("3 launches were not measured"));
    }
    auto const& changed = report.completeness().replay_changed;
    if (changed) std::printf("%s\n", changed->message().c_str());
    char const* const maps = std::getenv("NCCL_CUMEM_ENABLE");
    if (changed.has_value() == (maps != nullptr && std::string_view{maps} == "0"))
        good = false, std::puts("wrong: who repeated kernels");
    if (!is_named) good = false, std::puts("wrong: no problem names NCCL's kernel and its 3 launches");
    std::size_t measured = 0;
    for (auto const& range : report) {
        if (range.name().starts_with("ncclDevKernel")) continue; // by launch replay a range without values
        ++measured;
        auto const warps = range.try_values("smsp__warps_launched.sum");
        auto const sectors = range.try_values("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
        if (!warps || !sectors || warps->size() != 2 * rounds) {
            good = false;
            std::printf("wrong: values of %s\n", std::string{range.name()}.c_str());
            continue;
        }
        for (double const each : *warps) good = good && each == double(grid) * block / 32;
        for (double const each : *sectors) good = good && each == double(numbers) * sizeof(float) / 32;
        std::printf("%s: %.0f warps, %.0f sectors, %zu launches, %zu passes\n", std::string{range.name()}.c_str(),
                    warps->front(), sectors->front(), warps->size(), prof.passes_needed());
    }
    if (measured != 1) good = false, std::puts("wrong: number of ranges");
    for (std::size_t const at : {std::size_t{0}, numbers - 1})
        for (int gpu = 0; gpu < 2; ++gpu) {
            float found = 0;
            must(cudaMemcpy(&found, work.of[gpu].to + at, sizeof found, cudaMemcpyDefault), "cudaMemcpy");
            float const right = gpu == 0 ? rounds + 1 : rounds; // GPU 0 added 1 to the last sum
            if (found != right) good = false, std::printf("wrong: %g on GPU %d, not %g\n", found, gpu, right);
        }
    std::puts(good ? "as it should be" : "wrong");
    return good ? 0 : 1;
}

static int measured_all_reduce(std::string_view mode) {
    if (mode == "auto_kernel") return guarded_all_reduce();
    all_reduce const work;
    work.run();
    must(cudaSetDevice(0), "cudaSetDevice");
    gpuprof::device const device = gpuprof::open_device(0);
    gpuprof::profiler_options options;
    options.max_ranges = 4;
    if (mode == "written") options.memory = gpuprof::memory_control::restore_written;
    if (mode.starts_with("auto")) options.ranges = gpuprof::range_mode::auto_range;
    if (mode == "launch") {
        options.ranges = gpuprof::range_mode::auto_range;
        options.replay = gpuprof::replay_mode::launch;
        options.memory = gpuprof::memory_control::restore_written;
    }
    gpuprof::profiler prof{device,
                           options,
                           gpuprof::metric<"smsp__warps_launched.sum">,
                           gpuprof::metric<"dram__bytes_read.sum">,
                           gpuprof::metric<"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum">,
                           gpuprof::metric<"sm__throughput.avg.pct_of_peak_sustained_elapsed">};
    for (auto pass : prof.passes()) {
        if (options.ranges == gpuprof::range_mode::auto_range) {
            work.run();
        } else {
            gpuprof::scope range{prof, "all_reduce"};
            work.run();
        }
    }
    auto const report = prof.report();
    for (auto const& each : report.completeness().problems) std::printf("%s\n", each.message().c_str());
    for (auto const& range : report)
        if (auto const warps = range.try_value("smsp__warps_launched.sum"); warps)
            std::printf("%s: %.0f warps, %zu passes\n", std::string{range.name()}.c_str(), warps->value,
                        prof.passes_needed());
    return 0;
}

int main(int count, char** words) try {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus < 2) {
        std::puts("skipped: there are no two GPUs");
        return 77;
    }
    std::string_view const what = count > 1 ? words[1] : "";
    if (what == "counters") return counters();
    if (what == "links") return links();
    if (what == "plain") return plain();
    if (what == "all_reduce" && count > 2) return measured_all_reduce(words[2]);
    std::puts("usage: two_gpus counters | links | plain | all_reduce user|written|auto_user|auto_kernel|launch");
    return 2;
} catch (std::exception const& problem) {
    std::printf("%s\n", problem.what());
    return 1;
}
