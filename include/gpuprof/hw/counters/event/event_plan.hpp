// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From names to events in passes: what to count on a device of event hardware, and how each value
// follows.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_PLAN_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/compute_capability_text.hpp"
#include "../../../core/error.hpp"
#include "../../../legacy/asked_name.hpp"
#include "../../../legacy/expression.hpp"
#include "../../../legacy/metric_property.hpp"
#include "../../../metric/nearest.hpp"
#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/device.hpp"
#include "../../machine/device_property.hpp"
#include "event_catalogue.hpp"
#include "event_packing.hpp"
#include "event_passes.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// How a value follows from counts that stand for all instances of their domain.
enum class event_method : unsigned char {
    count,   // it is the count of one event
    own,     // gpuprof's formula
    by_cupti // cuptiMetricGetValue2, or cuptiMetricGetValue where that is missing
};

// One name that was asked for.
struct event_output {
    std::string name;
    event_method method = event_method::count;
    std::vector<abi::CUpti_EventID> events; // each once
    gpuprof::formula own{};
    abi::CUpti_MetricID metric = 0;
    abi::CUpti_MetricValueKind kind = abi::CUPTI_METRIC_VALUE_KIND_DOUBLE;
    double from_cupti = 1;                                 // from CUPTI's unit to the one gpuprof gives the value in
    std::vector<abi::CUpti_MetricPropertyID> properties{}; // what `own` or CUPTI takes beside the events
    std::vector<std::uint64_t> property_values{};          // in the same order; the time is filled in later
    // What is about one instance of a domain is calculated from the counts of each profiled one:
    // the value is the mean, or that of `instance`, if it is not -1.
    bool of_one_instance = false;
    int instance = -1;
};

// What to count, and in how many passes.
struct event_plan {
    std::vector<event_output> outputs;
    std::vector<planned_pass> collected;

    [[nodiscard]] std::size_t passes() const noexcept { return collected.size(); }
    [[nodiscard]] bool remembered() const noexcept { return false; } // nothing is: planning takes microseconds
    [[nodiscard]] std::string_view hardware() const noexcept { return "events and metrics"; }
};

// What gpuprof knows of a name on devices of a capability: its own formula, empty if there is none,
// and what CUPTI's value is multiplied with to be in gpuprof's unit (100 for a percentage that
// CUPTI gives as a ratio).
struct known_metric {
    gpuprof::formula own{};
    double from_cupti = 1;
    gpuprof::formula wider{};     // tried before `own`: for devices with more units, see legacy_metric_row
    bool of_one_instance = false; // legacy_metric_descriptor::of_one_instance
    std::string missing{};        // why devices of the capability lack it, if the documents say so
};
using known_metrics = known_metric (*)(compute_capability of, std::string_view name);

} // namespace hw

namespace detail {

[[nodiscard]] inline result<std::vector<abi::CUpti_EventID>> events_of(abi::cupti_table const& cupti,
                                                                       abi::CUpti_MetricID metric) {
    return try_list<abi::CUpti_EventID>(
        "cuptiMetricGetNumEvents", [&](auto* n) { return cupti.MetricGetNumEvents(metric, n); },
        "cuptiMetricEnumEvents", [&](auto* bytes, auto* list) { return cupti.MetricEnumEvents(metric, bytes, list); });
}

// The properties' values, but for the time, which is not known yet.
[[nodiscard]] inline result<void> take_properties(device const& gpu, hw::event_output& into) {
    for (abi::CUpti_MetricPropertyID const each : into.properties) {
        auto value = hw::try_property(gpu, each);
        if (!value) return std::move(value).error();
        into.property_values.push_back(*value);
    }
    return {};
}

// False if the device lacks an event of the formula.
[[nodiscard]] inline result<bool> use_formula(device const& gpu, gpuprof::formula const& own, hw::event_output& into) {
    hw::event_output made = into;
    for (expression_input const& input : own.inputs()) {
        if (input.source == input_source::property) {
            made.properties.push_back(static_cast<abi::CUpti_MetricPropertyID>(input.property));
            continue;
        }
        abi::CUpti_EventID id = 0;
        std::string const name{input.name};
        auto const status = gpu.cupti().EventGetIdFromName(gpu.handle(), name.c_str(), &id);
        if (status == abi::CUPTI_ERROR_INVALID_EVENT_NAME) return false;
        if (status) return hw::explain("cuptiEventGetIdFromName", status);
        made.events.push_back(id);
    }
    if (auto taken = take_properties(gpu, made); !taken) {
        if (taken.error().code == errc::unavailable) return false;
        return std::move(taken).error();
    }
    made.method = hw::event_method::own;
    made.own = own;
    into = std::move(made);
    return true;
}

// Whether a formula means the same for one instance of a unit as for the device: it takes no number
// of the whole device.
[[nodiscard]] inline bool is_of_any_instance(gpuprof::formula const& own) noexcept {
    for (expression_input const& input : own.inputs()) {
        if (input.source != input_source::property) continue;
        using enum metric_property;
        if (input.property != warps_per_multiprocessor && input.property != kernel_gpu_time &&
            input.property != clock_rate && input.property != warp_size &&
            input.property != schedulers_per_multiprocessor)
            return false;
    }
    return true;
}
[[nodiscard]] GPUPROF_COLD inline error not_of_one_instance(std::string const& given, std::string const& name) {
    return {errc::invalid_argument, 0, given, "this metric is of the device, not of an instance", "ask for " + name};
}

// No error if the device can profile the instances that were asked for.
[[nodiscard]] inline result<void> check_instances(hw::event_catalogue const& catalogue, hw::event_plan const& plan) {
    for (hw::event_output const& each : plan.outputs) {
        if (each.instance < 0) continue;
        for (hw::planned_pass const& pass : plan.collected)
            for (hw::planned_group const& group : pass.groups) {
                bool counts = false;
                for (abi::CUpti_EventID const event : each.events)
                    for (abi::CUpti_EventID const grouped : group.events) counts = counts || event == grouped;
                if (!counts) continue;
                auto domain = catalogue.try_domain(group.domain);
                if (!domain) return std::move(domain).error();
                if (static_cast<std::uint32_t>(each.instance) >= domain->profiled_instances)
                    return error{errc::invalid_argument, 0, each.name,
                                 "the device can profile " + std::to_string(domain->profiled_instances) +
                                     " instances of " + domain->name,
                                 "count from 0"};
            }
    }
    return {};
}

[[nodiscard]] inline result<void> ask_cupti(device const& gpu, hw::event_catalogue const& catalogue,
                                            abi::CUpti_MetricID metric, hw::event_output& into) {
    abi::cupti_table const& cupti = gpu.cupti();
    auto known = catalogue.try_metric(metric);
    if (!known) return std::move(known).error();
    auto events = events_of(cupti, metric);
    if (!events) return std::move(events).error();
    into.method = hw::event_method::by_cupti;
    into.metric = metric;
    into.kind = known->kind;
    if (known->is_only_of_one_instance()) into.of_one_instance = true;
    if (into.instance >= 0 && !known->can_be_of_one_instance()) return not_of_one_instance(into.name, known->name);
    into.events = *std::move(events);
    if (cupti.MetricGetValue2 == nullptr || cupti.MetricGetNumProperties == nullptr ||
        cupti.MetricEnumProperties == nullptr)
        return {}; // cuptiMetricGetValue finds them itself
    auto properties = try_list<abi::CUpti_MetricPropertyID>(
        "cuptiMetricGetNumProperties", [&](auto* n) { return cupti.MetricGetNumProperties(metric, n); },
        "cuptiMetricEnumProperties",
        [&](auto* bytes, auto* list) { return cupti.MetricEnumProperties(metric, bytes, list); });
    if (!properties) return std::move(properties).error();
    into.properties = *std::move(properties);
    return take_properties(gpu, into);
}

[[nodiscard]] GPUPROF_COLD inline error unknown_event(device const& gpu, hw::event_catalogue const& catalogue,
                                                      std::string const& name, std::string_view missing = {}) {
    std::vector<std::string> known;
    if (auto events = catalogue.try_events())
        for (hw::event_properties& each : *events) known.push_back(std::move(each.name));
    if (auto metrics = catalogue.try_metrics())
        for (hw::derived_metric_properties& each : *metrics) known.push_back(std::move(each.name));
    std::string cause = std::string{gpu.name()} + " has no event and no metric of that name";
    if (name.find("__") != name.npos)
        cause = "capability " + capability_text(gpu.capability()) +
                " counts events; this is a metric of range hardware, 7.0 and later";
    if (!missing.empty()) cause = std::string{missing};
    return unknown_name(name, std::move(cause), known);
}

} // namespace detail

namespace hw {

// The name of an event or metric may begin with "legacy:"; with "@3" at its end it is of instance 3
// alone, of those that the device can profile. Without that, what CUPTI has for one instance only
// is the mean over them. What the device at hand counts for these names: events by name, metrics by
// own formula where there is one and the device has its events, else as CUPTI calculates them.
// Touches no counter.
// Errors: unavailable, with the reason; unknown_metric with the nearest names; invalid_argument for
// an empty list.
[[nodiscard]] inline result<event_plan> try_plan_events(device const& gpu, std::span<std::string const> names,
                                                        known_metrics known) {
    if (names.empty())
        return error{errc::invalid_argument, 0, "no metric was asked for", "the list of metrics is empty",
                     "name at least one"};
    auto catalogue = event_catalogue::try_open(gpu);
    if (!catalogue) return std::move(catalogue).error();
    abi::cupti_table const& cupti = gpu.cupti();
    event_plan plan;
    std::vector<std::vector<abi::CUpti_EventID>> together;
    std::vector<abi::CUpti_MetricID> metrics;
    for (std::string const& given : names) {
        if (given.empty() || given.find('\0') != given.npos) return detail::unknown_event(gpu, *catalogue, given);
        auto const asked_for = legacy::parse_asked_name(given);
        std::string const name{asked_for.name};
        int const instance = asked_for.instance;
        event_output& made = plan.outputs.emplace_back();
        made.name = given;
        made.instance = instance;
        made.of_one_instance = instance >= 0;
        abi::CUpti_MetricID metric = 0;
        auto const asked = cupti.MetricGetIdFromName(gpu.handle(), name.c_str(), &metric);
        if (asked != abi::CUPTI_SUCCESS && asked != abi::CUPTI_ERROR_INVALID_METRIC_NAME)
            return explain("cuptiMetricGetIdFromName", asked);
        bool done = false;
        known_metric const here = known(gpu.capability(), name);
        made.from_cupti = here.from_cupti;
        for (gpuprof::formula const& own : {here.wider, here.own}) {
            if (done || own.empty()) continue;
            auto used = detail::use_formula(gpu, own, made);
            if (!used) return std::move(used).error();
            done = *used;
            made.of_one_instance = made.of_one_instance || (done && here.of_one_instance);
            if (done && instance >= 0 && !here.of_one_instance && !detail::is_of_any_instance(own))
                return detail::not_of_one_instance(given, name);
        }
        if (!done && asked == abi::CUPTI_SUCCESS) {
            if (auto taken = detail::ask_cupti(gpu, *catalogue, metric, made); !taken) return std::move(taken).error();
            metrics.push_back(metric);
            done = true;
        }
        if (!done) {
            abi::CUpti_EventID id = 0;
            auto const status = cupti.EventGetIdFromName(gpu.handle(), name.c_str(), &id);
            if (status == abi::CUPTI_ERROR_INVALID_EVENT_NAME)
                return detail::unknown_event(gpu, *catalogue, name, here.missing);
            if (status) return explain("cuptiEventGetIdFromName", status);
            made.events.push_back(id);
        }
        together.push_back(made.events);
    }
    auto passes = try_pack_events(gpu, *catalogue, together, metrics);
    if (!passes) return std::move(passes).error();
    plan.collected = *std::move(passes);
    for (planned_pass& pass : plan.collected)
        for (planned_group& group : pass.groups)
            for (event_output const& each : plan.outputs)
                for (abi::CUpti_EventID const event : each.events)
                    for (abi::CUpti_EventID const grouped : group.events)
                        group.by_instance = group.by_instance || (each.of_one_instance && event == grouped);
    if (auto counted = detail::check_instances(*catalogue, plan); !counted) return std::move(counted).error();
    for (event_output const& each : plan.outputs)
        if (coverage(plan.collected, each.events) == event_coverage::missing)
            return error{errc::internal, 0, "an event of " + each.name + " is in no pass",
                         "CUPTI's grouping left it out", ""};
    return plan;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_PLAN_HPP
