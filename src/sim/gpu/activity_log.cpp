// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_log.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include <gpuprof/hw/machine/platform/identity.hpp>

#include "external_ids.hpp"
#include "gpu_registry.hpp"
#include "gpu_state.hpp"
#include "host_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::size_t record_size(abi::CUpti_ActivityKind kind, activity::cuda_release of) noexcept {
    auto const* const form = activity::form_of(kind, of);
    return form == nullptr ? 0 : form->size;
}

void activity_log::apply_switches() noexcept {
    static constexpr call_recorder recorder{begin_call, end_call};
    shared().calls.record(switches.any() ? &recorder : nullptr);
}

void activity_log::clear() {
    switches.clear();
    apply_switches();
    buffers.clear();
    time.use(nullptr);
    external_ids::clear_all();
    latency_timestamps = event_timestamps = false;
    thread_ids = abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;
}

char const* activity_log::keep(std::string_view name) {
    std::lock_guard const held{names_mutex_};
    auto const known = names_.find(name);
    return (known != names_.end() ? known : names_.emplace(name).first)->c_str();
}

std::uint32_t activity_log::this_thread() const noexcept {
    bool const system = thread_ids.load(std::memory_order_relaxed) == abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
    return system ? platform::system_thread_number() : platform::library_thread_number();
}

// A call's external ids come before all that the call does; its own record comes last.
std::uint64_t activity_log::begin_call(abi::CUpti_CallbackId id, std::uint32_t correlation) noexcept {
    activity_log& log = shared().activity;
    if (log.switches.records_call(id, gpu_registry::current())) log.write_external_ids(correlation);
    return log.time.now().ticks;
}
void activity_log::end_call(abi::CUpti_CallbackId id, std::uint32_t correlation, std::uint64_t began,
                            abi::CUresult status) noexcept {
    activity_log& log = shared().activity;
    activity::api_call call;
    log.time.pass(call_nanoseconds);
    call.time = {{began}, log.time.now()};
    if (!log.switches.records_call(id, gpu_registry::current())) return;
    call.callback = id;
    call.process = platform::process_number();
    call.thread = log.this_thread();
    call.correlation = correlation;
    call.status = static_cast<std::uint32_t>(status);
    log.write_always(abi::CUPTI_ACTIVITY_KIND_DRIVER, call);
}

void activity_log::write_external_ids(std::uint32_t correlation) noexcept {
    if (!switches.records(abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, gpu_registry::current())) return;
    external_ids const* const stacks = external_ids::mine();
    if (stacks == nullptr) return;
    stacks->for_each_last([&](abi::CUpti_ExternalCorrelationKind kind, std::uint64_t id) {
        write_always(abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                     activity::external_correlation{kind, id, correlation});
    });
}

} // namespace sim
GPUPROF_NAMESPACE_END
