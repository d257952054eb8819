// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of silent_rank.hpp.
#ifndef GPUPROF_RANKS_SILENT_RANK_INL_HPP
#define GPUPROF_RANKS_SILENT_RANK_INL_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

GPUPROF_INLINE std::string text_of(std::vector<silent_rank> const& silent) {
    constexpr std::size_t most_named = 8;
    std::size_t const named = silent.size() < most_named ? silent.size() : most_named;
    std::string text;
    for (std::size_t i = 0; i < named; ++i) {
        if (i != 0) text += i + 1 == silent.size() ? " and " : ", ";
        text += "rank " + std::to_string(silent[i].rank);
        if (silent[i].behind != 0) text += " (and " + std::to_string(silent[i].behind) + " ranks behind it)";
    }
    if (silent.size() > named) text += " and " + std::to_string(silent.size() - named) + " others";
    return text;
}

GPUPROF_INLINE error problem_of(std::vector<silent_rank> const& silent) {
    return {errc::not_collected, 0, "nothing was heard of " + text_of(silent) + " before the deadline",
            "it has ended, hangs, or is later than the others by more than the deadline",
            "look at that process; where it is only late, give a longer deadline"};
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_SILENT_RANK_INL_HPP
