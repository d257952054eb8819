// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries and their kernels, which CUDA 12 has beside modules and functions: cuLibrary…, cuKernel…. Here a library is a
// module of the context that is current when it is loaded (of the primary context of device 0, if none is), and a kernel is a
// function of that module.
#include <cstddef>
#include <string>

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
using library = struct library_handle*;

// A context for calls that need none in CUDA.
CUresult need_context() {
    CUcontext current = nullptr;
    if (CUresult const status = table().CtxGetCurrent(&current)) return status;
    if (current != nullptr) return CUDA_SUCCESS;
    if (CUresult const status = table().DevicePrimaryCtxRetain(&current, 0)) return status;
    return table().CtxSetCurrent(current);
}
CUmodule module_of(library handle) noexcept { return reinterpret_cast<CUmodule>(handle); }
CUfunction function_of(CUkernel handle) noexcept { return reinterpret_cast<CUfunction>(handle); }

CUresult load_data(library* made, void const* code, CUjit_option* options, void** values, unsigned count, void*, void**,
                   unsigned) {
    if (made == nullptr || code == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (CUresult const status = need_context()) return status;
    CUmodule module = nullptr;
    CUresult const status = table().ModuleLoadDataEx(&module, code, count, options, values);
    *made = reinterpret_cast<library>(module);
    return status;
}

CUresult unload(library handle) {
    if (CUresult const status = need_context()) return status;
    return table().ModuleUnload(module_of(handle));
}

CUresult get_kernel(CUkernel* kernel, library handle, char const* name) {
    if (CUresult const status = need_context()) return status;
    CUfunction function = nullptr;
    CUresult const status = table().ModuleGetFunction(&function, module_of(handle), name);
    if (status == CUDA_SUCCESS && kernel != nullptr) *kernel = reinterpret_cast<CUkernel>(function);
    return kernel == nullptr ? CUDA_ERROR_INVALID_VALUE : status;
}

CUresult get_module(CUmodule* module, library handle) {
    if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *module = module_of(handle);
    return CUDA_SUCCESS;
}

CUresult get_global(CUdeviceptr* address, std::size_t* bytes, library handle, char const* name) {
    if (CUresult const status = need_context()) return status;
    return table().ModuleGetGlobal(address, bytes, module_of(handle), name);
}

CUresult get_kernel_name(char const** name, CUkernel kernel) { return table().FuncGetName(name, function_of(kernel)); }
CUresult get_kernel_attribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
    if (CUresult const status = need_context()) return status;
    return table().FuncGetAttribute(value, attribute, function_of(kernel));
}
CUresult set_kernel_attribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice) {
    if (CUresult const status = need_context()) return status;
    return table().FuncSetAttribute(function_of(kernel), attribute, value);
}
CUresult set_kernel_cache_config(CUkernel kernel, CUfunc_cache config, CUdevice) {
    if (CUresult const status = need_context()) return status;
    return table().FuncSetCacheConfig(function_of(kernel), config);
}

// What contexts can be made with since CUDA 11.4 and 12.5: a share of the SMs, or a place in a stream of another program. The
// embedded GPU makes them whole.
CUresult create_context_v3(CUcontext* context, void*, int parameters, unsigned flags, CUdevice device) {
    return parameters != 0 ? CUDA_ERROR_NOT_SUPPORTED : table().CtxCreate(context, flags, device);
}
struct context_parameters { // CUctxCreateParams
    void* affinities;
    int affinity_count;
    void* in_graphics;
};
CUresult create_context_v4(CUcontext* context, context_parameters const* parameters, unsigned flags, CUdevice device) {
    bool const is_plain =
        parameters == nullptr || (parameters->affinity_count == 0 && parameters->in_graphics == nullptr);
    return is_plain ? table().CtxCreate(context, flags, device) : CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace

std::span<call const> library_calls() {
    static call const calls[]{call::of<&create_context_v3>("cuCtxCreate_v3"),
                              call::of<&create_context_v4>("cuCtxCreate_v4"),
                              call::of<&load_data>("cuLibraryLoadData"),
                              call::of<&unload>("cuLibraryUnload"),
                              call::of<&get_kernel>("cuLibraryGetKernel"),
                              call::of<&get_module>("cuLibraryGetModule"),
                              call::of<&get_global>("cuLibraryGetGlobal"),
                              call::of<&get_kernel_name>("cuKernelGetName"),
                              call::of<&get_kernel_attribute>("cuKernelGetAttribute"),
                              call::of<&set_kernel_attribute>("cuKernelSetAttribute"),
                              call::of<&set_kernel_cache_config>("cuKernelSetCacheConfig")};
    return calls;
}

} // namespace gpuprof::driver_library
