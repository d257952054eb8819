// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity records of memory: allocated, released, and the pool that asynchronous allocations come from. Layer: hw/sim,
// driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_MEMORY_RECORDS_HPP
#define GPUPROF_HW_SIM_DRIVER_MEMORY_RECORDS_HPP

#include <algorithm> // std::max
#include <cstdint>   // addresses

#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace detail {

[[nodiscard]] constexpr activity::memory_kind recorded_kind(memory_kind kind) noexcept {
    return kind == memory_kind::device    ? activity::memory_kind::device
           : kind == memory_kind::managed ? activity::memory_kind::managed
                                          : activity::memory_kind::pinned;
}

// A pool's handle, as a number.
[[nodiscard]] constexpr std::uint64_t pool_address(int number) noexcept {
    return (std::uint64_t{8} << 40) + 16 * static_cast<std::uint64_t>(number + 1);
}

inline void record_pool(call& in, int number) {
    activity::memory_pool record;
    record.operation = activity::memory_pool_operation::created;
    record.type = activity::memory_pool_type::local;
    record.correlation = current_correlation;
    record.process = platform::process_number();
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.address = pool_address(number);
    record.time = activity_log::instance().time.at(host_clock::now());
    record.used = bytes{0.};
    record.managed = false;
    in.records.add(CUPTI_ACTIVITY_KIND_MEMORY_POOL, in.context->handle, record);
}

inline void record_memory(call& in, activity::memory_operation_type type, CUdeviceptr address, allocation const& of,
                          stream_state const* stream) {
    activity::memory_operation record;
    record.type = type;
    record.memory = recorded_kind(of.kind);
    record.correlation = current_correlation;
    record.address = address;
    record.size = bytes{static_cast<double>(of.bytes)};
    record.time = activity_log::instance().time.at(host_clock::now());
    record.process = platform::process_number();
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.context = in.context->id;
    record.asynchronous = stream != nullptr;
    if (stream != nullptr) record.stream = stream->id;
    if (of.from_pool) {
        bytes const used{static_cast<double>(in.driver.pools[of.pool].used)};
        record.pool = activity::memory_pool_type::local;
        record.pool_address = pool_address(of.pool);
        record.pool_release_threshold = 0;
        record.pool_size = used;
        record.pool_used = used;
    }
    in.records.add(CUPTI_ACTIVITY_KIND_MEMORY2, in.context->handle, record);
}

} // namespace detail

// Memory was allocated, by a stream and from a pool if it was asynchronous. @pre the context has the allocation
inline void record_allocation(call& in, CUdeviceptr address, stream_state const* stream = nullptr, int number = 0) {
    allocation& made = in.context->allocations.find(address)->second;
    made.allocated = host_clock::now();
    made.from_pool = stream != nullptr;
    if (made.from_pool) {
        memory_pool& pool = in.driver.pools[made.pool = number];
        if (!pool.is_known && activity_log::is_on()) detail::record_pool(in, number);
        pool.is_known = true;
        pool.used += made.bytes;
        pool.used_at_most = (std::max)(pool.used_at_most, pool.used);
    }
    if (activity_log::is_on())
        detail::record_memory(in, activity::memory_operation_type::allocation, address, made, stream);
}

// Memory is about to be released. What a context still has when it is destroyed has no records of its end.
inline void record_release(call& in, CUdeviceptr address, allocation const& gone, stream_state const* stream) {
    if (gone.from_pool) in.driver.pools[gone.pool].used -= gone.bytes;
    if (!activity_log::is_on()) return;
    detail::record_memory(in, activity::memory_operation_type::release, address, gone, stream);
    activity_time& clock = activity_log::instance().time;
    activity::memory record;
    record.memory = detail::recorded_kind(gone.kind);
    record.address = address;
    record.size = bytes{static_cast<double>(gone.bytes)};
    record.time = {clock.at(gone.allocated), clock.at(host_clock::now())};
    record.process = platform::process_number();
    record.device = static_cast<std::uint32_t>(in.context->device);
    record.context = in.context->id;
    in.records.add(CUPTI_ACTIVITY_KIND_MEMORY, in.context->handle, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_MEMORY_RECORDS_HPP
