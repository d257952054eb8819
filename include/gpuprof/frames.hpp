// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters, times and memory of each frame of a running program, and a display of them. Opt-in; a list, nothing else.
#ifndef GPUPROF_FRAMES_HPP
#define GPUPROF_FRAMES_HPP

#include "detail/config.hpp"

#if GPUPROF_ENABLED // else there is nothing to sample

#include "hw/machine/device.hpp"
#include "legacy/named.hpp"
#include "measure/scope.hpp"
#include "metric/named_metrics.hpp"
#include "io/frame_hud.hpp"
#include "frames/frame_sampler.hpp"

#endif

#endif // GPUPROF_FRAMES_HPP
