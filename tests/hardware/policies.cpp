// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program, one list of metrics, by the policy that the loaded CUPTI has: its lines are those of every other CUPTI.
//
//     policies [range|target|samples] [LAUNCHES]
//
// Measures on the device that GPUPROF_DEVICE names, by the range profiler, by the profiling API before it, or by what profilers
// choose. Prints "cupti", "policy" and "passes" with what they were, then "value MODE/RANGE METRIC VALUE" for each value and
// "problem MODE TEXT" for what went wrong. Modes: nested (user ranges in two levels, several passes), kernels (each kernel
// replayed by CUPTI), repeated (each kernel, replayed by the program), many (LAUNCHES kernels in one range: 2000, more than the
// profiling API is told to make room for). "samples" counts nothing: it samples the instructions of that one range. Exit status 0 if all values are there and those that arithmetic knows are right.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/sim.hpp>

#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/hw/counters/target/target_hardware.hpp>

#include "../../examples/support/ptx_program.hpp"

namespace {

// store: every thread stores 4 bytes beside those of its neighbours. scale: it loads, multiplies and adds, and stores.
constexpr char ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 to) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r4;
    ret;
}
.visible .entry scale(.param .u64 to) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>; .reg .f32 %f<3>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [to];
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    fma.rn.f32 %f2, %f1, %f1, %f1;
    st.global.f32 [%rd3], %f2;
    ret;
}
)";
constexpr unsigned block = 256;
constexpr unsigned blocks = 264; // two for each SM of an H100

// What one launch of a kernel counts, where arithmetic knows; each warp stores and loads 32 * 4 bytes in whole sectors.
struct counts {
    double warps, store_sectors, load_sectors, ffma;
};
constexpr double threads = double{block} * blocks;
constexpr counts of_store{threads / 32, threads * 4 / 32, 0, 0};
constexpr counts of_scale{threads / 32, threads * 4 / 32, threads * 4 / 32, threads};
constexpr counts operator+(counts a, counts b) {
    return {a.warps + b.warps, a.store_sectors + b.store_sectors, a.load_sectors + b.load_sectors, a.ffma + b.ffma};
}
constexpr counts operator*(double times, counts a) {
    return {times * a.warps, times * a.store_sectors, times * a.load_sectors, times * a.ffma};
}

// The first four are those of counts.
constexpr char const* names[]{"smsp__warps_launched.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                              "smsp__inst_executed.sum",
                              "lts__t_sectors.sum",
                              "dram__bytes.sum",
                              "smsp__cycles_active.avg",
                              "gpu__time_duration.sum",
                              "sm__throughput.avg.pct_of_peak_sustained_elapsed"};

class comparison {
public:
    comparison(gpuprof::device const& gpu, gpuprof::hw::counter_backend const* backend, int launches)
        : gpu_{gpu},
          backend_{backend},
          launches_{launches},
          buffer_{gpu, std::size_t{blocks} * block * 4},
          program_{gpu, ptx} {
        for (char const* const name : names) metrics_.push_back(gpuprof::try_metric(name).value());
    }

    // Samples of instructions, whose records are laid out otherwise before CUPTI 12.4: all are of store, whose 11 PTX
    // instructions become about as many of the GPU.
    bool sample() {
        gpuprof::pc_sampling_options options;
        auto sampler = gpuprof::pc_sampler::try_open(gpu_, options);
        if (!sampler) return problem("samples", sampler.error().message()), good_;
        for (int i = 0; i < launches_; ++i) store();
        gpu_.driver().CtxSynchronize();
        auto const samples = sampler->try_finish();
        if (!samples) return problem("samples", samples.error().message()), good_;
        std::set<std::uint64_t> places;
        for (gpuprof::pc_record const& each : samples->records) {
            places.insert(each.pc_offset);
            if (each.function != "store") problem("samples", "of a function " + each.function);
        }
        std::printf("value samples/store instructions %zu\nvalue samples/store share_in_records %.6g\n", places.size(),
                    static_cast<double>(samples->samples()) / static_cast<double>(samples->total - samples->non_user));
        std::printf(
            "samples %llu of %llu, %llu of other kernels\n", static_cast<unsigned long long>(samples->samples()),
            static_cast<unsigned long long>(samples->total), static_cast<unsigned long long>(samples->non_user));
        if (places.size() < 5 || places.size() > 40) problem("samples", "of too few or too many instructions");
        if (!samples->complete()) problem("samples", "are not complete");
        return good_;
    }

    bool run() {
        nested();
        kernels("kernels", gpuprof::replay_mode::kernel);
        kernels("repeated", gpuprof::replay_mode::user);
        many();
        return good_;
    }

private:
    void store() { program_.launch("store", blocks, block, buffer_.address()); }
    void scale() { program_.launch("scale", blocks, block, buffer_.address()); }

    template <class Body>
    void measure(char const* mode, gpuprof::profiler_options options, Body body,
                 std::vector<std::pair<char const*, counts>> const& expected) {
        options.backend = backend_;
        auto made = gpuprof::profiler::try_create(gpu_, options, metrics_);
        if (!made) return problem(mode, made.error().message());
        int runs = 0;
        for ([[maybe_unused]] auto const& pass : made->passes()) {
            ++runs;
            body(*made);
        }
        auto const report = made->report();
        std::printf("policy %s\npasses %s %zu, the program ran %d times\n", std::string{report.hardware()}.c_str(),
                    mode, made->passes_needed(), runs);
        for (gpuprof::error const& each : report.completeness().problems) problem(mode, each.message());
        for (auto const& [path, right] : expected) {
            auto const range = report.try_range(path);
            if (!range) {
                problem(mode, range.error().message());
                continue;
            }
            double const exact[]{right.warps, right.store_sectors, right.load_sectors, right.ffma};
            for (std::size_t i = 0; i < std::size(names); ++i) {
                auto const value = range->try_value(names[i]);
                if (!value) {
                    problem(mode, value.error().message());
                    continue;
                }
                std::printf("value %s/%s %s %.17g\n", mode, path, names[i], value->value);
                if (i < std::size(exact) && value->value != exact[i])
                    problem(mode, std::string{names[i]} + " of " + path + " should be " + std::to_string(exact[i]));
            }
        }
    }

    void nested() {
        measure("nested", {},
                [&](gpuprof::profiler& prof) {
                    gpuprof::scope frame{prof, "frame"};
                    {
                        gpuprof::scope first{prof, "store"};
                        store();
                        store();
                    }
                    gpuprof::scope second{prof, "scale"};
                    scale();
                },
                {{"frame", 2 * of_store + of_scale}, {"frame/store", 2 * of_store}, {"frame/scale", of_scale}});
    }
    void kernels(char const* mode, gpuprof::replay_mode replay) {
        gpuprof::profiler_options options;
        options.ranges = gpuprof::range_mode::auto_range;
        options.replay = replay;
        options.max_ranges = 3;
        measure(mode, options,
                [&](gpuprof::profiler&) {
                    store();
                    scale();
                    scale();
                },
                {{"store", of_store}, {"scale", 2 * of_scale}});
    }
    void many() {
        measure("many", {},
                [&](gpuprof::profiler& prof) {
                    gpuprof::scope all{prof, "all"};
                    for (int i = 0; i < launches_; ++i) store();
                },
                {{"all", double(launches_) * of_store}});
    }

    void problem(char const* mode, std::string const& text) {
        std::printf("problem %s %s\n", mode, text.c_str());
        good_ = false;
    }

    gpuprof::device const& gpu_;
    gpuprof::hw::counter_backend const* backend_;
    int launches_;
    device_buffer buffer_;
    ptx_program program_;
    std::vector<gpuprof::metric_info> metrics_;
    bool good_ = true;
};

int measure(int count, char** arguments) {
    gpuprof::hw::counter_backend const* backend = nullptr;
    int launches = 2000;
    bool samples = false;
    for (int i = 1; i < count; ++i) {
        std::string_view const word = arguments[i];
        if (word == "range") backend = &gpuprof::hw::backend<gpuprof::hw::range_hardware>;
        else if (word == "target") backend = &gpuprof::hw::backend<gpuprof::hw::target_hardware>;
        else if (word == "samples") samples = true;
        else launches = std::atoi(arguments[i]);
    }
    auto const gpu = gpuprof::try_open_device();
    if (!gpu) {
        std::printf("problem open %s\n", gpu.error().message().c_str());
        return 1;
    }
    auto const& cupti = gpu->machine().cupti_library;
    std::printf("device %s, driver for CUDA %d.%d\ncupti %s (%d) %s\n", std::string{gpu->name()}.c_str(),
                gpu->machine().driver_library.version / 1000, gpu->machine().driver_library.version % 1000 / 10,
                gpuprof::hw::cupti_version_text(cupti.version).c_str(), cupti.version, cupti.path.c_str());
    comparison with{*gpu, backend, launches};
    return (samples ? with.sample() : with.run()) ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // what was printed before a crash is there
    try {
        return measure(count, arguments);
    } catch (std::exception const& why) {
        std::printf("problem main %s\n", why.what());
        return 1;
    }
}
