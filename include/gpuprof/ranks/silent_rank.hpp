// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that was not heard of before the deadline.
#ifndef GPUPROF_RANKS_SILENT_RANK_HPP
#define GPUPROF_RANKS_SILENT_RANK_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// One rank, and how many others are not known because of it.
struct silent_rank {
    std::size_t rank = 0;
    // Ranks whose messages it would have passed on: they are not heard either, and may be well. 0 with 17 ranks or fewer.
    std::size_t behind = 0;
};

// "rank 3", "rank 3 (and 16 ranks behind it) and rank 5"; of many the first eight.
[[nodiscard]] std::string text_of(std::vector<silent_rank> const& silent);
// The problem that they are. @pre there is one
[[nodiscard]] error problem_of(std::vector<silent_rank> const& silent);

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "silent_rank.inl.hpp"
#endif

#endif // GPUPROF_RANKS_SILENT_RANK_HPP
