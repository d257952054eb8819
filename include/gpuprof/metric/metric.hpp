// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metric descriptors: names checked at compile time, with the unit as a type.
#ifndef GPUPROF_METRIC_METRIC_HPP
#define GPUPROF_METRIC_METRIC_HPP

#include <concepts>
#include <string_view>

#include "../core/units.hpp"
#include "../detail/fixed_string.hpp"
#include "listed.hpp"
#include "name.hpp"
#include "spelled.hpp"

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

// Which chips a metric's name is of. `newer_chip` says that the list that gpuprof was made with (CUPTI 13.0) need not have it:
// metric<"smsp__brand_new.sum", gpuprof::newer_chip>.
enum class metric_origin : bool { listed_chip, newer_chip };
// To write `gpuprof::newer_chip`; see metric_origin.
inline constexpr metric_origin newer_chip = metric_origin::newer_chip;

namespace detail {

// The parts of a name, taken apart when they are first needed: a program pays for the metrics it uses.
template <fixed_string Name>
inline constexpr metric_name parts_of = parse_metric_name(Name.view());

// What is wrong with a name: its grammar, or, for what the counter hardware of a listed chip delivers, that no chip has it.
[[nodiscard]] constexpr name_fault fault_of(metric_name const& parts, metric_origin origin) noexcept {
    bool const of_hardware =
        parts.source() == metric_source::hardware || parts.source() == metric_source::sass || !parts.prefix().empty();
    if (!parts.valid() || !of_hardware || origin == metric_origin::newer_chip) return parts.fault();
    if (!is_listed(parts.listed_base())) return name_fault::unlisted_base;
    return is_of_no_chip(parts.submetric()) ? name_fault::unlisted_submetric : name_fault::none;
}

// What a diagnostic shows beside a fault: the part at fault, or the nearest name that some chip has.
template <metric_name const& Parts, name_fault Fault>
struct shown_part {
    [[nodiscard]] static consteval std::string_view text() noexcept {
        if (Fault == name_fault::unlisted_base) return nearest_listed(Parts.listed_base());
        return Parts.fault_part().substr(0, 64);
    }
};

struct accepted {};
template <name_fault Fault, class Shown>
struct refused {};
// Which of them applies is chosen by an alias, so that a valid name instantiates nothing.
template <name_fault Fault>
struct verdict_of {
    template <metric_name const& Parts>
    using type = refused<Fault, spelled<shown_part<Parts, Fault>>>;
};
template <>
struct verdict_of<name_fault::none> {
    template <metric_name const&>
    using type = accepted;
};
template <fixed_string Name, metric_origin Origin>
using verdict = typename verdict_of<fault_of(parts_of<Name>, Origin)>::template type<parts_of<Name>>;

template <class Verdict>
inline constexpr bool is_accepted = false;
template <>
inline constexpr bool is_accepted<accepted> = true;

// The descriptor, and if the name is refused the message. A fault has one line here, which says all that there is to say:
// compilers show it with the descriptor, whose name they spell out, and with what `shown_part` says.
template <class Descriptor, class Verdict>
struct check {
    using type = Descriptor;
};
template <class Descriptor, name_fault Fault, class Shown>
struct check<Descriptor, refused<Fault, Shown>> {
    using enum name_fault;
    // clang-format off
    static_assert(Fault != empty, "gpuprof: the metric's name is empty");
    static_assert(Fault != too_long, "gpuprof: a metric's name has at most 512 characters");
    static_assert(Fault != embedded_nul, "gpuprof: the metric's name has a NUL character in it");
    static_assert(Fault != bad_character, "gpuprof: the metric's name has a character that no metric name has");
    static_assert(Fault != malformed_base, "gpuprof: a metric's name has the form unit__quantity.rollup");
    static_assert(Fault != unknown_unit, "gpuprof: what stands before the double underscore of the metric's name is no unit of the GPU");
    static_assert(Fault != unknown_provider_metric, "gpuprof: this provider has no metric of that name");
    static_assert(Fault != missing_rollup, "gpuprof: a counter or throughput needs a roll-up: .sum, .avg, .min or .max");
    static_assert(Fault != missing_ratio_submetric, "gpuprof: a ratio needs .pct, .ratio or .max_rate");
    static_assert(Fault != missing_throughput_submetric, "gpuprof: a throughput needs .avg.pct_of_peak_sustained_elapsed or one of its relatives");
    static_assert(Fault != unknown_rollup, "gpuprof: the metric's roll-up is not one of .sum, .avg, .min, .max");
    static_assert(Fault != unknown_submetric, "gpuprof: there is no such sub-metric");
    static_assert(Fault != withdrawn_burst, "gpuprof: burst sub-metrics were withdrawn; use the sustained ones");
    static_assert(Fault != submetric_not_of_this_kind, "gpuprof: this sub-metric does not belong to this kind of metric (counter, ratio or throughput)");
    static_assert(Fault != breakdown_of_no_throughput, "gpuprof: only a throughput has a breakdown");
    static_assert(Fault != unlisted_base, "gpuprof: no known chip has this metric; the nearest name stands beside. Of a newer chip: metric<\"...\", gpuprof::newer_chip>");
    static_assert(Fault != unlisted_submetric, "gpuprof: no known chip has the sub-metrics of a region or frame; use ..._elapsed or ..._active, or metric_of_range<\"...\">. Of a newer chip: metric<\"...\", gpuprof::newer_chip>");
    // clang-format on
    using type = Descriptor;
};

template <fixed_string Name>
[[nodiscard]] constexpr metric_name const& checked_parts() noexcept;

} // namespace detail

// The metric of that name, as a type without state. A name that is malformed, cannot be evaluated or was withdrawn does
// not compile, and the diagnostic says which part is at fault (CUPTI 12.0, 2.8.1; Nsight Compute guide 3.2 and chapter
// 4). `metric<…>` asks more: that some chip has it. Everything is constant; nothing costs anything at run time.
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

namespace detail {
template <fixed_string Name>
[[nodiscard]] constexpr metric_name const& checked_parts() noexcept {
    static_cast<void>(sizeof(typename check<metric_descriptor<Name>, verdict<Name, metric_origin::newer_chip>>::type));
    return parts_of<Name>;
}
} // namespace detail

template <fixed_string Left, fixed_string Right>
[[nodiscard]] constexpr bool operator==(metric_descriptor<Left>, metric_descriptor<Right>) noexcept {
    return Left.view() == Right.view();
}

// gpuprof::metric<"smsp__inst_executed.sum"> is a value that can be passed around. A name that no chip of CUPTI 13.0 has
// does not compile, unless it is said to be of a newer one: metric<"…", newer_chip>; the message shows the nearest name.
// Whether a certain chip has it: metric_on. (A third argument is not for users.)
#if defined(__clang__) // a constraint is what it tells most shortly: the name in the user's line, and why
template <fixed_string Name, metric_origin Origin = metric_origin::listed_chip,
          class Verdict = detail::verdict<Name, Origin>>
    requires(detail::is_accepted<Verdict>) // which fault: see name_fault in metric/name.hpp
inline constexpr metric_descriptor<Name> metric{};
#else
template <fixed_string Name, metric_origin Origin = metric_origin::listed_chip,
          class Verdict = detail::verdict<Name, Origin>>
inline constexpr metric_descriptor<Name> metric = typename detail::check<metric_descriptor<Name>, Verdict>::type{};
#endif

namespace literals {
// "smsp__inst_executed.sum"_metric
template <fixed_string Name>
#if defined(__clang__)
    requires(detail::is_accepted<detail::verdict<Name, metric_origin::listed_chip>>)
#endif
[[nodiscard]] consteval metric_descriptor<Name> operator""_metric() noexcept { return metric<Name>; }
} // namespace literals

// What can be asked for: metric_descriptor, and any other type that knows its name, unit and aggregation.
template <class T>
concept metric_like = requires {
    T::typed(0.0);
    { T::name() } -> std::same_as<std::string_view>;
    { T::ref() } -> std::same_as<metric_ref>;
};

namespace detail {
// Whether one of the arguments is a name where a metric belongs: profiler{gpu, "sm__inst_executed.sum"}. What takes metrics
// has an overload for it, which tells what to write.
template <class... Given>
inline constexpr bool gives_text = (std::convertible_to<Given, std::string_view> || ...);
} // namespace detail

// What a value of a metric is: bytes, ratio, …; void for what is not a number.
template <metric_like Metric>
using metric_value = decltype(Metric::typed(0.0));

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_METRIC_HPP
