// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/measurable.hpp: which of a list are kept where CUPTI refuses some names, or some only beside others.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/measurable.hpp>
#include <gpuprof/explain/sections.hpp>
#include <gpuprof/hw/counters/config_cache.hpp>
#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/metric/breakdown_lookup.hpp>
#include <gpuprof/sim.hpp>

#include "support/sanitized.hpp"

namespace measurable_test {

namespace abi = gpuprof::abi;
namespace explain = gpuprof::explain;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;

namespace {

using names = std::vector<std::string>;

// As CUPTI 13.0 on an H200 without links: these two are planned together or alone, and beside any other name not at all.
constexpr std::string_view links[]{"l1tex__t_sectors.sum", "l1tex__t_requests.sum"};
bool refuses_links = true;
bool is_link(std::string_view name) { return std::find(std::begin(links), std::end(links), name) != std::end(links); }

abi::CUptiResult (*real)(abi::CUpti_Profiler_Host_ConfigAddMetrics_Params*) = nullptr;

abi::CUptiResult add(abi::CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
    auto const of_links = std::count_if(p->ppMetricNames, p->ppMetricNames + p->numMetrics, is_link);
    if (refuses_links && of_links != 0 && static_cast<std::size_t>(of_links) != p->numMetrics)
        return abi::CUPTI_ERROR_NOT_SUPPORTED;
    return real(p);
}

// How often CUPTI was given a list of metrics to plan.
int lists = 0;
abi::CUptiResult count_and_add(abi::CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
    if (p->numMetrics > 1) ++lists; // messages ask for each name alone
    return add(p);
}
// How often a message was looked for: it lists all base metrics of the chip, kind by kind.
int messages = 0;
abi::CUptiResult (*real_base)(abi::CUpti_Profiler_Host_GetBaseMetrics_Params*) = nullptr;
abi::CUptiResult count_and_list(abi::CUpti_Profiler_Host_GetBaseMetrics_Params* p) {
    if (p->metricType == abi::CUPTI_METRIC_TYPE_COUNTER) ++messages;
    return real_base(p);
}

gpuprof::device fastidious_gpu() {
    static gpuprof::hw::machine other = [] {
        auto made = sim::embedded_machine();
        real = made.cupti.ProfilerHostConfigAddMetrics;
        made.cupti.ProfilerHostConfigAddMetrics = count_and_add;
        real_base = made.cupti.ProfilerHostGetBaseMetrics;
        made.cupti.ProfilerHostGetBaseMetrics = count_and_list;
        return made;
    }();
    int const ordinal = sim::open_embedded("gh100").value().ordinal();
    lists = messages = 0;
    return gpuprof::device::try_open(other, ordinal, gpuprof::device_source::embedded).value();
}

names kept_of(names const& asked) {
    auto const kept = explain::try_measurable(fastidious_gpu(), asked);
    REQUIRE(kept.has_value());
    names made;
    for (auto const& metric : *kept) made.emplace_back(metric.name);
    return made;
}

} // namespace

TEST_CASE("measurable: what goes together is kept, and names that do not go with those before are left out") {
    std::string const warps = "smsp__warps_launched.sum", executed = "smsp__inst_executed.sum",
                      active = "sm__cycles_active.avg", sectors{links[0]}, requests{links[1]};
    CHECK(kept_of({warps, executed, active}) == names{warps, executed, active});
    CHECK(kept_of({sectors, requests}) == names{sectors, requests});
    CHECK(kept_of({warps, sectors, executed, requests, active}) == names{warps, executed, active});
    CHECK(kept_of({warps, executed, active, sectors, requests}) == names{warps, executed, active});
    // A name that no chip of this machine plans, too.
    CHECK(kept_of({warps, "nvltx__bytes.sum", sectors}) == names{warps});
    // The others have to go where one of these is first.
    CHECK(kept_of({sectors, warps, requests}) == names{sectors, requests});
}

TEST_CASE("measurable: names that the chip lacks cost one failed plan however many they are") {
    hw::config_cache::shared().clear();
    names const asked = explain::metric_names_of(explain::set::full);
    refuses_links = false;
    auto const kept = explain::try_measurable(fastidious_gpu(), asked).value();
    CHECK(messages == 1); // bisection looked for 79 of them
    std::size_t const lacking = asked.size() - kept.size();
    REQUIRE(lacking > 10); // that the embedded GPU does not model
    CHECK(kept.size() > 300);
    CHECK(lists == 2); // all of them, and those that the chip has
    refuses_links = true;

    // With names that the chip has, and CUPTI does not plan beside others, bisection finds those two.
    hw::config_cache::shared().clear();
    auto const fewer = explain::try_measurable(fastidious_gpu(), asked).value();
    CHECK(messages == 1);
    CHECK(lists <= 2 + 2 * 2 * 9);
    CHECK(fewer.size() + 1 <= kept.size());
    for (std::string_view const each : links)
        CHECK(std::none_of(fewer.begin(), fewer.end(), [&](auto const& metric) { return metric.name == each; }));
}

TEST_CASE("measurable: what was found is remembered and asked again where it does not hold") {
    hw::config_cache::shared().clear();
    names const asked{"smsp__warps_launched.sum", "nvltx__bytes.sum", "smsp__inst_executed.sum",
                      "sm__cycles_active.avg"};
    names const had{asked[0], asked[2], asked[3]};
    CHECK(kept_of(asked) == had);
    CHECK(messages == 1);
    CHECK(lists == 2);
    CHECK(kept_of(asked) == had);
    CHECK(messages == 0);
    CHECK(lists == 0); // the configuration is remembered, too
    // Another list is another question.
    CHECK(kept_of({asked[0], asked[1], asked[2]}) == names{asked[0], asked[2]});
    CHECK(messages == 1);
}

TEST_CASE(
    "measurable: set basic takes at most one pass more than its counters alone, and 14 on a GH100 by CUPTI 13.0") {
    hw::machine const& machine = hw::real_machine();
    // Sanitizers end the process when CUPTI opens its libraries with RTLD_DEEPBIND.
    if (sanitized || machine.cupti_error || hw::cupti_version_text(machine.cupti_library.version) != "13.0") {
        MESSAGE("skipped: no CUPTI 13.0 to ask");
        return;
    }
    hw::open_companion(machine.cupti_library, "libnvperf_host.so");
    auto const host = hw::metric_host::try_open(machine.cupti, "GH100");
    REQUIRE(host);
    names whole, counters;
    auto const add_counter = [&](std::string_view metric) {
        std::string const sum = std::string{gpuprof::base_name(metric)} + ".sum";
        if (host->has(sum) && std::find(counters.begin(), counters.end(), sum) == counters.end())
            counters.push_back(sum);
    };
    for (std::string const& each : explain::metric_names_of(explain::set::basic)) {
        if (!host->has(each)) continue; // the launch's own, and what the chip lacks
        whole.push_back(each);
        if (gpuprof::parse_metric_name(each).kind() != gpuprof::metric_kind::throughput) {
            add_counter(each);
            continue;
        }
        auto const parts = gpuprof::try_breakdown(gpuprof::chip::gh100, each, gpuprof::breakdown_depth::all_levels);
        REQUIRE(parts);
        for (auto const& part : *parts) add_counter(part.name);
    }
    hw::config_cache cache;
    auto const set = hw::range_hardware::try_plan(machine.cupti, "GH100", whole, {}, cache);
    auto const alone = hw::range_hardware::try_plan(machine.cupti, "GH100", counters, {}, cache);
    REQUIRE(set);
    REQUIRE(alone);
    MESSAGE(whole.size() << " metrics, " << set->passes() << " passes; " << counters.size() << " counters, "
                         << alone->passes() << " passes");
    CHECK(counters.size() > 60);
    CHECK(set->passes() <= alone->passes() + 1);
    CHECK(set->passes() <= 14);
}

} // namespace measurable_test
