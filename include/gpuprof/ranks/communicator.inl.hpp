// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of communicator.hpp.
#ifndef GPUPROF_RANKS_COMMUNICATOR_INL_HPP
#define GPUPROF_RANKS_COMMUNICATOR_INL_HPP

#include "agreement.hpp"
#include "communicator.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

GPUPROF_INLINE result<void> communicator::try_barrier(unsigned deadline_ms) {
    auto const found = detail::agree(*this, next_operation(), false, deadline_ms);
    if (!found.silent.empty()) return problem_of(found.silent);
    return {};
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#include "tree.hpp" // last: it includes communicator.hpp, and defines agree()

#endif // GPUPROF_RANKS_COMMUNICATOR_INL_HPP
