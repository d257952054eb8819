// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's PM sampling calls: arguments that CUPTI refuses, images that are damaged, work that is spread in time.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "sim/gpu/work_log.hpp"
#include "sim/cupti/pm_sampling.hpp"

#include "support/sampled_gpu.hpp"
#include "sim/chip/chips.hpp"

namespace pm_sampling_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

TEST_CASE("work is spread evenly over its time, in whole numbers that add up") {
    using enum sim::raw_counter;
    sim::counter_values counted;
    counted[inst_executed] = 10;
    std::vector<sim::timed_work> const work{{100, 400, counted}, {400, 500, counted}};
    auto const between = [&](double begin, double end) {
        return sim::counted_between(work, sim::gh100, begin, end)[inst_executed];
    };
    CHECK(between(0, 100) == 0);
    CHECK(between(100, 400) == 10);
    CHECK(between(100, 250) == 5);
    CHECK(between(350, 450) == 2 + 5); // of 10: 10 - floor(8.3), and floor(5)
    CHECK(between(0, 1000) == 20);
    std::uint64_t sum = 0;
    for (int at = 0; at < 600; at += 7) sum += between(at, at + 7);
    CHECK(sum == 20);
    // Clocks count what passed: 1.98 GHz for 100 ns.
    CHECK(sim::counted_between(work, sim::gh100, 1000, 1100)[sm_cycles_elapsed] == 198);
    CHECK(sim::counted_between({}, sim::gh100, 0, 250)[gpu_time_ns] == 250);
}

TEST_CASE("calls with structures of another size, or for objects and devices there are not, are invalid") {
    test::sampled_gpu on;
    cupti_table const& cupti = on.machine.cupti;
    CUpti_PmSampling_Enable_Params enable;
    enable.deviceIndex = 10'000;
    CHECK(cupti.PmSamplingEnable(&enable) == CUPTI_ERROR_INVALID_PARAMETER);
    enable.structSize -= 1;
    CHECK(cupti.PmSamplingEnable(&enable) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.PmSamplingEnable(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    std::size_t refused = 0;
    auto const none = [&](auto call, auto params) { refused += call(&params) == CUPTI_ERROR_INVALID_PARAMETER; };
    none(cupti.PmSamplingDisable, CUpti_PmSampling_Disable_Params{});
    none(cupti.PmSamplingSetConfig, CUpti_PmSampling_SetConfig_Params{});
    none(cupti.PmSamplingStart, CUpti_PmSampling_Start_Params{});
    none(cupti.PmSamplingStop, CUpti_PmSampling_Stop_Params{});
    none(cupti.PmSamplingDecodeData, CUpti_PmSampling_DecodeData_Params{});
    none(cupti.PmSamplingGetCounterDataSize, CUpti_PmSampling_GetCounterDataSize_Params{});
    none(cupti.PmSamplingCounterDataImageInitialize, CUpti_PmSampling_CounterDataImage_Initialize_Params{});
    none(cupti.PmSamplingGetCounterDataInfo, CUpti_PmSampling_GetCounterDataInfo_Params{});
    none(cupti.PmSamplingCounterDataGetSampleInfo, CUpti_PmSampling_CounterData_GetSampleInfo_Params{});
    CHECK(refused == 9);
}

TEST_CASE("a device is sampled by one object, which starts and stops once at a time") {
    test::sampled_gpu on;
    cupti_table const& cupti = on.machine.cupti;
    CUpti_PmSampling_Enable_Params enable;
    enable.deviceIndex = static_cast<std::size_t>(on.gpu->ordinal());
    REQUIRE(cupti.PmSamplingEnable(&enable) == CUPTI_SUCCESS);
    CUpti_PmSampling_Enable_Params again;
    again.deviceIndex = enable.deviceIndex;
    CHECK(cupti.PmSamplingEnable(&again) == CUPTI_ERROR_INVALID_OPERATION);
    CUpti_PmSampling_Start_Params start;
    start.pPmSamplingObject = enable.pPmSamplingObject;
    CHECK(cupti.PmSamplingStart(&start) == CUPTI_ERROR_INVALID_OPERATION); // not configured
    CUpti_PmSampling_Stop_Params stop;
    stop.pPmSamplingObject = enable.pPmSamplingObject;
    CHECK(cupti.PmSamplingStop(&stop) == CUPTI_ERROR_INVALID_OPERATION);
    CUpti_PmSampling_Disable_Params disable;
    disable.pPmSamplingObject = enable.pPmSamplingObject;
    CHECK(cupti.PmSamplingDisable(&disable) == CUPTI_SUCCESS);
    CHECK(cupti.PmSamplingDisable(&disable) == CUPTI_ERROR_INVALID_PARAMETER); // a handle of what is gone
    CHECK(cupti.PmSamplingStart(&start) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("bytes that are no image of samples are refused, wherever they are cut") {
    test::sampled_gpu on;
    cupti_table const& cupti = on.machine.cupti;
    CUpti_PmSampling_Enable_Params enable;
    enable.deviceIndex = static_cast<std::size_t>(on.gpu->ordinal());
    REQUIRE(cupti.PmSamplingEnable(&enable) == CUPTI_SUCCESS);
    char const* names[] = {"lts__t_sectors.sum"};
    CUpti_PmSampling_GetCounterDataSize_Params size;
    size.pPmSamplingObject = enable.pPmSamplingObject;
    size.pMetricNames = names;
    size.numMetrics = 1;
    size.maxSamples = 4;
    REQUIRE(cupti.PmSamplingGetCounterDataSize(&size) == CUPTI_SUCCESS);
    std::vector<std::uint8_t> image(size.counterDataSize);
    CUpti_PmSampling_CounterDataImage_Initialize_Params clear;
    clear.pPmSamplingObject = enable.pPmSamplingObject;
    clear.pCounterData = image.data();
    clear.counterDataSize = image.size() - 1;
    CHECK(cupti.PmSamplingCounterDataImageInitialize(&clear) == CUPTI_ERROR_INVALID_PARAMETER);
    clear.counterDataSize = image.size();
    REQUIRE(cupti.PmSamplingCounterDataImageInitialize(&clear) == CUPTI_SUCCESS);
    CUpti_PmSampling_GetCounterDataInfo_Params info;
    info.pCounterDataImage = image.data();
    info.counterDataImageSize = image.size();
    REQUIRE(cupti.PmSamplingGetCounterDataInfo(&info) == CUPTI_SUCCESS);
    CHECK(info.numTotalSamples == 4);
    CHECK(info.numCompletedSamples == 0);
    CUpti_PmSampling_CounterData_GetSampleInfo_Params when;
    when.pPmSamplingObject = enable.pPmSamplingObject;
    when.pCounterDataImage = image.data();
    when.counterDataImageSize = image.size();
    CHECK(cupti.PmSamplingCounterDataGetSampleInfo(&when) == CUPTI_ERROR_INVALID_PARAMETER); // there is none yet
    std::size_t refused = 0;
    for (std::size_t i = 0; i < 64; ++i) { // the header, byte by byte
        auto damaged = image;
        damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ 0xff);
        info.pCounterDataImage = damaged.data();
        refused += cupti.PmSamplingGetCounterDataInfo(&info) == CUPTI_ERROR_INVALID_PARAMETER;
    }
    CHECK(refused == 64);
    CUpti_PmSampling_Disable_Params disable;
    disable.pPmSamplingObject = enable.pPmSamplingObject;
    CHECK(cupti.PmSamplingDisable(&disable) == CUPTI_SUCCESS);
}

} // namespace pm_sampling_test
