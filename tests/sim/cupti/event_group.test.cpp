// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event groups of the embedded GPU's CUPTI: making, filling, describing. Each function of the reference and each error.
#include "sim/cupti/event_objects.hpp"
#include "support/event_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace event_group_test {

TEST_CASE(
    "cuptiEventGroupCreate refuses a newer chip, what is no context, flags, a null pointer and a group too many") {
    CUpti_EventGroup group = nullptr;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGroupCreate(nullptr, &group, 0) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    {
        legacy_gpu gpu{sim::gh100};
        CHECK(gpu.cupti.EventGroupCreate(gpu.context, &group, 0) == CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
    }
    legacy_gpu gpu;
    CHECK(gpu.cupti.EventGroupCreate(gpu.context, &group, 0) == CUPTI_SUCCESS);
    CHECK(group != nullptr);
    int foreign = 0;
    CHECK(gpu.cupti.EventGroupCreate(nullptr, &group, 0) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(gpu.cupti.EventGroupCreate(reinterpret_cast<CUcontext>(&foreign), &group, 0) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(gpu.cupti.EventGroupCreate(gpu.context, nullptr, 0) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupCreate(gpu.context, &group, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CUptiResult last = CUPTI_SUCCESS;
    for (std::size_t i = 0; i < sim::cupti::event_objects::most_groups && last == CUPTI_SUCCESS; ++i)
        last = gpu.cupti.EventGroupCreate(gpu.context, &group, 0);
    CHECK(last == CUPTI_ERROR_OUT_OF_MEMORY);
    CHECK(gpu.cupti.EventGroupDestroy(group) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupCreate(gpu.context, &group, 0) == CUPTI_SUCCESS); // there is room again
}

TEST_CASE("cuptiEventGroupDestroy refuses an enabled group and what is none") {
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGroupDestroy(not_a_group()) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu;
    CUpti_EventGroup const group = gpu.enabled({"inst_executed"});
    CHECK(gpu.cupti.EventGroupDestroy(group) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(gpu.cupti.EventGroupDisable(group) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupDestroy(group) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupDestroy(group) == CUPTI_ERROR_INVALID_PARAMETER); // the handle is stale
    CHECK(gpu.cupti.EventGroupDestroy(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupDestroy(not_a_group()) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE(
    "cuptiEventGroupAddEvent holds to domain and counters, and refuses another chip's event and an enabled group") {
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGroupAddEvent(not_a_group(), 1) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu;
    auto const add = [&](CUpti_EventGroup group, char const* name) {
        return gpu.cupti.EventGroupAddEvent(group, gpu.event(name));
    };
    CUpti_EventGroup const group = gpu.group();
    CHECK(add(group, "fb_subp0_read_sectors") == CUPTI_SUCCESS);
    CHECK(add(group, "inst_executed") == CUPTI_ERROR_NOT_COMPATIBLE);         // of another domain
    CHECK(add(group, "fb_subp0_read_sectors") == CUPTI_ERROR_NOT_COMPATIBLE); // there already
    CHECK(add(group, "fb_subp1_read_sectors") == CUPTI_SUCCESS);
    CHECK(add(group, "fb_subp0_write_sectors") == CUPTI_SUCCESS);
    CHECK(add(group, "fb_subp1_write_sectors") == CUPTI_SUCCESS);
    CHECK(add(group, "l2_subp0_read_sector_misses") == CUPTI_ERROR_MAX_LIMIT_REACHED); // four counters
    CHECK(gpu.cupti.EventGroupAddEvent(group, 1) == CUPTI_ERROR_INVALID_EVENT_ID);
    CHECK(gpu.cupti.EventGroupAddEvent(group, 52000) == CUPTI_ERROR_INVALID_EVENT_ID); // another chip's
    CHECK(gpu.cupti.EventGroupAddEvent(nullptr, gpu.event("inst_executed")) == CUPTI_ERROR_INVALID_PARAMETER);
    CUpti_EventGroup const enabled = gpu.enabled({"inst_executed"});
    CHECK(add(enabled, "warps_launched") == CUPTI_ERROR_INVALID_OPERATION);
    CUptiResult last = CUPTI_SUCCESS;
    for (std::size_t i = 0; i < sim::cupti::event_objects::most_group_events && last == CUPTI_SUCCESS; ++i) {
        CUpti_EventGroup const more = gpu.group();
        for (char const* const name : {"inst_executed", "inst_issued1", "warps_launched", "active_cycles",
                                       "active_warps", "shared_load", "shared_store", "local_load"})
            if (last == CUPTI_SUCCESS) last = add(more, name);
    }
    CHECK(last == CUPTI_ERROR_OUT_OF_MEMORY);
}

TEST_CASE("cuptiEventGroupRemoveEvent and cuptiEventGroupRemoveAllEvents empty a group, and refuse an event that is "
          "not in it and an enabled group") {
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGroupRemoveEvent(not_a_group(), 1) == CUPTI_ERROR_NOT_INITIALIZED);
        CHECK(gpu.cupti.EventGroupRemoveAllEvents(not_a_group()) == CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu;
    CUpti_EventGroup const group = gpu.group({"inst_executed", "warps_launched", "active_cycles"});
    CHECK(gpu.cupti.EventGroupRemoveEvent(group, gpu.event("warps_launched")) == CUPTI_SUCCESS);
    CHECK(gpu.attribute<std::uint32_t>(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS) == 2);
    CHECK(gpu.cupti.EventGroupRemoveEvent(group, gpu.event("warps_launched")) == CUPTI_ERROR_INVALID_EVENT_ID);
    CHECK(gpu.cupti.EventGroupRemoveEvent(group, 1) == CUPTI_ERROR_INVALID_EVENT_ID);
    CHECK(gpu.cupti.EventGroupRemoveEvent(nullptr, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupRemoveAllEvents(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    REQUIRE(gpu.cupti.EventGroupEnable(group) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupRemoveEvent(group, gpu.event("inst_executed")) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(gpu.cupti.EventGroupRemoveAllEvents(group) == CUPTI_ERROR_INVALID_OPERATION);
    REQUIRE(gpu.cupti.EventGroupDisable(group) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupRemoveAllEvents(group) == CUPTI_SUCCESS);
    CHECK(gpu.attribute<std::uint32_t>(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS) == 0);
    CHECK(gpu.cupti.EventGroupAddEvent(group, gpu.event("fb_subp0_read_sectors")) == CUPTI_SUCCESS); // any domain again
}

TEST_CASE("cuptiEventGroupGetAttribute describes a group, and refuses the domain of none, too little room and an "
          "unknown attribute") {
    std::uint32_t value = 0;
    std::size_t size = sizeof value;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGroupGetAttribute(not_a_group(), CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, &size, &value) ==
              CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu{sim::gf100};
    CUpti_EventGroup const group = gpu.group();
    auto const number = [&](CUpti_EventGroupAttribute which) { return gpu.attribute<std::uint32_t>(group, which); };
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS) == 0);
    CHECK(gpu.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID, &size, &value) ==
          CUPTI_ERROR_NOT_READY); // no event, no domain
    CHECK(gpu.cupti.EventGroupAddEvent(group, gpu.event("l1_global_load_hit")) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupAddEvent(group, gpu.event("l1_global_load_miss")) == CUPTI_SUCCESS);
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS) == 2);
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID) == 2000); // the first one of capability 2.0
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES) == 0);
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT) == 1);
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE) == CUPTI_EVENT_PROFILING_SCOPE_CONTEXT);
    value = 1;
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, sizeof value,
                                           &value) == CUPTI_SUCCESS);
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES) == 1);
    CHECK(number(CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT) == 7); // of 14
    CUpti_EventID events[2] = {};
    size = sizeof events;
    CHECK(gpu.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_EVENTS, &size, events) == CUPTI_SUCCESS);
    CHECK(events[0] == gpu.event("l1_global_load_hit"));
    CHECK(events[1] == gpu.event("l1_global_load_miss"));
    size = sizeof events - 1;
    CHECK(gpu.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_EVENTS, &size, events) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    size = 1;
    CHECK(gpu.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, &size, &value) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(gpu.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, nullptr, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, &size, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupGetAttribute(group, static_cast<CUpti_EventGroupAttribute>(7), &size, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupGetAttribute(nullptr, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, &size, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE(
    "cuptiEventGroupSetAttribute writes what can be written, and refuses the rest, a wrong size and an enabled group") {
    std::uint32_t value = 1;
    {
        no_gpu gpu;
        CHECK(gpu.cupti.EventGroupSetAttribute(not_a_group(), CUPTI_EVENT_GROUP_ATTR_USER_DATA, 8, &value) ==
              CUPTI_ERROR_NOT_INITIALIZED);
    }
    legacy_gpu gpu;
    CUpti_EventGroup const group = gpu.group({"inst_executed"});
    void* data = &value;
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_USER_DATA, sizeof data, &data) ==
          CUPTI_SUCCESS);
    CHECK(gpu.attribute<void*>(group, CUPTI_EVENT_GROUP_ATTR_USER_DATA) == &value);
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_USER_DATA, 4, &data) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, 3, &value) ==
          CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS, sizeof value, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER); // read only
    CHECK(gpu.cupti.EventGroupSetAttribute(group, static_cast<CUpti_EventGroupAttribute>(99), sizeof value, &value) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_USER_DATA, 8, nullptr) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(gpu.cupti.EventGroupSetAttribute(nullptr, CUPTI_EVENT_GROUP_ATTR_USER_DATA, 8, &data) ==
          CUPTI_ERROR_INVALID_PARAMETER);
    value = CUPTI_EVENT_PROFILING_SCOPE_DEVICE;
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE, sizeof value, &value) ==
          CUPTI_SUCCESS);
    CHECK(gpu.attribute<std::uint32_t>(group, CUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE) == value);
    REQUIRE(gpu.cupti.EventGroupEnable(group) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, sizeof value,
                                           &value) == CUPTI_ERROR_INVALID_OPERATION);
}

TEST_CASE("a chip of capability 7.0 has both profilers, but one context does not mix them") {
    legacy_gpu gpu{sim::gv100};
    CUpti_RangeProfiler_Enable_Params range;
    range.ctx = gpu.context;
    CUpti_RangeProfiler_Disable_Params end;

    CUpti_EventGroup const group = gpu.group({"inst_executed"});
    CHECK(gpu.cupti.RangeProfilerEnable(&range) == CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);
    CHECK(gpu.cupti.EventGroupDestroy(group) == CUPTI_SUCCESS);
    REQUIRE(gpu.cupti.RangeProfilerEnable(&range) == CUPTI_SUCCESS);
    CUpti_EventGroup other = nullptr;
    CUpti_EventGroupSets* sets = nullptr;
    CUpti_EventID event = gpu.event("inst_executed");
    CUpti_MetricID metric = gpu.metric("ipc");
    CHECK(gpu.cupti.EventGroupCreate(gpu.context, &other, 0) == CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);
    CHECK(gpu.cupti.EventGroupSetsCreate(gpu.context, sizeof event, &event, &sets) ==
          CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);
    CHECK(gpu.cupti.MetricCreateEventGroupSets(gpu.context, sizeof metric, &metric, &sets) ==
          CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);
    CHECK(gpu.cupti.EnableKernelReplayMode(gpu.context) == CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);

    CUcontext second = nullptr; // another context may count events, but not at the same time
    REQUIRE(gpu.machine.driver.CtxCreate(&second, 0, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.cupti.EventGroupCreate(second, &other, 0) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupAddEvent(other, event) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupEnable(other) == CUPTI_ERROR_HARDWARE_BUSY);
    end.pRangeProfilerObject = range.pRangeProfilerObject;
    REQUIRE(gpu.cupti.RangeProfilerDisable(&end) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupEnable(other) == CUPTI_SUCCESS);
    CHECK(gpu.cupti.EventGroupCreate(gpu.context, &other, 0) == CUPTI_SUCCESS);
}

TEST_CASE("a chip before capability 7.0 has no range profiling") {
    legacy_gpu gpu{sim::gp100};
    CUpti_RangeProfiler_Enable_Params range;
    range.ctx = gpu.context;
    CHECK(gpu.cupti.RangeProfilerEnable(&range) == CUPTI_ERROR_NOT_SUPPORTED);
    CUpti_Profiler_DeviceSupported_Params supported;
    supported.cuDevice = 0;
    supported.api = CUPTI_PROFILER_RANGE_PROFILING;
    CHECK(gpu.cupti.ProfilerDeviceSupported(&supported) == CUPTI_SUCCESS);
    CHECK(supported.isSupported == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED);
    CHECK(supported.architecture == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED);
    CUpti_Profiler_Host_Initialize_Params host;
    host.pChipName = "GP100";
    CHECK(gpu.cupti.ProfilerHostInitialize(&host) == CUPTI_ERROR_INVALID_CHIP_NAME);
    CUpti_Profiler_Initialize_Params begin;
    CHECK(gpu.cupti.ProfilerInitialize(&begin) == CUPTI_SUCCESS);
    CUpti_Profiler_GetCounterAvailability_Params availability;
    availability.ctx = gpu.context;
    CHECK(gpu.cupti.ProfilerGetCounterAvailability(&availability) == CUPTI_ERROR_NOT_SUPPORTED);
}

} // namespace event_group_test
