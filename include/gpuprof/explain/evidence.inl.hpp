// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of evidence.hpp.
#ifndef GPUPROF_EXPLAIN_EVIDENCE_INL_HPP
#define GPUPROF_EXPLAIN_EVIDENCE_INL_HPP

#include <cstddef>
#include <optional>
#include <string_view>

#include "evidence.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

GPUPROF_INLINE std::optional<double> evidence::read_if_known(std::string_view metric) {
    auto const value = detail::number_of(range_, metric);
    if (!value) return {};
    detail::add_once(read_, metric);
    auto const& metrics = report_.metrics();
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        fidelity const how = report_.fidelity_of(i);
        if (metrics[i].name == metric && how != fidelity::always_zero && how > least_) least_ = how;
    }
    return value;
}

GPUPROF_INLINE std::optional<double> evidence::find(std::string_view metric) {
    auto const value = read_if_known(metric);
    if (!value) detail::add_once(missing_, metric);
    return value;
}

GPUPROF_INLINE double evidence::find_or(std::string_view metric, double otherwise) {
    return read_if_known(metric).value_or(otherwise);
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_EVIDENCE_INL_HPP
