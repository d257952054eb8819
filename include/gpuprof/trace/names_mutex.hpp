// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutex of what batches share: names and numbers of scopes, links, nodes.
#ifndef GPUPROF_TRACE_NAMES_MUTEX_HPP
#define GPUPROF_TRACE_NAMES_MUTEX_HPP

#include "../detail/config.hpp"
#include "../hw/machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// One a process, so that it can be held over a fork: a batch may be read in the child, and a scope be opened there. Whoever
// holds it calls nothing else.
inline constinit platform::mutex names_mutex{};

inline void hold_names_over_fork() noexcept {
    [[maybe_unused]] static bool const held =
        platform::hold_over_fork([] { names_mutex.acquire(); }, [] { names_mutex.release(); });
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_NAMES_MUTEX_HPP
