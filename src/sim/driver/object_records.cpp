// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "object_records.hpp"

#include <cstdint>

#include <gpuprof/hw/machine/platform/identity.hpp>

#include "../gpu/activity_batch.hpp"
#include "../gpu/activity_log.hpp"
#include "objects.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

void record_context(activity_batch& records, context_state const& context) {
    if (!activity_log::is_on()) return;
    activity::context record;
    record.id = context.id;
    record.device = static_cast<std::uint32_t>(context.device);
    record.api = activity::compute_api::cuda;
    record.null_stream = context.default_stream.id;
    record.parent = 0;
    record.green = false;
    record.multiprocessors = static_cast<std::uint32_t>(context.chip->count(hardware_unit::sm));
    record.graphics = activity::graphics_mode::none;
    record.process = platform::process_number();
    records.add(CUPTI_ACTIVITY_KIND_CONTEXT, context.handle, record);
}

void record_stream(activity_batch& records, context_state const& context, stream_state const& stream) {
    if (!activity_log::is_on()) return;
    activity::stream record;
    record.context = context.id;
    record.id = stream.id;
    record.priority = static_cast<std::uint32_t>(stream.priority);
    record.flag = &stream == &context.default_stream             ? activity::stream_flag::null_
                  : (stream.flags & CU_STREAM_NON_BLOCKING) != 0 ? activity::stream_flag::non_blocking
                                                                 : activity::stream_flag::default_;
    record.correlation = current_correlation;
    records.add(CUPTI_ACTIVITY_KIND_STREAM, context.handle, record);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
