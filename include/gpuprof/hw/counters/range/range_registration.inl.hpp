// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the end of the list of backends; see range_registration.hpp.
#ifndef GPUPROF_HW_COUNTERS_RANGE_RANGE_REGISTRATION_INL_HPP
#define GPUPROF_HW_COUNTERS_RANGE_RANGE_REGISTRATION_INL_HPP

#include "../registry.hpp"
#include "range_registration.hpp"
#include "range_hardware.hpp"
#include "../target/target_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

GPUPROF_INLINE constinit registration registration::range_profiler_{hw::backend<range_hardware>, last_entry{}, nullptr};
GPUPROF_INLINE constinit registration registration::profiling_api_{hw::backend<target_hardware>, last_entry{},
                                                                   &registration::range_profiler_};
GPUPROF_INLINE constinit registration* registration::first_ = &registration::profiling_api_;

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_RANGE_RANGE_REGISTRATION_INL_HPP
