// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/metric_host.hpp: with the CUPTI of this machine where there is one, and with one that fails at every call.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/counters/range/metric_host.hpp>
#include <gpuprof/metric/breakdown_lookup.hpp>

#include "support/sanitized.hpp"

namespace metric_host_test {

using gpuprof::errc;
using gpuprof::hw::metric_host;

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
bool has_name(std::vector<std::string> const& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

// This machine's CUPTI, if it can plan for GH100; else null, said so for CTest.
abi::cupti_table const* real_cupti() {
    if (sanitized) {
        MESSAGE("skipped: CUPTI opens libnvperf_host with RTLD_DEEPBIND, which sanitizers end the process for");
        return nullptr;
    }
    hw::machine const& machine = hw::real_machine();
    if (!machine.cupti_error) {
        hw::open_companion(machine.cupti_library, "libnvperf_host.so");
        if (metric_host::try_open(machine.cupti, "GH100")) return &machine.cupti;
    }
    MESSAGE("skipped: no CUPTI of 12.6 or later with its metric data");
    return nullptr;
}

bool is_cupti_13_0() { return hw::cupti_version_text(hw::real_machine().cupti_library.version) == "13.0"; }

std::size_t passes_of(abi::cupti_table const& cupti, std::vector<char const*> const& metrics) {
    auto host = metric_host::try_open(cupti, "GH100");
    REQUIRE(host);
    auto const config = host->try_configure(metrics);
    REQUIRE_MESSAGE(config, (config ? std::string{} : config.error().message()));
    CHECK_FALSE(config->image.empty());
    return config->passes;
}

gpuprof::error refusal_of(abi::cupti_table const& cupti, std::vector<char const*> const& metrics) {
    auto host = metric_host::try_open(cupti, "GH100");
    REQUIRE(host);
    auto const config = host->try_configure(metrics);
    REQUIRE_FALSE(config);
    return config.error();
}

} // namespace

static_assert(!std::is_copy_constructible_v<metric_host>);
static_assert(std::is_nothrow_move_constructible_v<metric_host>);
static_assert(std::is_nothrow_move_assignable_v<metric_host>);

TEST_CASE("CUPTI lists chips, and opens those it knows") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto const chips = metric_host::try_chips(*cupti);
    REQUIRE(chips);
    for (std::string_view const chip : {"GV100", "TU102", "GA100", "AD102", "GH100"}) CHECK(has_name(*chips, chip));
    auto const host = metric_host::try_open(*cupti, "GH100");
    REQUIRE(host);
    CHECK(host->chip() == "GH100");
    for (std::string const& unknown :
         {std::string{"GX999"}, std::string{}, std::string{"gh100"}, std::string(10'000, 'G')}) {
        auto const refused = metric_host::try_open(*cupti, unknown);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().status != 0);
        CHECK(contains(refused.error().what, "cuptiProfilerHostInitialize"));
    }
}

TEST_CASE("CUPTI lists a chip's metrics by kind, and what may follow a name") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto const host = metric_host::try_open(*cupti, "GH100");
    REQUIRE(host);
    auto const counters = host->try_base_metrics(abi::CUPTI_METRIC_TYPE_COUNTER);
    auto const ratios = host->try_base_metrics(abi::CUPTI_METRIC_TYPE_RATIO);
    auto const throughputs = host->try_base_metrics(abi::CUPTI_METRIC_TYPE_THROUGHPUT);
    REQUIRE(counters);
    REQUIRE(ratios);
    REQUIRE(throughputs);
    CHECK(has_name(*counters, "smsp__inst_executed"));
    CHECK(has_name(*counters, "dram__bytes_read"));
    CHECK(has_name(*ratios, "l1tex__t_sector_hit_rate"));
    CHECK(has_name(*throughputs, "sm__throughput"));
    CHECK_FALSE(has_name(*counters, "sm__throughput"));
    if (is_cupti_13_0()) { // counted by another program, on an H200's machine and on one without a GPU
        CHECK(counters->size() == 3389);
        CHECK(ratios->size() == 205);
        CHECK(throughputs->size() == 56);
    }
    auto const below = host->try_sub_metrics("smsp__inst_executed", abi::CUPTI_METRIC_TYPE_COUNTER);
    REQUIRE(below);
    for (std::string_view const each : {".sum", ".avg", ".min", ".max", ".sum.per_second", ".avg.per_cycle_active"})
        CHECK(has_name(*below, each));
    auto const ratio = host->try_sub_metrics("l1tex__t_sector_hit_rate", abi::CUPTI_METRIC_TYPE_RATIO);
    REQUIRE(ratio);
    CHECK(has_name(*ratio, ".pct"));
    auto const none = host->try_sub_metrics("nothing__of_that_name", abi::CUPTI_METRIC_TYPE_COUNTER);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::unknown_metric);
}

TEST_CASE("CUPTI tells a metric's kind and units, and whether a chip has it") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto const host = metric_host::try_open(*cupti, "GH100");
    REQUIRE(host);
    auto const sum = host->try_properties("smsp__inst_executed.sum");
    REQUIRE(sum);
    CHECK(sum->type == abi::CUPTI_METRIC_TYPE_COUNTER);
    CHECK(sum->hardware_unit == "smsp");
    CHECK(sum->dimension_unit == "instruction");
    CHECK_FALSE(sum->description.empty());
    auto const busy = host->try_properties("sm__throughput.avg.pct_of_peak_sustained_elapsed");
    REQUIRE(busy);
    CHECK(busy->type == abi::CUPTI_METRIC_TYPE_THROUGHPUT);

    CHECK(host->has("smsp__inst_executed.sum"));
    CHECK(host->has("smsp__inst_executed.sum.per_second"));
    CHECK(host->has("l1tex__t_sector_hit_rate.pct"));
    for (std::string const& name :
         {std::string{"smsp__inst_executed"}, std::string{"smsp__inst_executed.summ"}, std::string{"sm__nothing.sum"},
          std::string{}, std::string{"."}, std::string(10'000, 'x')})
        CHECK_FALSE(host->has(name));
    auto const unknown = host->try_properties("sm__nothing.sum");
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == errc::unknown_metric);
    CHECK(contains(unknown.error().what, "sm__nothing.sum"));
}

TEST_CASE("passes are counted without a GPU as the hardware counts them") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    CHECK(passes_of(*cupti, {"gpu__time_duration.sum"}) == 1);
    CHECK(passes_of(*cupti, {"sm__inst_executed.sum", "smsp__warps_launched.sum"}) == 1); // 1 on an H200, CUPTI 13.0
    std::size_t const eleven = passes_of(
        *cupti, {"sm__inst_executed.sum", "smsp__inst_executed.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
                 "gpu__time_duration.sum", "sm__warps_active.avg.pct_of_peak_sustained_active",
                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                 "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                 "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__warps_launched.sum"});
    if (is_cupti_13_0()) CHECK(eleven == 10); // 10 on an H200, driver 580.159.04
    else CHECK(eleven > 1);
}

TEST_CASE("a pass has room for as many metrics as CUPTI says, and a throughput's constituents can be planned") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    struct row {
        char const* chip;
        std::size_t most; // of CUPTI 13.0, asked by another program
    };
    for (row const& each : {row{"GH100", 88}, row{"GV100", 64}, row{"GA100", 80}, row{"GB202", 80}}) {
        CAPTURE(each.chip);
        auto const room = metric_host::try_most_in_a_pass(*cupti, each.chip);
        REQUIRE(room);
        if (is_cupti_13_0()) CHECK(*room == each.most);
        auto const parts = gpuprof::try_breakdown(each.chip, "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                                                  gpuprof::breakdown_depth::all_levels);
        REQUIRE(parts);
        std::vector<char const*> names;
        for (auto const& part : *parts) names.push_back(part.name.c_str());
        auto host = metric_host::try_open(*cupti, each.chip);
        REQUIRE(host);
        auto const config = host->try_configure(names);
        REQUIRE_MESSAGE(config, (config ? std::string{} : config.error().message()));
        CHECK(config->passes > 1); // 21 counters and more of one unit
    }
    CHECK_FALSE(metric_host::try_most_in_a_pass(*cupti, "GX999"));
}

TEST_CASE("a configuration is the same whenever it is made, and differs by what it counts") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto const image = [cupti](char const* metric) {
        auto host = metric_host::try_open(*cupti, "GH100");
        REQUIRE(host);
        return host->try_configure({metric})->image;
    };
    CHECK(image("smsp__inst_executed.sum") == image("smsp__inst_executed.sum")); // what a cache relies on
    CHECK(image("smsp__inst_executed.sum") != image("dram__bytes_read.sum"));
}

TEST_CASE("a metric the chip does not have is named, with the nearest ones, wherever it stands in the list") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    for (std::vector<char const*> const& list :
         {std::vector<char const*>{"smsp__inst_execute.sum"},
          {"dram__bytes_read.sum", "smsp__inst_execute.sum"},
          {"smsp__inst_execute.sum", "dram__bytes_read.sum", "sm__nothing.sum"}}) {
        auto const why = refusal_of(*cupti, list);
        CHECK(why.code == errc::unknown_metric);
        CHECK(why.what == "smsp__inst_execute.sum");
        CHECK(contains(why.cause, "GH100"));
        CHECK(contains(why.remedy, "smsp__inst_executed.sum"));
        CHECK(why.status != 0);
    }
}

TEST_CASE("a name without a roll-up, with a wrong one, empty or very long is told what is wrong with it") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto why = refusal_of(*cupti, {"smsp__inst_executed"});
    CHECK(why.code == errc::unknown_metric);
    CHECK(contains(why.cause, "only with a roll-up"));
    CHECK(contains(why.remedy, "smsp__inst_executed.sum"));
    why = refusal_of(*cupti, {"smsp__inst_executed.summ"});
    CHECK(why.code == errc::unknown_metric);
    CHECK(contains(why.cause, ".summ"));
    CHECK(contains(why.remedy, "smsp__inst_executed.sum"));
    why = refusal_of(*cupti, {""});
    CHECK(why.code == errc::unknown_metric);
    std::string const text(10'000, 'x');
    why = refusal_of(*cupti, {text.c_str()});
    CHECK(why.code == errc::unknown_metric);
    CHECK(why.message().size() < 1'000);
}

TEST_CASE("a metric of another chip is unknown on this one") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto const gh100 = metric_host::try_open(*cupti, "GH100");
    auto const ga102 = metric_host::try_open(*cupti, "GA102");
    REQUIRE(gh100);
    REQUIRE(ga102);
    auto const all = ga102->try_base_metrics(abi::CUPTI_METRIC_TYPE_COUNTER);
    auto const here = gh100->try_base_metrics(abi::CUPTI_METRIC_TYPE_COUNTER);
    REQUIRE(all);
    REQUIRE(here);
    auto const foreign =
        std::find_if(all->begin(), all->end(), [&](std::string const& name) { return !has_name(*here, name); });
    REQUIRE(foreign != all->end());
    std::string const name = *foreign + ".sum";
    CHECK(ga102->has(name));
    CHECK_FALSE(gh100->has(name));
    CHECK(refusal_of(*cupti, {name.c_str()}).code == errc::unknown_metric);
}

TEST_CASE("host objects can be moved, and several be used at once") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto first = metric_host::try_open(*cupti, "GH100");
    auto second = metric_host::try_open(*cupti, "GV100");
    REQUIRE(first);
    REQUIRE(second);
    metric_host moved{*std::move(first)};
    CHECK(moved.has("smsp__inst_executed.sum"));
    moved = *std::move(second);
    CHECK(moved.chip() == "GV100");
    CHECK(moved.has("smsp__inst_executed.sum"));
}

TEST_CASE("an image that no session filled has neither values nor names") {
    auto const* const cupti = real_cupti();
    if (cupti == nullptr) return;
    auto const host = metric_host::try_open(*cupti, "GH100");
    REQUIRE(host);
    char const* const metric = "smsp__inst_executed.sum";
    // Other contents end the process, inside CUPTI.
    for (std::vector<std::uint8_t> const& image : {std::vector<std::uint8_t>{}, std::vector<std::uint8_t>(4'096)}) {
        CHECK_FALSE(host->try_evaluate(image, 0, {metric}));
        CHECK_FALSE(metric_host::try_range_name(*cupti, image, 0));
    }
}

namespace {

// A CUPTI of paper: each call answers the status set for it, counts living objects, and knows one metric.
struct paper {
    static inline abi::CUptiResult chips, open, base_metrics, sub_metrics, properties, add, size, image, passes,
        evaluate, range_name, most;
    static inline int objects;
    static inline bool knows_all;

    static abi::cupti_table table() {
        chips = open = base_metrics = sub_metrics = properties = add = size = image = passes = evaluate = range_name =
            most = abi::CUPTI_SUCCESS;
        objects = 0;
        knows_all = true;
        abi::cupti_table made;
        made.ProfilerHostGetSupportedChips = [](abi::CUpti_Profiler_Host_GetSupportedChips_Params*) {
            return chips;
        }; // none
        made.ProfilerHostInitialize = [](abi::CUpti_Profiler_Host_Initialize_Params* p) {
            if (open == abi::CUPTI_SUCCESS) {
                ++objects;
                p->pHostObject = reinterpret_cast<abi::CUpti_Profiler_Host_Object*>(&objects);
            }
            return open;
        };
        made.ProfilerHostDeinitialize = [](abi::CUpti_Profiler_Host_Deinitialize_Params* p) {
            objects -= p->pHostObject != nullptr;
            return abi::CUPTI_ERROR_UNKNOWN; // nobody can do anything about it
        };
        made.ProfilerHostGetBaseMetrics = [](abi::CUpti_Profiler_Host_GetBaseMetrics_Params* p) {
            static char const* names[] = {"sm__known"};
            p->numMetrics = p->metricType == abi::CUPTI_METRIC_TYPE_COUNTER ? 1 : 0;
            p->ppMetricNames = names;
            return base_metrics;
        };
        made.ProfilerHostGetSubMetrics = [](abi::CUpti_Profiler_Host_GetSubMetrics_Params* p) {
            static char const* names[] = {".sum"};
            p->numOfSubmetrics = 1;
            p->ppSubMetrics = names;
            return sub_metrics;
        };
        made.ProfilerHostGetMetricProperties = [](abi::CUpti_Profiler_Host_GetMetricProperties_Params* p) {
            return knows_all || p->pMetricName == std::string_view{"sm__known.sum"}
                       ? properties
                       : abi::CUPTI_ERROR_INVALID_METRIC_NAME;
        };
        made.ProfilerHostConfigAddMetrics = [](abi::CUpti_Profiler_Host_ConfigAddMetrics_Params*) { return add; };
        made.ProfilerHostGetConfigImageSize = [](abi::CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
            p->configImageSize = 64;
            return size;
        };
        made.ProfilerHostGetConfigImage = [](abi::CUpti_Profiler_Host_GetConfigImage_Params* p) {
            std::memset(p->pConfigImage, 0x5a, p->configImageSize);
            return image;
        };
        made.ProfilerHostGetNumOfPasses = [](abi::CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
            p->numOfPasses = p->pConfigImage[0] == 0x5a ? 3 : 0;
            return passes;
        };
        made.ProfilerHostEvaluateToGpuValues = [](abi::CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
            for (std::size_t i = 0; i < p->numMetrics; ++i)
                p->pMetricValues[i] = static_cast<double>(100 * p->rangeIndex + i);
            return evaluate;
        };
        made.ProfilerHostGetRangeName = [](abi::CUpti_Profiler_Host_GetRangeName_Params* p) {
            if (p->rangeIndex == 0) p->pRangeName = strdup("0/1"); // the caller frees it
            return range_name;
        };
        return made;
    }
};

std::vector<char const*> const known{"sm__known.sum"};

} // namespace

TEST_CASE("a CUPTI without the host API is unavailable, and not called") {
    abi::cupti_table const none;
    auto const chips = metric_host::try_chips(none);
    REQUIRE_FALSE(chips);
    CHECK(chips.error().code == errc::unavailable);
    CHECK(contains(chips.error().message(), "12.6"));
    auto const host = metric_host::try_open(none, "GH100");
    REQUIRE_FALSE(host);
    CHECK(host.error().code == errc::unavailable);
}

TEST_CASE("an object is given back once, however often it was moved, and none is made by a failing call") {
    auto const cupti = paper::table();
    {
        auto host = metric_host::try_open(cupti, "GH100");
        REQUIRE(host);
        CHECK(paper::objects == 1);
        metric_host moved{*std::move(host)};
        metric_host other = metric_host::try_open(cupti, "GV100").value();
        CHECK(paper::objects == 2);
        moved = std::move(other);
        CHECK(moved.chip() == "GV100");
    }
    CHECK(paper::objects == 0);
    paper::open = abi::CUPTI_ERROR_OUT_OF_MEMORY;
    CHECK_FALSE(metric_host::try_open(cupti, "GH100"));
    CHECK(paper::objects == 0);
}

TEST_CASE("no chips are an empty list") {
    auto const cupti = paper::table();
    auto const chips = metric_host::try_chips(cupti);
    REQUIRE(chips);
    CHECK(chips->empty());
}

TEST_CASE("what CUPTI answers becomes the configuration, the values and the names") {
    auto const cupti = paper::table();
    auto host = metric_host::try_open(cupti, "GH100");
    REQUIRE(host);
    auto const config = host->try_configure(known);
    REQUIRE(config);
    CHECK(config->image == std::vector<std::uint8_t>(64, 0x5a));
    CHECK(config->passes == 3);
    std::vector<char const*> const two{"sm__known.sum", "sm__known.sum"};
    auto const values = host->try_evaluate({}, 7, two);
    REQUIRE(values);
    CHECK(*values == std::vector<double>{700, 701});
    auto const name = metric_host::try_range_name(cupti, {}, 0);
    REQUIRE(name);
    CHECK(*name == "0/1");
    CHECK(metric_host::try_range_name(cupti, {}, 1)->empty()); // a null name is empty
    auto const properties = host->try_properties("sm__known.sum");
    REQUIRE(properties); // null texts are empty
    CHECK(properties->description.empty());
    CHECK(properties->dimension_unit.empty());
}

TEST_CASE("an empty list of metrics is refused before CUPTI is asked") {
    auto const cupti = paper::table();
    auto host = metric_host::try_open(cupti, "GH100");
    REQUIRE(host);
    paper::add = abi::CUPTI_ERROR_UNKNOWN;
    auto const none = host->try_configure({});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::invalid_argument);
    CHECK(none.error().status == 0);
}

TEST_CASE("metrics that CUPTI refuses by its image of the device are planned without the image") {
    auto cupti = paper::table();
    static bool image_given;
    static abi::CUptiResult without_image;
    without_image = abi::CUPTI_SUCCESS;
    cupti.ProfilerHostInitialize = [](abi::CUpti_Profiler_Host_Initialize_Params* p) {
        image_given = p->pCounterAvailabilityImage != nullptr;
        p->pHostObject = reinterpret_cast<abi::CUpti_Profiler_Host_Object*>(image_given ? 1 : 2);
        return abi::CUPTI_SUCCESS;
    };
    cupti.ProfilerHostDeinitialize = [](abi::CUpti_Profiler_Host_Deinitialize_Params*) { return abi::CUPTI_SUCCESS; };
    // As CUPTI 13.0 on two H100 with NVLink: one metric is refused by the image, whatever stands beside it.
    cupti.ProfilerHostConfigAddMetrics = [](abi::CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
        bool const with_image = p->pHostObject == reinterpret_cast<abi::CUpti_Profiler_Host_Object*>(1);
        for (std::size_t i = 0; i < p->numMetrics; ++i)
            if (p->ppMetricNames[i] == std::string_view{"nvltx__bytes.sum"})
                return with_image ? abi::CUPTI_ERROR_UNKNOWN : without_image;
        return abi::CUPTI_SUCCESS;
    };
    std::vector<char const*> const both{"sm__known.sum", "nvltx__bytes.sum"};
    auto host = metric_host::try_open(cupti, "GH100", {1, 2, 3});
    REQUIRE(host);
    CHECK(host->try_configure(both));
    CHECK_FALSE(image_given); // by the object that was opened last

    without_image = abi::CUPTI_ERROR_UNKNOWN;
    auto other = metric_host::try_open(cupti, "GH100", {1, 2, 3});
    REQUIRE(other);
    auto const refused = other->try_configure(both);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message().find("for nvltx__bytes.sum") != std::string::npos);
    CHECK(refused.error().message().find("leave that metric out") != std::string::npos);
}

TEST_CASE("metrics that a device does not offer are all named, with what may be the reason") {
    auto cupti = paper::table();
    static bool image_given;
    static abi::CUptiResult whole_chip;
    cupti.ProfilerHostInitialize = [](abi::CUpti_Profiler_Host_Initialize_Params* p) {
        image_given = p->pCounterAvailabilityImage != nullptr;
        p->pHostObject = reinterpret_cast<abi::CUpti_Profiler_Host_Object*>(image_given ? 1 : 2);
        return abi::CUPTI_SUCCESS;
    };
    cupti.ProfilerHostDeinitialize = [](abi::CUpti_Profiler_Host_Deinitialize_Params*) { return abi::CUPTI_SUCCESS; };
    // A part of a GPU without its L2 and memory.
    cupti.ProfilerHostConfigAddMetrics = [](abi::CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
        bool const with_image = p->pHostObject == reinterpret_cast<abi::CUpti_Profiler_Host_Object*>(1);
        for (std::size_t i = 0; i < p->numMetrics; ++i)
            if (!std::string_view{p->ppMetricNames[i]}.starts_with("sm__"))
                return with_image ? abi::CUPTI_ERROR_INVALID_METRIC_NAME : whole_chip;
        return abi::CUPTI_SUCCESS;
    };
    std::vector<char const*> const list{"sm__known.sum", "nvltx__bytes.sum", "nvlrx__bytes.sum"};
    for (bool const on_chip : {true, false}) {
        whole_chip = on_chip ? abi::CUPTI_SUCCESS : abi::CUPTI_ERROR_INVALID_METRIC_NAME;
        auto host = metric_host::try_open(cupti, "GH100", {1, 2, 3});
        REQUIRE(host);
        auto const refused = host->try_configure(list);
        REQUIRE_FALSE(refused);
        std::string const text = refused.error().message();
        CAPTURE(text);
        CHECK(contains(text, "for nvltx__bytes.sum, nvlrx__bytes.sum"));
        CHECK_FALSE(contains(text, "sm__known.sum"));
        CHECK(contains(text, "leave those metrics out"));
        CHECK(contains(text, "MIG") == on_chip);
        CHECK(contains(text, "virtual GPU") == on_chip);
    }
}

TEST_CASE("each call that fails is named with its status, and what it means") {
    auto cupti = paper::table();
    auto host = metric_host::try_open(cupti, "GH100");
    REQUIRE(host);
    struct failing {
        abi::CUptiResult* status;
        char const* call;
        gpuprof::error (*run)(abi::cupti_table const&, metric_host&);
    };
    using table = abi::cupti_table;
    cupti.ProfilerHostGetMaxNumHardwareMetricsPerPass =
        [](abi::CUpti_Profiler_Host_GetMaxNumHardwareMetricsPerPass_Params*) { return paper::most; };
    std::vector<failing> const calls{
        {&paper::chips, "cuptiProfilerHostGetSupportedChips",
         [](table const& cupti, metric_host&) { return metric_host::try_chips(cupti).error(); }},
        {&paper::open, "cuptiProfilerHostInitialize",
         [](table const& cupti, metric_host&) { return metric_host::try_open(cupti, "GH100").error(); }},
        {&paper::base_metrics, "cuptiProfilerHostGetBaseMetrics",
         [](table const&, metric_host& host) { return host.try_base_metrics(abi::CUPTI_METRIC_TYPE_COUNTER).error(); }},
        {&paper::sub_metrics, "cuptiProfilerHostGetSubMetrics",
         [](table const&, metric_host& host) {
             return host.try_sub_metrics("sm__known", abi::CUPTI_METRIC_TYPE_COUNTER).error();
         }},
        {&paper::properties, "cuptiProfilerHostGetMetricProperties",
         [](table const&, metric_host& host) { return host.try_properties("sm__known.sum").error(); }},
        {&paper::add, "cuptiProfilerHostConfigAddMetrics",
         [](table const&, metric_host& host) { return host.try_configure(known).error(); }},
        {&paper::size, "cuptiProfilerHostGetConfigImageSize",
         [](table const&, metric_host& host) { return host.try_configure(known).error(); }},
        {&paper::image, "cuptiProfilerHostGetConfigImage",
         [](table const&, metric_host& host) { return host.try_configure(known).error(); }},
        {&paper::passes, "cuptiProfilerHostGetNumOfPasses",
         [](table const&, metric_host& host) { return host.try_configure(known).error(); }},
        {&paper::evaluate, "cuptiProfilerHostEvaluateToGpuValues",
         [](table const&, metric_host& host) { return host.try_evaluate({}, 0, known).error(); }},
        {&paper::most, "cuptiProfilerHostGetMaxNumHardwareMetricsPerPass",
         [](table const& cupti, metric_host&) { return metric_host::try_most_in_a_pass(cupti, "GH100").error(); }},
        {&paper::range_name, "cuptiProfilerHostGetRangeName",
         [](table const& cupti, metric_host&) { return metric_host::try_range_name(cupti, {}, 1).error(); }},
    };
    struct meaning {
        abi::CUptiResult status;
        errc code;
    };
    for (failing const& each : calls)
        for (meaning const& expected : {meaning{abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, errc::permission},
                                        meaning{abi::CUPTI_ERROR_HARDWARE_BUSY, errc::busy},
                                        meaning{abi::CUPTI_ERROR_OUT_OF_MEMORY, errc::unavailable},
                                        meaning{abi::CUPTI_ERROR_UNKNOWN, errc::internal}}) {
            CAPTURE(each.call);
            CAPTURE(expected.status);
            *each.status = expected.status;
            auto const why = each.run(cupti, *host);
            *each.status = abi::CUPTI_SUCCESS;
            CHECK(why.code == expected.code);
            CHECK(why.status == static_cast<int>(expected.status));
            CHECK(contains(why.what, each.call));
        }
    CHECK(paper::objects == 1);
}

TEST_CASE("a CUPTI without the call cannot say how many metrics a pass has room for") {
    auto const cupti = paper::table();
    auto const room = metric_host::try_most_in_a_pass(cupti, "GH100");
    REQUIRE_FALSE(room);
    CHECK(room.error().code == errc::unavailable);
}

TEST_CASE("a refused list is searched for the name at fault, and other refusals stay what they are") {
    auto const cupti = paper::table();
    auto host = metric_host::try_open(cupti, "GH100");
    REQUIRE(host);
    paper::add = abi::CUPTI_ERROR_INVALID_PARAMETER;
    CHECK(host->try_configure(known).error().code == errc::invalid_argument); // every name is known: something else
    paper::knows_all = false;
    std::vector<char const*> const wrong{"sm__known.sum", "sm__knwon.sum"};
    auto why = host->try_configure(wrong).error();
    CHECK(why.code == errc::unknown_metric);
    CHECK(why.what == "sm__knwon.sum");
    CHECK(contains(why.remedy, "sm__known.sum"));
    CHECK(why.status == 1);
    paper::base_metrics = abi::CUPTI_ERROR_UNKNOWN; // the search itself fails: still a clear error
    why = host->try_configure(wrong).error();
    CHECK(why.code == errc::unknown_metric);
    CHECK(why.what == "sm__knwon.sum");
}

} // namespace metric_host_test
