// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of outcome.hpp.
#ifndef GPUPROF_JUDGE_OUTCOME_INL_HPP
#define GPUPROF_JUDGE_OUTCOME_INL_HPP

#include <cstddef>
#include <string>

#include "../text/wrapped.hpp"
#include "../hw/machine/platform/environment.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_INLINE std::string outcome::text() const {
    std::string all = expanded;
    auto const add = [&all](std::string_view line) {
        if (line.empty()) return;
        if (!all.empty()) all += '\n';
        all += line;
    };
    if (verdict == gpuprof::verdict::inconclusive) add(detail::joined({"inconclusive: ", reason}));
    add(details);
    constexpr std::size_t width = 100;
    return detail::wrapped_lines(all, width);
}

namespace judge {

GPUPROF_INLINE inconclusive_policy policy(inconclusive_policy chosen) {
    std::string const said = platform::variable_or_empty("GPUPROF_INCONCLUSIVE");
    if (said == "skip") return inconclusive_policy::skip;
    if (said == "fail") return inconclusive_policy::fail;
    if (said == "warn") return inconclusive_policy::warn;
    return said.empty() ? chosen : inconclusive_policy::fail; // a word that nobody knows must not hide anything
}

GPUPROF_INLINE outcome not_answered(error const& why) { return {verdict::inconclusive, {}, why.message(), {}}; }

} // namespace judge

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_OUTCOME_INL_HPP
