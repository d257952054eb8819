// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "openacc.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

#include <gpuprof/hw/activity/openacc_data.hpp>
#include <gpuprof/hw/activity/openacc_launch.hpp>
#include <gpuprof/hw/activity/openacc_other.hpp>
#include <gpuprof/hw/machine/platform/identity.hpp>

#include "../gpu/external_ids.hpp"
#include "../gpu/gpu_state.hpp"
#include "openacc_interface.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
namespace acc {
namespace {

enum class part : unsigned char { whole, start, end };
struct event_row {
    CUpti_ActivityKind kind;
    activity::openacc_event event;
    part of;
};
constexpr auto data = CUPTI_ACTIVITY_KIND_OPENACC_DATA;
constexpr auto other = CUPTI_ACTIVITY_KIND_OPENACC_OTHER;
constexpr auto launch = CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH;

// By the event's number.
constexpr event_row event_rows[openacc::last_event + 1] = {
    {CUPTI_ACTIVITY_KIND_INVALID, activity::openacc_event::invalid, part::whole},
    {other, activity::openacc_event::device_init, part::start},
    {other, activity::openacc_event::device_init, part::end},
    {other, activity::openacc_event::device_shutdown, part::start},
    {other, activity::openacc_event::device_shutdown, part::end},
    {other, activity::openacc_event::runtime_shutdown, part::whole},
    {data, activity::openacc_event::create, part::whole},
    {data, activity::openacc_event::delete_, part::whole},
    {data, activity::openacc_event::alloc, part::whole},
    {data, activity::openacc_event::free, part::whole},
    {other, activity::openacc_event::enter_data, part::start},
    {other, activity::openacc_event::enter_data, part::end},
    {other, activity::openacc_event::exit_data, part::start},
    {other, activity::openacc_event::exit_data, part::end},
    {other, activity::openacc_event::update, part::start},
    {other, activity::openacc_event::update, part::end},
    {other, activity::openacc_event::compute_construct, part::start},
    {other, activity::openacc_event::compute_construct, part::end},
    {launch, activity::openacc_event::enqueue_launch, part::start},
    {launch, activity::openacc_event::enqueue_launch, part::end},
    {data, activity::openacc_event::enqueue_upload, part::start},
    {data, activity::openacc_event::enqueue_upload, part::end},
    {data, activity::openacc_event::enqueue_download, part::start},
    {data, activity::openacc_event::enqueue_download, part::end},
    {other, activity::openacc_event::wait, part::start},
    {other, activity::openacc_event::wait, part::end}};

// An event of this thread whose end has not come.
struct open_event {
    std::uint64_t start;
    std::uint32_t external_id;
    bool is_pushed;
};
std::vector<open_event>& open_events() {
    static thread_local std::vector<open_event> all;
    return all;
}
std::atomic<std::uint32_t> last_external_id{0};

char const* text(char const* from) { return from != nullptr ? shared().activity.keep(from) : ""; }
std::uint64_t address(void const* of) noexcept { return reinterpret_cast<std::uintptr_t>(of); }
std::uint32_t line(int number) noexcept { return number > 0 ? static_cast<std::uint32_t>(number) : 0; }

template <class Record>
void write(event_row const& row, openacc::profile_info const& from, openacc::event_info const& info,
           open_event const& at) {
    activity_log& log = shared().activity;
    Record record;
    record.event = row.event;
    // CUPTI's numbers are one more, and it has none for acc_construct_serial.
    auto const construct = static_cast<unsigned>(info.parent_construct);
    bool const is_known = construct < CUPTI_OPENACC_CONSTRUCT_KIND_RUNTIME_API;
    record.parent = static_cast<activity::openacc_construct>(is_known ? construct + 1 : 0);
    record.version = static_cast<std::uint32_t>(from.version);
    record.implicit = info.implicit != 0;
    record.device_type = static_cast<std::uint32_t>(from.device_type);
    record.device_number = static_cast<std::uint32_t>(from.device_number);
    record.thread_number = static_cast<std::uint32_t>(from.thread_id);
    record.queue = static_cast<std::uint64_t>(from.async);
    record.cuda_queue = static_cast<std::uint64_t>(from.async_queue);
    record.line = line(from.line);
    record.end_line = line(from.end_line);
    record.function_line = line(from.function_line);
    record.function_end_line = line(from.function_end_line);
    record.time = {{at.start}, log.time.now()};
    record.process = platform::process_number();
    record.thread = log.this_thread();
    record.external_id = at.external_id;
    record.source_file = text(from.source_file);
    record.function_name = text(from.function_name);
    if constexpr (requires { record.variable; }) {
        auto const& more = static_cast<openacc::data_event_info const&>(info);
        record.size = gpuprof::bytes{static_cast<double>(more.bytes)};
        record.host_address = address(more.host_address);
        record.device_address = address(more.device_address);
        record.variable = text(more.variable);
    }
    if constexpr (requires { record.gangs; }) {
        auto const& more = static_cast<openacc::launch_event_info const&>(info);
        record.gangs = more.gangs;
        record.workers = more.workers;
        record.vector_length = more.vector_length;
        record.kernel_name = text(more.kernel);
    }
    log.write(row.kind, nullptr, record);
}

[[nodiscard]] open_event begin_event() {
    activity_log& log = shared().activity;
    open_event begun{log.time.now().ticks, ++last_external_id, false};
    if (external_ids* const stacks = external_ids::mine()) {
        stacks->push(CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC, begun.external_id);
        begun.is_pushed = true;
    }
    return begun;
}
void end_event(open_event const& of) {
    external_ids* const stacks = external_ids::mine();
    if (of.is_pushed && stacks != nullptr && !stacks->empty(CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC))
        static_cast<void>(stacks->pop(CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC));
}

void heard(openacc::profile_info* from, openacc::event_info* info, void*) {
    int const number = static_cast<int>(from->type);
    if (number <= 0 || number > openacc::last_event) return;
    event_row const& row = event_rows[number];
    auto& open = open_events();
    if (row.of == part::start) {
        open.push_back(begin_event());
        return;
    }
    open_event at{shared().activity.time.now().ticks, 0, false};
    if (row.of == part::end) {
        if (open.empty()) return; // it began before the runtime was heard
        at = open.back();
        open.pop_back();
        end_event(at);
    } else if (!open.empty()) {
        at.external_id = open.back().external_id;
    }
    if (row.kind == data) write<activity::openacc_data>(row, *from, *info, at);
    else if (row.kind == launch) write<activity::openacc_launch>(row, *from, *info, at);
    else write<activity::openacc_other>(row, *from, *info, at);
}

} // namespace
} // namespace acc

CUptiResult openacc_initialize(void* register_callback, void* unregister_callback, void* lookup) {
    if (register_callback == nullptr || unregister_callback == nullptr || lookup == nullptr)
        return CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE;
    auto* const add = reinterpret_cast<openacc::register_function>(register_callback);
    for (int number = 1; number <= openacc::last_event; ++number)
        add(static_cast<openacc::event>(number), &acc::heard, 0);
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
