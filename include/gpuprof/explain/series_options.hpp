// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a series measures.
#ifndef GPUPROF_EXPLAIN_SERIES_OPTIONS_HPP
#define GPUPROF_EXPLAIN_SERIES_OPTIONS_HPP

#include <cstddef>

#include "../detail/config.hpp"
#include "../hw/counters/cache_control.hpp"
#include "../hw/memory/memory_control.hpp"
#include "series_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// How often each combination is measured, over which memory, and what is better.
struct series_options {
    // Combinations that a series may have: more are a mistake in an axis rather than a wish.
    static constexpr std::size_t most_combinations = 65'536;

    // How often each combination is measured. In each round all of them are measured once, forwards in one and backwards in
    // the next, so that a clock that drifts touches all alike. One round says nothing of noise.
    std::size_t rounds = 5;
    // Which value of the first metric is better, where its name does not say.
    explain::better better = explain::better::as_metric;
    // The memory that each run begins with: as it was before the series, see profiler_options::memory.
    memory_control memory = memory_control::restore_written;
    // flush: each measured run begins with cold caches. They have what was put back otherwise.
    cache_control caches = cache_control::leave;
};

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SERIES_OPTIONS_HPP
