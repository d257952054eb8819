// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sides of a check, and what comes of comparing them.
#ifndef GPUPROF_JUDGE_COMPARISON_HPP
#define GPUPROF_JUDGE_COMPARISON_HPP

#include <string_view>

#include "../detail/config.hpp"
#include "bound.hpp"
#include "evidence.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// One side: a number, its unit, and its evidence if it has some.
struct side {
    double value = 0;
    std::string_view unit{}; // empty for a bare number
    evidence const* from = nullptr;
};

enum class relation : unsigned char { equal, not_equal, less, at_most, greater, at_least };

// Equality asks for exact values; other relations take what there is.
[[nodiscard]] outcome compared(side const& left, relation how, side const& right);
[[nodiscard]] outcome compared(side const& left, limits const& right);
// Of something that is only true or false.
[[nodiscard]] outcome decided(bool holds);

} // namespace judge
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "comparison.inl.hpp"
#endif

#endif // GPUPROF_JUDGE_COMPARISON_HPP
