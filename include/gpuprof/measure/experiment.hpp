// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The experiment that chooses its counter hardware by the device at hand. Layer: measure.
#ifndef GPUPROF_MEASURE_EXPERIMENT_HPP
#define GPUPROF_MEASURE_EXPERIMENT_HPP

#include "basic_experiment.hpp"
#include "profiler.hpp"

GPUPROF_NAMESPACE_BEGIN

// See basic_experiment.
using experiment = basic_experiment<hw::any_hardware>;

#if !GPUPROF_HEADER_ONLY
extern template class basic_experiment<hw::any_hardware>;
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_EXPERIMENT_HPP
