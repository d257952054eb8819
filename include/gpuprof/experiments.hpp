// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Experiments over a frozen frame, object by object, and which unit of the GPU bounds the work. Opt-in; a list, nothing
// else.
#ifndef GPUPROF_EXPERIMENTS_HPP
#define GPUPROF_EXPERIMENTS_HPP

#include "detail/config.hpp"

#if GPUPROF_ENABLED // else there is nothing to measure

#include "explain/bottleneck.hpp"
#include "explain/measure_bottleneck.hpp"
#include "explain/unit_experiments.hpp"
#include "io/bottleneck_table.hpp"
#include "measure/experiment.hpp"
#include "measure/experiment_status.hpp"

#endif

#endif // GPUPROF_EXPERIMENTS_HPP
