// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generations of event hardware, each with events and metrics of its own.
#ifndef GPUPROF_LEGACY_CAPABILITY_FAMILY_HPP
#define GPUPROF_LEGACY_CAPABILITY_FAMILY_HPP

#include <optional>
#include <string_view>

#include "../core/compute_capability.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Capabilities that share one list of events and metrics, as NVIDIA's tables do (CUPTI 12.0, tables 4 to 6; 7.0 and 7.2
// are one).
enum class capability_family : unsigned char { cc_2x, cc_3x, cc_5x, cc_6x, cc_70 };

// All of them, oldest first.
inline constexpr capability_family all_capability_families[]{capability_family::cc_2x, capability_family::cc_3x,
                                                             capability_family::cc_5x, capability_family::cc_6x,
                                                             capability_family::cc_70};

// "2.x". Static storage.
[[nodiscard]] constexpr std::string_view name(capability_family family) noexcept {
    constexpr std::string_view names[]{"2.x", "3.x", "5.x", "6.x", "7.0"};
    return names[static_cast<unsigned>(family)];
}

// The family of a device, or nothing where there is no event hardware: below 2.0, from 7.5 on, and for capabilities that
// no device has.
[[nodiscard]] constexpr std::optional<capability_family> family_of(compute_capability of) noexcept {
    if (!of.has_event_hardware()) return std::nullopt;
    switch (of.generation) {
        case 2: return capability_family::cc_2x;
        case 3: return capability_family::cc_3x;
        case 5: return capability_family::cc_5x;
        case 6: return capability_family::cc_6x;
        case 7: return capability_family::cc_70;
        default: return std::nullopt;
    }
}

// Some capabilities of a family, a bit for each revision: of 5.x, bit 2 is 5.2.
using capability_revisions = unsigned char;
inline constexpr capability_revisions any_revision = 0xff;

// @pre `of` is of the family that the set is about
[[nodiscard]] constexpr bool is_among(capability_revisions set, compute_capability of) noexcept {
    return of.revision >= 0 && of.revision < 8 && (set >> of.revision & 1) != 0;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_CAPABILITY_FAMILY_HPP
