// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters, times and memory of each frame of a running program, and a display of them. Opt-in; a list, nothing else. With
// GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_FRAMES_HPP
#define GPUPROF_FRAMES_HPP

#include "detail/config.hpp"

// in every build
#include "frames/frame_budget.hpp"
#include "frames/frame_history.hpp"
#include "frames/frame_losses.hpp"
#include "frames/frame_options.hpp"
#include "frames/frame_series.hpp"
#include "frames/frame_source.hpp"
#include "frames/frame_times.hpp"
#include "frames/hud_options.hpp"
#include "io/frame_bars.hpp"
#include "legacy/named.hpp"
#include "measure/scope.hpp"
#include "metric/named_metrics.hpp"

#if !GPUPROF_ENABLED
#include "frames/compiled_out.hpp"
#else

#include "hw/machine/device.hpp"
#include "io/frame_files.hpp"
#include "io/frame_hud.hpp"
#include "frames/frame_sampler.hpp"

#endif

#endif // GPUPROF_FRAMES_HPP
