// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_ids.hpp"

#include <atomic>
#include <cstddef>
#include <string>

#include "../chip/chips.hpp"
#include "../gpu/driver_objects.hpp"
#include "../gpu/gpu_registry.hpp"
#include "../gpu/gpu_state.hpp"
#include "answer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// Asks the driver table. @param unknown the status for what is no handle
template <class Id, class Ask>
[[nodiscard]] CUptiResult give_id(Id* id, CUptiResult unknown, Ask&& ask) {
    auto const* const driver = shared().objects_of_driver.load(std::memory_order_acquire);
    if (driver == nullptr || !detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (id == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    Id const found = ask(*driver);
    if (found == 0) return unknown;
    *id = found;
    return CUPTI_SUCCESS;
}

CUptiResult get_device_id(CUcontext context, std::uint32_t* id) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (id == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    int const device = shared().registry.ordinal_of(context == nullptr ? gpu_registry::current() : context);
    if (device < 0) return CUPTI_ERROR_INVALID_DEVICE;
    *id = static_cast<std::uint32_t>(device);
    return CUPTI_SUCCESS;
}

CUptiResult get_context_id(CUcontext context, std::uint32_t* id) {
    return give_id(id, CUPTI_ERROR_INVALID_CONTEXT,
                   [=](driver_objects const& driver) { return driver.context_id(context); });
}

CUptiResult get_stream_id_ex(CUcontext context, CUstream stream, std::uint8_t per_thread, std::uint32_t* id) {
    return give_id(id, CUPTI_ERROR_INVALID_STREAM,
                   [=](driver_objects const& driver) { return driver.stream_id(context, stream, per_thread != 0); });
}

CUptiResult get_stream_id(CUcontext context, CUstream stream, std::uint32_t* id) {
    return get_stream_id_ex(context, stream, 0, id);
}

CUptiResult get_graph_id(CUgraph graph, std::uint32_t* id) {
    return give_id(id, CUPTI_ERROR_INVALID_PARAMETER,
                   [=](driver_objects const& driver) { return driver.graph_id(graph); });
}

CUptiResult get_graph_exec_id(CUgraphExec executable, std::uint32_t* id) {
    return give_id(id, CUPTI_ERROR_INVALID_PARAMETER,
                   [=](driver_objects const& driver) { return driver.executable_id(executable); });
}

CUptiResult get_graph_node_id(CUgraphNode node, std::uint64_t* id) {
    return give_id(id, CUPTI_ERROR_INVALID_PARAMETER,
                   [=](driver_objects const& driver) { return driver.node_id(node); });
}

CUptiResult get_auto_boost_state(CUcontext context, CUpti_ActivityAutoBoostState* state) {
    if (context == nullptr || state == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    return CUPTI_ERROR_NOT_SUPPORTED;
}

[[nodiscard]] static bool is_device(CUdevice device) {
    return device >= 0 && shared().registry.device(static_cast<std::size_t>(device)) != nullptr;
}

CUptiResult device_virtualization_mode(CUdevice device, CUpti_DeviceVirtualizationMode* mode) {
    if (!is_device(device)) return CUPTI_ERROR_INVALID_DEVICE;
    if (mode == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *mode = CUPTI_DEVICE_VIRTUALIZATION_MODE_NONE;
    return CUPTI_SUCCESS;
}

CUptiResult device_supported(CUdevice device, int* supported) {
    if (!is_device(device)) return CUPTI_ERROR_INVALID_DEVICE;
    if (supported == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *supported = 1;
    return CUPTI_SUCCESS;
}

CUptiResult compute_capability_supported(int generation, int revision, int* supported) {
    if (supported == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    std::string const asked = std::to_string(generation) + '.' + std::to_string(revision);
    *supported = find_embedded_chip(asked) != nullptr ? 1 : 0;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
