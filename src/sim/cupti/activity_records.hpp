// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls by which tools get activity records and read a buffer of them.
#ifndef GPUPROF_SRC_SIM_CUPTI_ACTIVITY_RECORDS_HPP
#define GPUPROF_SRC_SIM_CUPTI_ACTIVITY_RECORDS_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

CUptiResult activity_register_callbacks(CUpti_BuffersCallbackRequestFunc requested,
                                        CUpti_BuffersCallbackCompleteFunc completed);

// A record that has no size in this release, or that ends beyond the buffer, is
// CUPTI_ERROR_INVALID_KIND.
CUptiResult activity_get_next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record);

// Counts all contexts and streams, whichever are asked for, as CUPTI does since CUDA 6.0.
CUptiResult activity_get_num_dropped_records(CUcontext, std::uint32_t, std::size_t* dropped);

// A record is complete once the call that it is about has returned, so both flushes give back all
// records; a forced one gives back buffers without any, too. The flush itself takes modelled time
// on the host, which is recorded as overhead.
CUptiResult activity_flush_all(std::uint32_t flag);

// The embedded GPU has no thread of its own. Full buffers, which are all that a periodic flush
// gives back, are given back when they are full, whatever the period.
CUptiResult activity_flush_period(std::uint32_t);

CUptiResult get_timestamp(std::uint64_t* nanoseconds);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_ACTIVITY_RECORDS_HPP
