// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a device or bridge on the PCI Express bus.
#ifndef GPUPROF_HW_ACTIVITY_PCIE_HPP
#define GPUPROF_HW_ACTIVITY_PCIE_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"
#include "lists.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The type of a device on the bus.
enum class pcie_device_type : unsigned {
    gpu = abi::CUPTI_PCIE_DEVICE_TYPE_GPU,
    bridge = abi::CUPTI_PCIE_DEVICE_TYPE_BRIDGE
};
[[nodiscard]] constexpr std::string_view to_text(pcie_device_type value) noexcept {
    switch (value) {
        case pcie_device_type::gpu: return "gpu";
        case pcie_device_type::bridge: return "bridge";
    }
    return not_known;
}

// A device or bridge on the PCI Express bus.
struct pcie {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_PCIE};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityPcie", 168}};

    pcie_device_type type{};
    std::uint32_t id = 0; // CUDA's device number, or the number of the bridge
    std::uint32_t domain = 0;
    std::uint32_t generation = 0;
    std::uint32_t link_rate = 0;  // GT/s
    std::uint32_t link_width = 0; // lanes
    std::uint32_t upstream_bus = 0;
    std::optional<activity::uuid> device_uuid{};  // of a GPU, like peers
    std::optional<peer_list> peers{};             // devices that a GPU can reach directly, then -1
    std::optional<std::uint32_t> secondary_bus{}; // of a bridge, like the next two
    std::optional<std::uint32_t> pci_device{};
    std::optional<std::uint32_t> pci_vendor{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("type", 4, 4, type);
        row("id.bridgeId", 8, 4, id);
        row("domain", 12, 4, domain);
        row("pcieGeneration", 16, 2, generation);
        row("linkRate", 18, 2, link_rate);
        row("linkWidth", 20, 2, link_width);
        row("upstreamBus", 22, 2, upstream_bus);
        if (type == pcie_device_type::gpu) row("attr.gpuAttr.uuidDev", 24, 16, device_uuid);
        if (type == pcie_device_type::gpu) row("attr.gpuAttr.peerDev", 40, 128, peers);
        if (type == pcie_device_type::bridge) row("attr.bridgeAttr.secondaryBus", 24, 2, secondary_bus);
        if (type == pcie_device_type::bridge) row("attr.bridgeAttr.deviceId", 26, 2, pci_device);
        if (type == pcie_device_type::bridge) row("attr.bridgeAttr.vendorId", 28, 2, pci_vendor);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_PCIE_HPP
