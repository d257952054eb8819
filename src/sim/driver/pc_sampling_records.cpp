// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pc_sampling_records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../code/kernel.hpp"
#include "../code/source_place.hpp"
#include "../gpu/activity_log.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/pc_sampling_state.hpp"
#include "../gpu/warp_waits.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

bool takes_pc_samples(context_state const& context) {
    return activity_log::is_on() && context.chip->samples_program_counter &&
           shared().activity.switches.records(CUPTI_ACTIVITY_KIND_PC_SAMPLING, context.handle);
}

// CUPTI 12.0, table 10.
static constexpr activity::stall_reason stall_reason_of(warp_state of) noexcept {
    using enum activity::stall_reason;
    switch (of) {
        case warp_state::selected: return none;
        case warp_state::no_instructions:
        case warp_state::branch_resolving: return instruction_fetch;
        case warp_state::short_scoreboard:
        case warp_state::wait: return exec_dependency;
        case warp_state::long_scoreboard: return memory_dependency;
        case warp_state::barrier:
        case warp_state::membar: return sync;
        case warp_state::mio_throttle:
        case warp_state::math_pipe_throttle: return pipe_busy;
        case warp_state::lg_throttle: return memory_throttle;
        case warp_state::not_selected: return not_selected;
    }
    return other;
}

// The number of a function. A record names the function first. Functions that kernels call have
// numbers of their own.
static std::uint32_t sampled_function(call& in, module_state& module, std::string const& name, std::uint32_t index) {
    auto const known = module.sampled_functions.find(name);
    if (known != module.sampled_functions.end()) return known->second;
    auto const asked_for = module.functions.find(name);
    function_state const* const entry =
        asked_for == module.functions.end() ? nullptr : in.driver.functions.find(asked_for->second);
    activity::function record;
    record.id = entry != nullptr ? entry->id : ++in.driver.function_count;
    record.context = in.context->id;
    record.loaded_module = module.id;
    record.index = index;
    record.name = shared().activity.keep(name);
    in.records.add(CUPTI_ACTIVITY_KIND_FUNCTION, in.context->handle, record, CUPTI_ACTIVITY_KIND_PC_SAMPLING);
    static_cast<void>(module.sampled_functions.emplace(name, record.id));
    return record.id;
}

void record_pc_samples(call& in, sim::kernel const& kernel, module_state& module, launch_waits const& waits) {
    constexpr auto kind = CUPTI_ACTIVITY_KIND_PC_SAMPLING;
    CUcontext const context = in.context->handle;
    auto& settings = shared().activity_sampling;
    pc_sampling_of_context taken;
    taken.settings.period = settings.period_of(context);
    taken.add(waits, module.code_number, current_correlation);
    for (auto const& [place, counts] : taken.places) {
        function_code const* code = nullptr;
        for (function_code const* const function : kernel.functions)
            if (function->name == place.function) code = function;
        if (code == nullptr) continue;
        activity::pc_sampling record;
        record.function = sampled_function(in, module, place.function, counts.function_index);
        instruction_info const& info = code->code[place.offset / instruction_bytes].info;
        auto const in_source = place_in_source(kernel, info);
        auto const source = in_source ? *in_source : place_in_ptx(info, module.code_number);
        auto const line = settings.number_of(source.file, source.line);
        if (line.is_new)
            in.records.add(CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR, context,
                           activity::source_locator{line.id, source.line, shared().activity.keep(source.file)}, kind);
        record.source = line.id;
        record.correlation = current_correlation;
        record.pc = place.offset;
        std::array<std::uint32_t, static_cast<std::size_t>(activity::stall_reason::sleeping) + 1> all{}, latency{};
        for (std::size_t s = 0; s < warp_states; ++s) {
            auto const reason = static_cast<std::size_t>(stall_reason_of(static_cast<warp_state>(s)));
            all[reason] += counts.samples[s];
            if (in.context->chip->samples_latency) latency[reason] += counts.not_issued[s];
        }
        for (std::size_t reason = 0; reason < all.size(); ++reason) {
            if (all[reason] == 0) continue;
            record.reason = static_cast<activity::stall_reason>(reason);
            record.samples = all[reason];
            record.latency_samples = latency[reason];
            in.records.add(kind, context, record);
        }
    }
    activity::pc_sampling_summary summary;
    summary.correlation = current_correlation;
    summary.samples = taken.samples;
    summary.dropped = taken.lost;
    summary.period = std::uint64_t{1} << taken.settings.period;
    in.records.add(CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO, context, summary, kind);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
