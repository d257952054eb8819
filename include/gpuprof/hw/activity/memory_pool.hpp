// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: a created, trimmed or destroyed memory pool.
#ifndef GPUPROF_HW_ACTIVITY_MEMORY_POOL_HPP
#define GPUPROF_HW_ACTIVITY_MEMORY_POOL_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The owner of a pool.
enum class memory_pool_type : unsigned {
    invalid = abi::CUPTI_ACTIVITY_MEMORY_POOL_TYPE_INVALID,
    local = abi::CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL,
    imported = abi::CUPTI_ACTIVITY_MEMORY_POOL_TYPE_IMPORTED
};
[[nodiscard]] constexpr std::string_view to_text(memory_pool_type value) noexcept {
    switch (value) {
        case memory_pool_type::invalid: return "invalid";
        case memory_pool_type::local: return "local";
        case memory_pool_type::imported: return "imported";
    }
    return not_known;
}

// The operation.
enum class memory_pool_operation : unsigned {
    invalid = abi::CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_INVALID,
    created = abi::CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED,
    destroyed = abi::CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED,
    trimmed = abi::CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED
};
[[nodiscard]] constexpr std::string_view to_text(memory_pool_operation value) noexcept {
    switch (value) {
        case memory_pool_operation::invalid: return "invalid";
        case memory_pool_operation::created: return "created";
        case memory_pool_operation::destroyed: return "destroyed";
        case memory_pool_operation::trimmed: return "trimmed";
    }
    return not_known;
}

// A created, trimmed or destroyed memory pool.
struct memory_pool {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MEMORY_POOL};
    static constexpr record_form forms[] = {{release(11, 2), "CUpti_ActivityMemoryPool", 64},
                                            {release(11, 6), "CUpti_ActivityMemoryPool2", 72},
                                            {release(13, 0), "CUpti_ActivityMemoryPool3", 80}};

    memory_pool_operation operation{};
    memory_pool_type type{};
    std::uint32_t correlation = 0;
    std::uint32_t process = 0;
    std::uint32_t device = 0;
    gpuprof::bytes min_bytes_to_keep{}; // when trimmed
    std::uint64_t address = 0;
    gpuprof::bytes size{};
    std::uint64_t release_threshold = 0; // bytes; all bits set: never
    timestamp time{};
    std::optional<gpuprof::bytes> used{};
    std::optional<bool> managed{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("memoryPoolOperationType", 4, 4, operation);
        row("memoryPoolType", 8, 4, type);
        row("correlationId", 12, 4, correlation);
        row("processId", 16, 4, process);
        row("deviceId", 20, 4, device);
        row("minBytesToKeep", 24, 8, min_bytes_to_keep);
        row("address", 32, 8, address);
        row("size", 40, 8, size);
        row("releaseThreshold", 48, 8, release_threshold);
        row("timestamp", 56, 8, time);
        row("utilizedSize", 64, 8, used, since(11, 6));
        row("isManagedPool", 72, 1, managed, since(13, 0));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MEMORY_POOL_HPP
