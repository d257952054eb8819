// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// src/sim/gpu/collection.hpp: one execution brings every metric and every nesting level, and the same values as the
// hardware's plan of passes.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/range/metric_host.hpp>
#include <gpuprof/sim.hpp>

namespace collection_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::metric_info;

namespace {

// On a device whose context is current while this lives: a kernel of many kinds of instructions (global and shared memory, barriers, arithmetic, an atomic), 16 blocks of 256
// threads. Its data stays in L2 once it has run.
class work {
public:
    explicit work(gpuprof::device const& gpu) : driver_{gpu.driver()} {
        std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/kernels/reduce.sm_80.ptx"};
        std::string text{std::istreambuf_iterator<char>{file}, {}};
        std::string const target = ".target sm_80";
        REQUIRE(text.find(target) != text.npos);
        text.replace(text.find(target), target.size(), ".target sm_70"); // it has nothing that a V100 lacks
        REQUIRE(driver_.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.ModuleLoadData(&module_, text.c_str()) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.ModuleGetFunction(&kernel_, module_, "reduce_shared") == abi::CUDA_SUCCESS);
        REQUIRE(driver_.MemAlloc(&in_, std::size_t{4096} * 4) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.MemAlloc(&out_, 4096) == abi::CUDA_SUCCESS);
        for (int i = 0; i < 3; ++i) operator()();
    }
    work(work const&) = delete;
    work& operator=(work const&) = delete;
    ~work() {
        driver_.MemFree(in_);
        driver_.MemFree(out_);
        driver_.ModuleUnload(module_);
        abi::CUcontext popped = nullptr;
        driver_.CtxPopCurrent(&popped);
    }
    void operator()(unsigned blocks = 16) {
        void* arguments[]{&in_, &out_, &count_};
        REQUIRE(driver_.LaunchKernel(kernel_, blocks, 1, 1, 256, 1, 1, 1024, nullptr, arguments, nullptr) ==
                abi::CUDA_SUCCESS);
    }

private:
    abi::driver_table const& driver_;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction kernel_ = nullptr;
    abi::CUdeviceptr in_ = 0;
    abi::CUdeviceptr out_ = 0;
    int count_ = 4096;
};

// A value of every metric that the chip models.
std::vector<metric_info> everything(char const* chip) {
    std::vector<metric_info> list;
    auto const modelled = sim::try_embedded_metrics(chip).value();
    for (sim::embedded_metric const& each : modelled) {
        std::string name{each.name};
        if (each.kind == gpuprof::metric_kind::counter) name += ".sum";
        if (each.kind == gpuprof::metric_kind::ratio) name += ".ratio";
        if (each.kind == gpuprof::metric_kind::throughput) name += ".avg.pct_of_peak_sustained_elapsed";
        list.push_back(gpuprof::try_metric(name).value());
    }
    return list;
}

gpuprof::profiler_options one_range() {
    gpuprof::profiler_options options;
    options.max_ranges = 1; // no survey
    return options;
}

struct collected {
    std::map<std::string, double> values;
    std::size_t passes = 0;
    unsigned executions = 0;
};
collected collect(gpuprof::device const& gpu, work& launch, std::vector<metric_info> const& metrics) {
    gpuprof::profiler prof{gpu, one_range(), metrics};
    collected result;
    result.passes = prof.passes_needed();
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        ++result.executions;
        gpuprof::scope const range{prof, "work"};
        launch();
    }
    auto const report = prof.report();
    for (gpuprof::error const& problem : report.completeness().problems) FAIL_CHECK(problem.message());
    for (metric_info const& each : metrics)
        if (auto const value = report.try_range("work").value().try_value(each.name))
            result.values[each.name] = value->value;
        else if (!gpuprof::detail::is_quotient(each)) FAIL_CHECK(value.error().message()); // else 0/0
    return result;
}

} // namespace

TEST_CASE("one pass: every metric that the embedded GPU models, asked for at once, is as when asked for alone") {
    for (char const* const chip : {"gh100", "gv100"}) {
        CAPTURE(chip);
        gpuprof::device const gpu = sim::open_embedded(chip).value();
        work launch{gpu};
        auto const metrics = everything(chip);
        CHECK(metrics.size() > 400);
        collected const at_once = collect(gpu, launch, metrics);
        CHECK(at_once.passes == 1);
        CHECK(at_once.executions == 1);
        CHECK(at_once.values.size() > 400);
        std::size_t not_zero = 0;
        for (metric_info const& each : metrics) {
            CAPTURE(each.name);
            collected const alone = collect(gpu, launch, {each});
            CHECK(alone.executions == 1);
            CHECK(at_once.values.count(each.name) == alone.values.count(each.name));
            if (at_once.values.count(each.name) == 0 || alone.values.count(each.name) == 0) continue;
            CHECK(at_once.values.at(each.name) == alone.values.at(each.name));
            not_zero += at_once.values.at(each.name) != 0;
        }
        CHECK(not_zero > 200);
    }
}

TEST_CASE("one pass: the hardware's plan of passes takes several executions and gives the same values") {
    for (char const* const chip : {"gh100", "gv100"}) {
        CAPTURE(chip);
        auto const metrics = everything(chip);
        gpuprof::device const quick = sim::open_embedded(chip).value();
        gpuprof::device const planned = sim::open_embedded(chip, sim::collection::in_passes).value();
        CHECK(quick.ordinal() != planned.ordinal());
        auto const on = [&](gpuprof::device const& gpu) {
            work launch{gpu};
            return collect(gpu, launch, metrics);
        };
        collected const at_once = on(quick);
        collected const in_passes = on(planned);
        CHECK(at_once.executions == 1);
        CHECK(in_passes.passes > 20); // 200 metrics of smsp alone, of which an instance holds 4
        CHECK(in_passes.executions == in_passes.passes);
        for (metric_info const& each : metrics) {
            CAPTURE(each.name);
            CHECK(at_once.values.count(each.name) == in_passes.values.count(each.name));
            if (at_once.values.count(each.name) == 0 || in_passes.values.count(each.name) == 0) continue;
            CHECK(at_once.values.at(each.name) == in_passes.values.at(each.name));
        }
    }
}

TEST_CASE("one pass: all nesting levels are collected in one execution, in the hardware's plan one after the other") {
    auto const measure = [](sim::collection how, std::size_t expected_executions) {
        gpuprof::device const gpu = sim::open_embedded("gh100", how).value();
        work launch{gpu};
        gpuprof::profiler_options options;
        options.max_ranges = 5;
        options.nesting_levels = 3;
        gpuprof::profiler prof{gpu, options, gpuprof::metrics::warps_launched, gpuprof::metrics::ffma_thread_inst};
        std::size_t executions = 0;
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            ++executions;
            gpuprof::scope const frame{prof, "frame"};
            launch(1);
            {
                gpuprof::scope const step{prof, "step"};
                launch(2);
                for (int i = 0; i < 2; ++i) {
                    gpuprof::scope const part{prof, "part"};
                    launch(4);
                }
            }
            gpuprof::scope const rest{prof, "rest"};
            launch(8);
        }
        auto const report = prof.report();
        CHECK(report.complete());
        CHECK(executions == expected_executions);
        CHECK(report.completeness().replay_passes == expected_executions);
        auto const warps = [&](char const* path) { return report[path][gpuprof::metrics::warps_launched].count(); };
        CHECK(warps("frame") == 8 * (1 + 2 + 2 * 4 + 8)); // 8 warps a block
        CHECK(warps("frame/step") == 8 * (2 + 2 * 4));
        CHECK(warps("frame/step/part") == 8 * 2 * 4);
        CHECK(warps("frame/rest") == 8 * 8);
    };
    measure(sim::collection::at_once, 1);
    measure(sim::collection::in_passes, 2 * 3); // instructions by patching take a pass of their own; three levels
}

TEST_CASE("one pass: with a survey the code runs twice, once of it under the counters") {
    gpuprof::device const gpu = sim::open_embedded("").value();
    work launch{gpu};
    gpuprof::profiler prof{gpu, {}, everything("gh100")};
    unsigned executions = 0, measured = 0;
    for (gpuprof::pass const pass : prof.passes()) {
        ++executions;
        measured += pass.measured;
        gpuprof::scope const outer{prof, "outer"};
        gpuprof::scope const inner{prof, "inner"};
        launch();
    }
    CHECK(executions == 2);
    CHECK(measured == 1);
    CHECK(prof.report().complete());
}

TEST_CASE("one pass: each kernel a range, replayed by the application or by the profiler, takes one execution") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    work launch{gpu};
    for (auto const replay : {gpuprof::replay_mode::user, gpuprof::replay_mode::kernel}) {
        gpuprof::profiler_options options;
        options.max_ranges = 4;
        options.ranges = gpuprof::range_mode::auto_range;
        options.replay = replay;
        gpuprof::profiler prof{gpu, options, everything("gh100")};
        unsigned executions = 0;
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            ++executions;
            launch(3);
            launch(5);
        }
        CHECK(executions == 1);
        auto const report = prof.report();
        REQUIRE(report.size() == 1); // one kernel, launched twice
        CHECK(report.at(0).try_values("sm__ctas_launched.sum").value() == std::vector<double>{3, 5});
    }
}

TEST_CASE("one pass: a configuration grows by calls, and without a device it is the hardware's plan") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    abi::cupti_table const& cupti = gpu.cupti();
    abi::CUpti_Profiler_GetCounterAvailability_Params available;
    available.ctx = gpu.context();
    abi::CUpti_Profiler_Initialize_Params ready;
    REQUIRE(cupti.ProfilerInitialize(&ready) == abi::CUPTI_SUCCESS);
    REQUIRE(cupti.ProfilerGetCounterAvailability(&available) == abi::CUPTI_SUCCESS);
    std::vector<std::uint8_t> image(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = image.data();
    REQUIRE(cupti.ProfilerGetCounterAvailability(&available) == abi::CUPTI_SUCCESS);
    auto const passes = [&](bool at_hand) {
        auto host = gpuprof::hw::metric_host::try_open(cupti, "GH100", at_hand ? image : std::vector<std::uint8_t>{});
        REQUIRE(host);
        return host->try_configure({"smsp__warps_launched.sum", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"})
            .value()
            .passes;
    };
    CHECK(passes(true) == 1);
    CHECK(passes(false) == 2);

    abi::CUpti_Profiler_Host_Initialize_Params open;
    open.pChipName = "GH100";
    open.pCounterAvailabilityImage = image.data();
    REQUIRE(cupti.ProfilerHostInitialize(&open) == abi::CUPTI_SUCCESS);
    for (char const* name : {"sm__inst_executed.sum", "smsp__warps_launched.sum", "sm__inst_executed.avg"}) {
        abi::CUpti_Profiler_Host_ConfigAddMetrics_Params add;
        add.pHostObject = open.pHostObject;
        add.ppMetricNames = &name;
        add.numMetrics = 1;
        REQUIRE(cupti.ProfilerHostConfigAddMetrics(&add) == abi::CUPTI_SUCCESS);
    }
    abi::CUpti_Profiler_Host_GetConfigImageSize_Params size;
    size.pHostObject = open.pHostObject;
    REQUIRE(cupti.ProfilerHostGetConfigImageSize(&size) == abi::CUPTI_SUCCESS);
    std::vector<std::uint8_t> config(size.configImageSize);
    abi::CUpti_Profiler_Host_GetConfigImage_Params get;
    get.pHostObject = open.pHostObject;
    get.configImageSize = config.size();
    get.pConfigImage = config.data();
    REQUIRE(cupti.ProfilerHostGetConfigImage(&get) == abi::CUPTI_SUCCESS);
    abi::CUpti_Profiler_Host_GetNumOfPasses_Params count;
    count.configImageSize = config.size();
    count.pConfigImage = config.data();
    REQUIRE(cupti.ProfilerHostGetNumOfPasses(&count) == abi::CUPTI_SUCCESS);
    CHECK(count.numOfPasses == 1);
    // Header, then one pass: its number of rows and two rows; the third metric is of the first one's counter.
    CHECK(config.size() == 5 * 4 + 3 * 2);
}

} // namespace collection_test

#endif
