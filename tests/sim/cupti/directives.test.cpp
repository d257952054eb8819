// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded CUPTI hears runtimes of OpenACC and OpenMP: here stand-ins that say what a program did, in the order that the
// two specifications give. Real runtimes are in tests/injection.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "sim/cupti/openacc_interface.hpp"

#include "support/activity_tool.hpp"
#include "support/driver_kernels.hpp"

#if __has_include(<acc_prof.h>)
#include <acc_prof.h>
#endif

namespace directives_test {

using namespace gpuprof::abi;
namespace activity = gpuprof::activity;
namespace openacc = gpuprof::sim::openacc;

namespace {

#if __has_include(<acc_prof.h>) && !defined(_WIN32) // whose long has 32 bits; CUPTI traces none there
#define GPUPROF_SAME(own, member, theirs, name)                                                                        \
    static_assert(offsetof(openacc::own, member) == offsetof(::theirs, name));
GPUPROF_SAME(profile_info, type, acc_prof_info, event_type)
GPUPROF_SAME(profile_info, device_number, acc_prof_info, device_number)
GPUPROF_SAME(profile_info, thread_id, acc_prof_info, thread_id)
GPUPROF_SAME(profile_info, async, acc_prof_info, async)
GPUPROF_SAME(profile_info, source_file, acc_prof_info, src_file)
GPUPROF_SAME(profile_info, function_name, acc_prof_info, func_name)
GPUPROF_SAME(profile_info, line, acc_prof_info, line_no)
GPUPROF_SAME(profile_info, function_end_line, acc_prof_info, func_end_line_no)
GPUPROF_SAME(event_info, parent_construct, acc_other_event_info, parent_construct)
GPUPROF_SAME(event_info, implicit, acc_other_event_info, implicit)
static_assert(sizeof(openacc::event_info) == sizeof(::acc_other_event_info));
static_assert(sizeof(openacc::data_event_info) == sizeof(::acc_data_event_info));
static_assert(sizeof(openacc::launch_event_info) == sizeof(::acc_launch_event_info));
static_assert(openacc::last_event + 1 == ::acc_ev_last);
static_assert(static_cast<int>(openacc::event::remove) == ::acc_ev_delete);
static_assert(static_cast<int>(openacc::event::enqueue_launch_start) == ::acc_ev_enqueue_launch_start);
#undef GPUPROF_SAME
#endif

// What a runtime registers, by the event's number.
std::array<openacc::callback, openacc::last_event + 1> registered{};
void register_callback(openacc::event event, openacc::callback callback, int how) {
    CHECK(how == 0); // acc_reg
    registered.at(static_cast<std::size_t>(event)) = callback;
}
void unregister_callback(openacc::event, openacc::callback, int) {}
void (*look_up(char const*))() { return nullptr; }

template <class Info>
void tell(openacc::event event, Info info, openacc::profile_info of = {}) {
    of.type = info.type = event;
    auto const callback = registered.at(static_cast<std::size_t>(event));
    REQUIRE((callback != nullptr));
    callback(&of, &info, nullptr);
}
CUptiResult hear(cupti_table const& cupti) {
    return cupti.OpenACCInitialize(reinterpret_cast<void*>(&register_callback),
                                   reinterpret_cast<void*>(&unregister_callback), reinterpret_cast<void*>(&look_up));
}

// Callbacks of OpenMP, by the numbers of omp-tools.h.
std::array<ompt_interface_fn_t, 38> ompt{};
int set_callback(int event, ompt_interface_fn_t callback) {
    ompt.at(static_cast<std::size_t>(event)) = callback;
    return 5; // ompt_set_always
}
ompt_interface_fn_t look_up_ompt(char const* name) {
    return std::strcmp(name, "ompt_set_callback") == 0 ? reinterpret_cast<ompt_interface_fn_t>(&set_callback) : nullptr;
}
ompt_interface_fn_t look_up_nothing(char const*) { return nullptr; }

template <class... Arguments>
void tell_ompt(std::size_t event, Arguments... arguments) {
    REQUIRE((ompt.at(event) != nullptr));
    reinterpret_cast<void (*)(Arguments...)>(ompt.at(event))(arguments...);
}

} // namespace

TEST_CASE("an OpenACC construct, its launch and its data are records, and a kernel leads to the innermost of them") {
    with_kernels gpu;
    auto* const empty = gpu.kernel("empty");
    auto const run = [&] {
        CHECK(gpu.driver.LaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
    };
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_OPENACC_DATA,         CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH,
                             CUPTI_ACTIVITY_KIND_OPENACC_OTHER,        CUPTI_ACTIVITY_KIND_DRIVER,
                             CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    REQUIRE(hear(tool.cupti) == CUPTI_SUCCESS);
    openacc::profile_info of{};
    of.version = 201711;
    of.device_number = 1;
    of.source_file = "saxpy.c";
    of.function_name = "saxpy";
    of.line = 12;
    of.end_line = -1; // not known
    openacc::launch_event_info launch{};
    launch.kernel = "saxpy_12_gpu";
    launch.gangs = 7;
    launch.vector_length = 128;
    openacc::data_event_info upload{};
    upload.variable = "x";
    upload.bytes = 4096;
    upload.host_address = &of;
    openacc::event_info serial{};
    serial.parent_construct = 16; // acc_construct_serial, which CUPTI has no number for

    tell(openacc::event::compute_construct_start, serial, of);
    tell(openacc::event::enqueue_upload_start, upload, of);
    tell(openacc::event::enqueue_upload_end, upload, of);
    tell(openacc::event::enqueue_launch_start, launch, of);
    run();
    tell(openacc::event::enqueue_launch_end, launch, of);
    tell(openacc::event::compute_construct_end, serial, of);
    run(); // in none

    std::vector<activity::openacc_launch> launches;
    std::vector<activity::openacc_data> copies;
    std::vector<activity::openacc_other> others;
    std::vector<activity::external_correlation> links;
    std::vector<activity::kernel> kernels;
    for (auto const& record : tool.take()) {
        if (auto const* const one = std::get_if<activity::openacc_launch>(&record)) launches.push_back(*one);
        if (auto const* const one = std::get_if<activity::openacc_data>(&record)) copies.push_back(*one);
        if (auto const* const one = std::get_if<activity::openacc_other>(&record)) others.push_back(*one);
        if (auto const* const one = std::get_if<activity::external_correlation>(&record)) links.push_back(*one);
        if (auto const* const one = std::get_if<activity::kernel>(&record)) kernels.push_back(*one);
    }
    REQUIRE((launches.size() == 1 && copies.size() == 1 && others.size() == 1 && kernels.size() == 2));
    CHECK(launches[0].event == activity::openacc_event::enqueue_launch);
    CHECK(launches[0].parent == activity::openacc_construct::parallel); // acc_construct_parallel is 0
    CHECK(launches[0].kernel_name == "saxpy_12_gpu");
    CHECK(launches[0].gangs == 7);
    CHECK(launches[0].vector_length == 128);
    CHECK(launches[0].source_file == "saxpy.c");
    CHECK(launches[0].line == 12);
    CHECK(launches[0].end_line == 0);
    CHECK(copies[0].event == activity::openacc_event::enqueue_upload);
    CHECK(copies[0].variable == "x");
    CHECK(copies[0].size.value() == 4096);
    CHECK(copies[0].host_address == reinterpret_cast<std::uintptr_t>(&of));
    CHECK(others[0].event == activity::openacc_event::compute_construct);
    CHECK(others[0].parent == activity::openacc_construct::unknown);
    CHECK(others[0].time.start <= launches[0].time.start);
    CHECK(launches[0].time.end <= others[0].time.end);
    REQUIRE(links.size() == 1);
    CHECK(links[0].kind == CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC);
    CHECK(links[0].id == launches[0].external_id);
    CHECK(links[0].correlation == kernels[0].correlation);
    CHECK(others[0].external_id != launches[0].external_id);
}

TEST_CASE("an OpenACC runtime that lacks a function is refused, and an end without a beginning is no record") {
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_OPENACC_OTHER};
    auto* const some = reinterpret_cast<void*>(&register_callback);
    CHECK(tool.cupti.OpenACCInitialize(nullptr, some, some) == CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE);
    CHECK(tool.cupti.OpenACCInitialize(some, nullptr, some) == CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE);
    CHECK(tool.cupti.OpenACCInitialize(some, some, nullptr) == CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE);
    REQUIRE(hear(tool.cupti) == CUPTI_SUCCESS);
    tell(openacc::event::wait_end, openacc::event_info{});
    CHECK(tool.take().empty());
    tell(openacc::event::runtime_shutdown, openacc::event_info{});
    auto const all = tool.take_only<activity::openacc_other>();
    REQUIRE(all.size() == 1);
    CHECK(all[0].event == activity::openacc_event::runtime_shutdown);
    CHECK(all[0].time.start <= all[0].time.end);
}

TEST_CASE("an OpenMP region, its tasks and its waits are records") {
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_OPENMP};
    REQUIRE(static_cast<int>(tool.cupti.OpenMpInitialize_v2(&look_up_ompt, 0, nullptr)) == 1);
    ompt_data_t thread{}, region{}, implicit{}, task{};
    constexpr int begin = 1, end = 2, taskwait = 5, taskgroup = 6, barrier_implicit = 2, complete = 1, switches = 7;
    ompt_data_t* const none = nullptr;
    void const* const nowhere = nullptr;
    tell_ompt(1, 1, &thread);
    tell_ompt(3, none, nowhere, &region, 2u, 0, nowhere);
    tell_ompt(7, begin, &region, &implicit, 2u, 1u, 2);
    tell_ompt(6, &implicit, switches, &task);
    tell_ompt(6, &task, complete, &implicit);
    tell_ompt(16, taskwait, begin, &region, &implicit, nowhere);
    tell_ompt(16, taskwait, end, &region, &implicit, nowhere);
    tell_ompt(16, taskgroup, begin, &region, &implicit, nowhere); // no record of CUPTI's
    tell_ompt(16, taskgroup, end, &region, &implicit, nowhere);
    tell_ompt(16, barrier_implicit, begin, &region, &implicit, nowhere);
    tell_ompt(16, barrier_implicit, end, none, &implicit, nowhere);
    tell_ompt(7, end, none, &implicit, 0u, 1u, 2);
    tell_ompt(4, &region, none, 0, nowhere);
    tell_ompt(2, &thread);
    std::vector<activity::openmp_event> events;
    for (auto const& each : tool.take_only<activity::openmp>()) {
        events.push_back(each.event);
        CHECK(each.time.start <= each.time.end);
        CHECK(each.thread_id == 1);
    }
    using activity::openmp_event;
    CHECK(events == std::vector{openmp_event::task, openmp_event::wait_taskwait, openmp_event::wait_barrier,
                                openmp_event::task, openmp_event::parallel, openmp_event::thread});
}

TEST_CASE("an OpenMP runtime that takes no callbacks is not heard") {
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_OPENMP};
    CHECK(static_cast<int>(tool.cupti.OpenMpInitialize_v2(&look_up_nothing, 0, nullptr)) == 0);
    CHECK(static_cast<int>(tool.cupti.OpenMpInitialize_v2(nullptr, 0, nullptr)) == 0);
}

} // namespace directives_test
