// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's metric API: each function of the reference and each error it names.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "support/event_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace metric_test {

namespace {

constexpr CUpti_MetricID no_metric = 3;

std::vector<CUpti_EventID> events_of(cupti_table const& cupti, CUpti_MetricID metric) {
    std::uint32_t count = 0;
    CHECK(cupti.MetricGetNumEvents(metric, &count) == CUPTI_SUCCESS);
    std::vector<CUpti_EventID> ids(count);
    std::size_t size = count * sizeof ids[0];
    CHECK(cupti.MetricEnumEvents(metric, &size, ids.data()) == CUPTI_SUCCESS);
    CHECK(size == count * sizeof ids[0]);
    return ids;
}

std::uint32_t attribute(cupti_table const& cupti, CUpti_MetricID metric, CUpti_MetricAttribute which) {
    std::uint32_t value = 99;
    std::size_t size = sizeof value;
    CHECK(cupti.MetricGetAttribute(metric, which, &size, &value) == CUPTI_SUCCESS);
    return value;
}

// A metric's value by cuptiMetricGetValue, its events given by name.
struct valuation {
    legacy_gpu const& gpu;
    CUpti_MetricID metric;
    std::map<std::string, std::uint64_t> counts;
    std::uint64_t nanoseconds = 0;
    CUpti_MetricValue value = {};

    CUptiResult MetricGetValue() { // called as the call it makes
        auto ids = events_of(gpu.cupti, metric);
        std::vector<std::uint64_t> values;
        for (auto const id : ids) {
            char name[64] = {};
            std::size_t size = sizeof name;
            CHECK(gpu.cupti.EventGetAttribute(id, CUPTI_EVENT_ATTR_NAME, &size, name) == CUPTI_SUCCESS);
            values.push_back(counts[name]);
        }
        return gpu.cupti.MetricGetValue(0, metric, ids.size() * sizeof ids[0], ids.data(),
                                        values.size() * sizeof values[0], values.data(), nanoseconds, &value);
    }
};

} // namespace

TEST_CASE("cuptiGetNumMetrics and cuptiEnumMetrics name the metrics of every chip, each once") {
    no_gpu gpu; // which need not be there
    std::uint32_t count = 0;
    CHECK(gpu.cupti.GetNumMetrics(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    REQUIRE(gpu.cupti.GetNumMetrics(&count) == CUPTI_SUCCESS);
    CHECK(count > 200);
    std::vector<CUpti_MetricID> ids(count + 1, no_metric);
    std::size_t size = ids.size() * sizeof ids[0];
    CHECK(gpu.cupti.EnumMetrics(nullptr, ids.data()) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EnumMetrics(&size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EnumMetrics(&size, ids.data()) == CUPTI_SUCCESS);
    CHECK(size == count * sizeof ids[0]);
    CHECK(ids.back() == no_metric);
    ids.pop_back();
    std::sort(ids.begin(), ids.end());
    CHECK((std::adjacent_find(ids.begin(), ids.end()) == ids.end()));
}

TEST_CASE("cuptiDeviceGetNumMetrics and cuptiDeviceEnumMetrics give as many as fit, and refuse a wrong device, a newer "
          "chip and null pointers") {
    std::uint32_t count = 0;
    std::vector<CUpti_MetricID> ids(200);
    std::size_t size = ids.size() * sizeof ids[0];
    {
        no_gpu gpu;
        CHECK(gpu.cupti.DeviceGetNumMetrics(0, &count) == CUPTI_ERROR_NOT_INITIALIZED);
        CHECK(gpu.cupti.DeviceEnumMetrics(0, &size, ids.data()) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    test::test_machine machine{&sim::gm200, &sim::gh100};
    CHECK(machine.cupti.DeviceGetNumMetrics(0, &count) == CUPTI_SUCCESS);
    CHECK(machine.cupti.DeviceEnumMetrics(0, &size, ids.data()) == CUPTI_SUCCESS);
    CHECK(size == count * sizeof ids[0]);
    for (std::uint32_t i = 0; i < count; ++i) CHECK(ids[i] / 1000 == 520); // capability 5.2
    size = 2 * sizeof ids[0] + 1;
    CHECK(machine.cupti.DeviceEnumMetrics(0, &size, ids.data()) == CUPTI_SUCCESS);
    CHECK(size == 2 * sizeof ids[0]);
    CHECK(machine.cupti.DeviceGetNumMetrics(1, &count) == CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
    CHECK(machine.cupti.DeviceGetNumMetrics(2, &count) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(machine.cupti.DeviceGetNumMetrics(0, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(machine.cupti.DeviceEnumMetrics(2, &size, ids.data()) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(machine.cupti.DeviceEnumMetrics(0, nullptr, ids.data()) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(machine.cupti.DeviceEnumMetrics(0, &size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiMetricGetIdFromName finds a metric of the device, and refuses another chip's name, a wrong device and "
          "null pointers") {
    CUpti_MetricID metric = 0;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.MetricGetIdFromName(0, "ipc", &metric) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu;
    CHECK(gpu.cupti.MetricGetIdFromName(0, "ipc", &metric) == CUPTI_SUCCESS);
    CHECK(metric / 1000 == 350);
    CHECK(gpu.cupti.MetricGetIdFromName(0, "global_load_requests", &metric) ==
          CUPTI_ERROR_INVALID_METRIC_NAME); // not on 3.5
    CHECK(gpu.cupti.MetricGetIdFromName(1, "ipc", &metric) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(gpu.cupti.MetricGetIdFromName(0, nullptr, &metric) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetIdFromName(0, "ipc", nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiMetricGetAttribute tells texts, category, kind and mode, and refuses what is no metric, an unknown "
          "attribute and too little room") {
    std::uint32_t value = 99;
    std::size_t size = sizeof value;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.MetricGetAttribute(no_metric, CUPTI_METRIC_ATTR_CATEGORY, &size, &value) ==
              CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gm200};
    CUpti_MetricID const metric = gpu.metric("gld_efficiency");
    char text[200] = {};
    size = sizeof text;
    CHECK(gpu.cupti.MetricGetAttribute(metric, CUPTI_METRIC_ATTR_NAME, &size, text) == CUPTI_SUCCESS);
    CHECK(std::string{text} == "gld_efficiency");
    for (auto const which : {CUPTI_METRIC_ATTR_SHORT_DESCRIPTION, CUPTI_METRIC_ATTR_LONG_DESCRIPTION}) {
        size = sizeof text;
        CHECK(gpu.cupti.MetricGetAttribute(metric, which, &size, text) == CUPTI_SUCCESS);
        CHECK(size > 20);
    }
    // As CUPTI 11.8 has them for capability 5.2.
    CHECK(attribute(gpu.cupti, metric, CUPTI_METRIC_ATTR_CATEGORY) == CUPTI_METRIC_CATEGORY_MEMORY);
    CHECK(attribute(gpu.cupti, metric, CUPTI_METRIC_ATTR_VALUE_KIND) == CUPTI_METRIC_VALUE_KIND_PERCENT);
    auto const either = CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE | CUPTI_METRIC_EVALUATION_MODE_AGGREGATE;
    CHECK(attribute(gpu.cupti, gpu.metric("achieved_occupancy"), CUPTI_METRIC_ATTR_EVALUATION_MODE) == either);
    CHECK(attribute(gpu.cupti, gpu.metric("achieved_occupancy"), CUPTI_METRIC_ATTR_VALUE_KIND) ==
          CUPTI_METRIC_VALUE_KIND_DOUBLE);
    CHECK(attribute(gpu.cupti, gpu.metric("dram_read_throughput"), CUPTI_METRIC_ATTR_EVALUATION_MODE) ==
          CUPTI_METRIC_EVALUATION_MODE_AGGREGATE);
    CHECK(gpu.cupti.MetricGetAttribute(no_metric, CUPTI_METRIC_ATTR_CATEGORY, &size, &value) ==
          CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(gpu.cupti.MetricGetAttribute(metric, static_cast<CUpti_MetricAttribute>(6), &size, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetAttribute(metric, CUPTI_METRIC_ATTR_CATEGORY, nullptr, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetAttribute(metric, CUPTI_METRIC_ATTR_CATEGORY, &size, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    size = 3;
    CHECK(gpu.cupti.MetricGetAttribute(metric, CUPTI_METRIC_ATTR_CATEGORY, &size, &value) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
}

TEST_CASE("cuptiMetricGetNumEvents and cuptiMetricEnumEvents name what a metric is made of") {
    std::uint32_t count = 0;
    CUpti_EventID ids[4] = {};
    std::size_t size = sizeof ids;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.MetricGetNumEvents(no_metric, &count) == CUPTI_ERROR_NOT_INITIALIZED);
        CHECK(gpu.cupti.MetricEnumEvents(no_metric, &size, ids) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gm200};
    CUpti_MetricID const metric = gpu.metric("achieved_occupancy");
    CHECK(events_of(gpu.cupti, metric) ==
          std::vector<CUpti_EventID>{gpu.event("active_warps"), gpu.event("active_cycles")});
    size = sizeof ids[0] + 3;
    CHECK(gpu.cupti.MetricEnumEvents(metric, &size, ids) == CUPTI_SUCCESS);
    CHECK(size == sizeof ids[0]);
    CHECK(events_of(gpu.cupti, gpu.metric("l2_read_transactions")).size() == 4); // a slice each
    CHECK(gpu.cupti.MetricGetNumEvents(no_metric, &count) == CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(gpu.cupti.MetricGetNumEvents(metric, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricEnumEvents(no_metric, &size, ids) == CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(gpu.cupti.MetricEnumEvents(metric, nullptr, ids) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricEnumEvents(metric, &size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiMetricGetNumProperties and cuptiMetricEnumProperties name what else a metric needs") {
    std::uint32_t count = 99;
    CUpti_MetricPropertyID ids[4] = {};
    std::size_t size = sizeof ids;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.MetricGetNumProperties(no_metric, &count) == CUPTI_ERROR_NOT_INITIALIZED);
        CHECK(gpu.cupti.MetricEnumProperties(no_metric, &size, ids) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gm200};
    CUpti_MetricID const metric = gpu.metric("dram_utilization");
    CHECK(gpu.cupti.MetricGetNumProperties(metric, &count) == CUPTI_SUCCESS);
    CHECK(count == 2);
    CHECK(gpu.cupti.MetricEnumProperties(metric, &size, ids) == CUPTI_SUCCESS);
    CHECK(size == 2 * sizeof ids[0]);
    CHECK(ids[0] == CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME);
    CHECK(ids[1] == CUPTI_METRIC_PROPERTY_GLOBAL_MEMORY_BANDWIDTH);
    CHECK(gpu.cupti.MetricGetNumProperties(gpu.metric("ipc"), &count) == CUPTI_SUCCESS);
    CHECK(count == 0);
    CHECK(gpu.cupti.MetricGetNumProperties(no_metric, &count) == CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(gpu.cupti.MetricGetNumProperties(metric, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricEnumProperties(no_metric, &size, ids) == CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(gpu.cupti.MetricEnumProperties(metric, nullptr, ids) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricEnumProperties(metric, &size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiMetricCreateEventGroupSets plans the passes of several metrics, and refuses what is no context, what "
          "is no metric and null pointers") {
    CUpti_EventGroupSets* sets = nullptr;
    CUpti_MetricID bad = no_metric;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.MetricCreateEventGroupSets(nullptr, sizeof bad, &bad, &sets) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gm200};
    CUpti_MetricID metrics[] = {gpu.metric("ipc"), gpu.metric("achieved_occupancy"), gpu.metric("gld_efficiency")};
    REQUIRE(gpu.cupti.MetricCreateEventGroupSets(gpu.context, sizeof metrics, metrics, &sets) == CUPTI_SUCCESS);
    CHECK(sets->numSets == 2); // one for the multiprocessors' counters, one for the added code
    CHECK(gpu.attribute<std::uint32_t>(sets->sets[0].eventGroups[0], CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS) == 3);
    CHECK(gpu.cupti.EventGroupSetsDestroy(sets) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.MetricCreateEventGroupSets(nullptr, sizeof metrics, metrics, &sets) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(gpu.cupti.MetricCreateEventGroupSets(gpu.context, sizeof bad, &bad, &sets) == CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(gpu.cupti.MetricCreateEventGroupSets(gpu.context, sizeof metrics, nullptr, &sets) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricCreateEventGroupSets(gpu.context, sizeof metrics, metrics, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiMetricGetRequiredEventGroupSets keeps the events of a ratio in one pass where they fit") {
    CUpti_EventGroupSets* sets = nullptr;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.MetricGetRequiredEventGroupSets(nullptr, no_metric, &sets) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gf100};
    auto const required = [&](char const* name) {
        CHECK(gpu.cupti.MetricGetRequiredEventGroupSets(gpu.context, gpu.metric(name), &sets) == CUPTI_SUCCESS);
        std::uint32_t const passes = sets == nullptr ? 0 : sets->numSets;
        if (sets != nullptr) CHECK(gpu.cupti.EventGroupSetsDestroy(sets) == CUPTI_SUCCESS);
        return passes;
    };
    CHECK(required("branch_efficiency") == 1);
    CHECK(required("ipc") == 0);            // a single event
    CHECK(required("gld_efficiency") == 0); // no pass holds both hardware counters and added code
    CUpti_MetricID const metric = gpu.metric("ipc");
    CHECK(gpu.cupti.MetricGetRequiredEventGroupSets(gpu.context, no_metric, &sets) == CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(gpu.cupti.MetricGetRequiredEventGroupSets(nullptr, metric, &sets) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(gpu.cupti.MetricGetRequiredEventGroupSets(gpu.context, metric, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiMetricGetValue evaluates from events, the device and a time, and refuses another chip's metric, "
          "missing events and overflows") {
    CUpti_MetricValue value = {};
    {
        no_gpu gpu;
        CUpti_EventID event = 0;
        std::uint64_t count = 0;
        CHECK(gpu.cupti.MetricGetValue(0, no_metric, 4, &event, 8, &count, 0, &value) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gf100};
    valuation occupancy{gpu, gpu.metric("achieved_occupancy"), {{"active_warps", 2400}, {"active_cycles", 100}}};
    REQUIRE(occupancy.MetricGetValue() == CUPTI_SUCCESS);
    CHECK(occupancy.value.metricValueDouble == doctest::Approx(24.0 / 48)); // 1536 threads are 48 warps
    valuation reads{
        gpu, gpu.metric("dram_read_throughput"), {{"fb_subp0_read_sectors", 60}, {"fb_subp1_read_sectors", 65}}, 1000};
    REQUIRE(reads.MetricGetValue() == CUPTI_SUCCESS);
    CHECK(reads.value.metricValueThroughput == 4000000000); // 125 sectors in a microsecond
    reads.nanoseconds = 0;
    REQUIRE(reads.MetricGetValue() == CUPTI_SUCCESS);
    CHECK(reads.value.metricValueThroughput == 0);

    auto ids = events_of(gpu.cupti, occupancy.metric);
    std::uint64_t counts[] = {1, 2};
    auto const get = [&](CUdevice device, CUpti_MetricID metric, std::size_t ids_size, std::size_t counts_size) {
        return gpu.cupti.MetricGetValue(device, metric, ids_size, ids.data(), counts_size, counts, 0, &value);
    };
    CHECK(get(0, occupancy.metric, 8, 16) == CUPTI_SUCCESS);
    CHECK(get(0, occupancy.metric, 4, 16) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT); // an event is missing
    CHECK(get(0, occupancy.metric, 8, 8) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);  // a value is
    CHECK(get(0, no_metric, 8, 16) == CUPTI_ERROR_INVALID_METRIC_ID);
    CHECK(get(0, 520000, 8, 16) == CUPTI_ERROR_INVALID_OPERATION); // another chip's
    CHECK(get(1, occupancy.metric, 8, 16) == CUPTI_ERROR_INVALID_DEVICE);
    counts[0] = cupti_event_overflow;
    CHECK(get(0, occupancy.metric, 8, 16) == CUPTI_ERROR_INVALID_EVENT_VALUE);
    valuation negative{gpu, gpu.metric("gld_throughput"), {{"l1_local_load_miss", 5}}, 1000};
    CHECK(negative.MetricGetValue() == CUPTI_ERROR_NOT_COMPATIBLE); // 0 bytes less those for local memory
    CHECK(gpu.cupti.MetricGetValue(0, occupancy.metric, 8, nullptr, 16, counts, 0, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetValue(0, occupancy.metric, 8, ids.data(), 16, nullptr, 0, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetValue(0, occupancy.metric, 8, ids.data(), 16, counts, 0, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("cuptiMetricGetValue2 takes the properties from the caller, and refuses what is no metric, missing events "
          "and overflows") {
    CUpti_MetricValue value = {};
    CUpti_EventID event = 0;
    std::uint64_t count = 0;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.MetricGetValue2(no_metric, 4, &event, 8, &count, 0, nullptr, 0, nullptr, &value) ==
              CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gv100};
    CUpti_MetricID const metric = gpu.metric("dram_utilization");
    auto ids = events_of(gpu.cupti, metric); // reads and writes of two slices
    REQUIRE(ids.size() == 4);
    std::uint64_t counts[] = {100, 100, 50, 50};
    CUpti_MetricPropertyID properties[] = {CUPTI_METRIC_PROPERTY_GLOBAL_MEMORY_BANDWIDTH,
                                           CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME}; // in any order
    std::uint64_t facts[] = {30000, 1000000};                                      // 30 MB/s for a millisecond
    auto const get = [&](CUpti_MetricID which, std::size_t ids_size, std::size_t counts_size, std::size_t size,
                         std::size_t facts_size) {
        return gpu.cupti.MetricGetValue2(which, ids_size, ids.data(), counts_size, counts, size, properties, facts_size,
                                         facts, &value);
    };
    REQUIRE(get(metric, 16, 32, 8, 16) == CUPTI_SUCCESS);
    CHECK(value.metricValueUtilizationLevel == 4); // 9600 of 30000 bytes are 3.2 tenths, rounded up
    facts[1] = 1000;
    REQUIRE(get(metric, 16, 32, 8, 16) == CUPTI_SUCCESS);
    CHECK(value.metricValueUtilizationLevel == CUPTI_METRIC_VALUE_UTILIZATION_MAX);
    CHECK(get(metric, 12, 32, 8, 16) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(get(metric, 16, 24, 8, 16) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(get(metric, 16, 32, 4, 16) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(get(metric, 16, 32, 8, 8) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(get(no_metric, 16, 32, 8, 16) == CUPTI_ERROR_INVALID_METRIC_ID);
    counts[3] = cupti_event_overflow;
    CHECK(get(metric, 16, 32, 8, 16) == CUPTI_ERROR_INVALID_EVENT_VALUE);
    counts[3] = 50;
    CHECK(gpu.cupti.MetricGetValue2(metric, 16, nullptr, 32, counts, 8, properties, 16, facts, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetValue2(metric, 16, ids.data(), 32, nullptr, 8, properties, 16, facts, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetValue2(metric, 16, ids.data(), 32, counts, 8, nullptr, 16, facts, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetValue2(metric, 16, ids.data(), 32, counts, 8, properties, 16, nullptr, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.MetricGetValue2(metric, 16, ids.data(), 32, counts, 8, properties, 16, facts, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);

    CUpti_MetricID ipc = gpu.metric("ipc");
    ids = events_of(gpu.cupti, ipc);
    std::uint64_t two[] = {300, 200};
    CHECK(gpu.cupti.MetricGetValue2(ipc, 8, ids.data(), 16, two, 0, nullptr, 0, nullptr, &value) == CUPTI_SUCCESS);
    CHECK(value.metricValueDouble == 1.5);
}

TEST_CASE("cuptiMetricGetValue2 says that a value does not fit its kind") {
    legacy_gpu gpu{sim::gf100};
    CUpti_MetricID const metric = gpu.metric("gst_throughput");
    auto ids = events_of(gpu.cupti, metric); // two slices, then the misses of local loads
    REQUIRE(ids.size() == 3);
    std::uint64_t counts[] = {1, 1, 1}; // 64 bytes less 128
    CUpti_MetricPropertyID time = CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME;
    std::uint64_t nanoseconds = 10;
    CUpti_MetricValue value = {};
    auto const get = [&] {
        return gpu.cupti.MetricGetValue2(metric, sizeof(CUpti_EventID) * 3, ids.data(), sizeof counts, counts,
                                         sizeof time, &time, sizeof nanoseconds, &nanoseconds, &value);
    };
    CHECK(get() == CUPTI_ERROR_NOT_COMPATIBLE);
    counts[0] = 5;
    CHECK(get() == CUPTI_SUCCESS);
    CHECK(value.metricValueThroughput == 6400000000); // 64 bytes in 10 ns
}

TEST_CASE("every metric of every chip can be planned, and evaluates to a finite value of its kind from any counts, or "
          "to a share of nothing") {
    struct counted_chip {
        sim::chip_model const* chip;
        std::size_t metrics;
    };
    std::size_t answers = 0;
    for (counted_chip const& each_chip :
         {counted_chip{&sim::gf100, 26}, counted_chip{&sim::gf114, 26}, counted_chip{&sim::gk110b, 97},
          counted_chip{&sim::gm200, 141}, counted_chip{&sim::gp100, 165}, counted_chip{&sim::gv100, 162}}) {
        CAPTURE(std::string{each_chip.chip->chip_name});
        legacy_gpu gpu{*each_chip.chip};
        std::vector<CUpti_MetricID> metrics(200);
        std::size_t size = metrics.size() * sizeof metrics[0];
        REQUIRE(gpu.cupti.DeviceEnumMetrics(0, &size, metrics.data()) == CUPTI_SUCCESS);
        metrics.resize(size / sizeof metrics[0]);
        CHECK(metrics.size() == each_chip.metrics);
        for (CUpti_MetricID metric : metrics) {
            CAPTURE(metric);
            CUpti_EventGroupSets* sets = nullptr;
            REQUIRE(gpu.cupti.MetricCreateEventGroupSets(gpu.context, sizeof metric, &metric, &sets) == CUPTI_SUCCESS);
            CHECK(sets->numSets >= 1);
            CHECK(gpu.cupti.EventGroupSetsDestroy(sets) == CUPTI_SUCCESS);
            auto ids = events_of(gpu.cupti, metric);
            for (std::uint64_t const each : {std::uint64_t{0}, std::uint64_t{1000}}) {
                std::vector<std::uint64_t> counts(ids.size(), each);
                CUpti_MetricValue value = {};
                auto const status =
                    gpu.cupti.MetricGetValue(0, metric, ids.size() * sizeof ids[0], ids.data(),
                                             counts.size() * sizeof counts[0], counts.data(), 1000, &value);
                bool const negative = status == CUPTI_ERROR_NOT_COMPATIBLE; // equal counts are not always possible
                bool const answered = status == CUPTI_SUCCESS || (negative && each != 0);
                CHECK(answered);
                answers += status == CUPTI_SUCCESS;
                auto const kind = attribute(gpu.cupti, metric, CUPTI_METRIC_ATTR_VALUE_KIND);
                if (each == 0 && std::isnan(value.metricValueDouble)) continue; // a share of nothing
                if (kind == CUPTI_METRIC_VALUE_KIND_DOUBLE || kind == CUPTI_METRIC_VALUE_KIND_PERCENT)
                    CHECK(std::isfinite(value.metricValueDouble));
            }
        }
    }
    CHECK(answers == 2 * (26 + 26 + 97 + 141 + 165 + 162) - 2); // equal counts make one of 2.x negative
}

} // namespace metric_test
