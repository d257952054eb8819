// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where recordings of traced work come in: gpuprof/replay.hpp sets it. Layer: measure.
#ifndef GPUPROF_MEASURE_TRACE_RECORDING_PORT_HPP
#define GPUPROF_MEASURE_TRACE_RECORDING_PORT_HPP

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/environment.hpp"
#include "../hw/replay/recording.hpp"
#include "recording_port.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Called when work was traced: records it, or puts the recorded trace in its place.
inline result<void> (*recorded_traces)(device const& gpu, hw::recorded_trace& made) = nullptr;

// Errors: why it is not recorded, where that was asked for.
GPUPROF_LAZY [[nodiscard]] result<void> record_or_replay(device const& gpu, hw::recorded_trace& made) {
    if (recorded_traces != nullptr) return recorded_traces(gpu, made);
    if (!platform::trusted_variable("GPUPROF_RECORD").empty()) return not_recorded();
    return {};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_TRACE_RECORDING_PORT_HPP
