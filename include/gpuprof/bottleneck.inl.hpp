// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of bottleneck.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_BOTTLENECK_INL_HPP
#define GPUPROF_BOTTLENECK_INL_HPP

#include "bottleneck.hpp"

#include "explain/bottleneck.inl.hpp"
#include "explain/evidence.inl.hpp"
#include "explain/measurable.inl.hpp"
#include "explain/register_variants.inl.hpp"
#include "explain/series.inl.hpp"
#include "explain/series_report.inl.hpp"
#include "explain/simplified_experiment.inl.hpp"
#include "io/bottleneck_table.inl.hpp"
#include "io/series_table.inl.hpp"
#include "measure/experiment.inl.hpp"
#include "measure/experiment_status.inl.hpp"
#include "measure/iterations.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_bottleneck_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_BOTTLENECK_INL_HPP
