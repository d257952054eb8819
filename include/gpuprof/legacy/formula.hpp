// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas over events, metrics and device properties, ready to be evaluated.
#ifndef GPUPROF_LEGACY_FORMULA_HPP
#define GPUPROF_LEGACY_FORMULA_HPP

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

#include "../detail/config.hpp"
#include "metric_property.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

// What an input of a formula is.
enum class input_source : unsigned char { event, metric, property };

// Something whose value a formula needs, in the unit `of`: an event's count (normalised over its domain's instances), a
// range-hardware metric's value, or a device property (`property` says which). The name lives as long as the program.
struct expression_input {
    input_source source = input_source::event;
    metric_property property{};
    std::string_view name;
    unit of;

    // Names are unique within a source, so they decide.
    friend constexpr bool operator==(expression_input const& a, expression_input const& b) noexcept {
        return a.source == b.source && a.name == b.name;
    }
};

// One step of a formula in postfix order.
struct expression_node {
    enum class operation : unsigned char { literal, input, add, subtract, multiply, divide };
    operation what = operation::literal;
    unsigned char input = 0; // index among the inputs
    double literal = 0;
};

// The deepest stack that evaluation needs; checked when a formula is built.
inline constexpr std::size_t max_expression_depth = 16;

namespace detail {
[[nodiscard]] constexpr double safe_ratio(double numerator, double denominator) noexcept {
    if (denominator != 0) return numerator / denominator;
    if (numerator == 0) return std::numeric_limits<double>::quiet_NaN();
    return numerator > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}
} // namespace detail

// A formula that stands elsewhere: what tables hold and policies evaluate. Cheap to copy; refers to static storage. An
// empty one means that there is none. Thread-safe; never allocates.
class formula {
public:
    constexpr formula() = default;
    constexpr formula(std::span<expression_node const> nodes, std::span<expression_input const> inputs,
                      gpuprof::unit of) noexcept
        : nodes_{nodes}, inputs_{inputs}, unit_{of} {}

    [[nodiscard]] constexpr bool empty() const noexcept { return nodes_.empty(); }
    // What has to be known, each once, in order of appearance.
    [[nodiscard]] constexpr std::span<expression_input const> inputs() const noexcept { return inputs_; }
    [[nodiscard]] constexpr std::span<expression_node const> nodes() const noexcept { return nodes_; }
    [[nodiscard]] constexpr gpuprof::unit unit() const noexcept { return unit_; }

    // The value, in unit(). `value_of(input)` gives the value of an input in its unit, as a double, and is asked once for
    // each use. 0/0 is no number (NaN): a share of something that did not happen; anything else over 0 is an infinity, a
    // contradiction between counters. 0 for an empty formula.
    template <class ValueOf>
        requires requires(ValueOf const& value_of, expression_input const& input) { double{value_of(input)}; }
    [[nodiscard]] constexpr double evaluate(ValueOf const& value_of) const {
        double stack[max_expression_depth]{};
        std::size_t top = 0; // one past the last value
        for (expression_node const& node : nodes_) {
            using enum expression_node::operation;
            if (node.what == literal || node.what == input) {
                stack[top++] = node.what == literal ? node.literal : value_of(inputs_[node.input]);
                continue;
            }
            double const right = stack[--top];
            double& left = stack[top - 1];
            switch (node.what) {
                case add: left += right; break;
                case subtract: left -= right; break;
                case multiply: left *= right; break;
                default: left = detail::safe_ratio(left, right); break;
            }
        }
        return stack[0];
    }

    // The same with the inputs' values in the order of inputs(). @pre values.size() >= inputs().size().
    [[nodiscard]] constexpr double evaluate(std::span<double const> values) const noexcept {
        return evaluate(
            [&](expression_input const& input) { return values[static_cast<std::size_t>(&input - inputs_.data())]; });
    }

private:
    std::span<expression_node const> nodes_;
    std::span<expression_input const> inputs_;
    gpuprof::unit unit_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_FORMULA_HPP
