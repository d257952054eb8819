// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a legacy name is written in metrics of the range hardware.
#ifndef GPUPROF_LEGACY_LEGACY_MAPPING_HPP
#define GPUPROF_LEGACY_LEGACY_MAPPING_HPP

#include <string_view>

#include "../detail/config.hpp"
#include "expression.hpp"
#include "formula.hpp"
#include "legacy_metric.hpp"
#include "../metric/name.hpp"

GPUPROF_NAMESPACE_BEGIN

// A legacy metric or event on capability 7.0 and later, as a formula over metrics (CUPTI 12.0, tables 7 and 8). Its unit is
// the legacy name's own. `correction` says how NVIDIA's table differs from the formula, and is empty where it does not: the
// table gives the closest equivalent, which now and then has another unit or counts something else. Even where it agrees,
// values can differ somewhat from those of the event hardware.
struct range_mapping {
    char const* name;
    gpuprof::formula formula; // empty: there is no equivalent
    char const* correction;
    char const* approximation =
        ""; // how the value differs in meaning from event hardware's, where the range hardware has no
            // counter of the same

    [[nodiscard]] constexpr bool has_equivalent() const noexcept { return !formula.empty(); }
    [[nodiscard]] constexpr bool corrected() const noexcept { return *correction != '\0'; }
    [[nodiscard]] constexpr bool is_approximation() const noexcept { return *approximation != '\0'; }
};

namespace legacy::mapping_parts {
using enum dimension;

inline constexpr quantity<unit_of(byte) / unit_of(sector)> bytes_per_sector{32};
inline constexpr quantity<unit_of(byte) / unit_of(wavefront)> bytes_per_wavefront{128}; // 32 banks of 4 bytes
inline constexpr quantity<unit_of(operation) / unit_of(instruction)> operation_per_instruction{1};
inline constexpr quantity<unit_of(access) / unit_of(cycle_gpc)> access_per_cycle{1};
inline constexpr quantity<unit_of(instruction) / unit_of(request)> instruction_per_request{1};

// Not defined: to call it is the error message.
void this_is_not_the_name_of_a_metric();

// A metric as an operand: what metric<"…"> is, without a type for each.
[[nodiscard]] constexpr expression<1> on_range(std::string_view name) {
    metric_name const parts = parse_metric_name(name);
    if (!parts.valid() || !parts.is_number()) this_is_not_the_name_of_a_metric();
    return gpuprof::detail::leaf({input_source::metric, {}, name, parts.value_unit()});
}

// An amount over the time of the range, for what has no .per_second of its own.
template <class Amount>
[[nodiscard]] constexpr auto per_second(Amount const& amount) {
    return in_unit(amount / on_range("gpu__time_duration.sum"), amount.value_unit / unit_of(second));
}

// A percentage as a utilisation level of 0 to 10.
template <class Percentage>
[[nodiscard]] constexpr auto level(Percentage const& of) {
    return in_unit(of, tenth_unit);
}
} // namespace legacy::mapping_parts

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_LEGACY_MAPPING_HPP
