// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_records.hpp"

#include <algorithm>

#include <gpuprof/hw/machine/platform/identity.hpp>

#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

static constexpr activity::memory_kind recorded_kind(memory_kind kind) noexcept {
    return kind == memory_kind::device    ? activity::memory_kind::device
           : kind == memory_kind::managed ? activity::memory_kind::managed
                                          : activity::memory_kind::pinned;
}

static void record_pool(call& in, int number) {
    activity::memory_pool record;
    record.operation = activity::memory_pool_operation::created;
    record.type = activity::memory_pool_type::local;
    record.correlation = current_correlation;
    record.process = platform::process_number();
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.address = detail::pool_address(number);
    record.time = shared().activity.time.line().at(shared().clock.now());
    record.used = bytes{0.};
    record.managed = false;
    in.records.add(CUPTI_ACTIVITY_KIND_MEMORY_POOL, in.context->handle, record);
}

static void record_memory(call& in, activity::memory_operation_type type, CUdeviceptr address, allocation const& memory,
                          stream_state const* stream) {
    activity::memory_operation record;
    record.type = type;
    record.memory = recorded_kind(memory.kind);
    record.correlation = current_correlation;
    record.address = address;
    record.size = bytes{static_cast<double>(memory.bytes)};
    record.time = shared().activity.time.line().at(shared().clock.now());
    record.process = platform::process_number();
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.context = in.context->id;
    record.asynchronous = stream != nullptr;
    if (stream != nullptr) record.stream = stream->id;
    if (memory.from_pool) {
        bytes const used{static_cast<double>(in.driver.pools[memory.pool].used)};
        record.pool = activity::memory_pool_type::local;
        record.pool_address = detail::pool_address(memory.pool);
        record.pool_release_threshold = 0;
        record.pool_size = used;
        record.pool_used = used;
    }
    in.records.add(CUPTI_ACTIVITY_KIND_MEMORY2, in.context->handle, record);
}

void record_allocation(call& in, CUdeviceptr address, stream_state const* stream, int number) {
    allocation& memory = in.context->allocations.find(address)->second;
    memory.allocated = shared().activity.time.now_in_call();
    memory.from_pool = stream != nullptr;
    if (memory.from_pool) {
        memory.pool = number;
        memory_pool& pool = in.driver.pools[number];
        if (!pool.is_known && activity_log::is_on()) record_pool(in, number);
        pool.is_known = true;
        pool.used += memory.bytes;
        pool.used_at_most = (std::max)(pool.used_at_most, pool.used);
    }
    if (activity_log::is_on()) record_memory(in, activity::memory_operation_type::allocation, address, memory, stream);
}

void record_release(call& in, CUdeviceptr address, allocation const& gone, stream_state const* stream) {
    if (gone.from_pool) in.driver.pools[gone.pool].used -= gone.bytes;
    if (!activity_log::is_on()) return;
    record_memory(in, activity::memory_operation_type::release, address, gone, stream);
    activity::memory record;
    record.memory = recorded_kind(gone.kind);
    record.address = address;
    record.size = bytes{static_cast<double>(gone.bytes)};
    record.time = {gone.allocated, shared().activity.time.line().at(shared().clock.now())};
    record.process = platform::process_number();
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.context = in.context->id;
    in.records.add(CUPTI_ACTIVITY_KIND_MEMORY, in.context->handle, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
