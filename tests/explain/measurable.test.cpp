// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/measurable.hpp: which of a list are kept where CUPTI refuses some names, or some only beside others.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/explain/measurable.hpp>
#include <gpuprof/sim.hpp>

namespace measurable_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

using names = std::vector<std::string>;

// As CUPTI 13.0 on an H200 without links: these two are planned together or alone, and beside any other name not at all.
constexpr std::string_view links[]{"l1tex__t_sectors.sum", "l1tex__t_requests.sum"};
bool is_link(std::string_view name) { return std::find(std::begin(links), std::end(links), name) != std::end(links); }

abi::CUptiResult (*real)(abi::CUpti_Profiler_Host_ConfigAddMetrics_Params*) = nullptr;

abi::CUptiResult add(abi::CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
    auto const of_links = std::count_if(p->ppMetricNames, p->ppMetricNames + p->numMetrics, is_link);
    if (of_links != 0 && static_cast<std::size_t>(of_links) != p->numMetrics) return abi::CUPTI_ERROR_NOT_SUPPORTED;
    return real(p);
}

names kept_of(names const& asked) {
    static gpuprof::hw::machine other = [] {
        auto made = sim::embedded_machine();
        real = made.cupti.ProfilerHostConfigAddMetrics;
        made.cupti.ProfilerHostConfigAddMetrics = add;
        return made;
    }();
    int const ordinal = sim::open_embedded("gh100").value().ordinal();
    auto const gpu = gpuprof::device::try_open(other, ordinal, gpuprof::device_source::embedded).value();
    auto const kept = gpuprof::explain::try_measurable(gpu, asked);
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

} // namespace measurable_test
