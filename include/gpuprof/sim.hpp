// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU: with this included, open_device() falls back to it where there is no real one. Opt-in; never part of
// gpuprof.hpp.
#ifndef GPUPROF_SIM_HPP
#define GPUPROF_SIM_HPP

#include "detail/config.hpp"

#if GPUPROF_ENABLED // else there is nothing to run on it

#include "hw/machine/device.hpp"
#include "hw/sim/embedded_metrics.hpp"
#include "hw/sim/open.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::detail {
// Before main(), in every program of which one file includes this header.
inline bool const registered = (hw::embedded_device = open_embedded, true);
} // namespace sim::detail
GPUPROF_NAMESPACE_END

#endif

#endif // GPUPROF_SIM_HPP
