// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Experiments over a frozen frame, object by object, counters spread over iterations, series over launch parameters, and which
// unit of the GPU bounds the work. Opt-in; a list, nothing else. With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_BOTTLENECK_HPP
#define GPUPROF_BOTTLENECK_HPP

#include "detail/config.hpp"

// in every build
#include "explain/series_axis.hpp"
#include "explain/series_options.hpp"
#include "explain/series_report.hpp"
#include "explain/series_work.hpp"
#include "explain/unit_experiments.hpp"
#include "measure/experiment_status.hpp"
#include "measure/iteration_value.hpp"
#include "metric/derived_metrics.hpp"

#include "measure/experiment.hpp"
#include "measure/iterations.hpp"
#include "explain/bottleneck.hpp"
#include "explain/evidence.hpp"
#include "explain/measurable.hpp"
#include "explain/measure_bottleneck.hpp"
#include "explain/register_variants.hpp"
#include "explain/series.hpp"
#include "explain/simplified_experiment.hpp"
#include "io/bottleneck_table.hpp"
#include "io/series_table.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_bottleneck_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_BOTTLENECK_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "bottleneck.inl.hpp"
#endif
