// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two GPUs of one process, for two_gpus.sh.
//   two_gpus counters          each measured alone, then both side by side by two threads: the same counts, known by arithmetic
//   two_gpus links             what goes over the links while GPU 0 reads 256 MiB of GPU 1, or why it cannot be had
//   two_gpus copies            64 MiB from GPU 0 to GPU 1 by each call that copies between GPUs: one record of a trace with peer access,
//                              two by way of the host without it
//   two_gpus by_link           1 GiB copied each way: what each link carried, by the management library's counters, joined with CUPTI's
//                              records of the topology, and beside the sums that counters of a range have
//   two_gpus all_reduce MODE   an all-reduce of NCCL over both, measured on GPU 0: user, written, auto_user, auto_kernel, launch.
//                              auto_kernel: with kernels of the program's around it, which have values; NCCL's is named and has none
//   two_gpus plain             the same without gpuprof, for what measures programs as they are
// Exit status 0 if all that is known beforehand is so, 1 if it is not, 77 without two GPUs.
#include <cstddef>
#include <cstdio>
#include <chrono>
#include <cstdlib>
#include <cstring>
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
#include <gpuprof/trace.hpp>

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

// A copy in a trace of both kinds. With peer access it is one record between GPUs; else the driver copies to the host and from there,
// and CUPTI records these.
static bool is_traced(char const* how, bool is_direct, std::size_t size,
                      void (*copy)(void* to, void* from, std::size_t size)) {
    namespace activity = gpuprof::activity;
    void* buffers[2]{};
    for (int gpu = 1; gpu >= 0; --gpu) { // GPU 0 is current afterwards
        must(cudaSetDevice(gpu), "cudaSetDevice");
        must(cudaMalloc(&buffers[gpu], size), "cudaMalloc");
        must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    auto const first = gpuprof::open_device(0);
    gpuprof::tracer tracer{first, activity::kinds<activity::peer_memcpy, activity::memcpy>};
    copy(buffers[1], buffers[0], size);
    must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::size_t peer = 0, plain = 0;
    auto const between = [&](activity::peer_memcpy const& each) {
        bool const is_right =
            each.size.value() == static_cast<double>(size) && each.from_device == 0 && each.to_device == 1;
        double const took = static_cast<double>(each.time.end.ticks - each.time.start.ticks);
        std::printf("%s: %.0f bytes from GPU %u to GPU %u, by GPU %u, in %.0f ns\n", how, each.size.value(),
                    each.from_device, each.to_device, each.device, took);
        peer += is_right && took > 0 ? 1 : 0;
    };
    auto const other = [&](activity::memcpy const& each) {
        double const took = static_cast<double>(each.time.end.ticks - each.time.start.ticks);
        std::printf("%s: %.0f bytes %s the host, by GPU %u, context %u, stream %u, call %u, at %.0f ns, in %.0f ns\n",
                    how, each.size.value(), each.direction == activity::memcpy_kind::device_to_host ? "to" : "from",
                    each.device, each.context, each.stream, each.correlation,
                    static_cast<double>(each.time.start.ticks % 1'000'000'000), took);
        plain += each.size.value() == static_cast<double>(size) && took > 0 ? 1 : 0;
    };
    tracer.flush().visit(gpuprof::overloaded{between, other});
    for (int gpu = 0; gpu < 2; ++gpu) must(cudaFree(buffers[gpu]), "cudaFree");
    bool const is_right = is_direct ? peer == 1 && plain == 0 : peer == 0 && plain == 2;
    if (!is_right) std::printf("%s: WRONG: %zu records between GPUs, %zu others\n", how, peer, plain);
    return is_right;
}
static int copies() {
    constexpr std::size_t size = std::size_t{64} << 20;
    auto const try_all = [](bool is_direct) {
        bool all = is_traced("cudaMemcpyPeer", is_direct, size, [](void* to, void* from, std::size_t bytes) {
            must(cudaMemcpyPeer(to, 1, from, 0, bytes), "cudaMemcpyPeer");
        });
        all &= is_traced("cudaMemcpyPeerAsync", is_direct, size, [](void* to, void* from, std::size_t bytes) {
            must(cudaMemcpyPeerAsync(to, 1, from, 0, bytes), "cudaMemcpyPeerAsync");
        });
        all &= is_traced("cudaMemcpy", is_direct, size, [](void* to, void* from, std::size_t bytes) {
            must(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
        });
        return all;
    };
    bool all = try_all(false);
    std::puts("with peer access:");
    must(cudaSetDevice(0), "cudaSetDevice");
    must(cudaDeviceEnablePeerAccess(1, 0), "cudaDeviceEnablePeerAccess");
    all &= try_all(true);
    return all ? 0 : 1;
}

static bool within_two_percent(double is, double of) { return is >= of && is <= 1.02 * of; }

// What the links of both GPUs carried while `size` bytes went from one to the other, and nothing else.
static bool one_way(int from, void* const (&buffers)[2], gpuprof::link_meter (&meters)[2], std::size_t size) {
    using way = gpuprof::link_direction;
    int const to = 1 - from;
    for (auto& each : meters) each.try_start().value();
    must(cudaMemcpyPeer(buffers[to], to, buffers[from], from, size), "cudaMemcpyPeer");
    for (int gpu = 0; gpu < 2; ++gpu) must(cudaSetDevice(gpu), "cudaSetDevice"), must(cudaDeviceSynchronize(), "wait");
    gpuprof::link_traffic traffic[2]{meters[0].try_read().value(), meters[1].try_read().value()};
    // If the counters come late, say how late.
    int waits = 0;
    for (; waits < 20 && traffic[to].data(way::received).value() < double(size); ++waits) {
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
        for (int gpu = 0; gpu < 2; ++gpu) traffic[gpu] = meters[gpu].try_read().value();
    }
    std::printf("GPU %d to GPU %d, %zu bytes, read after %d ms\n%s%s", from, to, size, 50 * waits,
                gpuprof::io::table(traffic[0]).c_str(), gpuprof::io::table(traffic[1]).c_str());
    double const sent = traffic[from].data(way::sent).value(), received = traffic[to].data(way::received).value();
    bool const good = within_two_percent(sent, double(size)) && within_two_percent(received, double(size));
    std::printf("sent %.0f, received %.0f: %s\n", sent, received, good ? "as copied, within 2 %" : "WRONG");

    // The topology as CUPTI records it: the ports of this GPU's end choose the links.
    must(cudaSetDevice(from), "cudaSetDevice");
    cudaDeviceProp properties{};
    must(cudaGetDeviceProperties(&properties, from), "cudaGetDeviceProperties");
    using kinds = gpuprof::activity::kind_list<gpuprof::activity::nvlink>;
    auto const device = gpuprof::open_device(from);
    gpuprof::tracer<kinds> trace{device, kinds{}};
    double joined = 0;
    std::size_t records = 0;
    trace.flush(gpuprof::flush_mode::forced).visit([&](gpuprof::activity::nvlink const& record) {
        auto const is_here = [&](gpuprof::activity::uuid const& id) {
            return std::memcmp(id.bytes, properties.uuid.bytes, sizeof id.bytes) == 0;
        };
        for (auto const* ports : {is_here(record.first_uuid) ? &record.first_ports : nullptr,
                                  is_here(record.second_uuid) ? &record.second_ports : nullptr}) {
            if (ports == nullptr) continue;
            ++records;
            double const over = traffic[from].data(way::sent, *ports, record.links).value();
            std::printf("record of %u links, switch: %s, %llu kB/s: %.0f bytes sent\n", unsigned(record.links),
                        record.switch_connected ? "yes" : "no", static_cast<unsigned long long>(record.bandwidth),
                        over);
            joined += over;
        }
    });
    std::printf("%zu records of links of GPU %d; over their ports: %.0f bytes: %s\n", records, from, joined,
                records == 0     ? "no records"
                : joined == sent ? "all that was sent"
                                 : "NOT all that was sent");
    return good && (records == 0 || joined == sent);
}

static int by_link() {
    constexpr std::size_t size = std::size_t{1} << 30;
    int reaches[2]{};
    void* buffers[2]{};
    for (int gpu = 0; gpu < 2; ++gpu) {
        must(cudaDeviceCanAccessPeer(&reaches[gpu], gpu, 1 - gpu), "cudaDeviceCanAccessPeer");
        must(cudaSetDevice(gpu), "cudaSetDevice");
        if (reaches[gpu] != 0) must(cudaDeviceEnablePeerAccess(1 - gpu, 0), "cudaDeviceEnablePeerAccess");
        must(cudaMalloc(&buffers[gpu], size), "cudaMalloc");
        must(cudaMemset(buffers[gpu], gpu, size), "cudaMemset");
        must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    std::printf("peers: %d %d\n", reaches[0], reaches[1]);
    auto first = gpuprof::link_meter::try_create(gpuprof::open_device(0));
    auto second = gpuprof::link_meter::try_create(gpuprof::open_device(1));
    if (!first || !second) {
        std::printf("not measured: %s\n", (first ? second : first).error().message().c_str());
        return 1;
    }
    gpuprof::link_meter meters[2]{*std::move(first), *std::move(second)};
    bool good = one_way(0, buffers, meters, size);
    good = one_way(1, buffers, meters, size) && good;

    // Beside the counters of a range: the same reading of 256 MiB, which runs once a pass and once before.
    must(cudaSetDevice(0), "cudaSetDevice");
    gpuprof::device const device = gpuprof::open_device(0);
    gpuprof::profiler prof{device, gpuprof::metric<"nvlrx__bytes_data_user.sum">};
    auto const read = [&] {
        add<<<grid, block>>>(static_cast<float const*>(buffers[1]), static_cast<float*>(buffers[0]), numbers);
        must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    };
    read();
    int runs = 0;
    meters[0].try_start().value();
    for (auto pass : prof.passes()) {
        gpuprof::scope range{prof, "read"};
        read();
        ++runs;
    }
    double const by_library = meters[0].try_read().value().data(gpuprof::link_direction::received).value() / runs;
    double const by_counters = prof.report().at(0).try_value("nvlrx__bytes_data_user.sum").value().value;
    double const known = double(numbers) * sizeof(float);
    bool const equal = within_two_percent(by_library, known) && within_two_percent(by_counters, known);
    std::printf("a kernel reads %.0f bytes of GPU 1: %.0f by the library, %.0f by the range's counters: %s\n", known,
                by_library, by_counters, equal ? "within 2 %" : "WRONG");
    return good && equal ? 0 : 1;
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
    if (what == "copies") return copies();
    if (what == "by_link") return by_link();
    if (what == "plain") return plain();
    if (what == "all_reduce" && count > 2) return measured_all_reduce(words[2]);
    std::puts("usage: two_gpus counters | links | copies | by_link | plain | all_reduce "
              "user|written|auto_user|auto_kernel|launch");
    return 2;
} catch (std::exception const& problem) {
    std::printf("%s\n", problem.what());
    return 1;
}
