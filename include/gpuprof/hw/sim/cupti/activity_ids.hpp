// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that tell which number a handle has in activity records, and what CUPTI supports. Layer: hw/sim, CUPTI table.
#ifndef GPUPROF_HW_SIM_CUPTI_ACTIVITY_IDS_HPP
#define GPUPROF_HW_SIM_CUPTI_ACTIVITY_IDS_HPP

#include <atomic>  // std::memory_order_acquire
#include <cstddef> // std::size_t
#include <cstdint> // ids
#include <string>  // capabilities

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../chip/chips.hpp"
#include "../counters/driver_objects.hpp"
#include "../counters/gpu_registry.hpp"
#include "activity_kinds.hpp"
#include "answer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// Asks the driver table. @param unknown the status for what is no handle
template <class Id, class Ask>
[[nodiscard]] CUptiResult give_id(Id* id, CUptiResult unknown, Ask&& ask) {
    auto const* const driver = objects_of_driver.load(std::memory_order_acquire);
    if (driver == nullptr || !is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (id == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    Id const found = ask(*driver);
    if (found == 0) return unknown;
    *id = found;
    return CUPTI_SUCCESS;
}

} // namespace detail

inline CUptiResult get_device_id(CUcontext context, std::uint32_t* id) {
    if (!detail::is_initialized()) return CUPTI_ERROR_NOT_INITIALIZED;
    if (id == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    int const device = gpu_registry::instance().ordinal_of(context == nullptr ? gpu_registry::current() : context);
    if (device < 0) return CUPTI_ERROR_INVALID_DEVICE;
    *id = static_cast<std::uint32_t>(device);
    return CUPTI_SUCCESS;
}

inline CUptiResult get_context_id(CUcontext context, std::uint32_t* id) {
    return detail::give_id(id, CUPTI_ERROR_INVALID_CONTEXT,
                           [=](driver_objects const& driver) { return driver.context_id(context); });
}

inline CUptiResult get_stream_id_ex(CUcontext context, CUstream stream, std::uint8_t per_thread, std::uint32_t* id) {
    return detail::give_id(id, CUPTI_ERROR_INVALID_STREAM, [=](driver_objects const& driver) {
        return driver.stream_id(context, stream, per_thread != 0);
    });
}
inline CUptiResult get_stream_id(CUcontext context, CUstream stream, std::uint32_t* id) {
    return get_stream_id_ex(context, stream, 0, id);
}

inline CUptiResult get_graph_id(CUgraph graph, std::uint32_t* id) {
    return detail::give_id(id, CUPTI_ERROR_INVALID_PARAMETER,
                           [=](driver_objects const& driver) { return driver.graph_id(graph); });
}
inline CUptiResult get_graph_exec_id(CUgraphExec executable, std::uint32_t* id) {
    return detail::give_id(id, CUPTI_ERROR_INVALID_PARAMETER,
                           [=](driver_objects const& driver) { return driver.executable_id(executable); });
}
inline CUptiResult get_graph_node_id(CUgraphNode node, std::uint64_t* id) {
    return detail::give_id(id, CUPTI_ERROR_INVALID_PARAMETER,
                           [=](driver_objects const& driver) { return driver.node_id(node); });
}

// The clocks of the embedded GPU are fixed.
inline CUptiResult get_auto_boost_state(CUcontext context, CUpti_ActivityAutoBoostState* state) {
    if (context == nullptr || state == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    return CUPTI_ERROR_NOT_SUPPORTED;
}

namespace detail {
[[nodiscard]] inline bool is_device(CUdevice device) {
    return device >= 0 && gpu_registry::instance().device(static_cast<std::size_t>(device)) != nullptr;
}
} // namespace detail

inline CUptiResult device_virtualization_mode(CUdevice device, CUpti_DeviceVirtualizationMode* mode) {
    if (!detail::is_device(device)) return CUPTI_ERROR_INVALID_DEVICE;
    if (mode == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *mode = CUPTI_DEVICE_VIRTUALIZATION_MODE_NONE;
    return CUPTI_SUCCESS;
}
inline CUptiResult device_supported(CUdevice device, int* supported) {
    if (!detail::is_device(device)) return CUPTI_ERROR_INVALID_DEVICE;
    if (supported == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *supported = 1;
    return CUPTI_SUCCESS;
}
// Those of the chips that can be embedded.
inline CUptiResult compute_capability_supported(int generation, int revision, int* supported) {
    if (supported == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    std::string const asked = std::to_string(generation) + '.' + std::to_string(revision);
    *supported = find_embedded_chip(asked) != nullptr ? 1 : 0;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_ACTIVITY_IDS_HPP
