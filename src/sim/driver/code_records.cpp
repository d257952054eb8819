// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code_records.hpp"

#include <cstdint>

#include <gpuprof/hw/abi/cupti_activity_enums.hpp>
#include <gpuprof/hw/activity/function.hpp>
#include <gpuprof/hw/activity/jit.hpp>
#include <gpuprof/hw/activity/overhead.hpp>
#include <gpuprof/hw/machine/platform/identity.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>

#include "../gpu/activity_log.hpp"
#include "../gpu/call_trace.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/host_clock.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

void record_compilation(call& in, module_state const& module, std::size_t size) {
    if (!activity_log::is_on()) return;
    activity_log& log = shared().activity;
    activity::timestamp const began = log.time.line().at(shared().clock.now()); // with the host's time: of the call
    log.time.pass(size * compilation_nanoseconds_a_byte);
    activity::interval const when{began, log.time.now_in_call()};
    std::uint32_t const process = platform::process_number();
    std::uint32_t const thread = log.this_thread();

    activity::jit compiled;
    compiled.entry = activity::jit_entry::ptx_to_cubin;
    compiled.operation = activity::jit_operation::compile;
    compiled.device = static_cast<std::uint32_t>(in.context->device);
    compiled.time = when;
    compiled.correlation = current_correlation;
    compiled.operation_correlation = module.id;
    compiled.process = process;
    compiled.thread = thread;
    in.records.add(CUPTI_ACTIVITY_KIND_JIT, in.context->handle, compiled);

    activity::overhead cost;
    cost.kind = activity::overhead_kind::driver_compiler;
    cost.object = {activity::object_kind::thread, {process, thread, 0}};
    cost.time = when;
    cost.correlation = current_correlation;
    in.records.add(CUPTI_ACTIVITY_KIND_OVERHEAD, in.context->handle, cost);
}

void record_function(call& in, function_state& function, module_state& module) {
    if (!activity_log::is_on()) return;
    if (function.kept_name == nullptr) function.kept_name = shared().activity.keep(function.code->name);
    activity::function record;
    record.id = function.id;
    record.context = in.context->id;
    record.loaded_module = module.id;
    record.index = static_cast<std::uint32_t>(module.functions.size()); // in the order of the look-ups
    record.name = function.kept_name;
    in.records.add(CUPTI_ACTIVITY_KIND_FUNCTION, in.context->handle, record);
    // PC samples then do not write another function record.
    if (shared().activity.switches.records(CUPTI_ACTIVITY_KIND_FUNCTION, in.context->handle))
        static_cast<void>(module.sampled_functions.emplace(function.code->name, function.id));
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
