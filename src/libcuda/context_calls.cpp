// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program asks of devices, contexts, modules and streams beside the calls of the driver's table.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include <gpuprof/hw/machine/platform/file.hpp>

#include "../sim/driver/state.hpp"

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;

// Devices.
CUresult compute_capability(int* generation, int* revision, CUdevice device) {
    if (generation == nullptr || revision == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUresult const status =
        table().DeviceGetAttribute(generation, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return status != CUDA_SUCCESS
               ? status
               : table().DeviceGetAttribute(revision, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
// CUdevice_P2PAttribute: the rank of the link, access, atomics and arrays, from 1 to 4. All pairs are alike.
CUresult peer_attribute(int* value, int attribute, CUdevice device, CUdevice peer) {
    constexpr int access = 2, arrays = 4;
    int can = 0;
    if (value == nullptr || attribute < 1 || attribute > arrays) return CUDA_ERROR_INVALID_VALUE;
    CUresult const status = table().DeviceCanAccessPeer(&can, device, peer);
    if (status == CUDA_SUCCESS && device == peer) return CUDA_ERROR_INVALID_DEVICE;
    *value = attribute == access ? can : 0;
    return status;
}
CUresult device_by_pci_bus_id(CUdevice* device, char const* id) {
    if (device == nullptr || id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    int count = 0;
    if (CUresult const status = table().DeviceGetCount(&count)) return status;
    char known[16] = {};
    for (CUdevice each = 0; each < count; ++each)
        if (table().DeviceGetPCIBusId(known, sizeof known, each) == CUDA_SUCCESS && std::strcmp(known, id) == 0) {
            *device = each;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_DEVICE;
}

// Contexts. Preferences are accepted and change nothing.
CUresult context_flags(unsigned* flags) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = in.context->flags;
    return CUDA_SUCCESS;
}
CUresult accept_preference(int) { return driver::enter_context().status; }
CUresult no_preference(int* config) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *config = 0;
    return CUDA_SUCCESS;
}
CUresult loading_mode(int* mode) {
    if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *mode = 1; // eager: a module is loaded as a whole
    return CUDA_SUCCESS;
}

// Modules out of files: PTX or fat binaries.
CUresult load_module(CUmodule* module, char const* path) {
    if (module == nullptr || path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto const image = platform::read_file(path); // nothing for a folder
    if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
    char log[1024] = {};
    CUjit_option options[]{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[]{log, reinterpret_cast<void*>(sizeof log)};
    CUresult const status = table().ModuleLoadDataEx(module, image->c_str(), 2, options, values);
    if (status != CUDA_SUCCESS && log[0] != '\0') tell_once(std::string{path} + ": " + log);
    return status;
}
CUresult function_module(CUmodule* module, CUfunction function) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::function_state const* const found = in.driver.functions.find(function);
    if (module == nullptr || found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *module = found->module;
    return CUDA_SUCCESS;
}
CUresult function_preference(CUfunction function, int) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    return in.driver.functions.find(function) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

// Streams.
template <class T, class Read>
CUresult tell_of_stream(CUstream stream, T* to, Read const& read) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::stream_state const* const found = driver::find_stream(in, stream);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *to = read(*found, *in.context);
    return CUDA_SUCCESS;
}
CUresult stream_priority(CUstream stream, int* priority) {
    return tell_of_stream(stream, priority, [](auto const& of, auto const&) { return of.priority; });
}
CUresult stream_flags(CUstream stream, unsigned* flags) {
    return tell_of_stream(stream, flags, [](auto const& of, auto const&) { return of.flags; });
}
CUresult stream_context(CUstream stream, CUcontext* context) {
    return tell_of_stream(stream, context, [](auto const&, auto const& in) { return in.handle; });
}
CUresult stream_device(CUstream stream, CUdevice* device) {
    return tell_of_stream(stream, device, [](auto const&, auto const& in) { return in.device; });
}

using stream_callback = void (*)(CUstream stream, CUresult status, void* data);
struct pending_callback {
    stream_callback function;
    CUstream stream;
    void* data;
};
CUresult add_callback(CUstream stream, stream_callback function, void* data, unsigned flags) {
    if (function == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    auto pending = std::make_unique<pending_callback>(pending_callback{function, stream, data});
    CUhostFn const call_it = [](void* given) {
        std::unique_ptr<pending_callback> const one{static_cast<pending_callback*>(given)};
        one->function(one->stream, CUDA_SUCCESS, one->data);
    };
    CUresult const status = table().LaunchHostFunc(stream, call_it, pending.get());
    if (status == CUDA_SUCCESS) static_cast<void>(pending.release());
    return status;
}
CUresult record_with_flags(CUevent event, CUstream stream, unsigned flags) {
    return flags == 0 ? table().EventRecord(event, stream) : CUDA_ERROR_NOT_SUPPORTED;
}

// Later forms of calls, which cuGetProcAddress gives programs of CUDA 12.8 and later.
template <class F>
CUresult in_context(CUcontext context, F const& call) {
    if (context == nullptr) return call();
    if (CUresult const status = table().CtxPushCurrent(context)) return status;
    CUresult const status = call();
    static_cast<void>(table().CtxPopCurrent(&context));
    return status;
}
CUresult device_of_context(CUdevice* device, CUcontext context) {
    return in_context(context, [&] { return table().CtxGetDevice(device); });
}
CUresult synchronize_context(CUcontext context) {
    return in_context(context, [] { return table().CtxSynchronize(); });
}
CUresult launch_host_function(CUstream stream, CUhostFn function, void* data, unsigned /* how the host waits */) {
    return table().LaunchHostFunc(stream, function, data);
}
CUresult stream_context_or_green(CUstream stream, CUcontext* context, void** green) {
    if (green != nullptr) *green = nullptr; // there are none
    return stream_context(stream, context);
}

// The driver's log of errors (PyTorch listens to it). This driver has none, so no callback is called.
using log_callback = void (*)(void* data, int level, char* message, std::size_t bytes);
CUresult register_log_callback(log_callback function, void*, void** made) {
    static char none;
    if (function == nullptr || made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *made = &none;
    return CUDA_SUCCESS;
}
CUresult unregister_log_callback(void* callback) {
    return callback == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

} // namespace

std::span<call const> context_calls() {
    static call const calls[]{{"cuDeviceGetUuid", reinterpret_cast<void*>(table().DeviceGetUuid),
                               reinterpret_cast<void*>(table().DeviceGetUuid)},
                              call::of<&compute_capability>("cuDeviceComputeCapability"),
                              call::of<&peer_attribute>("cuDeviceGetP2PAttribute"),
                              call::of<&device_by_pci_bus_id>("cuDeviceGetByPCIBusId"),
                              call::of<&context_flags>("cuCtxGetFlags"),
                              call::of<&accept_preference>("cuCtxSetCacheConfig"),
                              call::of<&no_preference>("cuCtxGetCacheConfig"),
                              call::of<&accept_preference>("cuCtxSetSharedMemConfig"),
                              call::of<&no_preference>("cuCtxGetSharedMemConfig"),
                              call::of<&loading_mode>("cuModuleGetLoadingMode"),
                              call::of<&load_module>("cuModuleLoad"),
                              call::of<&function_module>("cuFuncGetModule"),
                              call::of<&function_preference>("cuFuncSetSharedMemConfig"),
                              call::of<&stream_priority>("cuStreamGetPriority"),
                              call::of<&stream_flags>("cuStreamGetFlags"),
                              call::of<&stream_context>("cuStreamGetCtx"),
                              call::of<&stream_device>("cuStreamGetDevice"),
                              call::of<&add_callback>("cuStreamAddCallback"),
                              call::of<&record_with_flags>("cuEventRecordWithFlags"),
                              call::of<&device_of_context>("cuCtxGetDevice_v2"),
                              call::of<&synchronize_context>("cuCtxSynchronize_v2"),
                              {"cuEventElapsedTime_v2", reinterpret_cast<void*>(table().EventElapsedTime),
                               reinterpret_cast<void*>(table().EventElapsedTime)},
                              call::of<&launch_host_function>("cuLaunchHostFunc_v2"),
                              call::of<&stream_context_or_green>("cuStreamGetCtx_v2"),
                              call::of<&register_log_callback>("cuLogsRegisterCallback"),
                              call::of<&unregister_log_callback>("cuLogsUnregisterCallback")};
    return calls;
}

} // namespace gpuprof::driver_library
