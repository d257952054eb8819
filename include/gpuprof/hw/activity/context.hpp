// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a created context.
#ifndef GPUPROF_HW_ACTIVITY_CONTEXT_HPP
#define GPUPROF_HW_ACTIVITY_CONTEXT_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The API that the context belongs to; cuda_mps is the MPS server.
enum class compute_api : unsigned {
    unknown = abi::CUPTI_ACTIVITY_COMPUTE_API_UNKNOWN,
    cuda = abi::CUPTI_ACTIVITY_COMPUTE_API_CUDA,
    cuda_mps = abi::CUPTI_ACTIVITY_COMPUTE_API_CUDA_MPS
};
[[nodiscard]] constexpr std::string_view to_text(compute_api value) noexcept {
    switch (value) {
        case compute_api::unknown: return "unknown";
        case compute_api::cuda: return "cuda";
        case compute_api::cuda_mps: return "cuda mps";
    }
    return not_known;
}

// Whether the context computes in a graphics context.
enum class graphics_mode : unsigned {
    none = abi::CUPTI_CONTEXT_CIG_MODE_NONE,
    cig = abi::CUPTI_CONTEXT_CIG_MODE_CIG,
    cig_fallback = abi::CUPTI_CONTEXT_CIG_MODE_CIG_FALLBACK
};
[[nodiscard]] constexpr std::string_view to_text(graphics_mode value) noexcept {
    switch (value) {
        case graphics_mode::none: return "none";
        case graphics_mode::cig: return "cig";
        case graphics_mode::cig_fallback: return "cig fallback";
    }
    return not_known;
}

// A created context.
struct context {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_CONTEXT};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityContext", 16},
                                            {release(12, 4), "CUpti_ActivityContext2", 24},
                                            {release(12, 5), "CUpti_ActivityContext3", 32},
                                            {release(13, 1), "CUpti_ActivityContext4", 40}};

    std::uint32_t id = 0;
    std::uint32_t device = 0;
    compute_api api{};
    std::uint32_t null_stream = 0;         // of the default stream
    std::optional<std::uint32_t> parent{}; // of a green context
    std::optional<bool> green{};
    std::optional<std::uint32_t> multiprocessors{}; // that a green context has
    std::optional<graphics_mode> graphics{};
    std::optional<std::uint64_t> process{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("contextId", 4, 4, id);
        row("deviceId", 8, 4, device);
        row("computeApiKind", 12, 2, api);
        row("nullStreamId", 14, 2, null_stream);
        row("parentContextId", 16, 4, parent, since(12, 4));
        row("isGreenContext", 20, 1, green, since(12, 4));
        row("numMultiprocessors", 22, 2, multiprocessors, since(12, 5));
        row("cigMode", 24, 4, graphics, since(12, 5));
        row("processId", 32, 8, process, since(13, 1));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_CONTEXT_HPP
