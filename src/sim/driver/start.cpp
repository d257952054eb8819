// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "start.hpp"

#include "../gpu/gpu_process.hpp"
#include "../gpu/gpu_state.hpp"
#include "device_records.hpp"
#include "resource_callbacks.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

CUresult init(unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    int const devices = shared().registry.device_count();
    if (devices == 0) return CUDA_ERROR_NO_DEVICE;
    gpu_process.claim();
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
