// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where recordings come in: gpuprof/replay.hpp sets it. Layer: measure.
#ifndef GPUPROF_MEASURE_RECORDING_PORT_HPP
#define GPUPROF_MEASURE_RECORDING_PORT_HPP

#include "../core/error.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/environment.hpp"
#include "profiler_options.hpp"
#include "report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Called when a collection has ended and its report is about to be made: records it, or puts recorded values into it.
inline void (*recordings)(device const& gpu, profiler_options const& options, report_contents& made) = nullptr;

GPUPROF_LAZY [[nodiscard]] error not_recorded() {
    return {errc::unavailable, 0, "GPUPROF_RECORD is set, and nothing is recorded",
            "this program was built without recordings", "include <gpuprof/replay.hpp>"};
}

// A recording that was asked for and is not made is told.
GPUPROF_LAZY void record_or_replay(device const& gpu, profiler_options const& options, report_contents& made) {
    if (recordings != nullptr) recordings(gpu, options, made);
    else if (!platform::trusted_variable("GPUPROF_RECORD").empty())
        made.completeness.problems.push_back(not_recorded());
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_RECORDING_PORT_HPP
