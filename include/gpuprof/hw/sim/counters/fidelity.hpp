// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a value of the embedded GPU can be trusted. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_FIDELITY_HPP
#define GPUPROF_HW_SIM_COUNTERS_FIDELITY_HPP

#include <cstddef> // std::size_t

#include "../../../core/fidelity.hpp"
#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

using gpuprof::fidelity;
using gpuprof::name;
inline constexpr std::size_t fidelities = 4;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_FIDELITY_HPP
