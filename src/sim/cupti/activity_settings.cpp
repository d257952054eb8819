// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_settings.hpp"

#include <atomic>
#include <cstring>

#include <gpuprof/hw/activity/release.hpp>
#include "../gpu/external_ids.hpp"
#include "../gpu/gpu_state.hpp"
#include "activity_kinds.hpp"
#include "attribute_values.hpp"
#include "cupti_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

struct activity_attribute {
    std::size_t size = 0;          // bytes of its value
    std::uint64_t initial = 0;     // as cupti_activity.h documents it
    activity::releases releases{}; // that support it
};

constexpr activity_attribute activity_attributes[attribute_count] = {
    {sizeof(std::size_t), 3'200'000},                       // DEVICE_BUFFER_SIZE
    {sizeof(std::size_t), 8'388'608},                       // DEVICE_BUFFER_SIZE_CDP
    {sizeof(std::size_t), 250},                             // DEVICE_BUFFER_POOL_LIMIT
    {sizeof(std::size_t), 25'000, activity::before(12, 3)}, // PROFILING_SEMAPHORE_POOL_SIZE
    {sizeof(std::size_t), 250, activity::before(12, 3)},    // PROFILING_SEMAPHORE_POOL_LIMIT
    {sizeof(std::uint8_t), 0},                              // ZEROED_OUT_ACTIVITY_BUFFER
    {sizeof(std::size_t), 3},                               // DEVICE_BUFFER_PRE_ALLOCATE_VALUE
    {sizeof(std::size_t), 3, activity::before(12, 3)},      // PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE
    {sizeof(std::uint8_t), 0},                              // MEM_ALLOCATION_TYPE_HOST_PINNED
    {sizeof(std::uint8_t), 1},                              // PER_THREAD_ACTIVITY_BUFFER
    {sizeof(std::size_t), 16'777'216}};                     // DEVICE_BUFFER_SIZE_DEVICE_GRAPHS

void attribute_values::clear() noexcept {
    for (std::size_t i = 0; i < attribute_count; ++i) values[i] = activity_attributes[i].initial;
}

// Attributes of CUDA 13.1 and later are not served.
[[nodiscard]] static CUptiResult refuse_attribute(CUpti_ActivityAttribute attribute, std::size_t const* size,
                                                  void const* value) noexcept {
    if (size == nullptr || value == nullptr || attribute >= attribute_count) return CUPTI_ERROR_INVALID_PARAMETER;
    auto const& known = activity_attributes[attribute];
    if (!known.releases.contain(shared().activity.release.load(std::memory_order_relaxed)))
        return CUPTI_ERROR_NOT_SUPPORTED;
    return *size < known.size ? CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT : CUPTI_SUCCESS;
}

CUptiResult activity_get_attribute(CUpti_ActivityAttribute attribute, std::size_t* size, void* value) {
    if (CUptiResult const refused = refuse_attribute(attribute, size, value)) return refused;
    std::uint64_t const held = state().attributes.values[attribute].load();
    *size = activity_attributes[attribute].size;
    std::memcpy(value, &held, *size); // little-endian
    return CUPTI_SUCCESS;
}

CUptiResult activity_set_attribute(CUpti_ActivityAttribute attribute, std::size_t* size, void* value) {
    if (CUptiResult const refused = refuse_attribute(attribute, size, value)) return refused;
    auto& values = state().attributes.values;
    std::uint64_t given = 0;
    std::memcpy(&given, value, activity_attributes[attribute].size);
    auto const exceeds = [&](CUpti_ActivityAttribute setting, CUpti_ActivityAttribute limit) {
        return attribute == setting && given >= values[limit].load();
    };
    if (exceeds(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT) ||
        exceeds(CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE,
                CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT))
        return CUPTI_ERROR_INVALID_PARAMETER;
    values[attribute] = given;
    return CUPTI_SUCCESS;
}

CUptiResult activity_register_timestamp_callback(CUpti_TimestampCallbackFunc function) {
    if (function == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    shared().activity.time.use(function);
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_latency_timestamps(std::uint8_t enable) {
    shared().activity.latency_timestamps = enable != 0;
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_cuda_event_device_timestamps(std::uint8_t enable) {
    shared().activity.event_timestamps = enable != 0;
    return CUPTI_SUCCESS;
}

CUptiResult activity_enable_all_sync_records(std::uint8_t) { return CUPTI_SUCCESS; }
CUptiResult activity_enable_launch_attributes(std::uint8_t) { return CUPTI_SUCCESS; }
CUptiResult activity_enable_allocation_source(std::uint8_t) { return CUPTI_SUCCESS; }
CUptiResult activity_enable_device_graph(std::uint8_t) { return CUPTI_SUCCESS; }
CUptiResult activity_enable_hw_trace(std::uint8_t) { return CUPTI_ERROR_NOT_SUPPORTED; }

CUptiResult activity_configure_unified_memory_counter(CUpti_ActivityUnifiedMemoryCounterConfig* settings,
                                                      std::uint32_t count) {
    if (settings == nullptr || count == 0) return CUPTI_ERROR_INVALID_PARAMETER;
    for (std::uint32_t i = 0; i < count; ++i) {
        auto const& counter = settings[i];
        bool const scoped = counter.scope == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE ||
                            counter.scope == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES;
        bool const counted = counter.kind > CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_UNKNOWN &&
                             counter.kind <= CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD;
        if (!scoped || !counted) return CUPTI_ERROR_INVALID_PARAMETER;
    }
    return CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE;
}

CUptiResult activity_configure_pc_sampling(CUcontext context, CUpti_ActivityPCSamplingConfig* settings) {
    auto const of = shared().activity.release.load(std::memory_order_relaxed);
    if (of >= activity::release(13, 0)) return CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED;
    if (CUptiResult const refused = detail::refuse_context(context)) return refused;
    if (settings == nullptr || settings->size < sizeof *settings) return CUPTI_ERROR_INVALID_PARAMETER;
    constexpr std::uint32_t powers[]{0, 5, 5, 5, 18, 31}; // of MIN to MAX, as an H200 reports them
    std::uint32_t power = settings->samplingPeriod2;
    if (power == 0 && settings->samplingPeriod <= CUPTI_ACTIVITY_PC_SAMPLING_PERIOD_MAX)
        power = powers[settings->samplingPeriod];
    if (power < 5 || power > 31) return CUPTI_ERROR_INVALID_PARAMETER;
    shared().activity_sampling.set_period(context, power);
    return CUPTI_SUCCESS;
}

CUptiResult activity_push_external_correlation_id(CUpti_ExternalCorrelationKind kind, std::uint64_t id) {
    if (!external_ids::is_kind(kind)) return CUPTI_ERROR_INVALID_PARAMETER;
    external_ids* const stacks = external_ids::mine();
    if (stacks == nullptr) return CUPTI_ERROR_OUT_OF_MEMORY;
    stacks->push(kind, id);
    return CUPTI_SUCCESS;
}

CUptiResult activity_pop_external_correlation_id(CUpti_ExternalCorrelationKind kind, std::uint64_t* last) {
    if (!external_ids::is_kind(kind)) return CUPTI_ERROR_INVALID_PARAMETER;
    external_ids* const stacks = external_ids::mine();
    if (stacks == nullptr || stacks->empty(kind)) return CUPTI_ERROR_QUEUE_EMPTY;
    std::uint64_t const popped = stacks->pop(kind);
    if (last != nullptr) *last = popped;
    return CUPTI_SUCCESS;
}

CUptiResult set_thread_id_type(CUpti_ActivityThreadIdType type) {
    if (type > CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM) return CUPTI_ERROR_NOT_SUPPORTED;
    shared().activity.thread_ids = type;
    return CUPTI_SUCCESS;
}

CUptiResult get_thread_id_type(CUpti_ActivityThreadIdType* type) {
    if (type == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *type = shared().activity.thread_ids;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
