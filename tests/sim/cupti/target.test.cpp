// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sim/cupti/target.hpp and nvperf.hpp: what the embedded GPU's older profiling API answers to calls out of order and to
// structures and handles that are wrong. What right ones count, tests/hw/counters/target and the room measure/ say.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gpuprof/hw/counters/target/target_host.hpp>

#include "sim/cupti/cupti.hpp"
#include "sim/cupti/nvperf.hpp"
#include "support/test_machine.hpp"

namespace sim_target_test {

using namespace gpuprof::abi;
namespace hw = gpuprof::hw;

namespace {

// A test machine, and the images of one metric on it.
struct profiled {
    test::test_machine machine;
    cupti_table const& cupti = machine.cupti;
    CUcontext context = machine.use_device();
    hw::target_configuration config =
        *hw::try_configure_target(gpuprof::sim::cupti::nvperf_calls(), "GH100", {"smsp__warps_launched.sum"});
    std::vector<std::uint8_t> image;
    std::vector<std::uint8_t> scratch = std::vector<std::uint8_t>(64);

    profiled() {
        CUpti_Profiler_Initialize_Params ready;
        REQUIRE(cupti.ProfilerInitialize(&ready) == CUPTI_SUCCESS);
        CUpti_Profiler_CounterDataImageOptions options;
        options.pCounterDataPrefix = config.counter_data_prefix.data();
        options.counterDataPrefixSize = config.counter_data_prefix.size();
        options.maxNumRanges = options.maxNumRangeTreeNodes = 4;
        options.maxRangeNameLength = 64;
        CUpti_Profiler_CounterDataImage_CalculateSize_Params size;
        size.pOptions = &options;
        REQUIRE(cupti.ProfilerCounterDataImageCalculateSize(&size) == CUPTI_SUCCESS);
        image.resize(size.counterDataImageSize);
        CUpti_Profiler_CounterDataImage_Initialize_Params clear;
        clear.pOptions = &options;
        clear.counterDataImageSize = image.size();
        clear.pCounterDataImage = image.data();
        REQUIRE(cupti.ProfilerCounterDataImageInitialize(&clear) == CUPTI_SUCCESS);
        clear.counterDataImageSize = image.size() - 1;
        CHECK(cupti.ProfilerCounterDataImageInitialize(&clear) == CUPTI_ERROR_INVALID_PARAMETER);
        options.maxNumRangeTreeNodes = 3; // fewer than ranges
        CHECK(cupti.ProfilerCounterDataImageCalculateSize(&size) == CUPTI_ERROR_INVALID_PARAMETER);
    }
    [[nodiscard]] CUpti_Profiler_BeginSession_Params session() {
        CUpti_Profiler_BeginSession_Params p;
        p.counterDataImageSize = image.size();
        p.pCounterDataImage = image.data();
        p.counterDataScratchBufferSize = scratch.size();
        p.pCounterDataScratchBuffer = scratch.data();
        p.range = CUPTI_UserRange;
        p.replayMode = CUPTI_UserReplay;
        p.maxRangesPerPass = p.maxLaunchesPerPass = 4;
        return p;
    }
    [[nodiscard]] CUpti_Profiler_SetConfig_Params set() const {
        CUpti_Profiler_SetConfig_Params p;
        p.pConfig = config.image.data();
        p.configSize = config.image.size();
        p.minNestingLevel = p.numNestingLevels = p.targetNestingLevel = 1;
        return p;
    }
    template <class Params>
    [[nodiscard]] static CUptiResult call(CUptiResult (*made)(Params*)) {
        Params p;
        return made(&p);
    }
    [[nodiscard]] CUptiResult push() const {
        CUpti_Profiler_PushRange_Params p;
        p.pRangeName = "range, cut";
        p.rangeNameLength = 5;
        return cupti.ProfilerPushRange(&p);
    }
};

} // namespace

TEST_CASE("the older profiling API refuses calls out of order") {
    profiled in;
    cupti_table const& cupti = in.cupti;
    CHECK(in.call(cupti.ProfilerEndSession) == CUPTI_ERROR_INVALID_PARAMETER); // there is none
    auto set = in.set();
    CHECK(cupti.ProfilerSetConfig(&set) == CUPTI_ERROR_INVALID_PARAMETER);
    auto begin = in.session();
    REQUIRE(cupti.ProfilerBeginSession(&begin) == CUPTI_SUCCESS);
    CHECK(cupti.ProfilerBeginSession(&begin) == CUPTI_ERROR_INVALID_OPERATION); // one a context
    CUpti_RangeProfiler_Enable_Params enable;
    CHECK(cupti.RangeProfilerEnable(&enable) == CUPTI_SUCCESS);
    CHECK(enable.pRangeProfilerObject == nullptr); // of either interface
    CHECK(in.call(cupti.ProfilerBeginPass) == CUPTI_ERROR_INVALID_OPERATION);
    set.minNestingLevel = 0;
    CHECK(cupti.ProfilerSetConfig(&set) == CUPTI_ERROR_INVALID_PARAMETER);
    set.minNestingLevel = 1;
    REQUIRE(cupti.ProfilerSetConfig(&set) == CUPTI_SUCCESS);
    CHECK(cupti.ProfilerSetConfig(&set) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(in.call(cupti.ProfilerEnableProfiling) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(in.call(cupti.ProfilerEndPass) == CUPTI_ERROR_INVALID_OPERATION);
    REQUIRE(in.call(cupti.ProfilerBeginPass) == CUPTI_SUCCESS);
    CHECK(in.push() == CUPTI_ERROR_INVALID_OPERATION); // not counting
    REQUIRE(in.call(cupti.ProfilerEnableProfiling) == CUPTI_SUCCESS);
    REQUIRE(in.push() == CUPTI_SUCCESS);
    CHECK(in.call(cupti.ProfilerEndPass) == CUPTI_ERROR_INVALID_OPERATION); // still counting
    CHECK(in.call(cupti.ProfilerUnsetConfig) == CUPTI_ERROR_INVALID_OPERATION);
    REQUIRE(in.call(cupti.ProfilerPopRange) == CUPTI_SUCCESS);
    REQUIRE(in.call(cupti.ProfilerDisableProfiling) == CUPTI_SUCCESS);
    CHECK(in.call(cupti.ProfilerFlushCounterData) == CUPTI_ERROR_INVALID_OPERATION); // in a pass
    REQUIRE(in.call(cupti.ProfilerEndPass) == CUPTI_SUCCESS);
    REQUIRE(in.call(cupti.ProfilerFlushCounterData) == CUPTI_SUCCESS);
    REQUIRE(in.call(cupti.ProfilerUnsetConfig) == CUPTI_SUCCESS);
    REQUIRE(in.call(cupti.ProfilerEndSession) == CUPTI_SUCCESS);
    auto const& host = gpuprof::sim::cupti::nvperf_calls();
    CHECK(hw::try_count_ranges(host, in.image).value() == 1);
    CHECK(hw::try_range_name(host, in.image, 0).value() == "range");
    CHECK_FALSE(hw::try_range_name(host, in.image, 1));
}

TEST_CASE("the older profiling API refuses sessions that cannot be") {
    profiled in;
    auto const refusal = [&](auto change) {
        auto begin = in.session();
        change(begin);
        return in.cupti.ProfilerBeginSession(&begin);
    };
    using params = CUpti_Profiler_BeginSession_Params;
    CHECK(refusal([](params& p) { p.structSize = 8; }) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(refusal([](params& p) { p.maxLaunchesPerPass = 3; }) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(refusal([](params& p) { p.counterDataImageSize = 8; }) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(refusal([](params& p) { p.pCounterDataScratchBuffer = nullptr; }) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(refusal([](params& p) { p.replayMode = CUPTI_KernelReplay; }) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(refusal([&](params& p) { p.ctx = reinterpret_cast<CUcontext>(&in); }) == CUPTI_ERROR_INVALID_CONTEXT);
    CUpti_Profiler_DeInitialize_Params end;
    REQUIRE(in.cupti.ProfilerDeInitialize(&end) == CUPTI_SUCCESS);
    CHECK(refusal([](params&) {}) == CUPTI_ERROR_NOT_INITIALIZED);
}

TEST_CASE("the older profiling API collects on another context while one has its session") {
    profiled in;
    auto begin = in.session();
    REQUIRE(in.cupti.ProfilerBeginSession(&begin) == CUPTI_SUCCESS);
    CUcontext other = nullptr;
    REQUIRE(in.machine.driver.CtxCreate(&other, 0, 0) == CUDA_SUCCESS);
    auto second_image = in.image;
    auto second = in.session();
    second.pCounterDataImage = second_image.data();
    REQUIRE(in.cupti.ProfilerBeginSession(&second) == CUPTI_SUCCESS);
    REQUIRE(in.call(in.cupti.ProfilerEndSession) == CUPTI_SUCCESS);
    CHECK(in.call(in.cupti.ProfilerEndSession) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(in.machine.driver.CtxSetCurrent(in.context) == CUDA_SUCCESS);
    CHECK(in.call(in.cupti.ProfilerEndSession) == CUPTI_SUCCESS);
}

TEST_CASE("the embedded libnvperf_host refuses what it did not make") {
    nvperf_table const& host = gpuprof::sim::cupti::nvperf_calls();
    int something = 0;
    NVPW_MetricsEvaluator_Destroy_Params evaluator;
    evaluator.pMetricsEvaluator = reinterpret_cast<NVPW_MetricsEvaluator*>(&something);
    CHECK(host.MetricsEvaluator_Destroy(&evaluator) == 8);
    NVPW_RawMetricsConfig_Destroy_Params config;
    config.pRawMetricsConfig = reinterpret_cast<NVPA_RawMetricsConfig*>(&something);
    CHECK(host.RawMetricsConfig_Destroy(&config) == 8);
    NVPW_CUDA_RawMetricsConfig_Create_V2_Params create;
    create.pChipName = "GX1";
    CHECK(host.CUDA_RawMetricsConfig_Create_V2(&create) == 14);
    create.pChipName = "GH100";
    REQUIRE(host.CUDA_RawMetricsConfig_Create_V2(&create) == 0);
    NVPA_RawMetricRequest raw;
    raw.pMetricName = "smsp__warps_launched";
    NVPW_RawMetricsConfig_AddMetrics_Params add;
    add.pRawMetricsConfig = create.pRawMetricsConfig;
    add.pRawMetricRequests = &raw;
    add.numMetricRequests = 1;
    CHECK(host.RawMetricsConfig_AddMetrics(&add) == 8); // outside of a group
    NVPW_RawMetricsConfig_GetConfigImage_Params image;
    image.pRawMetricsConfig = create.pRawMetricsConfig;
    CHECK(host.RawMetricsConfig_GetConfigImage(&image) == 8); // not generated
    config.pRawMetricsConfig = create.pRawMetricsConfig;
    CHECK(host.RawMetricsConfig_Destroy(&config) == 0);
    CHECK(host.RawMetricsConfig_Destroy(&config) == 8);
}

} // namespace sim_target_test
