// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas written as arithmetic, at compile time, with their units checked.
#ifndef GPUPROF_LEGACY_EXPRESSION_HPP
#define GPUPROF_LEGACY_EXPRESSION_HPP

#include <concepts>
#include <cstddef>
#include <string_view>

#include "../detail/config.hpp"
#include "event.hpp"
#include "formula.hpp"
#include "metric_property.hpp"
#include "../core/unit.hpp"
#include "../core/units.hpp"

GPUPROF_NAMESPACE_BEGIN

// A formula being built, of Nodes operands and operations. Made at compile time only, by arithmetic:
//     inline constexpr auto achieved_occupancy =
//         percent{100} * (events::active_warps / events::active_cycles) / properties::max_warps_per_multiprocessor;
// Operands are events, metric descriptors, properties, quantities and plain numbers. The unit follows from theirs as for
// quantities; a sum or difference of different units does not compile, and neither does a formula that nests too deep.
template <std::size_t Nodes>
struct expression {
    static constexpr std::size_t max_inputs = (Nodes + 1) / 2; // every second node is an operand
    static_assert(max_inputs < 256, "gpuprof: this formula has too many operands");

    expression_node nodes[Nodes];
    expression_input inputs[max_inputs];
    std::size_t input_count = 0;
    std::size_t depth = 1;
    gpuprof::unit value_unit;

    // Refers to this object, which therefore has to last: name it `static` or at namespace scope.
    constexpr operator formula() const& noexcept { // NOLINT(google-explicit-constructor): the same thing, elsewhere
        return formula{nodes, {inputs, input_count}, value_unit};
    }
    operator formula() const&& = delete;
};

namespace detail {
template <class T>
inline constexpr bool is_expression = false;
template <std::size_t Nodes>
inline constexpr bool is_expression<expression<Nodes>> = true;

// A metric descriptor, without needing metric.hpp.
template <class T>
concept named_metric = requires {
    { T::name() } -> std::same_as<std::string_view>;
    { T::unit() } -> std::same_as<unit>;
};
template <class T>
concept symbol = is_expression<T> || named_metric<T> || std::same_as<T, event_descriptor> ||
    std::same_as<T, metric_property_descriptor>;
template <class T>
concept operand = symbol<T> || is_quantity<T> || std::convertible_to<T, double>;

[[nodiscard]] constexpr expression<1> leaf(expression_input const& of) {
    expression<1> result;
    result.nodes[0] = {expression_node::operation::input, 0, 0};
    result.inputs[0] = of;
    result.input_count = 1;
    result.value_unit = of.of;
    return result;
}
[[nodiscard]] constexpr expression<1> leaf(double value, unit of) {
    expression<1> result;
    result.nodes[0] = {expression_node::operation::literal, 0, value};
    result.value_unit = of;
    return result;
}

template <operand T>
[[nodiscard]] constexpr auto as_expression(T const& of) {
    if constexpr (is_expression<T>) return of;
    else if constexpr (named_metric<T>) return leaf({input_source::metric, {}, T::name(), T::unit()});
    else if constexpr (std::same_as<T, event_descriptor>) return leaf({input_source::event, {}, of.name, of.of});
    else if constexpr (std::same_as<T, metric_property_descriptor>)
        return leaf({input_source::property, of.id, of.name, of.of});
    else if constexpr (is_quantity<T>) return leaf(of.value(), T::unit());
    else return leaf(static_cast<double>(of), one);
}

// Not defined: to call one is the error message, and no program with a formula built at run time links.
void the_units_of_a_sum_differ();
void the_formula_nests_too_deep();
void the_units_do_not_convert();

template <std::size_t Left, std::size_t Right>
[[nodiscard]] constexpr auto combine(expression_node::operation what, expression<Left> const& left,
                                     expression<Right> const& right) {
    expression<Left + Right + 1> result;
    std::size_t next = 0;
    for (expression_node const& node : left.nodes) result.nodes[next++] = node;
    for (std::size_t i = 0; i < left.input_count; ++i) result.inputs[i] = left.inputs[i];
    result.input_count = left.input_count;
    unsigned char moved[expression<Right>::max_inputs]{}; // where the right side's inputs went
    for (std::size_t i = 0; i < right.input_count; ++i) {
        std::size_t at = 0;
        while (at < result.input_count && !(result.inputs[at] == right.inputs[i])) ++at;
        if (at == result.input_count) result.inputs[result.input_count++] = right.inputs[i];
        moved[i] = static_cast<unsigned char>(at);
    }
    for (expression_node node : right.nodes) {
        if (node.what == expression_node::operation::input) node.input = moved[node.input];
        result.nodes[next++] = node;
    }
    result.nodes[next] = {what, 0, 0};
    result.depth = left.depth > right.depth + 1 ? left.depth : right.depth + 1;
    if (result.depth > max_expression_depth) the_formula_nests_too_deep();
    using enum expression_node::operation;
    bool const sum = what == add || what == subtract;
    if (sum && !(left.value_unit == right.value_unit)) the_units_of_a_sum_differ();
    if (sum) result.value_unit = left.value_unit;
    else result.value_unit = what == multiply ? left.value_unit * right.value_unit : left.value_unit / right.value_unit;
    return result;
}
} // namespace detail

template <detail::operand Left, detail::operand Right>
    requires(detail::symbol<Left> || detail::symbol<Right>)
[[nodiscard]] constexpr auto operator+(Left const& left, Right const& right) {
    return detail::combine(expression_node::operation::add, detail::as_expression(left), detail::as_expression(right));
}
template <detail::operand Left, detail::operand Right>
    requires(detail::symbol<Left> || detail::symbol<Right>)
[[nodiscard]] constexpr auto operator-(Left const& left, Right const& right) {
    return detail::combine(expression_node::operation::subtract, detail::as_expression(left),
                           detail::as_expression(right));
}
template <detail::operand Left, detail::operand Right>
    requires(detail::symbol<Left> || detail::symbol<Right>)
[[nodiscard]] constexpr auto operator*(Left const& left, Right const& right) {
    return detail::combine(expression_node::operation::multiply, detail::as_expression(left),
                           detail::as_expression(right));
}
template <detail::operand Left, detail::operand Right>
    requires(detail::symbol<Left> || detail::symbol<Right>)
[[nodiscard]] constexpr auto operator/(Left const& left, Right const& right) {
    return detail::combine(expression_node::operation::divide, detail::as_expression(left),
                           detail::as_expression(right));
}

// A single operand as a formula.
template <detail::operand T>
[[nodiscard]] constexpr auto expression_of(T const& of) {
    return detail::as_expression(of);
}

// The same amount in a unit that differs by a power of ten, as unit_cast does for quantities. Other units do not compile.
template <detail::operand T>
[[nodiscard]] constexpr auto in_unit(T const& of, unit to) {
    auto const from = detail::as_expression(of);
    if (!same_dimension(from.value_unit, to)) detail::the_units_do_not_convert();
    double scale = 1;
    double divisor = 1;
    for (int i = to.power_of_ten; i < from.value_unit.power_of_ten; ++i) scale *= 10;
    for (int i = from.value_unit.power_of_ten; i < to.power_of_ten; ++i) divisor *= 10;
    return detail::combine(expression_node::operation::multiply, from,
                           detail::leaf(scale / divisor, to / from.value_unit));
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_EXPRESSION_HPP
