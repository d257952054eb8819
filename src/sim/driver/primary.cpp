// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "primary.hpp"

#include "context.hpp"
#include "resource_callbacks.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

CUresult device_primary_ctx_retain(CUcontext* context, CUdevice device) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    primary_context& primary = in.driver.primaries[device];
    bool const fresh = in.driver.contexts.find(primary.handle) == nullptr;
    if (fresh) primary.handle = detail::make_context(in, device, primary.flags);
    ++primary.users;
    CUcontext const retained = *context = primary.handle;
    in.held.unlock();
    if (fresh) tell_resource(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, retained);
    return CUDA_SUCCESS;
}

CUresult device_primary_ctx_release(CUdevice device) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    primary_context& primary = in.driver.primaries[device];
    if (primary.users == 1) tell_context_destroyed(in, primary.handle);
    if (primary.users == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary.users == 0) detail::destroy_context(in.driver, primary.handle);
    return CUDA_SUCCESS;
}

CUresult device_primary_ctx_get_state(CUdevice device, unsigned* flags, int* active) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    primary_context const& primary = in.driver.primaries[device];
    *flags = primary.flags;
    *active = in.driver.contexts.find(primary.handle) != nullptr ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult device_primary_ctx_set_flags(CUdevice device, unsigned flags) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if ((flags & ~detail::context_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    in.driver.primaries[device].flags = flags;
    return CUDA_SUCCESS;
}

CUresult device_primary_ctx_reset(CUdevice device) {
    auto in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    tell_context_destroyed(in, in.driver.primaries[device].handle);
    detail::destroy_context(in.driver, in.driver.primaries[device].handle);
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
