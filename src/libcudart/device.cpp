// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of the runtime: which there are, what they can do, which one a thread uses.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "properties.hpp"
#include "runtime.hpp"

// Of the driver library.
extern "C" gpuprof::abi::CUresult cuGetProcAddress_v2(char const* name, void** function, int version,
                                                      unsigned long long flags, int* found);
extern "C" gpuprof::abi::CUresult cuDeviceGetP2PAttribute(int* value, int attribute, gpuprof::abi::CUdevice device,
                                                          gpuprof::abi::CUdevice peer);

namespace gpuprof::runtime {
namespace {

using table = abi::driver_table;

cuda_error count(int* devices) {
    if (devices == nullptr) return keep(cudaErrorInvalidValue);
    *devices = 0;
    return forward(&table::DeviceGetCount, devices);
}

// What the program is told. The child of a process that uses the GPU is still told how many there are, as by CUDA 13.0.
cuda_error count_once(int* devices) {
    static std::atomic<int> known{0};
    if (sim::gpu_process.is_child()) {
        if (devices == nullptr || known == 0) return keep(cudaErrorInitializationError);
        *devices = known;
        return cudaSuccess;
    }
    cuda_error const error = count(devices);
    if (error == cudaSuccess) known = *devices;
    return error;
}

// Whether there is a device of that number.
cuda_error check(int device) {
    int devices = 0;
    if (cuda_error const error = count(&devices); error != cudaSuccess) return error;
    return device < 0 || device >= devices ? keep(cudaErrorInvalidDevice) : cudaSuccess;
}

cuda_error set_device(int device) {
    if (cuda_error const error = check(device); error != cudaSuccess) return error;
    abi::CUcontext context = nullptr;
    if (abi::CUresult const status = primary_context(device, context)) return keep(status);
    this_thread().device = device;
    return keep(driver().CtxSetCurrent(context));
}
cuda_error get_device(int* device) {
    if (device == nullptr) return keep(cudaErrorInvalidValue);
    *device = this_thread().device;
    return cudaSuccess;
}
cuda_error init_device(int device, unsigned, unsigned) { return check(device); }
cuda_error set_valid_devices(int*, int) { return keep(enter()); }
cuda_error choose_device(int* device, void const*) { return get_device(device); }

cuda_error get_attribute(int* value, int attribute, int device) {
    return forward(&table::DeviceGetAttribute, value, static_cast<abi::CUdevice_attribute>(attribute), device);
}
int attribute_of(int device, int attribute) {
    int value = 0;
    static_cast<void>(driver().DeviceGetAttribute(&value, static_cast<abi::CUdevice_attribute>(attribute), device));
    return value;
}

template <class T>
void read(T& to, int device, int attribute) {
    to = static_cast<T>(attribute_of(device, attribute));
}
template <std::size_t N>
void read(int (&to)[N], int device, int attribute) { // attributes of one list have numbers one after the other
    for (std::size_t i = 0; i < N; ++i) to[i] = attribute_of(device, attribute + static_cast<int>(i));
}

template <class Properties>
void read_names(Properties& to, int device) {
    abi::CUuuid uuid;
    static_cast<void>(driver().DeviceGetName(to.name, sizeof to.name, device));
    static_cast<void>(driver().DeviceGetUuid(&uuid, device));
    std::memcpy(to.uuid, uuid.bytes, sizeof to.uuid);
    static_cast<void>(driver().DeviceTotalMem(&to.totalGlobalMem, device));
}

#define READ(type, name, attribute) read(all.name, device, abi::CU_DEVICE_ATTRIBUTE_##attribute);
#define PASS(type, name, attribute)
#define BOTH READ
#define OLD READ
#define NEW PASS
void read_properties(device_properties_12& all, int device) {
    read_names(all, device);
#include "properties.inc"
}
#undef OLD
#undef NEW
#define OLD PASS
#define NEW READ
void read_properties(device_properties_13& all, int device) {
    read_names(all, device);
#include "properties.inc"
}

template <class Properties>
cuda_error get_properties_as(void* to, int device, std::size_t bytes) {
    if (to == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = check(device); error != cudaSuccess) return error;
    Properties all{};
    read_properties(all, device);
    std::memcpy(to, &all, bytes);
    return cudaSuccess;
}
// cudaGetDeviceProperties: CUDA 12 calls its own by another name, and keeps that of CUDA 11 under the old one.
cuda_error get_properties(void* to, int device) {
    if (toolkit >= 13) return get_properties_as<device_properties_13>(to, device, sizeof(device_properties_13));
    return get_properties_as<device_properties_12>(to, device, device_properties_11_bytes);
}
cuda_error get_properties_v2(void* to, int device) {
    return get_properties_as<device_properties_12>(to, device, sizeof(device_properties_12));
}

cuda_error pci_bus_id(char* id, int length, int device) {
    return forward(&table::DeviceGetPCIBusId, id, length, device);
}
cuda_error by_pci_bus_id(int* device, char const* id) {
    if (device == nullptr || id == nullptr) return keep(cudaErrorInvalidValue);
    int devices = 0;
    if (cuda_error const error = count(&devices); error != cudaSuccess) return error;
    char known[16] = {};
    for (int i = 0; i < devices; ++i)
        if (driver().DeviceGetPCIBusId(known, sizeof known, i) == abi::CUDA_SUCCESS && std::strcmp(known, id) == 0) {
            *device = i;
            return cudaSuccess;
        }
    return keep(cudaErrorInvalidDevice);
}

cuda_error synchronize() { return forward(&table::CtxSynchronize); }
cuda_error reset() {
    if (cuda_error const error = enter(); error != cudaSuccess && error != cudaErrorContextIsDestroyed)
        return keep(error);
    abi::CUresult const status = driver().DevicePrimaryCtxReset(this_thread().device);
    forget_contexts();
    return keep(status);
}
cuda_error set_flags(unsigned flags) {
    if ((flags & ~0xffu) != 0) return keep(cudaErrorInvalidValue);
    return forward(&table::DevicePrimaryCtxSetFlags, this_thread().device, flags);
}
cuda_error get_flags(unsigned* flags) {
    int active = 0;
    return forward(&table::DevicePrimaryCtxGetState, this_thread().device, flags, &active);
}
cuda_error get_limit(std::size_t* value, int limit) {
    return forward(&table::CtxGetLimit, value, static_cast<abi::CUlimit>(limit));
}
cuda_error set_limit(int limit, std::size_t value) {
    return forward(&table::CtxSetLimit, static_cast<abi::CUlimit>(limit), value);
}
cuda_error priority_range(int* least, int* greatest) {
    return forward(&table::CtxGetStreamPriorityRange, least, greatest);
}

// Preferences that change nothing here.
std::atomic<int> cache_config{0};
cuda_error set_cache_config(int config) {
    cache_config = config;
    return keep(enter());
}
cuda_error get_cache_config(int* config) {
    if (config == nullptr) return keep(cudaErrorInvalidValue);
    *config = cache_config;
    return keep(enter());
}
cuda_error set_shared_config(int) { return keep(enter()); }
cuda_error get_shared_config(int* config) {
    if (config == nullptr) return keep(cudaErrorInvalidValue);
    *config = 1; // banks of four bytes
    return keep(enter());
}
cuda_error reset_persisting_lines() { return keep(enter()); }

// Kernels of the thread's device, and memory of another one. A device is no peer of itself.
cuda_error can_access_peer(int* can, int device, int peer) {
    return forward(&table::DeviceCanAccessPeer, can, device, peer);
}
cuda_error peer_attribute(int* value, int attribute, int device, int peer) {
    return forward(&cuDeviceGetP2PAttribute, value, attribute, device, peer);
}
cuda_error peer_context(int peer, abi::CUcontext& context) {
    if (cuda_error const error = check(peer); error != cudaSuccess) return error;
    if (peer == this_thread().device) return keep(cudaErrorInvalidDevice);
    return keep(primary_context(peer, context));
}
cuda_error enable_peer_access(int peer, unsigned flags) {
    abi::CUcontext context = nullptr;
    if (cuda_error const error = peer_context(peer, context); error != cudaSuccess) return error;
    return forward(&table::CtxEnablePeerAccess, context, flags);
}
cuda_error disable_peer_access(int peer) {
    abi::CUcontext context = nullptr;
    if (cuda_error const error = peer_context(peer, context); error != cudaSuccess) return error;
    return forward(&table::CtxDisablePeerAccess, context);
}

cuda_error driver_version(int* version) {
    if (version == nullptr || driver().DriverGetVersion == nullptr) return keep(cudaErrorInvalidValue);
    return keep(driver().DriverGetVersion(version));
}
cuda_error runtime_version(int* version) {
    if (version == nullptr) return keep(cudaErrorInvalidValue);
    *version = toolkit == 13 ? 13000 : toolkit == 12 ? 12090 : 11080;
    return cudaSuccess;
}

// The entry point of the driver, and what became of the question (cudaDriverEntryPointQueryResult).
cuda_error entry_point_by_version(char const* symbol, void** function, unsigned version, unsigned long long flags,
                                  int* result) {
    if (symbol == nullptr || function == nullptr) return keep(cudaErrorInvalidValue);
    int found = 1;
    abi::CUresult const status = cuGetProcAddress_v2(symbol, function, static_cast<int>(version), flags, &found);
    if (result != nullptr) *result = found;
    if (status == abi::CUDA_ERROR_NOT_FOUND && result != nullptr) return cudaSuccess; // the result says it
    return keep(status);
}
cuda_error entry_point(char const* symbol, void** function, unsigned long long flags, int* result) {
    int version = 0;
    static_cast<void>(runtime_version(&version));
    return entry_point_by_version(symbol, function, static_cast<unsigned>(version), flags, result);
}
cuda_error entry_point_11(char const* symbol, void** function, unsigned long long flags) {
    return entry_point(symbol, function, flags, nullptr);
}

} // namespace

std::span<call const> device_calls() {
    static call const calls[]{call::of_any_process<&count_once>("cudaGetDeviceCount"),
                              call::of<&set_device>("cudaSetDevice"),
                              call::of<&get_device>("cudaGetDevice"),
                              call::of<&init_device>("cudaInitDevice"),
                              call::of<&set_valid_devices>("cudaSetValidDevices"),
                              call::of<&choose_device>("cudaChooseDevice"),
                              call::of<&get_attribute>("cudaDeviceGetAttribute"),
                              call::of<&get_properties>("cudaGetDeviceProperties"),
                              call::of<&get_properties_v2>("cudaGetDeviceProperties_v2"),
                              call::of<&pci_bus_id>("cudaDeviceGetPCIBusId"),
                              call::of<&by_pci_bus_id>("cudaDeviceGetByPCIBusId"),
                              call::of<&synchronize>("cudaDeviceSynchronize"),
                              call::of<&synchronize>("cudaThreadSynchronize"),
                              call::of<&reset>("cudaDeviceReset"),
                              call::of<&reset>("cudaThreadExit"),
                              call::of<&set_flags>("cudaSetDeviceFlags"),
                              call::of<&get_flags>("cudaGetDeviceFlags"),
                              call::of<&get_limit>("cudaDeviceGetLimit"),
                              call::of<&set_limit>("cudaDeviceSetLimit"),
                              call::of<&get_limit>("cudaThreadGetLimit"),
                              call::of<&set_limit>("cudaThreadSetLimit"),
                              call::of<&priority_range>("cudaDeviceGetStreamPriorityRange"),
                              call::of<&set_cache_config>("cudaDeviceSetCacheConfig"),
                              call::of<&get_cache_config>("cudaDeviceGetCacheConfig"),
                              call::of<&set_cache_config>("cudaThreadSetCacheConfig"),
                              call::of<&get_cache_config>("cudaThreadGetCacheConfig"),
                              call::of<&set_shared_config>("cudaDeviceSetSharedMemConfig"),
                              call::of<&get_shared_config>("cudaDeviceGetSharedMemConfig"),
                              call::of<&reset_persisting_lines>("cudaCtxResetPersistingL2Cache"),
                              call::of<&can_access_peer>("cudaDeviceCanAccessPeer"),
                              call::of<&peer_attribute>("cudaDeviceGetP2PAttribute"),
                              call::of<&enable_peer_access>("cudaDeviceEnablePeerAccess"),
                              call::of<&disable_peer_access>("cudaDeviceDisablePeerAccess"),
                              call::of_any_process<&driver_version>("cudaDriverGetVersion"),
                              call::of_any_process<&runtime_version>("cudaRuntimeGetVersion"),
                              call::of<&entry_point_by_version>("cudaGetDriverEntryPointByVersion"),
                              toolkit >= 12 ? call::of<&entry_point>("cudaGetDriverEntryPoint")
                                            : call::of<&entry_point_11>("cudaGetDriverEntryPoint")};
    return calls;
}

} // namespace gpuprof::runtime
