// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives the CUPTI table access to the numbers of handles and to records of existing objects.
#ifndef GPUPROF_SRC_SIM_DRIVER_KNOWN_OBJECTS_HPP
#define GPUPROF_SRC_SIM_DRIVER_KNOWN_OBJECTS_HPP

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

void publish_objects() noexcept;

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_KNOWN_OBJECTS_HPP
