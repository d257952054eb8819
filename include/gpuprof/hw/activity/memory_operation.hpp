// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an allocation or a release of memory.
#ifndef GPUPROF_HW_ACTIVITY_MEMORY_OPERATION_HPP
#define GPUPROF_HW_ACTIVITY_MEMORY_OPERATION_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "memory_kind.hpp"
#include "memory_pool.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The operation.
enum class memory_operation_type : unsigned {
    invalid = abi::CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_INVALID,
    allocation = abi::CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION,
    release = abi::CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE
};
[[nodiscard]] constexpr std::string_view to_text(memory_operation_type value) noexcept {
    switch (value) {
        case memory_operation_type::invalid: return "invalid";
        case memory_operation_type::allocation: return "allocation";
        case memory_operation_type::release: return "release";
    }
    return not_known;
}

// An allocation or a release of memory.
struct memory_operation {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_MEMORY2};
    static constexpr record_form forms[] = {{release(11, 2), "CUpti_ActivityMemory2", 112},
                                            {release(11, 6), "CUpti_ActivityMemory3", 120},
                                            {release(12, 6), "CUpti_ActivityMemory4", 128}};

    memory_operation_type type{};
    memory_kind memory{};
    std::uint32_t correlation = 0;
    std::uint64_t address = 0;
    gpuprof::bytes size{};
    timestamp time{};
    std::uint64_t pc = 0; // of the calling instruction
    std::uint32_t process = 0;
    std::uint32_t device = 0;
    std::optional<std::uint32_t> context{}; // none: no context was current
    std::optional<std::uint32_t> stream{};  // none: not asynchronous
    std::string_view name{};                // of a variable of the module; null for other memory
    bool asynchronous = false;
    memory_pool_type pool{}; // invalid: from no pool
    std::uint64_t pool_address = 0;
    std::optional<std::uint64_t> pool_release_threshold{}; // bytes; of a local pool, like the next two
    std::optional<gpuprof::bytes> pool_size{};
    std::optional<gpuprof::bytes> pool_used{};
    std::optional<std::uint64_t> pool_process{}; // that exported the imported pool
    std::optional<std::string_view> source{};    // the calling shared object; only with allocation source tracking

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("memoryOperationType", 4, 4, type);
        row("memoryKind", 8, 4, memory);
        row("correlationId", 12, 4, correlation);
        row("address", 16, 8, address);
        row("bytes", 24, 8, size);
        row("timestamp", 32, 8, time);
        row("PC", 40, 8, pc);
        row("processId", 48, 4, process);
        row("deviceId", 52, 4, device);
        row("contextId", 56, 4, context, releases{}, no_value{0});
        row("streamId", 60, 4, stream, releases{}, no_value{0});
        row("name", 64, 8, name);
        row("isAsync", 72, 4, asynchronous);
        row("memoryPoolConfig.memoryPoolType", 80, 4, pool);
        row("memoryPoolConfig.address", 88, 8, pool_address);
        if (pool == memory_pool_type::local) row("memoryPoolConfig.releaseThreshold", 96, 8, pool_release_threshold);
        if (pool == memory_pool_type::local) row("memoryPoolConfig.pool.size", 104, 8, pool_size);
        if (pool == memory_pool_type::local) row("memoryPoolConfig.utilizedSize", 112, 8, pool_used, since(11, 6));
        if (pool == memory_pool_type::imported) row("memoryPoolConfig.pool.processId", 104, 8, pool_process);
        row("source", 120, 8, source, since(12, 6));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_MEMORY_OPERATION_HPP
