// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU of event hardware for tests, small enough to be checked by hand: two domains, five events, two metrics of CUPTI's.
#ifndef GPUPROF_TESTS_SUPPORT_PAPER_EVENT_GPU_HPP
#define GPUPROF_TESTS_SUPPORT_PAPER_EVENT_GPU_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/device.hpp>

#include "support/hand_filled.hpp"

namespace test {

// Domain 1, "domain_a": 2 of 4 instances profiled, 2 counters: events 10 active_cycles, 11 active_warps, 12 inst_executed.
// Domain 2, "domain_b": 1 of 3 instances profiled, 1 counter: events 20 fb_reads, 21 fb_writes.
// Metric 100 "paper_ipc" = inst_executed / active_cycles; metric 101 "paper_read_rate" = 32 * fb_reads a second; metric 102
// "paper_busy_instance" = active_cycles / 10, of one instance.
// A launch of n units of work adds n * (event number) to each profiled instance of each enabled event and takes n
// microseconds. One group a domain can be on at a time, but for kernel replay.
struct paper_event {
    abi::CUpti_EventID id;
    abi::CUpti_EventDomainID domain;
    char const* name;
};
inline constexpr paper_event paper_events[]{{10, 1, "active_cycles"},
                                            {11, 1, "active_warps"},
                                            {12, 1, "inst_executed"},
                                            {20, 2, "fb_reads"},
                                            {21, 2, "fb_writes"}};
inline constexpr std::uint32_t paper_profiled[]{0, 2, 1};
inline constexpr std::uint32_t paper_total[]{0, 4, 3};
inline constexpr std::size_t paper_counters[]{0, 2, 1};

struct paper_group {
    std::vector<abi::CUpti_EventID> events;
    std::map<abi::CUpti_EventID, std::uint64_t> counts;              // of one instance
    std::vector<std::map<abi::CUpti_EventID, std::uint64_t>> late{}; // counted, but not handed over yet
    bool enabled = false;
    bool all_instances = false;
    [[nodiscard]] abi::CUpti_EventDomainID domain() const { return events.empty() ? 0 : events[0] / 10; }
    [[nodiscard]] std::uint32_t instances() const { return all_instances ? paper_profiled[domain()] : 1; }
};

struct paper_group_sets : abi::CUpti_EventGroupSets {
    std::vector<abi::CUpti_EventGroupSet> passes;
    std::vector<std::vector<abi::CUpti_EventGroup>> groups;
};

struct paper_state {
    int generation = 5;
    int revision = 2;
    abi::CUptiResult sets_status = abi::CUPTI_SUCCESS; // of cuptiEventGroupSetsCreate
    std::size_t late_by = 0;                           // reads until a count is handed over, in continuous mode
    bool uneven = false;                               // the second instance counts twice as much as the first
    bool only_kernel_mode = false;                     // continuous collection is not supported
    abi::CUpti_EventID overflows = 0;                  // this event's second instance has wrapped
    abi::CUptiResult domains = abi::CUPTI_SUCCESS;
    bool continuous = false;
    bool replay = false;
    abi::CUpti_KernelReplayUpdateFunc update = nullptr;
    std::vector<std::unique_ptr<paper_group>> groups{};
    std::vector<std::unique_ptr<paper_group_sets>> sets{};
    std::size_t live_timers = 0;
    std::uint64_t nanoseconds = 0;
    abi::CUcontext current = nullptr;

    // Forgets what calls that a test made fail left behind.
    void sweep() {
        replay = false;
        groups.clear();
        sets.clear();
    }
};
inline paper_state paper; // one machine at a time

[[nodiscard]] inline abi::CUcontext paper_context() {
    static int storage = 0;
    return reinterpret_cast<abi::CUcontext>(&storage);
}
[[nodiscard]] inline paper_event const* find_paper_event(abi::CUpti_EventID id) {
    for (paper_event const& each : paper_events)
        if (each.id == id) return &each;
    return nullptr;
}
[[nodiscard]] inline paper_group* as_group(abi::CUpti_EventGroup handle) {
    for (auto const& each : paper.groups)
        if (each.get() == handle) return each.get();
    return nullptr;
}

// What a kernel does: see above.
inline void paper_launch(std::uint64_t work) {
    paper.nanoseconds += work * 1000;
    for (auto const& group : paper.groups) {
        if (!group->enabled) continue;
        if (!paper.continuous) group->counts.clear();
        for (abi::CUpti_EventID const event : group->events) group->counts[event] += work * event;
    }
    if (paper.replay && paper.update != nullptr)
        for (int done = 1; done <= 2; ++done) paper.update("kernel", done, nullptr);
}

template <class Value>
[[nodiscard]] abi::CUptiResult give(Value const& value, std::size_t* size, void* into) {
    if (size == nullptr || into == nullptr) return abi::CUPTI_ERROR_INVALID_PARAMETER;
    if (*size < sizeof value) return abi::CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    std::memcpy(into, &value, sizeof value);
    *size = sizeof value;
    return abi::CUPTI_SUCCESS;
}
[[nodiscard]] inline abi::CUptiResult give_text(std::string const& text, std::size_t* size, void* into) {
    std::size_t const bytes = std::min(*size, text.size() + 1);
    std::memcpy(into, text.c_str(), bytes);
    *size = bytes;
    return abi::CUPTI_SUCCESS;
}
template <class Id>
[[nodiscard]] abi::CUptiResult give_list(std::vector<Id> const& list, std::size_t* size, Id* into) {
    std::size_t const bytes = std::min(*size / sizeof(Id), list.size()) * sizeof(Id);
    if (bytes != 0) std::memcpy(into, list.data(), bytes);
    *size = bytes;
    return abi::CUPTI_SUCCESS;
}

// Two passes for three events of one domain: first fit, a group a domain.
inline abi::CUptiResult paper_sets(std::vector<abi::CUpti_EventID> const& events, abi::CUpti_EventGroupSets** out) {
    std::vector<std::vector<std::vector<abi::CUpti_EventID>>> passes;
    for (abi::CUpti_EventID const event : events) {
        paper_event const* const known = find_paper_event(event);
        if (known == nullptr) return abi::CUPTI_ERROR_INVALID_EVENT_ID;
        std::size_t pass = 0;
        for (;; ++pass) {
            if (pass == passes.size()) passes.emplace_back(3);
            if (passes[pass][known->domain].size() < paper_counters[known->domain]) break;
        }
        passes[pass][known->domain].push_back(event);
    }
    auto made = std::make_unique<paper_group_sets>();
    made->passes.resize(passes.size());
    made->groups.resize(passes.size());
    for (std::size_t i = 0; i < passes.size(); ++i) {
        for (auto const& of_domain : passes[i]) {
            if (of_domain.empty()) continue;
            paper.groups.push_back(std::make_unique<paper_group>());
            paper.groups.back()->events = of_domain;
            made->groups[i].push_back(paper.groups.back().get());
        }
        made->passes[i] = {static_cast<std::uint32_t>(made->groups[i].size()), made->groups[i].data()};
    }
    made->numSets = static_cast<std::uint32_t>(passes.size());
    made->sets = made->passes.data();
    *out = made.get();
    paper.sets.push_back(std::move(made));
    return abi::CUPTI_SUCCESS;
}

inline void erase_group(abi::CUpti_EventGroup handle) {
    std::erase_if(paper.groups, [handle](auto const& each) { return each.get() == handle; });
}

[[nodiscard]] inline abi::cupti_table paper_cupti() {
    using namespace abi;
    cupti_table t;
    t.DeviceGetAttribute = [](CUdevice, CUpti_DeviceAttribute, std::size_t* size, void* value) {
        return give(std::uint64_t{7}, size, value);
    };
    t.GetNumEventDomains = [](std::uint32_t* n) { return *n = 2, CUPTI_SUCCESS; };
    t.EnumEventDomains = [](std::size_t* size, CUpti_EventDomainID* list) {
        return give_list<CUpti_EventDomainID>({1, 2}, size, list);
    };
    t.DeviceGetNumEventDomains = [](CUdevice, std::uint32_t* n) { return *n = 2, paper.domains; };
    t.DeviceEnumEventDomains = [](CUdevice, std::size_t* size, CUpti_EventDomainID* list) {
        return give_list<CUpti_EventDomainID>({1, 2}, size, list);
    };
    t.DeviceGetEventDomainAttribute = [](CUdevice, CUpti_EventDomainID id, CUpti_EventDomainAttribute which,
                                         std::size_t* size, void* value) {
        if (id != 1 && id != 2) return CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID;
        if (which == CUPTI_EVENT_DOMAIN_ATTR_NAME) return give_text(id == 1 ? "domain_a" : "domain_b", size, value);
        if (which == CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT) return give(paper_profiled[id], size, value);
        if (which == CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT) return give(paper_total[id], size, value);
        return CUPTI_ERROR_INVALID_PARAMETER;
    };
    t.EventDomainGetAttribute = [](CUpti_EventDomainID id, CUpti_EventDomainAttribute, std::size_t* size, void* value) {
        return give_text(id == 1 ? "domain_a" : "domain_b", size, value);
    };
    t.EventDomainGetNumEvents = [](CUpti_EventDomainID id, std::uint32_t* n) {
        return *n = id == 1 ? 3 : 2, CUPTI_SUCCESS;
    };
    t.EventDomainEnumEvents = [](CUpti_EventDomainID id, std::size_t* size, CUpti_EventID* list) {
        return give_list(id == 1 ? std::vector<CUpti_EventID>{10, 11, 12} : std::vector<CUpti_EventID>{20, 21}, size,
                         list);
    };
    t.EventGetAttribute = [](CUpti_EventID id, CUpti_EventAttribute which, std::size_t* size, void* value) {
        paper_event const* const event = find_paper_event(id);
        if (event == nullptr) return CUPTI_ERROR_INVALID_EVENT_ID;
        if (which == CUPTI_EVENT_ATTR_CATEGORY) return give(CUPTI_EVENT_CATEGORY_MEMORY, size, value);
        if (which == CUPTI_EVENT_ATTR_PROFILING_SCOPE) // memory partitions serve everybody
            return give(event->domain == 2 ? CUPTI_EVENT_PROFILING_SCOPE_DEVICE : CUPTI_EVENT_PROFILING_SCOPE_CONTEXT,
                        size, value);
        return give_text(which == CUPTI_EVENT_ATTR_NAME ? std::string{event->name} : std::string(700, 'd'), size,
                         value);
    };
    t.EventGetIdFromName = [](CUdevice, char const* name, CUpti_EventID* id) {
        for (paper_event const& each : paper_events)
            if (std::string{name} == each.name) return *id = each.id, CUPTI_SUCCESS;
        return CUPTI_ERROR_INVALID_EVENT_NAME;
    };
    t.SetEventCollectionMode = [](CUcontext, CUpti_EventCollectionMode mode) {
        if (paper.replay) return CUPTI_ERROR_INVALID_OPERATION;
        if (mode == CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS && paper.only_kernel_mode) return CUPTI_ERROR_NOT_SUPPORTED;
        paper.continuous = mode == CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS;
        return CUPTI_SUCCESS;
    };
    t.EventGroupCreate = [](CUcontext context, CUpti_EventGroup* group, std::uint32_t) {
        if (context != paper_context()) return CUPTI_ERROR_INVALID_CONTEXT;
        paper.groups.push_back(std::make_unique<paper_group>());
        *group = paper.groups.back().get();
        return CUPTI_SUCCESS;
    };
    t.EventGroupDestroy = [](CUpti_EventGroup handle) {
        if (as_group(handle) == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
        if (as_group(handle)->enabled) return CUPTI_ERROR_INVALID_OPERATION;
        erase_group(handle);
        return CUPTI_SUCCESS;
    };
    t.EventGroupGetAttribute = [](CUpti_EventGroup handle, CUpti_EventGroupAttribute which, std::size_t* size,
                                  void* value) {
        paper_group const* const group = as_group(handle);
        if (group == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
        switch (which) {
            case CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID: return give(group->domain(), size, value);
            case CUPTI_EVENT_GROUP_ATTR_NUM_EVENTS:
                return give(static_cast<std::uint32_t>(group->events.size()), size, value);
            case CUPTI_EVENT_GROUP_ATTR_EVENTS:
                return give_list(group->events, size, static_cast<CUpti_EventID*>(value));
            case CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT: return give(group->instances(), size, value);
            default: return CUPTI_ERROR_INVALID_PARAMETER;
        }
    };
    t.EventGroupSetAttribute = [](CUpti_EventGroup handle, CUpti_EventGroupAttribute, std::size_t, void* value) {
        as_group(handle)->all_instances = *static_cast<std::uint32_t*>(value) != 0;
        return CUPTI_SUCCESS;
    };
    t.EventGroupAddEvent = [](CUpti_EventGroup handle, CUpti_EventID id) {
        paper_group* const group = as_group(handle);
        paper_event const* const event = find_paper_event(id);
        if (event == nullptr) return CUPTI_ERROR_INVALID_EVENT_ID;
        if (group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
        if (!group->events.empty() && group->domain() != event->domain) return CUPTI_ERROR_NOT_COMPATIBLE;
        if (group->events.size() == paper_counters[event->domain]) return CUPTI_ERROR_MAX_LIMIT_REACHED;
        group->events.push_back(id);
        return CUPTI_SUCCESS;
    };
    t.EventGroupRemoveEvent = [](CUpti_EventGroup, CUpti_EventID) { return CUPTI_SUCCESS; };
    t.EventGroupRemoveAllEvents = [](CUpti_EventGroup) { return CUPTI_SUCCESS; };
    t.EventGroupResetAllEvents = [](CUpti_EventGroup handle) {
        as_group(handle)->counts.clear();
        return CUPTI_SUCCESS;
    };
    t.EventGroupEnable = [](CUpti_EventGroup handle) {
        paper_group* const group = as_group(handle);
        if (group->events.empty()) return CUPTI_ERROR_NOT_READY;
        for (auto const& other : paper.groups)
            if (other->enabled && other->domain() == group->domain() && !paper.replay)
                return CUPTI_ERROR_NOT_COMPATIBLE;
        group->enabled = true;
        group->counts.clear();
        return CUPTI_SUCCESS;
    };
    t.EventGroupDisable = [](CUpti_EventGroup handle) {
        as_group(handle)->enabled = false;
        return CUPTI_SUCCESS;
    };
    t.EventGroupReadEvent = [](CUpti_EventGroup, CUpti_ReadEventFlags, CUpti_EventID, std::size_t*, std::uint64_t*) {
        return CUPTI_ERROR_INVALID_OPERATION;
    };
    // The events in another order than they were added in.
    t.EventGroupReadAllEvents = [](CUpti_EventGroup handle, CUpti_ReadEventFlags, std::size_t* value_bytes,
                                   std::uint64_t* values, std::size_t* event_bytes, CUpti_EventID* events,
                                   std::size_t* count) {
        paper_group* const group = as_group(handle);
        if (!group->enabled) return CUPTI_ERROR_INVALID_OPERATION;
        std::size_t const width = group->events.size();
        if (*value_bytes < width * group->instances() * sizeof *values || *event_bytes < width * sizeof *events)
            return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        *count = width;
        for (std::size_t i = 0; i < width; ++i) events[i] = group->events[width - 1 - i];
        std::map<CUpti_EventID, std::uint64_t> handed = group->counts;
        if (paper.continuous && paper.late_by != 0) {
            handed.clear();
            group->late.push_back(group->counts);
            if (group->late.size() > paper.late_by) {
                handed = group->late.front();
                group->late.erase(group->late.begin());
            }
        }
        for (std::uint32_t instance = 0; instance < group->instances(); ++instance)
            for (std::size_t i = 0; i < width; ++i)
                values[instance * width + i] = instance == 1 && events[i] == paper.overflows ? ~std::uint64_t{0}
                                               : instance == 1 && paper.uneven               ? 2 * handed[events[i]]
                                                                                             : handed[events[i]];
        *value_bytes = width * group->instances() * sizeof *values;
        *event_bytes = width * sizeof *events;
        group->counts.clear();
        return CUPTI_SUCCESS;
    };
    t.EventGroupSetsCreate = [](CUcontext, std::size_t bytes, CUpti_EventID* events, CUpti_EventGroupSets** sets) {
        if (paper.sets_status) return paper.sets_status;
        return paper_sets({events, events + bytes / sizeof *events}, sets);
    };
    t.EventGroupSetsDestroy = [](CUpti_EventGroupSets* sets) {
        for (std::uint32_t i = 0; i < sets->numSets; ++i)
            for (std::uint32_t g = 0; g < sets->sets[i].numEventGroups; ++g) erase_group(sets->sets[i].eventGroups[g]);
        std::erase_if(paper.sets, [sets](auto const& each) { return each.get() == sets; });
        return CUPTI_SUCCESS;
    };
    t.EnableKernelReplayMode = [](CUcontext) {
        paper.replay = true;
        paper.continuous = false;
        return CUPTI_SUCCESS;
    };
    t.DisableKernelReplayMode = [](CUcontext) {
        paper.replay = false;
        for (auto const& each : paper.groups) each->enabled = false;
        return CUPTI_SUCCESS;
    };
    t.KernelReplaySubscribeUpdate = [](CUpti_KernelReplayUpdateFunc update, void*) {
        paper.update = update;
        return CUPTI_SUCCESS;
    };
    t.GetNumMetrics = [](std::uint32_t* n) { return *n = 2, CUPTI_SUCCESS; };
    t.EnumMetrics = [](std::size_t* size, CUpti_MetricID* list) {
        return give_list<CUpti_MetricID>({100, 101}, size, list);
    };
    t.DeviceGetNumMetrics = [](CUdevice, std::uint32_t* n) { return *n = 2, CUPTI_SUCCESS; };
    t.DeviceEnumMetrics = [](CUdevice, std::size_t* size, CUpti_MetricID* list) {
        return give_list<CUpti_MetricID>({100, 101}, size, list);
    };
    t.MetricGetAttribute = [](CUpti_MetricID id, CUpti_MetricAttribute which, std::size_t* size, void* value) {
        if (which == CUPTI_METRIC_ATTR_VALUE_KIND)
            return give(id != 101 ? CUPTI_METRIC_VALUE_KIND_DOUBLE : CUPTI_METRIC_VALUE_KIND_THROUGHPUT, size, value);
        if (which == CUPTI_METRIC_ATTR_CATEGORY) return give(CUPTI_METRIC_CATEGORY_INSTRUCTION, size, value);
        if (which == CUPTI_METRIC_ATTR_EVALUATION_MODE)
            return give(id == 102 ? CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE : CUPTI_METRIC_EVALUATION_MODE_AGGREGATE,
                        size, value);
        return give_text(id == 100 ? "paper_ipc" : id == 101 ? "paper_read_rate" : "paper_busy_instance", size, value);
    };
    t.MetricGetIdFromName = [](CUdevice, char const* name, CUpti_MetricID* id) {
        if (std::string{name} == "paper_ipc") return *id = 100, CUPTI_SUCCESS;
        if (std::string{name} == "paper_read_rate") return *id = 101, CUPTI_SUCCESS;
        if (std::string{name} == "paper_busy_instance") return *id = 102, CUPTI_SUCCESS;
        return CUPTI_ERROR_INVALID_METRIC_NAME;
    };
    t.MetricGetNumEvents = [](CUpti_MetricID id, std::uint32_t* n) { return *n = id == 100 ? 2 : 1, CUPTI_SUCCESS; };
    t.MetricEnumEvents = [](CUpti_MetricID id, std::size_t* size, CUpti_EventID* list) {
        return give_list(id == 100   ? std::vector<CUpti_EventID>{10, 12}
                         : id == 101 ? std::vector<CUpti_EventID>{20}
                                     : std::vector<CUpti_EventID>{10},
                         size, list);
    };
    t.MetricGetNumProperties = [](CUpti_MetricID id, std::uint32_t* n) {
        return *n = id == 101 ? 2 : 0, CUPTI_SUCCESS;
    };
    t.MetricEnumProperties = [](CUpti_MetricID, std::size_t* size, CUpti_MetricPropertyID* list) {
        return give_list<CUpti_MetricPropertyID>(
            {CUPTI_METRIC_PROPERTY_FRAME_BUFFER_COUNT, CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME}, size, list);
    };
    t.MetricGetRequiredEventGroupSets = [](CUcontext, CUpti_MetricID, CUpti_EventGroupSets** sets) {
        return *sets = nullptr, CUPTI_SUCCESS;
    };
    t.MetricCreateEventGroupSets = [](CUcontext, std::size_t bytes, CUpti_MetricID* metrics,
                                      CUpti_EventGroupSets** sets) {
        std::vector<CUpti_EventID> events;
        for (std::size_t i = 0; i < bytes / sizeof *metrics; ++i)
            for (CUpti_EventID const event : metrics[i] == 100   ? std::vector<CUpti_EventID>{10, 12}
                                             : metrics[i] == 101 ? std::vector<CUpti_EventID>{20}
                                                                 : std::vector<CUpti_EventID>{10})
                if (std::find(events.begin(), events.end(), event) == events.end()) events.push_back(event);
        return paper_sets(events, sets);
    };
    t.MetricGetValue = [](CUdevice, CUpti_MetricID id, std::size_t, CUpti_EventID* events, std::size_t,
                          std::uint64_t* values, std::uint64_t elapsed, CUpti_MetricValue* value) {
        if (id == 100)
            value->metricValueDouble = static_cast<double>(values[events[0] == 12 ? 0 : 1]) /
                                       static_cast<double>(values[events[0] == 12 ? 1 : 0]);
        else value->metricValueThroughput = values[0] * 32 * 1000000000 / elapsed;
        return CUPTI_SUCCESS;
    };
    t.MetricGetValue2 = [](CUpti_MetricID id, std::size_t, CUpti_EventID* events, std::size_t, std::uint64_t* values,
                           std::size_t property_bytes, CUpti_MetricPropertyID* properties, std::size_t,
                           std::uint64_t* facts, CUpti_MetricValue* value) {
        if (id == 100) {
            value->metricValueDouble = static_cast<double>(values[events[0] == 12 ? 0 : 1]) /
                                       static_cast<double>(values[events[0] == 12 ? 1 : 0]);
            return CUPTI_SUCCESS;
        }
        if (id == 102) return value->metricValueDouble = static_cast<double>(values[0]) / 10, CUPTI_SUCCESS;
        if (property_bytes != 2 * sizeof *properties || properties[1] != CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME)
            return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
        if (facts[0] != 7 || facts[1] == 0) return CUPTI_ERROR_INVALID_METRIC_VALUE;
        value->metricValueThroughput = values[0] * 32 * 1000000000 / facts[1];
        return CUPTI_SUCCESS;
    };
    return t;
}

[[nodiscard]] inline abi::driver_table paper_driver() {
    using namespace abi;
    driver_table t = hand_filled_driver();
    t.DeviceGetAttribute = [](int* value, CUdevice_attribute which, CUdevice) {
        switch (which) {
            case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = paper.generation; break;
            case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = paper.revision; break;
            case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 4; break;
            case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = 2048; break;
            case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
            case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = 1000000; break;
            default: return CUDA_ERROR_INVALID_VALUE;
        }
        return CUDA_SUCCESS;
    };
    t.CtxGetCurrent = [](CUcontext* context) { return *context = paper.current, CUDA_SUCCESS; };
    t.CtxSetCurrent = [](CUcontext context) { return paper.current = context, CUDA_SUCCESS; };
    t.CtxPushCurrent = [](CUcontext context) { return paper.current = context, CUDA_SUCCESS; };
    t.CtxPopCurrent = [](CUcontext* context) {
        return *context = paper.current, paper.current = nullptr, CUDA_SUCCESS;
    };
    t.DevicePrimaryCtxRetain = [](CUcontext* context, CUdevice) { return *context = paper_context(), CUDA_SUCCESS; };
    t.DevicePrimaryCtxRelease = [](CUdevice) { return CUDA_SUCCESS; };
    t.CtxSynchronize = [] { return paper.current == paper_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; };
    t.EventCreate = [](CUevent* event, unsigned) {
        ++paper.live_timers;
        *event = reinterpret_cast<CUevent>(new std::uint64_t{0});
        return CUDA_SUCCESS;
    };
    t.EventDestroy = [](CUevent event) {
        --paper.live_timers;
        delete reinterpret_cast<std::uint64_t*>(event);
        return CUDA_SUCCESS;
    };
    t.EventRecord = [](CUevent event, CUstream) {
        *reinterpret_cast<std::uint64_t*>(event) = paper.nanoseconds;
        return CUDA_SUCCESS;
    };
    t.EventSynchronize = [](CUevent) { return CUDA_SUCCESS; };
    t.EventElapsedTime = [](float* milliseconds, CUevent from, CUevent to) {
        *milliseconds =
            static_cast<float>(*reinterpret_cast<std::uint64_t*>(to) - *reinterpret_cast<std::uint64_t*>(from)) / 1e6f;
        return CUDA_SUCCESS;
    };
    return t;
}

// CUDA 12.0 and CUPTI 12.0 with one device of capability 5.2.
class paper_machine {
public:
    paper_machine() : machine{hand_filled_machine({{"Paper GPU", 5, 2, true, {}}})} {
        paper = {};
        machine.driver = paper_driver();
        machine.cupti = paper_cupti();
        machine.driver_library.version = 12000;
        machine.cupti_library.version = 18;
    }
    [[nodiscard]] gpuprof::device open() {
        paper.current = nullptr;
        return std::move(gpuprof::device::try_open(machine)).value();
    }
    [[nodiscard]] static bool clean() { return paper.groups.empty() && paper.sets.empty() && paper.live_timers == 0; }

    gpuprof::hw::machine machine;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_PAPER_EVENT_GPU_HPP
