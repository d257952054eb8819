// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Record and replay: with this included in one file of a program, GPUPROF_RECORD=file records what the program measures, and
// GPUPROF_DEVICE=replay:file opens that recording as a device, where there is no GPU. Opt-in; never part of gpuprof.hpp.
// Layer: measure.
#ifndef GPUPROF_REPLAY_HPP
#define GPUPROF_REPLAY_HPP

#include <string_view> // std::string_view

#include "detail/config.hpp"

#if !GPUPROF_ENABLED
#include "measure/compiled_out.hpp"
#else

#include "hw/machine/device.hpp"
#include "hw/replay/open.hpp"
#include "measure/recording.hpp"
#include "measure/recording_port.hpp"
#include "measure/trace_recording_port.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
// Before main(), as in sim.hpp.
inline bool const recordings_registered = (
    hw::replayed_device = [](std::string_view path) { return hw::try_open_recording(path); },
    recordings = [](device const& gpu, profiler_options const& options,
                    report_contents& made) { record_collection(gpu, options, made); },
    recorded_traces = [](device const& gpu, hw::recorded_trace& made) { return record_trace(gpu, made); }, true);
} // namespace detail
GPUPROF_NAMESPACE_END

#endif

#endif // GPUPROF_REPLAY_HPP
