// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of a device's SM, as the driver tells them.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_MULTIPROCESSOR_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_MULTIPROCESSOR_HPP

#include <string>

#include "../../../core/result.hpp"
#include "../../machine/device.hpp"
#include "multiprocessor_limits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// The SM of a device. Errors: unavailable where the driver does not tell one of the limits. Cost:
// ten calls of the driver.
[[nodiscard]] inline result<multiprocessor> try_multiprocessor(device const& gpu) {
    auto sm = multiprocessor_by(gpu.capability(), [&](abi::CUdevice_attribute which) { return gpu.attribute(which); });
    if (sm.complete()) return sm;
    return error{errc::unavailable, 0, "the limits of an SM of " + std::string{gpu.name()},
                 "the driver does not tell all of them", "update the driver"};
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_MULTIPROCESSOR_HPP
