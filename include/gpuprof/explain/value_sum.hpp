// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds values of rows.
#ifndef GPUPROF_EXPLAIN_VALUE_SUM_HPP
#define GPUPROF_EXPLAIN_VALUE_SUM_HPP

#include <algorithm>
#include <utility>

#include "../detail/config.hpp"
#include "explanation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain::detail {

// Adds `factor` times another value. What is missing in one is missing in the sum.
inline void add(row_value& sum, row_value other, double factor = 1) {
    sum.how = std::max(sum.how, other.how);
    if (!other.number) {
        if (!sum.missing) sum.missing = std::move(other.missing);
        sum.number.reset();
    } else if (!sum.missing) {
        sum.number = sum.number.value_or(0) + factor * *other.number;
    }
}

} // namespace explain::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_VALUE_SUM_HPP
