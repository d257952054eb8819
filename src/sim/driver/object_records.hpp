// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the activity records of contexts and streams.
#ifndef GPUPROF_SRC_SIM_DRIVER_OBJECT_RECORDS_HPP
#define GPUPROF_SRC_SIM_DRIVER_OBJECT_RECORDS_HPP

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
class activity_batch;
}

namespace sim::driver {

struct context_state;
struct stream_state;

void record_context(activity_batch& records, context_state const& context);
void record_stream(activity_batch& records, context_state const& context, stream_state const& stream);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_OBJECT_RECORDS_HPP
