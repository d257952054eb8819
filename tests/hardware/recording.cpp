// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of kernels, one line each with its verdict and its numbers, on the device that GPUPROF_DEVICE names: on a GPU, on the
// embedded GPU, and on recordings of both. recording.sh runs and compares them.
//
//     recording            prints the lines
//     recording library    also a multiplication by cuBLAS, whose kernels have no PTX
//     recording outputs    also the records of a tracer, samples of counters, of instructions and of scopes, counts of
//                          instructions, and frames: each value and time, so that a replay prints the same
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <dlfcn.h>

#include <gpuprof/frames.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/trace.hpp>

#include "../../examples/unit_test/kernels.hpp"

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

namespace {

// The first line of what a check says; the others are advice and where values are from.
void print(char const* what, gpuprof::outcome const& found) {
    std::string text = found.verdict == gpuprof::verdict::inconclusive ? found.reason : found.expanded;
    text.resize(std::min(text.find('\n'), text.size()));
    std::printf("%-34s %-12s %s\n", what, std::string{name(found.verdict)}.c_str(), text.c_str());
}
#define CHECKED(what, ...) print(what, gpuprof::judge::settled(gpuprof::judge::decomposer{} << __VA_ARGS__))

// A product of two matrices by cuBLAS, if there is one that works; nothing else.
class library {
public:
    explicit library(gpuprof::device const& gpu) : driver_{gpu.driver()} {
        for (char const* const name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
            if (handle_ == nullptr) handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        int (*create)(void**) = nullptr;
        if (!find("cublasCreate_v2", create) || !find("cublasSgemm_v2", multiply_) || create(&blas_) != 0) return;
        for (auto& each : matrices_)
            if (driver_.MemAlloc(&each, 4ull * size * size) || driver_.MemsetD32(each, 0, 1ull * size * size)) return;
        works_ = true;
    }
    void multiply() const {
        if (!works_) return;
        float const one = 1, zero = 0;
        auto const at = [this](int i) { return reinterpret_cast<float*>(matrices_[i]); };
        static_cast<void>(multiply_(blas_, 0, 0, size, size, size, &one, at(0), size, at(1), size, &zero, at(2), size));
        static_cast<void>(driver_.CtxSynchronize());
    }

private:
    static constexpr int size = 512;
    template <class F>
    bool find(char const* name, F& to) {
        void* const address = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
        std::memcpy(&to, &address, sizeof to);
        return address != nullptr;
    }
    gpuprof::abi::driver_table const& driver_;
    void* handle_ = nullptr;
    void* blas_ = nullptr;
    int (*multiply_)(void*, int, int, int, int, int, float const*, float const*, int, float const*, int, float const*,
                     float*, int) = nullptr;
    gpuprof::abi::CUdeviceptr matrices_[3] = {};
    bool works_ = false;
};

// ---- outputs of tracers and samplers --------------------------------------------------------------

unsigned long long wide(std::uint64_t value) { return value; }

// Whether there is one. A replay says in other words why not.
template <class Result>
bool has(char const* what, Result const& of) {
    if (of) return true;
    std::printf("%s: none\n", what);
    std::fprintf(stderr, "%s: %s\n", what, of.error().message().c_str());
    return false;
}

void work(gpuprof::device const& gpu) {
    for (int i = 0; i < 8; ++i) saxpy(gpu), transpose(gpu);
}

void print_trace(gpuprof::device const& gpu) {
    namespace activity = gpuprof::activity;
    using kinds = activity::kind_list<activity::kernel, activity::memcpy, activity::api_call>;
    auto trace = gpuprof::tracer<kinds>::try_begin(gpu, kinds{});
    if (!has("trace", trace)) return;
    for (int step = 0; step < 2; ++step) {
        {
            gpuprof::scope const outer{*trace, "frame"};
            gpuprof::scope const inner{*trace, step == 0 ? "saxpy" : "transpose"};
            if (step == 0) saxpy(gpu);
            else transpose(gpu);
        }
        auto const batch = step == 0 ? trace->try_flush(gpuprof::flush_mode::forced) : trace->try_finish();
        if (!has("batch", batch)) return;
        batch->visit([&]<class Record>(Record const& each) {
            if constexpr (requires { each.grid; })
                std::printf("kernel %.*s %llu %llu %u of %s\n", static_cast<int>(each.name.size()), each.name.data(),
                            wide(each.time.start.ticks), wide(each.time.end.ticks), each.correlation,
                            batch->scope_path(batch->scope_of(each)).c_str());
            else if constexpr (requires { each.callback; })
                std::printf("call %u %llu %u\n", each.callback, wide(each.time.start.ticks), each.correlation);
            else if constexpr (requires { each.direction; })
                std::printf("copy %llu %.0f of %s\n", wide(each.time.start.ticks), each.size.value(),
                            batch->scope_path(batch->scope_of(each)).c_str());
            else if constexpr (requires { each.parent; })
                std::printf("scope %.*s %llu\n", static_cast<int>(each.name.size()), each.name.data(),
                            wide(each.time.start.ticks));
        });
    }
}

void print_samples(gpuprof::device const& gpu) {
    if (auto sampler = gpuprof::pm_sampler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">);
        has("samples", sampler) && has("start", sampler->try_start())) {
        work(gpu);
        static_cast<void>(gpu.driver().CtxSynchronize());
        static_cast<void>(sampler->try_stop());
        if (auto const series = sampler->try_take(); has("series", series))
            for (std::size_t i = 0; i < series->size(); ++i)
                std::printf("sample %llu %.17g\n", wide(series->time(i).start.ticks), series->value(i, 0));
    }
    if (auto sampler = gpuprof::sampled_profiler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">);
        has("scopes", sampler)) {
        if (has("burst", sampler->try_start())) {
            for (int i = 0; i < 2; ++i) {
                gpuprof::scope const step{*sampler, "step"};
                work(gpu);
            }
            static_cast<void>(has("burst's end", sampler->try_stop()));
        }
        if (auto const report = sampler->try_report(); has("report", report))
            for (auto const range : *report)
                if (auto const value = range.try_value("smsp__inst_executed.sum"); has("value", value))
                    std::printf("%s %zu times %.17g\n", range.path().c_str(), range.count(), value->value);
    }
}

void print_instructions(gpuprof::device const& gpu) {
    gpuprof::pc_sampling_options options;
    options.mode = gpuprof::pc_sampling_mode::kernel_serialized;
    options.period = 5;
    if (auto sampler = gpuprof::pc_sampler::try_open(gpu, options); has("samples of instructions", sampler)) {
        work(gpu);
        if (auto const samples = sampler->try_finish(); has("samples of instructions", samples)) {
            std::printf("%llu samples\n", wide(samples->total));
            for (auto const& each : samples->records)
                std::printf("%s %llu %u %llu\n", each.function.c_str(), wide(each.pc_offset), each.launch,
                            wide(each.samples()));
        }
    }
    if (auto counter = gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed"}); has("counts", counter)) {
        work(gpu);
        if (auto const counts = counter->try_finish(); has("counts", counts))
            for (auto const& each : counts->records)
                std::printf("%s %llu %llu\n", each.function.c_str(), wide(each.pc_offset), wide(each.values[0]));
    }
}

void print_frames(gpuprof::device const& gpu) {
    gpuprof::frame_options options;
    options.records = gpuprof::frame_records::own;
    options.expected_frame_us = 1000;
    auto frames = gpuprof::frame_sampler::try_create(gpu, options, gpuprof::metric<"smsp__inst_executed.sum">);
    if (!has("frames", frames)) return;
    for (int i = 0; i < 50; ++i) {
        frames->begin_frame();
        {
            gpuprof::scope const draw{*frames, "draw"};
            work(gpu);
        }
        frames->end_frame();
        for (auto const list : {frames->quantities(), frames->counters(), frames->scopes(), frames->gpu_scopes()})
            for (auto const& each : list)
                std::printf("%s %.17g of %llu\n", each.name.c_str(), each.last.value, wide(each.last.frame));
        if (frames->problem() != nullptr) std::printf("%s\n", frames->problem()->message().c_str());
    }
}

} // namespace

int main(int count, char** words) {
    auto const opened = gpuprof::try_open_device();
    if (!opened) {
        std::printf("%s\n", opened.error().message().c_str());
        return 1;
    }
    gpuprof::device const& gpu = *opened;
    std::printf("%s\n", std::string{gpu.name()}.c_str());
    {
        gpuprof::recorded_as const label{"saxpy"};
        auto const m = gpuprof::observe(
            gpu, [&] { saxpy(gpu); }, metrics::global_load_sectors, metrics::global_load_requests,
            metrics::global_store_sectors, metrics::warps_launched);
        CHECKED("saxpy: sectors a request", m.ratio(0, 1) <= 4.0);
        CHECKED("saxpy: warps", m[metrics::warps_launched] == gpuprof::warps{saxpy_elements / 32});
        CHECKED("saxpy: stores", m[metrics::global_store_sectors] == near(512_sectors, 1_percent));
        print("saxpy: one kernel", gpuprof::judge::expected(m, expect::launch_count(1)));
        print("saxpy: two kernels", gpuprof::judge::expected(m, expect::launch_count(2)));
    }
    {
        gpuprof::recorded_as const label{"transpose"};
        auto const m = gpuprof::observe_for(
            gpu, {expect::no_bank_conflicts(), expect::coalesced_global_stores(), expect::no_divergence()},
            [&] { transpose(gpu); });
        print("transpose: bank conflicts", gpuprof::judge::expected(m, expect::no_bank_conflicts()));
        print("transpose: stores", gpuprof::judge::expected(m, expect::coalesced_global_stores()));
        print("transpose: divergence", gpuprof::judge::expected(m, expect::no_divergence()));
    }
    {
        gpuprof::recorded_as const label{"transpose_unpadded"};
        auto const m = gpuprof::observe_for(gpu, {expect::no_bank_conflicts()}, [&] { transpose_unpadded(gpu); });
        print("transpose_unpadded: bank conflicts", gpuprof::judge::expected(m, expect::no_bank_conflicts()));
    }
    bool with_library = false, with_outputs = false;
    for (int i = 1; i < count; ++i) {
        with_library = with_library || std::strcmp(words[i], "library") == 0;
        with_outputs = with_outputs || std::strcmp(words[i], "outputs") == 0;
    }
    if (with_outputs) {
        gpuprof::recorded_as const label{"outputs"};
        print_trace(gpu);
        print_samples(gpu);
        print_instructions(gpu);
        print_frames(gpu);
    }
    if (with_library) {
        gpuprof::recorded_as const label{"cuBLAS"};
        library const blas{gpu};
        blas.multiply(); // loads what it needs
        auto const m = gpuprof::observe(
            gpu, [&] { blas.multiply(); }, metrics::warps_launched, gpuprof::metric<"smsp__inst_executed.sum">,
            gpuprof::metric<"dram__bytes_read.sum">, gpuprof::metric<"launch__grid_size">);
        CHECKED("cuBLAS: warps", m[metrics::warps_launched] >= 1_warps);
        CHECKED("cuBLAS: instructions",
                m[gpuprof::metric<"smsp__inst_executed.sum">] >= gpuprof::instructions{262144}); // 512^3 / 32 / 16
        CHECKED("cuBLAS: bytes from DRAM", m[gpuprof::metric<"dram__bytes_read.sum">] <= gpuprof::bytes{1e9});
    }
    return 0;
}
