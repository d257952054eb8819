// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an event of managed memory.
#ifndef GPUPROF_HW_ACTIVITY_UNIFIED_MEMORY_COUNTER_HPP
#define GPUPROF_HW_ACTIVITY_UNIFIED_MEMORY_COUNTER_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "lists.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The kind of an event.
enum class unified_memory_counter_kind : unsigned {
    unknown = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_UNKNOWN,
    bytes_transfer_host_to_device = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
    bytes_transfer_device_to_host = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
    cpu_page_fault_count = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
    gpu_page_fault = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
    thrashing = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING,
    throttling = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING,
    remote_map = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP,
    bytes_transfer_device_to_device = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD
};
[[nodiscard]] constexpr std::string_view to_text(unified_memory_counter_kind value) noexcept {
    switch (value) {
        case unified_memory_counter_kind::unknown: return "unknown";
        case unified_memory_counter_kind::bytes_transfer_host_to_device: return "bytes transfer host to device";
        case unified_memory_counter_kind::bytes_transfer_device_to_host: return "bytes transfer device to host";
        case unified_memory_counter_kind::cpu_page_fault_count: return "cpu page fault count";
        case unified_memory_counter_kind::gpu_page_fault: return "gpu page fault";
        case unified_memory_counter_kind::thrashing: return "thrashing";
        case unified_memory_counter_kind::throttling: return "throttling";
        case unified_memory_counter_kind::remote_map: return "remote map";
        case unified_memory_counter_kind::bytes_transfer_device_to_device: return "bytes transfer device to device";
    }
    return not_known;
}

// The access that faulted, in flags of a GPU page fault.
enum class unified_memory_access : unsigned {
    unknown = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_ACCESS_TYPE_UNKNOWN,
    read = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_ACCESS_TYPE_READ,
    write = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_ACCESS_TYPE_WRITE,
    atomic = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_ACCESS_TYPE_ATOMIC,
    prefetch = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_ACCESS_TYPE_PREFETCH
};
[[nodiscard]] constexpr std::string_view to_text(unified_memory_access value) noexcept {
    switch (value) {
        case unified_memory_access::unknown: return "unknown";
        case unified_memory_access::read: return "read";
        case unified_memory_access::write: return "write";
        case unified_memory_access::atomic: return "atomic";
        case unified_memory_access::prefetch: return "prefetch";
    }
    return not_known;
}

// The reason of a move, in flags of bytes moved.
enum class unified_memory_migration : unsigned {
    unknown = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_UNKNOWN,
    user = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER,
    coherence = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE,
    prefetch = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_PREFETCH,
    eviction = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION,
    access_counters = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_ACCESS_COUNTERS
};
[[nodiscard]] constexpr std::string_view to_text(unified_memory_migration value) noexcept {
    switch (value) {
        case unified_memory_migration::unknown: return "unknown";
        case unified_memory_migration::user: return "user";
        case unified_memory_migration::coherence: return "coherence";
        case unified_memory_migration::prefetch: return "prefetch";
        case unified_memory_migration::eviction: return "eviction";
        case unified_memory_migration::access_counters: return "access counters";
    }
    return not_known;
}

// The reason of a remote mapping, in flags of a remote map.
enum class unified_memory_remote_map : unsigned {
    unknown = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_REMOTE_MAP_CAUSE_UNKNOWN,
    coherence = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_REMOTE_MAP_CAUSE_COHERENCE,
    thrashing = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_REMOTE_MAP_CAUSE_THRASHING,
    policy = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_REMOTE_MAP_CAUSE_POLICY,
    out_of_memory = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_REMOTE_MAP_CAUSE_OUT_OF_MEMORY,
    eviction = abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_REMOTE_MAP_CAUSE_EVICTION
};
[[nodiscard]] constexpr std::string_view to_text(unified_memory_remote_map value) noexcept {
    switch (value) {
        case unified_memory_remote_map::unknown: return "unknown";
        case unified_memory_remote_map::coherence: return "coherence";
        case unified_memory_remote_map::thrashing: return "thrashing";
        case unified_memory_remote_map::policy: return "policy";
        case unified_memory_remote_map::out_of_memory: return "out of memory";
        case unified_memory_remote_map::eviction: return "eviction";
    }
    return not_known;
}

// An event of managed memory: bytes moved, page faults, thrashing.
struct unified_memory_counter {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityUnifiedMemoryCounter2", 64},
                                            {release(12, 8), "CUpti_ActivityUnifiedMemoryCounter3", 104}};

    unified_memory_counter_kind kind{};
    std::uint64_t value = 0; // bytes moved, faults, or the processor that thrashes or is throttled
    interval time{};
    std::uint64_t address = 0;
    std::uint32_t source = 0; // device; all bits set: the CPU
    std::uint32_t destination = 0;
    std::uint32_t stream = 0;
    std::uint32_t process = 0;
    std::uint32_t flags = 0;                   // of one of the three enumerations above, by kind
    std::optional<processor_set> processors{}; // that thrash, one bit a device

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("counterKind", 4, 4, kind);
        row("value", 8, 8, value);
        row("start", 16, 8, time.start);
        row("end", 24, 8, time.end);
        row("address", 32, 8, address);
        row("srcId", 40, 4, source);
        row("dstId", 44, 4, destination);
        row("streamId", 48, 4, stream);
        row("processId", 52, 4, process);
        row("flags", 56, 4, flags);
        row("processors", 64, 40, processors, since(12, 8));
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_UNIFIED_MEMORY_COUNTER_HPP
