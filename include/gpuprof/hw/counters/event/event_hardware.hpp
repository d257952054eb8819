// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Backend policy for event hardware (compute capability 2.0 to 7.2).
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_HARDWARE_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_HARDWARE_HPP

#include <span>
#include <string>
#include <string_view>

#include "../../../core/compute_capability.hpp"
#include "../../../core/result.hpp"
#include "../counter_data.hpp"
#include "../counter_hardware.hpp"
#include "../../machine/device.hpp"
#include "../../machine/machine.hpp"
#include "event_plan.hpp"
#include "event_session.hpp"
#include "known_legacy_metric.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// CUPTI's event and metric API (CUPTI 5.0; CUPTI 12.0, 2.5 and 2.6), present up to CUPTI 12. Names
// are those of events and of metrics derived from them; a metric is gpuprof's own formula where
// there is one, else what CUPTI calculates. Counts stand for the whole device: those of the
// profiled instances times all over profiled. Replay passes are passes; see event_session for what
// is counted when.
struct event_hardware {
    static constexpr std::string_view name = "events and metrics";
    static constexpr bool replays_kernels_in_scopes = true;

    [[nodiscard]] static constexpr bool supports(compute_capability capability) noexcept {
        return capability.has_event_hardware();
    }

    using plan = event_plan;
    using session = event_session;

    // Errors: unavailable with the reason (capability 7.5 and later, CUPTI 13 and later, no CUPTI);
    // unknown_metric with the nearest names; invalid_argument for an empty list. Cost: microseconds
    // a name; milliseconds for a misspelt one.
    [[nodiscard]] static result<plan> try_plan(device const& gpu, std::span<std::string const> names) {
        return try_plan_events(gpu, names, &known_legacy_metric);
    }
    static void forget(plan const&) noexcept {} // nothing is remembered
    [[nodiscard]] static result<evaluated_counters> try_evaluate(machine const&, counter_data const&,
                                                                 std::span<std::string const>) {
        return no_counter_data();
    }

    // Where a device has both kinds of hardware (7.0 and 7.2): lists of which every name can be
    // counted here. The two never share a context (CUPTI 12.0, 2.7).
    [[nodiscard]] static result<bool> wants(device const& gpu, std::span<std::string const> names, range_mode) {
        if (!gpu.capability().has_range_hardware()) return true;
        auto const planned = try_plan(gpu, names);
        if (planned) return true;
        errc const why = planned.error().code;
        if (why == errc::unknown_metric || why == errc::unavailable || why == errc::invalid_argument) return false;
        return planned.error();
    }
};

static_assert(counter_hardware<event_hardware>);

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_HARDWARE_HPP
