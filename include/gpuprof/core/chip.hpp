// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chips whose counters the range profiler knows, with their compute capabilities.
#ifndef GPUPROF_CORE_CHIP_HPP
#define GPUPROF_CORE_CHIP_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "../detail/any_case.hpp"
#include "compute_capability.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// A GPU chip by the name that CUPTI gives it (CUPTI 12.0, 2.7.2.1: cuptiDeviceGetChipName). Several
// products share a chip, and several chips share a compute capability.
// clang-format off
enum class chip : unsigned char {
    gv100,
    tu102, tu104, tu106, tu116, tu117,
    ga100, ga102, ga103, ga104, ga106, ga107, ga10b,
    ad102, ad103, ad104, ad106, ad107,
    gh100,
    gb100, gb102, gb10b, gb110,
    gb202, gb203, gb205, gb206, gb207, gb20b
};
// clang-format on

namespace detail {
struct chip_row {
    std::string_view name;
    compute_capability capability;
};

// clang-format off
inline constexpr std::array<chip_row, 29> chip_rows{{
    {"GV100", {7, 0}},
    {"TU102", {7, 5}}, {"TU104", {7, 5}}, {"TU106", {7, 5}}, {"TU116", {7, 5}}, {"TU117", {7, 5}},
    {"GA100", {8, 0}},
    {"GA102", {8, 6}}, {"GA103", {8, 6}}, {"GA104", {8, 6}}, {"GA106", {8, 6}}, {"GA107", {8, 6}},
    {"GA10B", {8, 7}},
    {"AD102", {8, 9}}, {"AD103", {8, 9}}, {"AD104", {8, 9}}, {"AD106", {8, 9}}, {"AD107", {8, 9}},
    {"GH100", {9, 0}},
    {"GB100", {10, 0}}, {"GB102", {10, 0}},
    {"GB10B", {11, 0}},
    {"GB110", {10, 3}},
    {"GB202", {12, 0}}, {"GB203", {12, 0}}, {"GB205", {12, 0}}, {"GB206", {12, 0}}, {"GB207", {12, 0}},
    {"GB20B", {12, 1}},
}};
// clang-format on
static_assert(chip_rows.size() == static_cast<std::size_t>(chip::gb20b) + 1);
} // namespace detail

// Every chip, oldest family first.
inline constexpr auto all_chips = [] {
    std::array<chip, detail::chip_rows.size()> chips{};
    for (std::size_t i = 0; i < chips.size(); ++i) chips[i] = static_cast<chip>(i);
    return chips;
}();

// The name as CUPTI spells it: "GH100". Constant time.
[[nodiscard]] constexpr std::string_view name(chip which) noexcept {
    return detail::chip_rows[static_cast<std::size_t>(which)].name;
}

// The compute capability of devices with this chip (CUPTI 12.0, 2.7.2.1; CUDA 13.0 for the newer
// ones). Under CUDA 12 the driver calls GB10B 10.1. Constant time.
[[nodiscard]] constexpr compute_capability capability(chip which) noexcept {
    return detail::chip_rows[static_cast<std::size_t>(which)].capability;
}

// The chip of that name, "GH100" or "gh100", in letters of any case; none for chips that are newer
// or older than these. name() gives CUPTI's spelling.
[[nodiscard]] constexpr std::optional<chip> find_chip(std::string_view name) noexcept {
    for (chip const which : all_chips)
        if (detail::same_letters(detail::chip_rows[static_cast<std::size_t>(which)].name, name)) return which;
    return std::nullopt;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_CHIP_HPP
