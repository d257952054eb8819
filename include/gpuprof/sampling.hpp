// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters without replay: samples of a device, and scopes that have their share of them. Opt-in; a list, nothing else.
#ifndef GPUPROF_SAMPLING_HPP
#define GPUPROF_SAMPLING_HPP

#include "detail/config.hpp"

#if GPUPROF_ENABLED // else there is nothing to sample

#include "hw/machine/device.hpp"
#include "measure/scope.hpp"
#include "sample/pm_sampler.hpp"
#include "sample/sampled_profiler.hpp"

#endif

#endif // GPUPROF_SAMPLING_HPP
