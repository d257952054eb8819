// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what may have disturbed the values of a report.
#ifndef GPUPROF_MEASURE_DISTURBANCES_HPP
#define GPUPROF_MEASURE_DISTURBANCES_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/compute_capability.hpp"
#include "../core/counted.hpp"
#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../hw/counters/uncounted/other_processes.hpp"
#include "../hw/doctor/device_name.hpp"
#include "../hw/machine/device.hpp"
#include "report_contents.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// "process 12", "processes 12, 13", "2 processes" where their numbers are not known.
[[nodiscard]] inline std::string text_of(hw::provided::other_processes const& of) {
    if (of.numbers.empty()) return std::to_string(of.count) + (of.count == 1 ? " process" : " processes");
    std::string text = of.count == 1 ? "process" : "processes";
    char const* before = " ";
    for (unsigned const each : of.numbers) {
        text += before + std::to_string(each);
        before = ", ";
    }
    return text;
}

// "power, heat"
[[nodiscard]] inline std::string limits_of(clock_state const& clocks) {
    struct limit {
        clock_limit by;
        char const* text;
    };
    std::string text;
    for (limit const each : {limit{clock_limit::power_cap, "the power limit"}, limit{clock_limit::heat, "heat"},
                             limit{clock_limit::hardware_slowdown, "the hardware's slowdown"},
                             limit{clock_limit::hardware_heat, "the hardware's limit of heat"},
                             limit{clock_limit::power_brake, "the power brake"}})
        if (clocks.limited_by(each.by)) (text += text.empty() ? "" : ", ") += each.text;
    return text;
}

// How many rows are known to have lasted less than it takes a GPU to reach a steady state.
[[nodiscard]] inline std::size_t short_rows(report_contents const& of) {
    constexpr double steady_ns = 20'000; // Nsight Compute 2023.3, 3.4
    std::size_t column = 0;
    std::size_t const columns = of.metrics.size();
    while (column < columns && !(of.metrics[column].name == "gpu__time_duration.sum" &&
                                 of.metrics[column].value_unit == unit_of(dimension::second, -9)))
        ++column;
    std::size_t found = 0;
    if (column < columns)
        for (std::size_t at = column; at < of.values.size(); at += columns)
            if (of.values[at] > 0 && of.values[at] < steady_ns) ++found;
    return found;
}

// context_warnings() of a program that includes gpuprof/legacy.hpp; null in others.
using context_warner = std::vector<error>(std::span<metric_info const>, compute_capability,
                                          std::span<std::string const>);
inline constinit context_warner* context_warnings_of_program = nullptr;

// Adds what is known when the report is written. Costs what other_processes_on() does, on a GPU of
// this machine alone.
inline void add_disturbances(device const& gpu, report_contents& to) {
    auto const add = [&to](disturbance_cause cause, std::string text, char const* remedy) {
        to.completeness.disturbances.push_back({cause, std::move(text), remedy});
    };
    if (to.source != device_source::hardware) return;
    if (auto const others = hw::provided::other_processes_on(gpu); others.count != 0) {
        add(disturbance_cause::other_programs,
            text_of(others) + " had the GPU open at the end: values of L2, device memory and links have their traffic, "
                              "and ranges the time that their work took",
            "measure on a GPU that nothing else uses, a display included");
        if (context_warnings_of_program != nullptr)
            for (error const& each : context_warnings_of_program(to.metrics, gpu.capability(), {}))
                add(disturbance_cause::other_programs, joined({each.what, ": ", each.cause}), each.remedy.c_str());
    }
    if (to.clocks && to.clocks->throttled())
        add(disturbance_cause::low_clocks, "clocks were kept low by " + limits_of(*to.clocks),
            "compare cycles, not times; hold the clocks by clock_lock, or cool the GPU");
    if (hw::mig_profile_of(to.device) == hw::mig_profile::shared)
        add(disturbance_cause::shared_gpu, "the device is a part of a MIG instance: what others run in it is in values",
            "use an instance of one's own");
    else if (hw::vgpu_profile_of(to.device) != hw::vgpu_profile::none)
        add(disturbance_cause::shared_gpu, "the device is a virtual GPU: other virtual machines use the same hardware",
            "measure while they rest");
    bool any_quotient = false;
    for (metric_info const& each : to.metrics) any_quotient = any_quotient || is_quotient(each);
    std::size_t const passes = to.completeness.passes_needed;
    if (std::size_t const rows = any_quotient && passes > 1 ? short_rows(to) : 0; rows != 0)
        add(disturbance_cause::short_ranges,
            joined({std::to_string(rows), rows == 1 ? " value of a range is" : " values of ranges are",
                    " of less than 20 us in ", std::to_string(passes),
                    " passes: parts of a ratio may be of passes that differ"}),
            "measure longer work, or fewer metrics at once");
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_DISTURBANCES_HPP
