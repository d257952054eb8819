// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's SASS metric calls: the refusals that CUPTI's header documents, the order of the calls, records.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "sim/gpu/gpu_state.hpp"
#include "support/pc_sampled_gpu.hpp"
#include "sim/chip/chips.hpp"

namespace sass_metrics_test {

using namespace gpuprof::abi;
using test::pc_sampled_gpu;

namespace {

template <class Params>
Params of(pc_sampled_gpu const& machine) {
    Params p;
    p.ctx = machine.handle();
    return p;
}
// A call with parameters of another size, then of another context.
template <class Params>
void check_context(CUptiResult (*call)(Params*)) {
    CHECK(call(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    Params p;
    p.structSize -= 1;
    CHECK(call(&p) == CUPTI_ERROR_INVALID_PARAMETER);
    p.structSize += 1;
    CHECK(call(&p) == CUPTI_ERROR_INVALID_CONTEXT);
}
template <class Params>
void check_chip(CUptiResult (*call)(Params*), Params p) {
    CHECK(call(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    for (char const* const chip : {static_cast<char const*>(nullptr), "", "GH1000"}) {
        p.pChipName = chip;
        CHECK(call(&p) == CUPTI_ERROR_INVALID_PARAMETER);
    }
    p.pChipName = "GP100";
    CHECK(call(&p) == CUPTI_ERROR_NOT_SUPPORTED);
    p.pChipName = "GH100";
    CHECK(call(&p) == CUPTI_SUCCESS);
    p.structSize += 1;
    CHECK(call(&p) == CUPTI_ERROR_INVALID_PARAMETER);
}
std::uint64_t id_of(cupti_table const& cupti, char const* name) {
    CUpti_SassMetrics_GetProperties_Params p;
    p.pChipName = "GH100";
    p.pMetricName = name;
    REQUIRE(cupti.SassMetricsGetProperties(&p) == CUPTI_SUCCESS);
    CHECK(p.metric.pMetricName == std::string_view{name});
    CHECK(std::string_view{p.metric.pMetricDescription}.size() > 0);
    return p.metric.metricId;
}
CUptiResult configure(cupti_table const& cupti, std::vector<CUpti_SassMetrics_Config> wanted,
                      std::uint32_t device = 0) {
    CUpti_SassMetricsSetConfig_Params p;
    p.numOfMetricConfig = wanted.size();
    p.pConfigs = wanted.data();
    p.deviceIndex = device;
    return cupti.SassMetricsSetConfig(&p);
}
CUptiResult unset(cupti_table const& cupti) {
    CUpti_SassMetricsUnsetConfig_Params p;
    return cupti.SassMetricsUnsetConfig(&p);
}

} // namespace

TEST_CASE("metrics are listed by chip, and found by name") {
    pc_sampled_gpu machine;
    cupti_table const& cupti = machine.tables.cupti;
    CUpti_SassMetrics_GetNumOfMetrics_Params number;
    check_chip(cupti.SassMetricsGetNumOfMetrics, number);
    number.pChipName = "GH100";
    REQUIRE(cupti.SassMetricsGetNumOfMetrics(&number) == CUPTI_SUCCESS);
    CHECK(number.numOfMetrics ==
          31); // of the 60 that CUPTI has for an H200: what follows from instructions and addresses

    std::vector<CUpti_SassMetrics_MetricDetails> room(number.numOfMetrics);
    CUpti_SassMetrics_GetMetrics_Params list;
    list.numOfMetrics = room.size();
    list.pMetricsList = room.data();
    check_chip(cupti.SassMetricsGetMetrics, list);
    for (auto const& each : room) CHECK(id_of(cupti, each.pMetricName) == each.metricId);
    list.pChipName = "GH100";
    list.numOfMetrics += 1;
    CHECK(cupti.SassMetricsGetMetrics(&list) == CUPTI_ERROR_INVALID_PARAMETER); // more than there are
    list.numOfMetrics = 1;
    list.pMetricsList = nullptr;
    CHECK(cupti.SassMetricsGetMetrics(&list) == CUPTI_ERROR_INVALID_PARAMETER);

    CUpti_SassMetrics_GetProperties_Params one;
    one.pMetricName = "smsp__sass_inst_executed";
    check_chip(cupti.SassMetricsGetProperties, one);
    one.pChipName = "GH100";
    one.pMetricName = "smsp__sass_inst_executedd"; // status 17 on an H200
    CHECK(cupti.SassMetricsGetProperties(&one) == CUPTI_ERROR_INVALID_METRIC_NAME);
    one.pMetricName = nullptr;
    CHECK(cupti.SassMetricsGetProperties(&one) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("configurations that are empty, of no metric, of no device or finer than the GPU are refused") {
    pc_sampled_gpu machine;
    cupti_table const& cupti = machine.tables.cupti;
    std::uint64_t const id = id_of(cupti, "smsp__sass_inst_executed");
    CHECK(cupti.SassMetricsSetConfig(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(configure(cupti, {}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(configure(cupti, {{id + 1, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU}}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(configure(cupti, {{id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_INVALID}}) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(configure(cupti, {{id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_SM}}) == CUPTI_ERROR_NOT_SUPPORTED);
    CHECK(configure(cupti, {{id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_SMSP}}) == CUPTI_ERROR_NOT_SUPPORTED);
    CHECK(configure(cupti, {{id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU}}, 99) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(unset(cupti) == CUPTI_ERROR_INVALID_OPERATION); // nothing of the above has configured
    CHECK(configure(cupti, {{id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU}}) == CUPTI_SUCCESS);
    CHECK(configure(cupti, {{id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU}}) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(unset(cupti) == CUPTI_SUCCESS);

    pc_sampled_gpu old{gpuprof::sim::gp100};
    auto const ordinal = static_cast<std::uint32_t>(gpuprof::sim::shared().registry.ordinal_of(old.handle()));
    CHECK(configure(old.tables.cupti, {{id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU}}, ordinal) ==
          CUPTI_ERROR_NOT_SUPPORTED);
}

TEST_CASE("counting begins after a configuration, and records stay until there is room for all of them") {
    pc_sampled_gpu machine;
    cupti_table const& cupti = machine.tables.cupti;
    check_context(cupti.SassMetricsEnable);
    check_context(cupti.SassMetricsDisable);
    check_context(cupti.SassMetricsGetDataProperties);
    check_context(cupti.SassMetricsFlushData);
    auto enable = of<CUpti_SassMetricsEnable_Params>(machine);
    auto disable = of<CUpti_SassMetricsDisable_Params>(machine);
    auto properties = of<CUpti_SassMetricsGetDataProperties_Params>(machine);
    auto flush = of<CUpti_SassMetricsFlushData_Params>(machine);
    CHECK(cupti.SassMetricsEnable(&enable) == CUPTI_ERROR_INVALID_OPERATION); // not configured
    CHECK(cupti.SassMetricsDisable(&disable) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(cupti.SassMetricsGetDataProperties(&properties) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(cupti.SassMetricsFlushData(&flush) == CUPTI_ERROR_INVALID_OPERATION);

    std::uint64_t const ids[] = {id_of(cupti, "smsp__sass_inst_executed"),
                                 id_of(cupti, "smsp__sass_inst_executed_op_global_st")};
    REQUIRE(configure(cupti, {{ids[0], CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU},
                              {ids[1], CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU}}) == CUPTI_SUCCESS);
    REQUIRE(cupti.SassMetricsEnable(&enable) == CUPTI_SUCCESS);
    CHECK(cupti.SassMetricsEnable(&enable) == CUPTI_ERROR_INVALID_OPERATION);
    REQUIRE(cupti.SassMetricsGetDataProperties(&properties) == CUPTI_SUCCESS);
    CHECK(properties.numOfPatchedInstructionRecords == 0); // nothing has run
    CHECK(properties.numOfInstances == 0);

    machine.meet(8);
    REQUIRE(cupti.SassMetricsGetDataProperties(&properties) == CUPTI_SUCCESS);
    std::size_t const records = properties.numOfPatchedInstructionRecords;
    REQUIRE(records > 0);
    CHECK(records % 2 == 0); // one for each metric of each instruction
    CHECK(properties.numOfInstances == 1);

    std::vector<CUpti_SassMetrics_Data> data(records);
    std::vector<CUpti_SassMetrics_InstanceValue> values(records);
    for (std::size_t i = 0; i < records; ++i) data[i].pInstanceValues = &values[i];
    flush.numOfInstances = 1;
    flush.pMetricsData = data.data();
    flush.numOfPatchedInstructionRecords = records - 1;
    CHECK(cupti.SassMetricsFlushData(&flush) == CUPTI_ERROR_INVALID_PARAMETER);
    flush.numOfPatchedInstructionRecords = records;
    flush.numOfInstances = 0;
    CHECK(cupti.SassMetricsFlushData(&flush) == CUPTI_ERROR_INVALID_PARAMETER);
    flush.numOfInstances = 1;
    flush.pMetricsData = nullptr;
    CHECK(cupti.SassMetricsFlushData(&flush) == CUPTI_ERROR_INVALID_PARAMETER);
    flush.pMetricsData = data.data();
    REQUIRE(cupti.SassMetricsFlushData(&flush) == CUPTI_SUCCESS);
    std::size_t of_metric[2] = {};
    for (std::size_t i = 0; i < records; ++i) {
        CHECK(data[i].functionName == std::string_view{"meet"});
        std::free(const_cast<char*>(data[i].functionName)); // the caller's, as CUPTI's header says
        for (std::size_t m = 0; m < 2; ++m) of_metric[m] += values[i].metricId == ids[m] ? 1 : 0;
    }
    CHECK(of_metric[0] == records / 2);
    CHECK(of_metric[1] == records / 2);
    REQUIRE(cupti.SassMetricsGetDataProperties(&properties) == CUPTI_SUCCESS);
    CHECK(properties.numOfPatchedInstructionRecords == 0);

    machine.meet(8);
    CHECK(cupti.SassMetricsDisable(&disable) == CUPTI_SUCCESS);
    CHECK(disable.numOfDroppedRecords == records); // the second launch's, which nobody flushed
    CHECK(cupti.SassMetricsDisable(&disable) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(unset(cupti) == CUPTI_SUCCESS);
}

} // namespace sass_metrics_test
