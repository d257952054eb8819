// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metric descriptors: names checked at compile time, with the unit as a type. Layer: vocabulary; no CUDA header.
#ifndef GPUPROF_METRIC_METRIC_HPP
#define GPUPROF_METRIC_METRIC_HPP

#include <concepts>    // metric_like
#include <cstddef>     // std::size_t
#include <string_view> // names
#include <utility>     // std::index_sequence

#include "../detail/fixed_string.hpp"
#include "name.hpp"
#include "../core/units.hpp"

GPUPROF_NAMESPACE_BEGIN

// What code that is not a template needs to know of a metric: a descriptor's run-time twin. Trivially copyable. `name`
// is NUL-terminated and lives as long as the program when it comes from a descriptor; else see metric_info.
struct metric_ref {
    std::string_view name;
    unit value_unit;
    gpuprof::aggregation aggregation = gpuprof::aggregation::mean;
    metric_kind kind = metric_kind::counter;
    metric_source source = metric_source::hardware;
};

namespace detail {

// In a diagnostic, `Part` spells the part of the name that is wrong. (Single characters, because some compilers print
// a string of a class type as numbers.)
template <char... Part>
struct faulty_part {};

template <name_fault Fault, class Part>
struct check_name {
    using enum name_fault;
    static_assert(Fault != empty, "gpuprof: the metric's name is empty");
    static_assert(Fault != too_long, "gpuprof: a metric's name has at most 512 characters");
    static_assert(Fault != embedded_nul, "gpuprof: the metric's name has a NUL character in it");
    static_assert(Fault != bad_character, "gpuprof: the metric's name has a character that no metric name has");
    static_assert(Fault != malformed_base, "gpuprof: a metric's name has the form unit__quantity.rollup");
    static_assert(Fault != unknown_unit,
                  "gpuprof: what stands before the double underscore of the metric's name is no unit of the GPU");
    static_assert(Fault != unknown_provider_metric, "gpuprof: this provider has no metric of that name");
    static_assert(Fault != missing_rollup, "gpuprof: a counter needs a roll-up: .sum, .avg, .min or .max");
    static_assert(Fault != missing_ratio_submetric, "gpuprof: a ratio needs .pct, .ratio or .max_rate");
    static_assert(Fault != missing_throughput_submetric,
                  "gpuprof: a throughput needs .avg.pct_of_peak_sustained_elapsed or one of its relatives");
    static_assert(Fault != unknown_rollup, "gpuprof: the metric's roll-up is not one of .sum, .avg, .min, .max");
    static_assert(Fault != unknown_submetric, "gpuprof: there is no such sub-metric");
    static_assert(Fault != withdrawn_burst, "gpuprof: burst sub-metrics were withdrawn; use the sustained ones");
    static_assert(Fault != submetric_not_of_this_kind,
                  "gpuprof: this sub-metric does not belong to this kind of metric (counter, ratio or throughput)");
};

// As many characters of the part as a diagnostic can show.
[[nodiscard]] consteval std::size_t shown_size(std::string_view part) { return part.size() < 64 ? part.size() : 64; }

// Which of the two applies is chosen by an alias, so that a valid name instantiates nothing.
struct name_passes {
    static constexpr bool value = true;
};
template <metric_name const& Parts>
struct name_refused {
    template <std::size_t... At>
    static constexpr bool shown(std::index_sequence<At...>) {
        return sizeof(check_name<Parts.fault(), faulty_part<Parts.fault_part()[At]...>>) == 0;
    }
    static constexpr bool value = shown(std::make_index_sequence<shown_size(Parts.fault_part())>{});
};
template <bool Valid>
struct check_of {
    template <metric_name const&>
    using type = name_passes;
};
template <>
struct check_of<false> {
    template <metric_name const& Parts>
    using type = name_refused<Parts>;
};

// The parts of a name, taken apart when they are first needed: a program pays for the metrics it uses.
template <fixed_string Name>
inline constexpr metric_name parts_of = parse_metric_name(Name.view());

template <fixed_string Name>
[[nodiscard]] constexpr metric_name const& checked_parts() noexcept {
    static_assert(check_of<parts_of<Name>.valid()>::template type<parts_of<Name>>::value,
                  "gpuprof: this is not the name of a metric; the error before this one says why");
    return parts_of<Name>;
}

} // namespace detail

// The metric of that name, as a type without state. A name that is malformed, cannot be evaluated or was withdrawn does
// not compile, and the diagnostic says which part is at fault (CUPTI 12.0, 2.8.1; Nsight Compute guide 3.2 and chapter
// 4). Whether a chip has the metric is not checked here: see metric_on. Everything is constant; nothing costs anything
// at run time.
template <fixed_string Name>
struct metric_descriptor {
    [[nodiscard]] static constexpr std::string_view name() noexcept { return Name.view(); }
    [[nodiscard]] static constexpr char const* c_str() noexcept { return Name.c_str(); }
    [[nodiscard]] static constexpr metric_name const& parts() noexcept { return detail::checked_parts<Name>(); }
    [[nodiscard]] static constexpr metric_kind kind() noexcept { return parts().kind(); }
    [[nodiscard]] static constexpr metric_source source() noexcept { return parts().source(); }
    [[nodiscard]] static constexpr gpuprof::unit unit() noexcept { return parts().value_unit(); }
    // How values of repeated ranges become one.
    [[nodiscard]] static constexpr gpuprof::aggregation aggregation() noexcept { return parts().aggregation(); }
    // What was read, typed: quantity<unit()>; void for texts and groups of metrics.
    [[nodiscard]] static constexpr auto typed([[maybe_unused]] double read) noexcept {
        if constexpr (parts().is_number()) return quantity<unit()>{read};
    }

    [[nodiscard]] static constexpr metric_ref ref() noexcept {
        return {name(), unit(), aggregation(), kind(), source()};
    }
    constexpr operator metric_ref() const noexcept { return ref(); } // NOLINT(google-explicit-constructor): a twin
};

template <fixed_string Left, fixed_string Right>
[[nodiscard]] constexpr bool operator==(metric_descriptor<Left>, metric_descriptor<Right>) noexcept {
    return Left.view() == Right.view();
}

namespace detail {
template <fixed_string Name>
[[nodiscard]] consteval metric_descriptor<Name> checked_metric() noexcept {
    static_cast<void>(checked_parts<Name>());
    return {};
}
} // namespace detail

// gpuprof::metric<"smsp__inst_executed.sum"> is a value that can be passed around.
template <fixed_string Name>
inline constexpr metric_descriptor<Name> metric = detail::checked_metric<Name>();

namespace literals {
// "smsp__inst_executed.sum"_metric
template <fixed_string Name>
[[nodiscard]] consteval metric_descriptor<Name> operator""_metric() noexcept {
    return detail::checked_metric<Name>();
}
} // namespace literals

// What can be asked for: metric_descriptor, and any other type that knows its name, unit and aggregation.
template <class T>
concept metric_like = requires {
    T::typed(0.0);
    { T::name() } -> std::same_as<std::string_view>;
    { T::ref() } -> std::same_as<metric_ref>;
};

// What a value of a metric is: bytes, ratio, …; void for what is not a number.
template <metric_like Metric>
using metric_value = decltype(Metric::typed(0.0));

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_METRIC_HPP
