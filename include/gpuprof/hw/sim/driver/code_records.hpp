// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity records of code: PTX that was compiled, kernels that were looked up. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_CODE_RECORDS_HPP
#define GPUPROF_HW_SIM_DRIVER_CODE_RECORDS_HPP

#include <cstddef> // std::size_t
#include <cstdint> // ids

#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// A module of `size` bytes of PTX was compiled, which takes the host modelled time while activity is recorded. There is no
// cache of compiled code.
inline void record_compilation(call& in, module_state const& module, std::size_t size) {
    if (!activity_log::is_on()) return;
    activity_log& log = activity_log::instance();
    std::uint64_t const began = host_clock::now();
    host_clock::pass(size * compilation_nanoseconds_a_byte);
    activity::interval const when{log.time.at(began), log.time.at(host_clock::now())};
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

inline void record_function(call& in, function_state& function, module_state& module) {
    if (!activity_log::is_on()) return;
    if (function.kept_name == nullptr) function.kept_name = activity_log::instance().keep(function.code->name);
    activity::function record;
    record.id = function.id;
    record.context = in.context->id;
    record.loaded_module = module.id;
    record.index = static_cast<std::uint32_t>(module.functions.size()); // in the order in which they were asked for
    record.name = function.kept_name;
    in.records.add(CUPTI_ACTIVITY_KIND_FUNCTION, in.context->handle, record);
    // Samples of it do not name it again.
    if (activity_log::instance().switches.records(CUPTI_ACTIVITY_KIND_FUNCTION, in.context->handle))
        static_cast<void>(module.sampled_functions.emplace(function.code->name, function.id));
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_CODE_RECORDS_HPP
