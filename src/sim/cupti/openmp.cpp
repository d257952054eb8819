// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "openmp.hpp"

#include <cstdint>

#include <gpuprof/hw/activity/openmp.hpp>
#include <gpuprof/hw/machine/platform/identity.hpp>

#include "../gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
namespace omp {
namespace {

using activity::openmp_event;

// Numbers of omp-tools.h (OpenMP 5.0, 4.4.2 and 4.4.4).
enum class callback : int {
    thread_begin = 1,
    thread_end = 2,
    parallel_begin = 3,
    parallel_end = 4,
    task_schedule = 6,
    implicit_task = 7,
    sync_region_wait = 16
};
constexpr int scope_begin = 1, task_complete = 1, task_cancel = 3, last_barrier = 4, taskwait = 5;
constexpr std::uint32_t openmp_version = 5;

thread_local std::uint32_t number_in_team = 0;
thread_local std::uint64_t wait_start = 0;

std::uint64_t now() { return shared().activity.time.now().ticks; }

// A start that the runtime kept; 0: from before it was heard.
void write(openmp_event event, std::uint64_t start) {
    if (start == 0) return;
    activity_log& log = shared().activity;
    activity::openmp region;
    region.event = event;
    region.version = openmp_version;
    region.thread_id = number_in_team;
    region.time = {{start}, log.time.now()};
    region.process = platform::process_number();
    region.thread = log.this_thread();
    log.write(CUPTI_ACTIVITY_KIND_OPENMP, nullptr, region);
}

void thread_begin(int, ompt_data_t* thread) { thread->value = now(); }
void thread_end(ompt_data_t* thread) { write(openmp_event::thread, thread->value); }

void parallel_begin(ompt_data_t*, void const*, ompt_data_t* region, unsigned, int, void const*) {
    region->value = now();
}
void parallel_end(ompt_data_t* region, ompt_data_t*, int, void const*) { write(openmp_event::parallel, region->value); }

void implicit_task(int endpoint, ompt_data_t*, ompt_data_t* task, unsigned, unsigned index, int) {
    if (endpoint == scope_begin) {
        number_in_team = index;
        task->value = now();
    } else {
        write(openmp_event::task, task->value);
    }
}
void task_schedule(ompt_data_t* prior, int status, ompt_data_t* next) {
    if (prior != nullptr && (status == task_complete || status == task_cancel)) write(openmp_event::task, prior->value);
    if (next != nullptr && next->value == 0) next->value = now(); // else it goes on
}

void sync_region_wait(int kind, int endpoint, ompt_data_t*, ompt_data_t*, void const*) {
    if (kind > taskwait) return; // CUPTI has no records of other waits
    if (endpoint == scope_begin) wait_start = now();
    else write(kind <= last_barrier ? openmp_event::wait_barrier : openmp_event::wait_taskwait, wait_start);
}

template <class F>
ompt_interface_fn_t function(F* of) noexcept {
    return reinterpret_cast<ompt_interface_fn_t>(of);
}

} // namespace
} // namespace omp

CUptiResult openmp_initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
    using namespace omp;
    constexpr auto nothing_heard = CUptiResult{0}, heard = CUptiResult{1};
    if (lookup == nullptr) return nothing_heard;
    auto* const set = reinterpret_cast<int (*)(callback, ompt_interface_fn_t)>(lookup("ompt_set_callback"));
    if (set == nullptr) return nothing_heard;
    set(callback::thread_begin, function(&thread_begin));
    set(callback::thread_end, function(&thread_end));
    set(callback::parallel_begin, function(&parallel_begin));
    set(callback::parallel_end, function(&parallel_end));
    set(callback::task_schedule, function(&task_schedule));
    set(callback::implicit_task, function(&implicit_task));
    set(callback::sync_region_wait, function(&sync_region_wait));
    return heard;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
