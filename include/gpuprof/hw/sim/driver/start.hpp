// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of the embedded GPU's driver. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_START_HPP
#define GPUPROF_HW_SIM_DRIVER_START_HPP

#include "device_records.hpp"
#include "happenings.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Whoever records devices before the first call gets their records with it.
inline CUresult init(unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    int const devices = gpu_registry::instance().device_count();
    if (devices == 0) return CUDA_ERROR_NO_DEVICE;
    auto in = enter();
    bool const first = !in.driver.initialized;
    if (first)
        for (CUdevice device = 0; device < devices; ++device) record_device(in.records, device);
    in.driver.initialized = true;
    in.held.unlock();
    if (first) tell_resource(CUPTI_CBID_RESOURCE_CU_INIT_FINISHED, nullptr);
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_START_HPP
