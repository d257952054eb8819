// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every embedded GPU there is: a file each beside this one, and a line each in the list below. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CHIP_CHIPS_HPP
#define GPUPROF_HW_SIM_CHIP_CHIPS_HPP

#include <algorithm>   // std::count_if
#include <array>       // lists of chips
#include <cstddef>     // std::size_t
#include <iterator>    // std::size, std::begin
#include <string_view> // names

#include "../../../core/any_case.hpp"
#include "../../../core/chip.hpp"
#include "../../../core/compute_capability_text.hpp"
#include "../../../detail/config.hpp"
#include "../../../legacy/capability_family.hpp"
#include "chip_model.hpp"
#include "gf100.hpp"
#include "gf114.hpp"
#include "gh100.hpp"
#include "gk110b.hpp"
#include "gm200.hpp"
#include "gp100.hpp"
#include "gv100.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Shapes, limits and clocks are those of the product named. What computes is the same machine for every chip, and
// differs from the chips before range profiling in what they could not do: it runs PTX of any target, half precision and
// warp shuffles included; its L1 keeps sectors, where the first two chips fetched whole lines of 128 bytes. A channel of
// device memory is 128 bits wide; where L1 has a memory of its own (GM200, GP100), shared memory takes from it here all
// the same, down to 16 KiB. Oldest first.
inline constexpr chip_model const* embedded_chips[]{
    &gf100,  // 2.0
    &gf114,  // 2.1
    &gk110b, // 3.5
    &gm200,  // 5.2
    &gp100,  // 6.0
    &gv100,  // 7.0
    &gh100,  // 9.0
};

namespace detail {

// Whether a chip is one the embedded GPU can be: it has names, units and clocks, the capability that CUPTI gives its
// name, and events as its capability says.
[[nodiscard]] constexpr bool is_well_formed(chip_model const& chip) noexcept {
    if (chip.chip_name == nullptr || chip.device_name == nullptr) return false;
    for (std::size_t unit = 0; unit < hardware_units; ++unit) {
        if (chip.count(static_cast<hardware_unit>(unit)) <= 0) return false;
        if (chip.has_range_profiling() != (chip.counters_per_pass[static_cast<hardware_unit>(unit)] > 0)) return false;
    }
    if (chip.count(hardware_unit::smsp) % chip.count(hardware_unit::sm) != 0) return false;
    if (chip.sys_hz <= 0 || chip.gpc_hz <= 0 || chip.l2_hz <= 0 || chip.dram_hz <= 0) return false;
    if (chip.l2.partitions != 1 && chip.l2.partitions != 2) return false;
    auto const named = find_chip(chip.chip_name);
    if (named.has_value() != chip.has_range_profiling()) return false;
    if (named) { // by members: nvcc's host compiler meets the comparison of friends too late
        compute_capability const listed = gpuprof::capability(*named);
        compute_capability const own = chip.capability();
        if (listed.generation != own.generation || listed.revision != own.revision) return false;
    }
    return chip.events.family() == family_of(chip.capability());
}
[[nodiscard]] constexpr bool are_well_formed() noexcept {
    for (std::size_t i = 0; i < std::size(embedded_chips); ++i) {
        if (!is_well_formed(*embedded_chips[i])) return false;
        if (i == 0) continue;
        compute_capability const before = embedded_chips[i - 1]->capability();
        compute_capability const here = embedded_chips[i]->capability();
        if (before.generation * 10 + before.revision >= here.generation * 10 + here.revision) return false;
    }
    return true;
}
static_assert(are_well_formed(), "gpuprof: an embedded chip lacks a fact or is not in the order of capabilities");

inline constexpr std::size_t chips_with_ranges =
    static_cast<std::size_t>(std::count_if(std::begin(embedded_chips), std::end(embedded_chips),
                                           [](chip_model const* each) { return each->has_range_profiling(); }));

} // namespace detail

// Those of them with range profiling.
inline constexpr auto chip_models = [] {
    std::array<chip_model const*, detail::chips_with_ranges> models{};
    std::size_t count = 0;
    for (chip_model const* const each : embedded_chips)
        if (each->has_range_profiling()) models[count++] = each;
    return models;
}();

// The model of that chip with range profiling, spelled as CUPTI does ("GH100"); null when there is none.
[[nodiscard]] constexpr chip_model const* find_chip_model(std::string_view name) noexcept {
    for (chip_model const* const model : chip_models)
        if (model->chip_name == name) return model;
    return nullptr;
}

// The embedded GPU of that name ("gm200", in letters of any case) or capability ("5.2"); null when there is none.
[[nodiscard]] inline chip_model const* find_embedded_chip(std::string_view wanted) {
    for (chip_model const* const model : embedded_chips)
        if (wanted == capability_text(model->capability()) || gpuprof::detail::same_letters(wanted, model->chip_name))
            return model;
    return nullptr;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CHIP_CHIPS_HPP
