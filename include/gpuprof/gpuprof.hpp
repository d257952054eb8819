// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything but the opt-in parts, each a header of its own: events of old hardware (gpuprof/legacy.hpp), the embedded GPU
// (gpuprof/sim.hpp, which as a single file is a file of its own, too), per-chip catalogues (gpuprof/metric/catalogue/).
// A list, nothing else. With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_GPUPROF_HPP
#define GPUPROF_GPUPROF_HPP

// in every build
#include "core/compute_capability.hpp"
#include "core/device_source.hpp"
#include "core/error.hpp"
#include "core/fidelity.hpp"
#include "core/result.hpp"
#include "core/unit_literals.hpp"
#include "core/unit_text.hpp"
#include "core/units.hpp"
#include "hw/abi/driver.hpp"
#include "hw/counters/uncounted/clock_lock.hpp"
#include "hw/doctor/finding.hpp"
#include "hw/machine/status.hpp"
#include "hw/memory/checkpoint.hpp"
#include "measure/measurement.hpp"
#include "measure/profiler_options.hpp"
#include "measure/report_contents.hpp"
#include "measure/scope.hpp"
#include "measure/timeline.hpp"
#include "metric/derived_metrics.hpp"
#include "metric/info.hpp"
#include "metric/metric.hpp"
#include "metric/metric_sets.hpp"
#include "metric/named_metrics.hpp"

#if !GPUPROF_ENABLED
#include "measure/compiled_out.hpp"
#else

// hw
#include "hw/doctor/doctor.hpp"
#include "hw/machine/device.hpp"

// measure
#include "measure/measure.hpp"
#include "measure/paused.hpp"
#include "measure/profiler.hpp"
#include "measure/report.hpp"

// write out
#include "io/csv.hpp"
#include "io/table.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_gpuprof_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif

#endif // GPUPROF_GPUPROF_HPP

#if GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION)
#include "gpuprof.inl.hpp"
#endif
