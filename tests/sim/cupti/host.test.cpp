// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's profiler host calls: metrics, passes and errors. Error codes are those that CUPTI 13.0 gave
// without a GPU.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/metric/catalogue/gh100.hpp>
#include <gpuprof/metric/catalogue/gv100.hpp>

#include "support/test_machine.hpp"
#include "sim/chip/chips.hpp"

namespace host_test {

using namespace gpuprof;
using namespace gpuprof::abi;

namespace {

abi::cupti_table const cupti = sim::cupti::table();

CUptiResult make(char const* chip, CUpti_Profiler_Host_Object*& object) {
    CUpti_Profiler_Host_Initialize_Params params;
    params.pChipName = chip;
    auto const status = cupti.ProfilerHostInitialize(&params);
    object = params.pHostObject;
    return status;
}

CUpti_Profiler_Host_Object* host(char const* chip = "GH100") {
    CUpti_Profiler_Host_Object* object = nullptr;
    REQUIRE(make(chip, object) == CUPTI_SUCCESS);
    return object;
}

CUptiResult add(CUpti_Profiler_Host_Object* object, std::vector<char const*> metrics) {
    CUpti_Profiler_Host_ConfigAddMetrics_Params params;
    params.pHostObject = object;
    params.ppMetricNames = metrics.data();
    params.numMetrics = metrics.size();
    return cupti.ProfilerHostConfigAddMetrics(&params);
}

std::vector<std::uint8_t> config_of(CUpti_Profiler_Host_Object* object) {
    CUpti_Profiler_Host_GetConfigImageSize_Params size;
    size.pHostObject = object;
    REQUIRE(cupti.ProfilerHostGetConfigImageSize(&size) == CUPTI_SUCCESS);
    std::vector<std::uint8_t> image(size.configImageSize);
    CUpti_Profiler_Host_GetConfigImage_Params get;
    get.pHostObject = object;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    REQUIRE(cupti.ProfilerHostGetConfigImage(&get) == CUPTI_SUCCESS);
    return image;
}

CUptiResult passes_of(std::vector<std::uint8_t> image, std::size_t& passes) {
    CUpti_Profiler_Host_GetNumOfPasses_Params params;
    params.configImageSize = image.size();
    params.pConfigImage = image.data();
    auto const status = cupti.ProfilerHostGetNumOfPasses(&params);
    passes = params.numOfPasses;
    return status;
}

std::size_t passes(std::vector<char const*> metrics, char const* chip = "GH100") {
    auto* const object = host(chip);
    REQUIRE(add(object, metrics) == CUPTI_SUCCESS);
    std::size_t count = 0;
    REQUIRE(passes_of(config_of(object), count) == CUPTI_SUCCESS);
    return count;
}

void check_against(catalogue const& real, char const* chip_name) {
    auto* const object = host(chip_name);
    for (unsigned kind = 0; kind < 3; ++kind) {
        CUpti_Profiler_Host_GetBaseMetrics_Params names;
        names.pHostObject = object;
        names.metricType = static_cast<CUpti_MetricType>(kind);
        REQUIRE(cupti.ProfilerHostGetBaseMetrics(&names) == CUPTI_SUCCESS);
        CHECK(names.numMetrics > 5);
        for (std::size_t i = 0; i < names.numMetrics; ++i) {
            CAPTURE(names.ppMetricNames[i]);
            auto const known = real.find(names.ppMetricNames[i]);
            REQUIRE(known);
            CHECK(static_cast<unsigned>(known->kind) == kind);
            CUpti_Profiler_Host_GetMetricProperties_Params about;
            about.pHostObject = object;
            about.pMetricName = names.ppMetricNames[i];
            REQUIRE(cupti.ProfilerHostGetMetricProperties(&about) == CUPTI_SUCCESS);
            CHECK(known->hardware_unit == about.pHwUnit);
            CHECK(known->dimension == about.pDimUnit);
            CHECK(static_cast<unsigned>(about.metricType) == kind);
            CHECK(std::string{about.pDescription}.size() > 8);
        }
    }
}

} // namespace

TEST_CASE("every metric of the embedded GPU is one of the real chip, of the same kind, unit and dimension") {
    check_against(catalogue_of<chip::gh100>, "GH100");
    check_against(catalogue_of<chip::gv100>, "GV100");
}

TEST_CASE("the metrics that the H200 log of the range profiler reads are there") {
    CHECK(add(host(),
              {"sm__inst_executed.sum", "smsp__inst_executed.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
               "gpu__time_duration.sum", "sm__warps_active.avg.pct_of_peak_sustained_active",
               "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
               "sm__throughput.avg.pct_of_peak_sustained_elapsed",
               "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__warps_launched.sum"}) == CUPTI_SUCCESS);
}

TEST_CASE("sub-metrics begin with a dot and depend on the kind of metric") {
    auto* const object = host();
    auto const count = [&](char const* name, CUpti_MetricType kind, std::size_t& n) {
        CUpti_Profiler_Host_GetSubMetrics_Params params;
        params.pHostObject = object;
        params.pMetricName = name;
        params.metricType = kind;
        auto const status = cupti.ProfilerHostGetSubMetrics(&params);
        n = params.numOfSubmetrics;
        if (status == CUPTI_SUCCESS) CHECK(params.ppSubMetrics[0][0] == '.');
        return status;
    };
    std::size_t n = 0;
    CHECK(count("sm__inst_executed", CUPTI_METRIC_TYPE_COUNTER, n) == CUPTI_SUCCESS);
    CHECK(n == 44);
    CHECK(count("l1tex__t_sector_hit_rate", CUPTI_METRIC_TYPE_RATIO, n) == CUPTI_SUCCESS);
    CHECK(n == 3);
    CHECK(count("sm__throughput", CUPTI_METRIC_TYPE_THROUGHPUT, n) == CUPTI_SUCCESS);
    CHECK(n == 8);
    CHECK(count("sm__throughput", CUPTI_METRIC_TYPE_COUNTER, n) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(count("nope__x", CUPTI_METRIC_TYPE_COUNTER, n) == CUPTI_ERROR_INVALID_METRIC_NAME);
}

TEST_CASE("dimensions of sub-metrics are spelled as CUPTI spells them") {
    auto* const object = host();
    auto const dimension = [&](char const* name) -> std::string {
        CUpti_Profiler_Host_GetMetricProperties_Params params;
        params.pHostObject = object;
        params.pMetricName = name;
        return cupti.ProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS ? params.pDimUnit : "unknown";
    };
    CHECK(dimension("sm__inst_executed.sum") == "instruction");
    CHECK(dimension("sm__inst_executed.avg.peak_sustained") == "instruction/gpc_cycle");
    CHECK(dimension("sm__inst_executed.avg.peak_sustained_active") == "instruction");
    CHECK(dimension("sm__inst_executed.avg.peak_sustained_active.per_second") == "instruction/second");
    CHECK(dimension("sm__inst_executed.avg.pct_of_peak_sustained_active") == "percent");
    CHECK(dimension("sm__cycles_active.avg.per_cycle_active") == "");
    CHECK(dimension("sm__warps_active.avg.per_cycle_active") == "warp");
    CHECK(dimension("sm__warps_active.sum.per_second") == "gpc_cyclewarp/second");
    CHECK(dimension("gpu__time_duration.avg.per_cycle_active") == "nanosecond/sys_cycle");
    CHECK(dimension("dram__bytes.avg.peak_sustained") == "byte/dram_cycle");
    CHECK(dimension("l1tex__t_sector_hit_rate.pct") == "percent");
    CHECK(dimension("l1tex__average_t_sectors_per_request.max_rate") == "l2_sector/l1tex_request");
    CHECK(dimension("sm__throughput") == "percent");
    CHECK(dimension("sm__throughput.sum") == "unknown");
    CHECK(dimension("sm__inst_executed.summ") == "unknown");
    CHECK(dimension("") == "unknown");
}

TEST_CASE("pass counts for simple sets are those that CUPTI 13.0 plans for the chips") {
    char const* const sm[]{"sm__inst_executed.sum", "sm__inst_executed_pipe_alu.sum", "sm__inst_executed_pipe_fma.sum",
                           "sm__inst_executed_pipe_fp64.sum", "sm__inst_executed_pipe_lsu.sum"};
    CHECK(passes({sm, sm + 4}) == 1);
    CHECK(passes({sm, sm + 5}) == 2);
    CHECK(passes({"sm__inst_executed.sum", "smsp__warps_launched.sum"}) == 1); // units count side by side
    CHECK(passes({"dram__bytes_read.sum", "dram__bytes_write.sum"}) == 1);
    CHECK(passes({"gpu__time_duration.sum"}) == 1);
    CHECK(passes({"l1tex__t_sector_hit_rate.pct"}) == 1);
    CHECK(passes({"l1tex__t_sector_hit_rate.pct"}, "GV100") == 1);

    char const* const l2[]{"lts__t_sectors.sum",
                           "lts__t_requests.sum",
                           "lts__t_sectors_op_read.sum",
                           "lts__t_sectors_op_write.sum",
                           "lts__t_sectors_srcunit_tex.sum",
                           "lts__t_sectors_op_atom.sum"};
    CHECK(passes({l2, l2 + 5}) == 1);
    CHECK(passes({l2, l2 + 6}) == 2);
    CHECK(passes({l2, l2 + 6}, "GV100") == 6);
}

TEST_CASE("counters that patch the program share one pass with nothing else") {
    CHECK(passes({"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                  "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                  "smsp__sass_inst_executed_op_global_ld.sum"}) == 1);
    CHECK(passes({"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "sm__inst_executed.sum"}) == 2);
}

TEST_CASE("a metric asked for twice in one call costs once, in two calls twice") {
    CHECK(passes({"sm__inst_executed.sum", "sm__inst_executed.avg"}) == 1);
    auto* const object = host();
    REQUIRE(add(object, {"sm__inst_executed.sum"}) == CUPTI_SUCCESS);
    REQUIRE(add(object, {"sm__inst_executed.sum"}) == CUPTI_SUCCESS);
    std::size_t count = 0;
    CHECK(passes_of(config_of(object), count) == CUPTI_SUCCESS);
    CHECK(count == 2);
}

TEST_CASE("configuring with nothing, or with what the chip does not have, is an invalid parameter") {
    CHECK(add(host(), {}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(add(host(), {"nope"}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(add(host(), {"sm__inst_executed"}) == CUPTI_ERROR_INVALID_PARAMETER); // cannot be evaluated
    CHECK(add(host(), {"sm__inst_executed.sum", "nope"}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(add(host(), {"sm__inst_executed.sum", nullptr}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(add(nullptr, {"sm__inst_executed.sum"}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(add(host("GV100"), {"sm__inst_executed_pipe_uniform.sum"}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(add(host("GH100"), {"sm__inst_executed_pipe_uniform.sum"}) == CUPTI_SUCCESS);

    CUpti_Profiler_Host_GetConfigImageSize_Params size;
    size.pHostObject = host();
    CHECK(cupti.ProfilerHostGetConfigImageSize(&size) == CUPTI_ERROR_UNKNOWN); // nothing was configured
}

TEST_CASE("host objects are refused for unknown chips, foreign structures and after their end") {
    CUpti_Profiler_Host_Object* object = nullptr;
    CHECK(make("GX100", object) == CUPTI_ERROR_INVALID_CHIP_NAME);
    CHECK(make("gh100", object) == CUPTI_ERROR_INVALID_CHIP_NAME);
    CHECK(make(nullptr, object) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.ProfilerHostInitialize(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CUpti_Profiler_Host_Initialize_Params params;
    params.pChipName = "GH100";
    for (std::size_t const size : {std::size_t{8}, params.structSize - 1, params.structSize + 8}) {
        auto sized = params;
        sized.structSize = size;
        CHECK(cupti.ProfilerHostInitialize(&sized) == CUPTI_ERROR_INVALID_PARAMETER);
    }
    std::uint8_t const foreign[64]{};
    params.pCounterAvailabilityImage = foreign;
    CHECK(cupti.ProfilerHostInitialize(&params) == CUPTI_ERROR_INVALID_PARAMETER);

    CUpti_Profiler_Host_Deinitialize_Params end;
    end.pHostObject = host();
    CHECK(cupti.ProfilerHostDeinitialize(&end) == CUPTI_SUCCESS);
    CHECK(cupti.ProfilerHostDeinitialize(&end) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("a damaged configuration is refused, one of zeros has no passes") {
    auto* const object = host();
    REQUIRE(add(object, {"sm__inst_executed.sum", "dram__bytes_read.sum"}) == CUPTI_SUCCESS);
    auto const good = config_of(object);
    std::size_t count = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
        auto bad = good;
        bad[i] ^= 0x41;
        CAPTURE(i);
        CHECK(passes_of(bad, count) == CUPTI_ERROR_INVALID_PARAMETER);
        CHECK(passes_of({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(i) + 1}, count) ==
              (i + 1 < good.size() ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS));
    }
    CHECK(passes_of(std::vector<std::uint8_t>(1000), count) == CUPTI_SUCCESS);
    CHECK(count == 0);
}

TEST_CASE("counter availability is asked for twice, and needs the profiler and a context") {
    test::test_machine machine;
    CUpti_Profiler_GetCounterAvailability_Params params;
    CHECK(cupti.ProfilerGetCounterAvailability(&params) == CUPTI_ERROR_NOT_INITIALIZED);
    CUpti_Profiler_Initialize_Params initialize;
    REQUIRE(cupti.ProfilerInitialize(&initialize) == CUPTI_SUCCESS);
    CHECK(cupti.ProfilerGetCounterAvailability(&params) == CUPTI_ERROR_INVALID_CONTEXT);
    machine.use_device();
    REQUIRE(cupti.ProfilerGetCounterAvailability(&params) == CUPTI_SUCCESS);
    std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
    REQUIRE(!image.empty());
    params.pCounterAvailabilityImage = image.data();
    params.counterAvailabilityImageSize = image.size() - 1;
    CHECK(cupti.ProfilerGetCounterAvailability(&params) == CUPTI_ERROR_INVALID_PARAMETER);
    params.counterAvailabilityImageSize = image.size();
    REQUIRE(cupti.ProfilerGetCounterAvailability(&params) == CUPTI_SUCCESS);

    CUpti_Profiler_Host_Initialize_Params with;
    with.pChipName = "GH100";
    with.pCounterAvailabilityImage = image.data();
    CHECK(cupti.ProfilerHostInitialize(&with) == CUPTI_SUCCESS);
    with.pChipName = "GV100"; // another chip's image
    CHECK(cupti.ProfilerHostInitialize(&with) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("devices tell their chip and support for range profiling") {
    test::test_machine machine{&sim::gh100, &sim::gv100};
    CUpti_Device_GetChipName_Params chip_of;
    chip_of.deviceIndex = 1;
    REQUIRE(cupti.DeviceGetChipName(&chip_of) == CUPTI_SUCCESS);
    CHECK(std::string{chip_of.pChipName} == "GV100");
    CUpti_Profiler_DeviceSupported_Params supported;
    REQUIRE(cupti.ProfilerDeviceSupported(&supported) == CUPTI_SUCCESS);
    CHECK(supported.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED);
    supported.cuDevice = 7;
    CHECK(cupti.ProfilerDeviceSupported(&supported) == CUPTI_ERROR_INVALID_PARAMETER);
    std::uint32_t domains = 0;
    CHECK(cupti.DeviceGetNumEventDomains(0, &domains) == CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
}

TEST_CASE("the table is full but for NVTX, names its version and its statuses") {
    // No library that NVTX loads asks the embedded GPU, and CUPTI 13.0 has no calls of one subscriber.
    std::vector<std::string_view> nvtx;
#define GPUPROF_TEST_SYMBOL(member, symbol, parameters) nvtx.emplace_back(#symbol);
    GPUPROF_ABI_CUPTI_NVTX(GPUPROF_TEST_SYMBOL)
    GPUPROF_ABI_CUPTI_SUBSCRIBER(GPUPROF_TEST_SYMBOL)
#undef GPUPROF_TEST_SYMBOL
    std::vector<std::string_view> missing;
    for_each_symbol(cupti, [&](char const* symbol, auto call) {
        if (call == nullptr) missing.emplace_back(symbol);
    });
    CHECK(missing == nvtx);
    std::uint32_t version = 0;
    REQUIRE(cupti.GetVersion(&version) == CUPTI_SUCCESS);
    CHECK(version == 130000);
    char const* text = nullptr;
    REQUIRE(cupti.GetResultString(CUPTI_ERROR_INVALID_PARAMETER, &text) == CUPTI_SUCCESS);
    CHECK(std::string{text} == "CUPTI_ERROR_INVALID_PARAMETER");
    CHECK(cupti.GetResultString(static_cast<CUptiResult>(12345), &text) == CUPTI_ERROR_INVALID_PARAMETER);
}

} // namespace host_test
