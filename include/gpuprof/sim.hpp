// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU: with this included, open_device() falls back to it where there is no real one.
// Opt-in; never part of gpuprof.hpp. With GPUPROF_ENABLED=0 the same names do nothing. This header declares; the embedded GPU itself is compiled once:
//
//   with CMake:     link gpuprof::sim
//   without CMake:  write in one file of the program, before this include
//                       #define GPUPROF_SIM_IMPLEMENTATION
#ifndef GPUPROF_SIM_HPP
#define GPUPROF_SIM_HPP

#include "detail/config.hpp"

// in every build
#include "sim/check_set.hpp"
#include "sim/collection.hpp"
#include "sim/embedded_metrics.hpp"
#include "sim/execution_settings.hpp"
#include "sim/extent.hpp"
#include "sim/finding.hpp"
#include "sim/launch_error.hpp"

#include "hw/machine/device.hpp"
#include "sim/open.hpp"

#if GPUPROF_ENABLED

GPUPROF_NAMESPACE_BEGIN
namespace sim::detail {
GPUPROF_COMPILED_ELSEWHERE(define_GPUPROF_SIM_IMPLEMENTATION_in_one_file_or_link_gpuprof_sim);

// Before main(), in every program of which one file includes this header.
inline bool const registered = (hw::embedded_device = open_embedded, hw::embedded_machine_of = machine_with, true);
} // namespace sim::detail
GPUPROF_NAMESPACE_END

#endif

#endif // GPUPROF_SIM_HPP

#if GPUPROF_ENABLED && defined(GPUPROF_SIM_IMPLEMENTATION) && !defined(GPUPROF_SIM_IMPLEMENTED)
#define GPUPROF_SIM_IMPLEMENTED
#if __has_include("../../src/sim/sim.cpp")
#include "../../src/sim/sim.cpp"
#else // installed
#include "../../share/gpuprof/src/sim/sim.cpp"
#endif
#endif
