// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all ranks find together: whether something is true of one of them, and which are silent.
#ifndef GPUPROF_RANKS_AGREEMENT_HPP
#define GPUPROF_RANKS_AGREEMENT_HPP

#include <cstdint>
#include <vector>

#include "../detail/config.hpp"
#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {
class communicator;

namespace detail {

struct agreement {
    bool any = false;                  // of some rank it was true
    std::vector<silent_rank> silent{}; // heard of too late: there is no agreement
};
// All ranks call it, and all get the same answer, unless some are silent. Then each rank that hears of it knows their names, and
// one that is cut off names the rank that it did not hear. Returns within two and a half deadlines. Defined with tree.hpp.
[[nodiscard]] agreement agree(communicator& ranks, std::uint64_t number, bool mine, unsigned deadline_ms);

} // namespace detail
} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_AGREEMENT_HPP
