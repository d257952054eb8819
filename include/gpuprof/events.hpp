// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event hardware and legacy names: with this included in one file of a program, its profilers measure on capability 2.0 to
// 7.2, too, and take legacy metrics and events on every device. Opt-in; never part of gpuprof.hpp. Layer: measure.
//
//     gpuprof::profiler prof{gpu, gpuprof::legacy_metric<"achieved_occupancy">, gpuprof::legacy_event<"warps_launched">};
#ifndef GPUPROF_EVENTS_HPP
#define GPUPROF_EVENTS_HPP

#include "legacy.hpp"

#if GPUPROF_ENABLED // else the vocabulary alone

#include "sample/event_sampler.hpp"
#include "hw/event/event_catalogue.hpp"
#include "hw/event/event_hardware.hpp"
#include "hw/mapped/mapped_hardware.hpp"
#include "hw/registry.hpp"
#include "measure/profiler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {
// Before main(), as in sim.hpp; asked in this order.
inline registration event_hardware_registered{functions_of<event_hardware>};
inline registration mapped_hardware_registered{functions_of<mapped_hardware>};
} // namespace hw
GPUPROF_NAMESPACE_END

#endif

#endif // GPUPROF_EVENTS_HPP
