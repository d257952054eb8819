// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event hardware and legacy names: with this included in one file of a program, its profilers measure
// on capability 2.0 to 7.2, too, and take legacy metrics and events on every device. Opt-in; never
// part of gpuprof.hpp.
//
//     gpuprof::profiler prof{gpu, gpuprof::legacy_metric<"achieved_occupancy">, gpuprof::legacy_event<"warps_launched">};
#ifndef GPUPROF_LEGACY_HPP
#define GPUPROF_LEGACY_HPP

#include "legacy/asked_name.hpp"
#include "legacy/capability_family.hpp"
#include "legacy/event.hpp"
#include "legacy/expression.hpp"
#include "legacy/formula.hpp"
#include "legacy/formula_text.hpp"
#include "legacy/info.hpp"
#include "legacy/lookup.hpp"
#include "legacy/named.hpp"
#include "legacy/legacy_mapping.hpp"
#include "legacy/legacy_metric.hpp"
#include "legacy/metric_property.hpp"
#include "legacy/perfkit_counters.hpp"

#include "hw/counters/event/context_warnings.hpp"
#include "sample/event_sample.hpp"

#include "measure/profiler.hpp"
#include "metric/base_metric.hpp"
#include "sample/event_sampler.hpp"

#if GPUPROF_ENABLED

#include "hw/counters/event/event_catalogue.hpp"
#include "hw/counters/event/event_hardware.hpp"
#include "hw/counters/mapped/mapped_hardware.hpp"
#include "hw/counters/registry.hpp"
#include "measure/disturbances.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
inline bool const context_warnings_registered = (context_warnings_of_program = &context_warnings, true);
}
namespace hw {
// Before main(), as in sim.hpp; asked in this order.
inline registration event_hardware_registered{backend<event_hardware>};
inline registration mapped_target_hardware_registered{backend<mapped_target_hardware>};
inline registration mapped_hardware_registered{backend<mapped_hardware>};
} // namespace hw
GPUPROF_NAMESPACE_END

#endif

#endif // GPUPROF_LEGACY_HPP
