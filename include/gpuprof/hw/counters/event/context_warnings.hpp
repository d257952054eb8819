// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which legacy metrics are right for a context only while no other one runs on the GPU, said before they are measured.
#ifndef GPUPROF_HW_COUNTERS_EVENT_CONTEXT_WARNINGS_HPP
#define GPUPROF_HW_COUNTERS_EVENT_CONTEXT_WARNINGS_HPP

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../../core/compute_capability.hpp"
#include "../../../core/error.hpp"
#include "../../../detail/config.hpp"
#include "../../../legacy/asked_name.hpp"
#include "../../../legacy/lookup.hpp"
#include "../../../metric/info.hpp"

GPUPROF_NAMESPACE_BEGIN

// A warning for each legacy metric of the list that is right only while one context runs on event hardware of that capability.
// CUPTI's scope of it is single-context (on 5.3 also "multi-context*"): the work of another context spoils it; or device: it
// contains that work. The context may be of this process or of another. `others` are programs that have a GPU open, which
// the text names, as hw::surroundings::read().device_users has them. None on range hardware (7.5 and later), where a range
// counts what its units do. The code is not_collected: a value there may be another one than this context's. CUPTI 12.0,
// 1.2.1.1 and 2.6.1.
[[nodiscard]] inline std::vector<error> context_warnings(std::span<metric_info const> metrics,
                                                         compute_capability capability,
                                                         std::span<std::string const> others = {}) {
    std::vector<error> warnings;
    if (!capability.has_event_hardware()) return warnings;
    std::string who;
    for (std::string const& each : others) who += (who.empty() ? "; these have a GPU open: " : ", ") + each;
    for (metric_info const& each : metrics) {
        std::string_view const name = legacy::parse_asked_name(each.name).name;
        if (legacy::find_metric(name) == nullptr) continue; // an event, or a metric of range hardware
        auto const row = legacy::try_metric(name, capability);
        if (!row) continue;
        bool const single = (*row)->scope == legacy_metric_scope::single_context ||
                            ((*row)->scope == legacy_metric_scope::multi_context_on_some && capability.revision == 3);
        bool const all = (*row)->scope == legacy_metric_scope::device;
        if (!single && !all) continue;
        warnings.push_back({errc::not_collected, 0, each.name,
                            (all ? "it contains the work of all contexts on the GPU"
                                 : "it is right only while one context runs on the GPU") +
                                who,
                            "end other contexts, a display's too, or ask for a metric that CUPTI calls multi-context"});
    }
    return warnings;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_CONTEXT_WARNINGS_HPP
