// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chips.hpp"

#include <cstddef>
#include <iterator>
#include <string_view>

#include <gpuprof/core/chip.hpp>
#include <gpuprof/core/compute_capability_text.hpp>
#include <gpuprof/detail/any_case.hpp>
#include <gpuprof/legacy/capability_family.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Whether the embedded GPU can be this chip: it has names, units and clocks, the capability that
// CUPTI gives its name, and the events that its capability has.
[[nodiscard]] static constexpr bool is_complete_chip(chip_model const& chip) noexcept {
    if (chip.chip_name == nullptr || chip.device_name == nullptr) return false;
    for (std::size_t i = 0; i < hardware_units; ++i) {
        auto const unit = static_cast<hardware_unit>(i);
        if (chip.count(unit) <= 0) return false;
        if (chip.has_range_profiling() != (chip.counters_per_pass[unit] > 0)) return false;
    }
    if (chip.count(hardware_unit::smsp) % chip.count(hardware_unit::sm) != 0) return false;
    if (chip.sys_hz <= 0 || chip.gpc_hz <= 0 || chip.l2_hz <= 0 || chip.dram_hz <= 0) return false;
    if (chip.launch.empty_seconds <= 0 || chip.launch.ctas_a_second <= 0) return false;
    if (chip.l2.partitions != 1 && chip.l2.partitions != 2) return false;
    auto const named = find_chip(chip.chip_name);
    if (named.has_value() != chip.has_range_profiling()) return false;
    if (named && capability(*named) != chip.capability()) return false;
    return chip.events.family() == family_of(chip.capability());
}
[[nodiscard]] static constexpr bool are_complete_and_ordered_chips() noexcept {
    for (std::size_t i = 0; i < std::size(embedded_chips); ++i) {
        if (!is_complete_chip(*embedded_chips[i])) return false;
        if (i != 0 && !(embedded_chips[i - 1]->capability() < embedded_chips[i]->capability())) return false;
    }
    return true;
}
static_assert(are_complete_and_ordered_chips(),
              "gpuprof: an embedded chip lacks a fact or is not in the order of capabilities");

chip_model const* find_embedded_chip(std::string_view name_or_capability) {
    for (chip_model const* const model : embedded_chips)
        if (name_or_capability == capability_text(model->capability()) ||
            gpuprof::detail::same_letters(name_or_capability, model->chip_name))
            return model;
    return nullptr;
}

} // namespace sim
GPUPROF_NAMESPACE_END
