// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: an OpenMP region on the host.
#ifndef GPUPROF_HW_ACTIVITY_OPENMP_HPP
#define GPUPROF_HW_ACTIVITY_OPENMP_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The kind of a region.
enum class openmp_event : unsigned {
    invalid = abi::CUPTI_OPENMP_EVENT_KIND_INVALID,
    parallel = abi::CUPTI_OPENMP_EVENT_KIND_PARALLEL,
    task = abi::CUPTI_OPENMP_EVENT_KIND_TASK,
    thread = abi::CUPTI_OPENMP_EVENT_KIND_THREAD,
    idle = abi::CUPTI_OPENMP_EVENT_KIND_IDLE,
    wait_barrier = abi::CUPTI_OPENMP_EVENT_KIND_WAIT_BARRIER,
    wait_taskwait = abi::CUPTI_OPENMP_EVENT_KIND_WAIT_TASKWAIT
};
[[nodiscard]] constexpr std::string_view to_text(openmp_event value) noexcept {
    switch (value) {
        case openmp_event::invalid: return "invalid";
        case openmp_event::parallel: return "parallel";
        case openmp_event::task: return "task";
        case openmp_event::thread: return "thread";
        case openmp_event::idle: return "idle";
        case openmp_event::wait_barrier: return "wait barrier";
        case openmp_event::wait_taskwait: return "wait taskwait";
    }
    return not_known;
}

// An OpenMP region on the host.
struct openmp {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_OPENMP};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityOpenMp", 40}};

    openmp_event event{};
    std::uint32_t version = 0;
    std::uint32_t thread_id = 0; // OpenMP's number
    interval time{};
    std::uint32_t process = 0;
    std::uint32_t thread = 0;

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("eventKind", 4, 4, event);
        row("version", 8, 4, version);
        row("threadId", 12, 4, thread_id);
        row("start", 16, 8, time.start);
        row("end", 24, 8, time.end);
        row("cuProcessId", 32, 4, process);
        row("cuThreadId", 36, 4, thread);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_OPENMP_HPP
