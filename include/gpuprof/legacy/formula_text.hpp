// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A formula written out for people.
#ifndef GPUPROF_LEGACY_FORMULA_TEXT_HPP
#define GPUPROF_LEGACY_FORMULA_TEXT_HPP

#include <cstddef>
#include <cstdio>
#include <string>

#include "../detail/config.hpp"
#include "formula.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// A part of a formula's text, and how strongly its last operation binds.
struct formula_part {
    std::string text;
    int binding = 0; // 1 sum or difference, 2 product or quotient, 3 operand

    [[nodiscard]] std::string inside(int outer) const { return binding < outer ? '(' + text + ')' : text; }
};
} // namespace detail

// "100 * (branch - divergent_branch) / branch": inputs by name, no more brackets than needed, literals without their units,
// conversions of units as factors. Empty for an empty formula. Allocates; thread-safe.
[[nodiscard]] inline std::string to_text(formula const& of) {
    using enum expression_node::operation;
    detail::formula_part stack[max_expression_depth];
    std::size_t top = 0;
    for (expression_node const& node : of.nodes()) {
        if (node.what == literal) {
            char number[32];
            std::snprintf(number, sizeof number, "%g", node.literal);
            stack[top++] = {number, 3};
        } else if (node.what == input) {
            stack[top++] = {std::string{of.inputs()[node.input].name}, 3};
        } else {
            bool const sum = node.what == add || node.what == subtract;
            char const* const sign = node.what == add        ? " + "
                                     : node.what == subtract ? " - "
                                     : node.what == multiply ? " * "
                                                             : " / ";
            int const binding = sum ? 1 : 2;
            // What stands right of - and / must bind more strongly than they do.
            int const right_binding = node.what == subtract || node.what == divide ? binding + 1 : binding;
            detail::formula_part const right = stack[--top];
            detail::formula_part& left = stack[top - 1];
            left = {left.inside(binding) + sign + right.inside(right_binding), binding};
        }
    }
    return stack[0].text;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_FORMULA_TEXT_HPP
