// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what can be set about activity records of the embedded GPU: kinds, contexts, single calls, attributes, time,
// correlation ids of tools, releases. The answers are those that cupti_activity.h documents.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <variant>
#include <vector>

#include <gpuprof/hw/abi/cupti_driver_calls.hpp>
#include "sim/cupti/release.hpp"

#include "support/activity_tool.hpp"
#include "support/driver_kernels.hpp"

namespace activity_settings_test {

using namespace gpuprof::abi;
namespace activity = gpuprof::activity;
namespace sim = gpuprof::sim;

namespace {

struct filling : embedded_context {
    filling() { REQUIRE(driver.MemAlloc(&to, 4096) == CUDA_SUCCESS); }
    void fill(unsigned char value = 1) { CHECK(driver.MemsetD8Async(to, value, 16, nullptr) == CUDA_SUCCESS); }
    CUdeviceptr to = 0;
};

// A release for as long as it lives.
struct in_release {
    explicit in_release(activity::cuda_release of) { sim::cupti::set_release(of); }
    ~in_release() { sim::cupti::set_release(); }
};

std::atomic<std::uint64_t> tool_clock{0};

} // namespace

TEST_CASE("kinds that cannot be enabled are refused with CUPTI's status") {
    test::activity_tool tool;
    auto const enable = tool.cupti.ActivityEnable;
    CHECK(enable(CUPTI_ACTIVITY_KIND_INVALID) == CUPTI_ERROR_INVALID_KIND);
    CHECK(enable(static_cast<CUpti_ActivityKind>(60)) == CUPTI_ERROR_INVALID_KIND);
    CHECK(enable(static_cast<CUpti_ActivityKind>(1000)) == CUPTI_ERROR_INVALID_KIND);
    CHECK(enable(CUPTI_ACTIVITY_KIND_HOST_LAUNCH) == CUPTI_ERROR_INVALID_KIND); // from CUDA 13.1 on
    for (auto const kind : {CUPTI_ACTIVITY_KIND_EVENT, CUPTI_ACTIVITY_KIND_METRIC, CUPTI_ACTIVITY_KIND_MODULE,
                            CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE, CUPTI_ACTIVITY_KIND_CDP_KERNEL,
                            CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC})
        CHECK(enable(kind) == CUPTI_ERROR_NOT_COMPATIBLE);
    for (auto const kind : {CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR, CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS,
                            CUPTI_ACTIVITY_KIND_BRANCH, CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION,
                            CUPTI_ACTIVITY_KIND_SHARED_ACCESS, CUPTI_ACTIVITY_KIND_PC_SAMPLING})
        CHECK(enable(kind) == CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
    CHECK(enable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) == CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE);
    CHECK(enable(CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS) == CUPTI_ERROR_NOT_SUPPORTED);
    for (auto const kind : {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_MARKER, CUPTI_ACTIVITY_KIND_MARKER_DATA,
                            CUPTI_ACTIVITY_KIND_NAME, CUPTI_ACTIVITY_KIND_NVLINK, CUPTI_ACTIVITY_KIND_OPENACC_DATA,
                            CUPTI_ACTIVITY_KIND_OPENMP, CUPTI_ACTIVITY_KIND_MEMCPY2,
                            CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API, CUPTI_ACTIVITY_KIND_PREEMPTION})
        CHECK(enable(kind) == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityDisable(static_cast<CUpti_ActivityKind>(60)) == CUPTI_ERROR_INVALID_KIND);
    CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_MEMCPY) == CUPTI_SUCCESS);
}

TEST_CASE("kernels are recorded in one of two ways") {
    embedded_context gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_KERNEL};
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_ERROR_NOT_COMPATIBLE);
    CHECK(tool.cupti.ActivityEnableContext(gpu.handle, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) ==
          CUPTI_ERROR_NOT_COMPATIBLE);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL) == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_KERNEL) == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityEnableContext(gpu.handle, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL) == CUPTI_ERROR_NOT_COMPATIBLE);
}

TEST_CASE("a context's setting supersedes that for all contexts") {
    filling first;
    filling second; // current
    test::activity_tool tool;
    auto const filled = [&] {
        CHECK(first.driver.CtxSetCurrent(first.handle) == CUDA_SUCCESS);
        first.fill(1);
        CHECK(first.driver.CtxSetCurrent(second.handle) == CUDA_SUCCESS);
        second.fill(2);
        std::vector<std::uint32_t> values;
        for (auto const& one : tool.take_only<activity::memset>()) values.push_back(one.value);
        return values;
    };
    using values = std::vector<std::uint32_t>;
    CHECK(tool.cupti.ActivityEnableContext(first.handle, CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    CHECK(filled() == values{1});
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    CHECK(filled() == values{1, 2});
    CHECK(tool.cupti.ActivityDisableContext(first.handle, CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    CHECK(filled() == values{2});
    CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    CHECK(filled() == values{});
    CHECK(tool.cupti.ActivityEnableContext(nullptr, CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(tool.cupti.ActivityDisableContext(nullptr, CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(tool.cupti.ActivityEnableContext(first.handle, CUPTI_ACTIVITY_KIND_INVALID) == CUPTI_ERROR_INVALID_KIND);
}

TEST_CASE("driver calls can be recorded one by one") {
    filling gpu;
    test::activity_tool tool;
    auto const recorded = [&] {
        gpu.fill();
        CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
        std::vector<std::uint32_t> calls;
        for (auto const& one : tool.take_only<activity::api_call>()) calls.push_back(one.callback);
        return calls;
    };
    using calls = std::vector<std::uint32_t>;
    constexpr std::uint32_t wait = driver_row<&driver_table::CtxSynchronize>::id;
    constexpr std::uint32_t fill = driver_row<&driver_table::MemsetD8Async>::id;
    CHECK(tool.cupti.ActivityEnableDriverApi(wait, 1) == CUPTI_SUCCESS);
    CHECK(recorded() == calls{wait});
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER) == CUPTI_SUCCESS);
    CHECK(recorded() == calls{fill, wait});
    CHECK(tool.cupti.ActivityEnableDriverApi(wait, 0) == CUPTI_SUCCESS);
    CHECK(recorded() == calls{fill});
    CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER) == CUPTI_SUCCESS); // overrides what was said before
    CHECK(recorded() == calls{});
    CHECK(tool.cupti.ActivityEnableDriverApi(0, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.ActivityEnableDriverApi(5000, 1) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("an API record comes after the last id that the tool pushed, of each kind") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};
    auto const push = tool.cupti.ActivityPushExternalCorrelationId;
    auto const pop = tool.cupti.ActivityPopExternalCorrelationId;
    CHECK(push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 10) == CUPTI_SUCCESS);
    gpu.fill();
    CHECK(tool.take().empty()); // no API record, so none that comes before it
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER) == CUPTI_SUCCESS);
    CHECK(push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 11) == CUPTI_SUCCESS);
    CHECK(push(CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN, 12) == CUPTI_SUCCESS);
    gpu.fill();
    std::uint64_t last = 0;
    CHECK(pop(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last) == CUPTI_SUCCESS);
    CHECK(last == 11);
    CHECK(pop(CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN, nullptr) == CUPTI_SUCCESS);
    gpu.fill();
    std::thread{[&] { // has stacks of its own: empty
        CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
        CHECK(pop(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last) == CUPTI_ERROR_QUEUE_EMPTY);
    }}
        .join();
    auto const records = tool.take();
    REQUIRE(records.size() == 6);
    auto const external = [&](std::size_t i) { return std::get<activity::external_correlation>(records[i]); };
    auto const call = [&](std::size_t i) { return std::get<activity::api_call>(records[i]); };
    CHECK(external(0).kind == CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN);
    CHECK(external(0).id == 12);
    CHECK(external(1).kind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
    CHECK(external(1).id == 11);
    CHECK(external(0).correlation == call(2).correlation);
    CHECK(external(1).correlation == call(2).correlation);
    CHECK(external(3).id == 10);
    CHECK(external(3).correlation == call(4).correlation);
    CHECK(call(5).callback == driver_row<&driver_table::CtxSetCurrent>::id);
    CHECK(push(CUPTI_EXTERNAL_CORRELATION_KIND_INVALID, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(push(static_cast<CUpti_ExternalCorrelationKind>(6), 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(pop(static_cast<CUpti_ExternalCorrelationKind>(6), &last) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("attributes have the documented sizes and defaults, and keep what is set") {
    test::activity_tool tool;
    auto const get = tool.cupti.ActivityGetAttribute;
    auto const set = tool.cupti.ActivitySetAttribute;
    auto const expect = [&](CUpti_ActivityAttribute which, std::size_t bytes, std::uint64_t initial) {
        CAPTURE(which);
        std::uint64_t value = 0;
        std::size_t size = sizeof value;
        CHECK(get(which, &size, &value) == CUPTI_SUCCESS);
        CHECK(size == bytes);
        CHECK(value == initial);
        size = bytes - 1;
        CHECK(get(which, &size, &value) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
        CHECK(set(which, &size, &value) == CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
        size = bytes;
        value = 2;
        CHECK(set(which, &size, &value) == CUPTI_SUCCESS);
        value = 0;
        CHECK(get(which, &size, &value) == CUPTI_SUCCESS);
        CHECK(value == 2);
    };
    expect(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, sizeof(std::size_t), 3200000);
    expect(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_CDP, sizeof(std::size_t), 8388608);
    expect(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, sizeof(std::size_t), 3);
    expect(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, sizeof(std::size_t), 250);
    expect(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, 1, 0);
    expect(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, 1, 0);
    expect(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, 1, 1);
    expect(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_DEVICE_GRAPHS, sizeof(std::size_t), 16777216);
    std::size_t value = 2; // the limit, which must be more
    std::size_t size = sizeof value;
    CHECK(set(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, &size, &value) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(get(CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE, &size, &value) == CUPTI_ERROR_NOT_SUPPORTED);
    CHECK(get(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, nullptr, &value) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(get(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(get(static_cast<CUpti_ActivityAttribute>(11), &size, &value) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.Finalize() == CUPTI_SUCCESS);
    CHECK(get(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, &size, &value) == CUPTI_SUCCESS);
    CHECK(value == 250);
    in_release const older{activity::release(12, 2)};
    CHECK(get(CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE, &size, &value) == CUPTI_SUCCESS);
    CHECK(value == 25000);
}

TEST_CASE("times are the tool's own if it has a clock") {
    filling gpu;
    test::activity_tool tool;
    tool_clock = 5000;
    CHECK(tool.cupti.ActivityRegisterTimestampCallback([] { return tool_clock += 100; }) == CUPTI_SUCCESS); // 5100
    CHECK(tool.cupti.ActivityRegisterTimestampCallback(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER) == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    CHECK(tool.now() == 5200);
    gpu.fill();
    CHECK(tool.now() == 5500);
    auto const records = tool.take();
    REQUIRE(records.size() == 2);
    auto const& fill = std::get<activity::memset>(records[0]);
    auto const& call = std::get<activity::api_call>(records[1]);
    CHECK(call.time == activity::interval{{5300}, {5400}});
    CHECK(fill.time.start.ticks == 5300); // as far from the call's beginning as in simulated time: it starts at once
    CHECK(*fill.time.duration() >= gpuprof::nanoseconds{1000.});
}

TEST_CASE("latency timestamps are known if they were asked for") {
    with_kernels gpu;
    CUfunction const kernel = gpu.kernel("empty");
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    CHECK(tool.cupti.ActivityEnableLatencyTimestamps(1) == CUPTI_SUCCESS);
    for (int i = 0; i < 20; ++i)
        CHECK(gpu.driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
    for (auto const& one : tool.take_only<activity::kernel>()) {
        CHECK(one.queued.known());
        CHECK(one.queued <= one.submitted);
        CHECK(one.submitted <= one.time.start);
        CHECK(*activity::interval{one.queued, one.submitted}.duration() <= gpuprof::nanoseconds{200.});
    }
}

TEST_CASE("ids of handles, and the statuses for what is none") {
    embedded_context gpu;
    test::activity_tool tool;
    auto const stream_of = [&](CUcontext context, CUstream stream, std::uint8_t per_thread) {
        std::uint32_t id = 0;
        CHECK(tool.cupti.GetStreamIdEx(context, stream, per_thread, &id) == CUPTI_SUCCESS);
        return id;
    };
    auto const number = [](std::uintptr_t handle) { return reinterpret_cast<CUstream>(handle); };
    CHECK(stream_of(nullptr, nullptr, 0) == stream_of(gpu.handle, number(1), 1));
    CHECK(stream_of(nullptr, nullptr, 1) == stream_of(gpu.handle, number(2), 0));
    CHECK(stream_of(nullptr, nullptr, 0) != stream_of(nullptr, nullptr, 1));
    std::uint32_t id = 0;
    CHECK(tool.cupti.GetStreamId(nullptr, nullptr, &id) == CUPTI_SUCCESS);
    CHECK(id == stream_of(nullptr, nullptr, 0));
    CHECK(tool.cupti.GetStreamIdEx(nullptr, number(0x7777), 0, &id) == CUPTI_ERROR_INVALID_STREAM);
    CHECK(tool.cupti.GetStreamIdEx(nullptr, nullptr, 0, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.GetContextId(nullptr, &id) == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(tool.cupti.GetContextId(gpu.handle, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.GetDeviceId(gpu.handle, &id) == CUPTI_SUCCESS);
    CHECK(id == static_cast<std::uint32_t>(gpu.device));
    CHECK(tool.cupti.GetDeviceId(nullptr, &id) == CUPTI_SUCCESS);
    CHECK(tool.cupti.GetDeviceId(reinterpret_cast<CUcontext>(std::uintptr_t{0x7777}), &id) ==
          CUPTI_ERROR_INVALID_DEVICE);
    CHECK(tool.cupti.GetDeviceId(nullptr, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.GetGraphId(nullptr, &id) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.GetGraphExecId(nullptr, &id) == CUPTI_ERROR_INVALID_PARAMETER);
    CUcontext other = nullptr; // a stream belongs to its context
    CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.CtxCreate(&other, 0, gpu.device) == CUDA_SUCCESS);
    CHECK(tool.cupti.GetStreamIdEx(nullptr, stream, 0, &id) == CUPTI_SUCCESS);
    CHECK(tool.cupti.GetStreamIdEx(gpu.handle, stream, 0, &id) == CUPTI_SUCCESS);
    CHECK(tool.cupti.GetStreamIdEx(other, stream, 0, &id) == CUPTI_ERROR_INVALID_STREAM);
    REQUIRE(gpu.driver.CtxDestroy(other) == CUDA_SUCCESS);
}

TEST_CASE("what else CUPTI is asked about the embedded GPU") {
    embedded_context gpu;
    test::activity_tool tool;
    auto const& cupti = tool.cupti;
    int supported = 0;
    CHECK(cupti.DeviceSupported(gpu.device, &supported) == CUPTI_SUCCESS);
    CHECK(supported == 1);
    CHECK(cupti.DeviceSupported(1000, &supported) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(cupti.DeviceSupported(gpu.device, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.ComputeCapabilitySupported(9, 0, &supported) == CUPTI_SUCCESS);
    CHECK(supported == 1);
    CHECK(cupti.ComputeCapabilitySupported(99, 0, &supported) == CUPTI_SUCCESS);
    CHECK(supported == 0);
    CHECK(cupti.ComputeCapabilitySupported(9, 0, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CUpti_DeviceVirtualizationMode mode{};
    CHECK(cupti.DeviceVirtualizationMode(gpu.device, &mode) == CUPTI_SUCCESS);
    CHECK(mode == CUPTI_DEVICE_VIRTUALIZATION_MODE_NONE);
    CHECK(cupti.DeviceVirtualizationMode(-1, &mode) == CUPTI_ERROR_INVALID_DEVICE);
    CHECK(cupti.DeviceVirtualizationMode(gpu.device, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CUpti_ActivityAutoBoostState boost;
    CHECK(cupti.GetAutoBoostState(gpu.handle, &boost) == CUPTI_ERROR_NOT_SUPPORTED);
    CHECK(cupti.GetAutoBoostState(gpu.handle, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.SetThreadIdType(static_cast<CUpti_ActivityThreadIdType>(7)) == CUPTI_ERROR_NOT_SUPPORTED);
    CHECK(cupti.GetThreadIdType(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.ActivityEnableHWTrace(1) == CUPTI_ERROR_NOT_SUPPORTED);
    CHECK(cupti.GetTimestamp(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.ActivityFlushPeriod(10) == CUPTI_SUCCESS);
    CHECK(cupti.ActivityEnableLaunchAttributes(1) == CUPTI_SUCCESS);
    CHECK(cupti.ActivityEnableAllSyncRecords(1) == CUPTI_SUCCESS);
    CHECK(cupti.ActivityEnableAllocationSource(1) == CUPTI_SUCCESS);
    CHECK(cupti.ActivityEnableDeviceGraph(1) == CUPTI_SUCCESS);
    CHECK(cupti.ActivityEnableRuntimeApi(3, 1) == CUPTI_SUCCESS);
    CUpti_ActivityUnifiedMemoryCounterConfig config{CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES,
                                                    CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING, 0, 1};
    CHECK(cupti.ActivityConfigureUnifiedMemoryCounter(&config, 1) == CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE);
    CHECK(cupti.ActivityConfigureUnifiedMemoryCounter(&config, 0) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.ActivityConfigureUnifiedMemoryCounter(nullptr, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    config.kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_UNKNOWN;
    CHECK(cupti.ActivityConfigureUnifiedMemoryCounter(&config, 1) == CUPTI_ERROR_INVALID_PARAMETER);
    CUpti_ActivityPCSamplingConfig sampling;
    CHECK(cupti.ActivityConfigurePCSampling(gpu.handle, &sampling) == CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
}

TEST_CASE("the last error of a thread is kept until it is asked for") {
    test::activity_tool tool;
    static_cast<void>(tool.cupti.GetLastError());
    CHECK(tool.cupti.GetLastError() == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_INVALID) == CUPTI_ERROR_INVALID_KIND);
    CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_SUCCESS);
    std::thread{[&] { CHECK(tool.cupti.GetLastError() == CUPTI_SUCCESS); }}.join();
    CHECK(tool.cupti.GetLastError() == CUPTI_ERROR_INVALID_KIND);
    CHECK(tool.cupti.GetLastError() == CUPTI_SUCCESS);
}

TEST_CASE("records have the layout of each release") {
    // Sizes of the structures in CUPTI's headers, which tests/abi holds against them.
    struct expected {
        unsigned first, second;
        std::uint32_t version;
        std::size_t kernel_bytes;
        std::size_t memcpy_bytes;
    };
    for (expected const& each :
         {expected{11, 1, 14, 160, 80}, expected{11, 8, 18, 200, 88}, expected{12, 0, 19, 208, 88},
          expected{12, 4, 22, 208, 88}, expected{12, 9, 28, 208, 96}, expected{13, 0, 130000, 216, 96},
          expected{13, 5, 130500, 248, 112}}) {
        CAPTURE(each.first);
        CAPTURE(each.second);
        auto const release = activity::release(each.first, each.second);
        in_release const as{release};
        with_kernels gpu;
        CUdeviceptr const to = gpu.buffer(64);
        CUfunction const store = gpu.kernel("store");
        test::activity_tool tool{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
        std::uint32_t told = 0;
        CHECK(tool.cupti.GetVersion(&told) == CUPTI_SUCCESS);
        CHECK(told == each.version);
        CHECK(tool.release == release); // as what reads it finds out
        tool.limit = 1;
        CUdeviceptr address = to;
        void* params[]{&address};
        CHECK(gpu.driver.LaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
        CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS);
        CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY) == CUPTI_SUCCESS);
        std::uint32_t fetched = 0;
        CHECK(gpu.driver.MemcpyDtoH(&fetched, to, 4) == CUDA_SUCCESS);
        CHECK(fetched == 7);
        REQUIRE(tool.full.size() == 2);
        CHECK(tool.full[0].valid == each.kernel_bytes);
        CHECK(tool.full[1].valid == each.memcpy_bytes);
        auto const records = tool.take();
        REQUIRE(records.size() == 2);
        auto const& kernel = std::get<activity::kernel>(records[0]);
        CHECK(kernel.name == "store");
        CHECK(kernel.block == activity::dimensions{1, 1, 1});
        CHECK(kernel.time.known());
        CHECK(kernel.cluster_x.has_value() == (release >= activity::release(11, 8)));
        CHECK(kernel.max_active_clusters.has_value() == (release >= activity::release(12, 0)));
        CHECK(kernel.channel.has_value() == (release >= activity::release(11, 6)));
        CHECK(kernel.priority.has_value() == (release >= activity::release(13, 1)));
        auto const& copy = std::get<activity::memcpy>(records[1]);
        CHECK(copy.size == gpuprof::bytes{4.});
        CHECK(copy.direction == activity::memcpy_kind::device_to_host);
        CHECK(copy.copies.has_value() == (release >= activity::release(12, 8)));
        CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_JIT) ==
              (release >= activity::release(11, 8) ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_KIND));
    }
}

TEST_CASE("host functions are recorded from CUDA 13.1 on") {
    in_release const as{activity::release(13, 5)};
    embedded_context gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_HOST_LAUNCH};
    int called = 0;
    auto const call = [](void* count) { ++*static_cast<int*>(count); };
    CHECK(gpu.driver.LaunchHostFunc(nullptr, call, &called) == CUDA_SUCCESS);
    auto const records = tool.take();
    REQUIRE(records.size() == 1);
    auto const& host = std::get<activity::host_launch>(records[0]);
    CHECK(host.device == static_cast<std::uint32_t>(gpu.device));
    CHECK(host.correlation != 0);
    CHECK(called == 1);
}

TEST_CASE("the machine of earlier chips writes records of CUDA 12.9") {
    filling gpu;
    test::activity_tool tool{{CUPTI_ACTIVITY_KIND_MEMSET}, sim::cupti::legacy_table()};
    CHECK(tool.release == activity::release(12, 9));
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_BRANCH) == CUPTI_ERROR_NOT_SUPPORTED); // by source line
    gpu.fill(9);
    auto const records = tool.take();
    REQUIRE(records.size() == 1);
    auto const& fill = std::get<activity::memset>(records[0]);
    CHECK(fill.value == 9);
    CHECK(!fill.device_launched); // a member of CUDA 13.0
}

} // namespace activity_settings_test
