// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a link between two devices; either may be a processor that is no GPU (NPU).
#ifndef GPUPROF_HW_ACTIVITY_NVLINK_HPP
#define GPUPROF_HW_ACTIVITY_NVLINK_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "field_types.hpp"
#include "lists.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The kind of a link's end.
enum class link_end : unsigned {
    invalid = abi::CUPTI_DEV_TYPE_INVALID,
    gpu = abi::CUPTI_DEV_TYPE_GPU,
    npu = abi::CUPTI_DEV_TYPE_NPU
};
[[nodiscard]] constexpr std::string_view to_text(link_end value) noexcept {
    switch (value) {
        case link_end::invalid: return "invalid";
        case link_end::gpu: return "gpu";
        case link_end::npu: return "npu";
    }
    return not_known;
}

// A link between two devices; either may be a processor that is no GPU (NPU).
struct nvlink {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_NVLINK};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityNvLink4", 136},
                                            {release(13, 2), "CUpti_ActivityNvLink5", 88}};

    std::uint32_t version = 0;
    link_end first_type{};
    link_end second_type{};
    activity::uuid first_uuid{}; // of a GPU; an NPU has its index and its domain in the first eight bytes
    activity::uuid second_uuid{};
    std::uint32_t flags = 0; // bits of CUpti_LinkFlag
    std::uint32_t links = 0; // number of physical links
    port_list first_ports{}; // one for each physical link; link metrics have ports as instances
    port_list second_ports{};
    std::uint64_t bandwidth = 0; // kilobytes a second
    bool switch_connected = false;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("nvlinkVersion", 4, 4, version);
        row("typeDev0", 8, 4, first_type);
        row("typeDev1", 12, 4, second_type);
        row("idDev0", 16, 16, first_uuid);
        row("idDev1", 32, 16, second_uuid);
        row("flag", 48, 4, flags);
        row("physicalNvLinkCount", 52, 4, links);
        row("portDev0", 56, 32, first_ports, before(13, 2));
        row("portDev0", 56, 8, first_ports, since(13, 2));
        row("portDev1", 88, 32, second_ports, before(13, 2));
        row("portDev1", 64, 8, second_ports, since(13, 2));
        row("bandwidth", 120, 8, bandwidth, before(13, 2));
        row("bandwidth", 72, 8, bandwidth, since(13, 2));
        row("nvswitchConnected", 128, 1, switch_connected, before(13, 2));
        row("nvswitchConnected", 80, 1, switch_connected, since(13, 2));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_NVLINK_HPP
