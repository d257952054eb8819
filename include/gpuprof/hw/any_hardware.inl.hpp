// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of any_hardware.hpp. Layer: hw; whoever instantiates them has the policies' headers.
#ifndef GPUPROF_HW_ANY_HARDWARE_INL_HPP
#define GPUPROF_HW_ANY_HARDWARE_INL_HPP

#include <optional> // an error or none
#include <span>     // lists of metrics
#include <string>   // texts
#include <utility>  // std::move

#include "../core/compute_capability_text.hpp"
#include "any_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

template <class... Policies>
bool basic_any_hardware<Policies...>::supports(compute_capability capability) {
    for (registration const* each = registration::first(); each != nullptr; each = each->next())
        if (each->functions().supports(capability)) return true;
    return (Policies::supports(capability) || ...);
}

template <class... Policies>
auto basic_any_hardware<Policies...>::try_plan(device const& gpu, std::span<std::string const> metrics)
    -> result<plan> {
    hardware_functions const* chosen = nullptr;
    std::optional<error> passed_over;
    auto const ask = [&](hardware_functions const& policy) {
        if (chosen != nullptr || !policy.supports(gpu.capability())) return;
        auto wanted = policy.wants(gpu, metrics);
        if (!wanted && !passed_over) passed_over = std::move(wanted).error();
        else if (wanted && *wanted) chosen = &policy;
    };
    for (registration const* each = registration::first(); each != nullptr; each = each->next()) ask(each->functions());
    (ask(functions_of<Policies>), ...);
    if (chosen != nullptr) {
        auto planned = chosen->try_plan(gpu, metrics);
        if (!planned) return told_with(passed_over, std::move(planned).error());
        return plan{*chosen, *planned, std::move(passed_over)};
    }
    if (passed_over) return *std::move(passed_over);
    compute_capability const has = gpu.capability();
    return error{errc::unavailable, 0, detail::joined({gpu.name(), " has compute capability ", capability_text(has)}),
                 "no counter hardware of that generation is supported by this build",
                 has.has_event_hardware()
                     ? "include gpuprof/events.hpp, which adds the events and metrics of capability 2.0 to 7.2"
                     : "measure on a device of capability 7.0 or later"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ANY_HARDWARE_INL_HPP
