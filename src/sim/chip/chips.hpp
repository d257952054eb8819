// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of the embedded GPU's chips. Each chip has a file of its own beside this one and a line
// in the list.
#ifndef GPUPROF_SRC_SIM_CHIP_CHIPS_HPP
#define GPUPROF_SRC_SIM_CHIP_CHIPS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

#include <gpuprof/detail/config.hpp>

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

// Every chip, oldest first. Shapes, limits and clocks are those of the product named. One machine
// executes for all chips. It can do more than the chips before range profiling could: it runs PTX
// of any target, half precision and warp shuffles included, and its L1 keeps sectors, where the
// first two chips fetched whole lines of 128 bytes. A channel of device memory is 128 bits wide.
// Where L1 has a memory of its own (GM200, GP100), shared memory takes from it here all the same,
// down to 16 KiB.
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

inline constexpr std::size_t chips_with_ranges =
    static_cast<std::size_t>(std::count_if(std::begin(embedded_chips), std::end(embedded_chips),
                                           [](chip_model const* chip) { return chip->has_range_profiling(); }));

} // namespace detail

// The embedded chips that have range profiling.
inline constexpr auto chip_models = [] {
    std::array<chip_model const*, detail::chips_with_ranges> models{};
    std::size_t count = 0;
    for (chip_model const* const chip : embedded_chips)
        if (chip->has_range_profiling()) models[count++] = chip;
    return models;
}();

// The model of that chip with range profiling, spelled as CUPTI does ("GH100"); null when there is
// none.
[[nodiscard]] constexpr chip_model const* find_chip_model(std::string_view name) noexcept {
    for (chip_model const* const model : chip_models)
        if (model->chip_name == name) return model;
    return nullptr;
}

// The embedded GPU of that name ("gm200", in letters of any case) or capability ("5.2"); null when
// there is none.
[[nodiscard]] chip_model const* find_embedded_chip(std::string_view name_or_capability);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHIP_CHIPS_HPP
