// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything but the opt-in parts: per-chip catalogues (gpuprof/catalogue/…). A list, nothing else.
#ifndef GPUPROF_GPUPROF_HPP
#define GPUPROF_GPUPROF_HPP

// vocabulary
#include "core/compute_capability.hpp"
#include "core/error.hpp"
#include "metric/metric.hpp"
#include "metric/info.hpp"
#include "metric/named_metrics.hpp"
#include "core/result.hpp"
#include "core/units.hpp"

// hw
#include "hw/machine/device.hpp"
#include "hw/doctor/doctor.hpp"

// measure
#include "measure/measure.hpp"
#include "measure/profiler.hpp"
#include "measure/report.hpp"
#include "measure/scope.hpp"
#include "measure/timeline.hpp"

// write out
#include "io/table.hpp"

#endif // GPUPROF_GPUPROF_HPP
