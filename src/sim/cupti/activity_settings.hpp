// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that choose what activity records hold, and CUPTI's activity attributes.
#ifndef GPUPROF_SRC_SIM_CUPTI_ACTIVITY_SETTINGS_HPP
#define GPUPROF_SRC_SIM_CUPTI_ACTIVITY_SETTINGS_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

CUptiResult activity_get_attribute(CUpti_ActivityAttribute attribute, std::size_t* size, void* value);

// Buffers allocated in advance must be fewer than the limit on buffers.
CUptiResult activity_set_attribute(CUpti_ActivityAttribute attribute, std::size_t* size, void* value);

CUptiResult activity_register_timestamp_callback(CUpti_TimestampCallbackFunc function);
CUptiResult activity_enable_latency_timestamps(std::uint8_t enable);
CUptiResult activity_enable_cuda_event_device_timestamps(std::uint8_t enable);

// These would be records of queries of work that is not done yet: the embedded GPU's work is done
// when the call that enqueued it returns.
CUptiResult activity_enable_all_sync_records(std::uint8_t);

// No launch has an access policy window, no allocation a source, no kernel launches a graph.
CUptiResult activity_enable_launch_attributes(std::uint8_t);
CUptiResult activity_enable_allocation_source(std::uint8_t);
CUptiResult activity_enable_device_graph(std::uint8_t);

// Always refused: only Blackwell has it.
CUptiResult activity_enable_hw_trace(std::uint8_t);

// Always refused: managed memory is the host's and never moves.
CUptiResult activity_configure_unified_memory_counter(CUpti_ActivityUnifiedMemoryCounterConfig* settings,
                                                      std::uint32_t count);

// A period that is out of range is refused, as by CUPTI 12.9; 12.6 takes it.
CUptiResult activity_configure_pc_sampling(CUcontext context, CUpti_ActivityPCSamplingConfig* settings);

CUptiResult activity_push_external_correlation_id(CUpti_ExternalCorrelationKind kind, std::uint64_t id);
CUptiResult activity_pop_external_correlation_id(CUpti_ExternalCorrelationKind kind, std::uint64_t* last);
CUptiResult set_thread_id_type(CUpti_ActivityThreadIdType type);
CUptiResult get_thread_id_type(CUpti_ActivityThreadIdType* type);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_ACTIVITY_SETTINGS_HPP
