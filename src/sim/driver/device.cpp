// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <gpuprof/hw/machine/status.hpp>
#include <gpuprof/sim/collection.hpp>
#include "../chip/chip_model.hpp"
#include "../gpu/gpu_state.hpp"
#include "kernel.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

CUresult driver_get_version(int* version) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *version = 13000; // CUDA 13.0
    return CUDA_SUCCESS;
}

CUresult legacy_driver_get_version(int* version) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *version = 12090; // CUDA 12.9
    return CUDA_SUCCESS;
}

CUresult get_error_name(CUresult status, char const** text) {
    if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto const known = abi::name(status);
    *text = known.empty() ? nullptr : known.data();
    return known.empty() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult get_error_string(CUresult status, char const** text) {
    if (CUresult const unknown = get_error_name(status, text)) return unknown;
    switch (status) {
        case CUDA_SUCCESS: *text = "no error"; break;
        case CUDA_ERROR_INVALID_VALUE: *text = "invalid argument"; break;
        case CUDA_ERROR_OUT_OF_MEMORY: *text = "out of memory"; break;
        case CUDA_ERROR_NOT_INITIALIZED: *text = "cuInit was not called"; break;
        case CUDA_ERROR_NO_DEVICE: *text = "there is no device"; break;
        case CUDA_ERROR_INVALID_DEVICE: *text = "there is no such device"; break;
        case CUDA_ERROR_INVALID_IMAGE: *text = "the image is not PTX"; break;
        case CUDA_ERROR_INVALID_CONTEXT: *text = "no context is current, or it is not one"; break;
        case CUDA_ERROR_NO_BINARY_FOR_GPU:
            *text = "the image holds machine code, which the embedded GPU does not run";
            break;
        case CUDA_ERROR_INVALID_PTX: *text = "the PTX is malformed or for a later GPU"; break;
        case CUDA_ERROR_INVALID_HANDLE: *text = "an invalid handle"; break;
        case CUDA_ERROR_ILLEGAL_STATE: *text = "not in the state for that call"; break;
        case CUDA_ERROR_NOT_FOUND: *text = "no such name"; break;
        case CUDA_ERROR_ILLEGAL_ADDRESS: *text = "a kernel accessed an illegal address"; break;
        case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
            *text = "the launch asks for more than the kernel was built for";
            break;
        case CUDA_ERROR_LAUNCH_TIMEOUT: *text = "a kernel did not end"; break;
        case CUDA_ERROR_CONTEXT_IS_DESTROYED: *text = "the context was destroyed"; break;
        case CUDA_ERROR_ASSERT: *text = "an assertion in a kernel failed"; break;
        case CUDA_ERROR_HARDWARE_STACK_ERROR: *text = "a kernel's stack overflowed"; break;
        case CUDA_ERROR_ILLEGAL_INSTRUCTION: *text = "a kernel executed an illegal instruction"; break;
        case CUDA_ERROR_MISALIGNED_ADDRESS: *text = "a kernel accessed a misaligned address"; break;
        case CUDA_ERROR_LAUNCH_FAILED: *text = "a kernel failed"; break;
        case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
            *text = "the blocks of a cooperative launch do not fit the device at once";
            break;
        case CUDA_ERROR_NOT_SUPPORTED: *text = "the embedded GPU does not have that"; break;
        default: break;
    }
    return CUDA_SUCCESS;
}

CUresult device_get_count(int* count) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = shared().registry.device_count();
    return CUDA_SUCCESS;
}

CUresult device_get(CUdevice* device, int ordinal) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_device(ordinal) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult device_get_name(char* name, int length, CUdevice device) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    chip_model const* const chip = find_device(device);
    if (chip == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", chip->device_name);
    return CUDA_SUCCESS;
}

CUuuid device_identity(chip_model const& chip, CUdevice device) {
    CUuuid uuid{};
    std::memcpy(uuid.bytes, "gpuprof", 7);
    bool const at_once = shared().registry.collection_on(static_cast<std::size_t>(device)) == collection::at_once;
    uuid.bytes[7] = at_once ? '1' : '\0';
    std::memcpy(uuid.bytes + 8, chip.chip_name, std::min<std::size_t>(std::strlen(chip.chip_name), 7));
    uuid.bytes[15] = static_cast<char>(device);
    return uuid;
}

CUresult device_get_uuid(CUuuid* uuid, CUdevice device) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    chip_model const* const chip = find_device(device);
    if (chip == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *uuid = device_identity(*chip, device);
    return CUDA_SUCCESS;
}

CUresult device_total_mem(std::size_t* bytes, CUdevice device) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    chip_model const* const chip = find_device(device);
    if (chip == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *bytes = chip->memory_bytes;
    return CUDA_SUCCESS;
}

CUresult device_get_pci_bus_id(char* id, int length, CUdevice device) {
    constexpr int room = 13; // "0000:01:00.0" and its end
    auto const in = enter();
    if (!in.ready()) return in.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (id == nullptr || length < room) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(id, static_cast<std::size_t>(length), "0000:%02X:00.0", static_cast<unsigned>(device + 1) & 0xffu);
    return CUDA_SUCCESS;
}

std::optional<int> attribute_of(chip_model const& chip, CUdevice_attribute which, CUdevice device) {
    auto const kilohertz = [](double hertz) { return static_cast<int>(hertz / 1000); };
    switch (which) {
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: return 1024;
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return 64;
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
        case CU_DEVICE_ATTRIBUTE_MAX_PITCH: return 2147483647;
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
        case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 65535;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 49152;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return static_cast<int>(chip.shared_bytes_per_cta);
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
            return static_cast<int>(chip.shared_bytes_per_sm);
        case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK: return static_cast<int>(chip.shared.reserved);
        case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: return 65536;
        case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: return chip.registers_per_sm;
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: return chip.registers_per_sm;
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return chip.threads_per_sm;
        case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: return chip.ctas_per_sm;
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return chip.count(hardware_unit::sm);
        case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: return kilohertz(chip.gpc_hz);
        case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: return kilohertz(chip.dram_hz);
        case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: return chip.count(hardware_unit::dram) * 128;
        case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: return static_cast<int>(chip.l2_bytes);
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return chip.capability().generation;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return chip.capability().revision;
        case CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: return 2;
        case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
        case CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT: return 512;
        case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT: return 32;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH: return 131072;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT: return 65536;
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT:
        case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH: return 16384;
        case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH: return chip.has_clusters ? 1 : 0;
        case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: return 2; // one for each direction
        case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: return device + 1;
        case CU_DEVICE_ATTRIBUTE_NUMA_ID: return -1;
        case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP:
        case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
        case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
        case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
        case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
        case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
        case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
        case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: return 1;
        default: break;
    }
    bool const known = which >= CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK &&
                       which <= CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED;
    return known ? std::optional<int>{0} : std::nullopt;
}

CUresult device_get_attribute(int* value, CUdevice_attribute which, CUdevice device) {
    auto const in = enter();
    if (!in.ready()) return in.status;
    chip_model const* const chip = find_device(device);
    if (chip == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    auto const attribute = attribute_of(*chip, which, device);
    if (value == nullptr || !attribute) return CUDA_ERROR_INVALID_VALUE;
    *value = *attribute;
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
