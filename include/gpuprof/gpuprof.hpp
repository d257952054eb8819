// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything but the opt-in parts: per-chip catalogues (gpuprof/catalogue/…). A list, nothing else.
#ifndef GPUPROF_GPUPROF_HPP
#define GPUPROF_GPUPROF_HPP

// vocabulary
#include "compute_capability.hpp"
#include "error.hpp"
#include "metric.hpp"
#include "metric_info.hpp"
#include "metrics.hpp"
#include "result.hpp"
#include "units.hpp"

// hw
#include "hw/any_hardware.hpp"
#include "hw/device.hpp"
#include "hw/doctor.hpp"
#include "hw/range_hardware.hpp"

// measure
#include "measure.hpp"
#include "profiler.hpp"
#include "report.hpp"
#include "scope.hpp"
#include "timeline.hpp"

// write out
#include "io/table.hpp"

#endif // GPUPROF_GPUPROF_HPP
