// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the activity records that the embedded GPU makes of everything but work: waiting, events, streams, contexts,
// devices, memory, code, graphs.
#include <cstdint>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "support/activity_tool.hpp"
#include "support/driver_kernels.hpp"

namespace activity_objects_test {

using namespace gpuprof::abi;
namespace activity = gpuprof::activity;
namespace sim = gpuprof::sim;

namespace {

std::uint32_t context_id(test::activity_tool& tool, CUcontext context) {
    std::uint32_t id = 0;
    CHECK(tool.cupti.GetContextId(context, &id) == CUPTI_SUCCESS);
    return id;
}
std::uint32_t stream_id(test::activity_tool& tool, CUstream stream) {
    std::uint32_t id = 0;
    CHECK(tool.cupti.GetStreamIdEx(nullptr, stream, 0, &id) == CUPTI_SUCCESS);
    return id;
}

// A graph of a kernel, a fill and a copy, captured from a stream.
struct small_graph : with_kernels {
    small_graph() {
        REQUIRE(driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
        to = buffer(64);
        CUfunction const store = kernel("store");
        REQUIRE(driver.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
        void* params[]{&to};
        REQUIRE(driver.LaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, params, nullptr) == CUDA_SUCCESS);
        REQUIRE(driver.MemsetD8Async(to + 8, 1, 8, stream) == CUDA_SUCCESS);
        REQUIRE(driver.MemcpyDtoDAsync(to + 16, to, 8, stream) == CUDA_SUCCESS);
        REQUIRE(driver.StreamEndCapture(stream, &graph) == CUDA_SUCCESS);
        for (auto& executable : executables)
            REQUIRE(driver.GraphInstantiateWithFlags(&executable, graph, 0) == CUDA_SUCCESS);
    }
    CUstream stream = nullptr;
    CUdeviceptr to = 0;
    CUgraph graph = nullptr;
    CUgraphExec executables[2] = {};
};

} // namespace

TEST_CASE("waits are records with their time and what was waited for") {
    with_kernels gpu;
    CUdeviceptr const device = gpu.buffer(512'000);
    std::vector<unsigned char> host(512'000);
    CUstream streams[2] = {};
    CUevent event = nullptr;
    for (auto& stream : streams) REQUIRE(gpu.driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.EventCreate(&event, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_CUDA_EVENT};
    tool.release = activity::release(13, 0);
    REQUIRE(tool.cupti.ActivityEnableCudaEventDeviceTimestamps(1) == CUPTI_SUCCESS);
    std::uint64_t const before = tool.now();
    REQUIRE(gpu.driver.MemcpyHtoDAsync(device, host.data(), 512'000, streams[0]) == CUDA_SUCCESS); // 11,000 ns
    REQUIRE(gpu.driver.EventRecord(event, streams[0]) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.StreamWaitEvent(streams[1], event, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.EventSynchronize(event) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.StreamSynchronize(streams[1]) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.StreamQuery(streams[0]) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.EventQuery(event) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    auto const records = tool.take();
    REQUIRE(records.size() == 7);
    auto const& recorded = std::get<activity::cuda_event>(records[0]);
    CHECK(recorded.context == context_id(tool, gpu.handle));
    CHECK(recorded.stream == stream_id(tool, streams[0]));
    CHECK(recorded.device == static_cast<std::uint32_t>(gpu.device));
    REQUIRE(recorded.time);
    CHECK(recorded.time->ticks == before + 11'000);
    auto const wait = [&](std::size_t i) { return std::get<activity::synchronization>(records[i]); };
    CHECK(wait(1).type == activity::synchronization_type::stream_wait_event);
    CHECK(wait(1).stream == stream_id(tool, streams[1]));
    CHECK(wait(1).event == recorded.event);
    CHECK(wait(1).event_synchronization == recorded.event_synchronization);
    CHECK(wait(2).type == activity::synchronization_type::event_synchronize);
    CHECK(!wait(2).stream);
    CHECK(wait(2).event == recorded.event);
    CHECK(wait(2).time.start.ticks == before + 3000); // three calls of a microsecond came before
    CHECK(wait(2).time.end.ticks == before + 11'000);
    CHECK(wait(3).type == activity::synchronization_type::stream_synchronize);
    CHECK(wait(3).stream == stream_id(tool, streams[1]));
    CHECK(wait(3).time.duration() == gpuprof::nanoseconds{0.}); // it was over
    CHECK(wait(4).type == activity::synchronization_type::stream_synchronize);
    CHECK(wait(5).type == activity::synchronization_type::event_synchronize);
    CHECK(wait(6).type == activity::synchronization_type::context_synchronize);
    CHECK(!wait(6).stream);
    CHECK(!wait(6).event);
    CHECK(wait(6).status == CUDA_SUCCESS);
}

TEST_CASE("streams and contexts are records when they are made, and dumped when they are asked for later") {
    embedded_context gpu;
    CUstream stream = nullptr;
    {
        test::activity_tool tool{CUPTI_ACTIVITY_KIND_STREAM, CUPTI_ACTIVITY_KIND_CONTEXT};
        CUcontext other = nullptr;
        REQUIRE(gpu.driver.CtxCreate(&other, 0, gpu.device) == CUDA_SUCCESS);
        REQUIRE(gpu.driver.StreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -3) == CUDA_SUCCESS);
        auto const records = tool.take();
        REQUIRE(records.size() == 3);
        auto const& context = std::get<activity::context>(records[0]);
        CHECK(context.id == context_id(tool, other));
        CHECK(context.device == static_cast<std::uint32_t>(gpu.device));
        CHECK(context.api == activity::compute_api::cuda);
        CHECK(context.null_stream == stream_id(tool, nullptr));
        auto const& null = std::get<activity::stream>(records[1]);
        CHECK(null.flag == activity::stream_flag::null_);
        CHECK(null.id == context.null_stream);
        auto const& made = std::get<activity::stream>(records[2]);
        CHECK(made.id == stream_id(tool, stream));
        CHECK(made.context == context.id);
        CHECK(made.flag == activity::stream_flag::non_blocking);
        CHECK(static_cast<std::int32_t>(made.priority) == -3);
        CHECK(made.correlation != 0);
        CHECK(made.id != null.id);
        REQUIRE(gpu.driver.CtxDestroy(other) == CUDA_SUCCESS);
    }
    REQUIRE(gpu.driver.StreamCreate(&stream, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
    test::activity_tool tool;
    REQUIRE(tool.cupti.ActivityEnableAndDump(CUPTI_ACTIVITY_KIND_STREAM) == CUPTI_SUCCESS);
    std::uint32_t const id = context_id(tool, gpu.handle);
    std::set<std::uint32_t> streams;
    for (auto const& one : tool.take_only<activity::stream>())
        if (one.context == id) CHECK(streams.insert(one.id).second);
    CHECK(streams == std::set{stream_id(tool, nullptr), stream_id(tool, stream)});
    REQUIRE(tool.cupti.ActivityEnableAndDump(CUPTI_ACTIVITY_KIND_CONTEXT) == CUPTI_SUCCESS);
    std::size_t found = 0;
    for (auto const& one : tool.take_only<activity::context>()) found += one.id == id ? 1 : 0;
    CHECK(found == 1);
    REQUIRE(tool.cupti.ActivityEnableAndDump(CUPTI_ACTIVITY_KIND_NVLINK) == CUPTI_SUCCESS);
    CHECK(tool.take().empty());
}

TEST_CASE("devices, what they hang on, and their clocks are dumped as the driver tells them") {
    embedded_context gpu;
    test::activity_tool tool;
    REQUIRE(tool.cupti.ActivityEnableAndDump(CUPTI_ACTIVITY_KIND_DEVICE) == CUPTI_SUCCESS);
    REQUIRE(tool.cupti.ActivityEnableAndDump(CUPTI_ACTIVITY_KIND_PCIE) == CUPTI_SUCCESS);
    REQUIRE(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_ENVIRONMENT) == CUPTI_SUCCESS);
    activity::device device;
    activity::pcie bus;
    activity::environment clocks;
    auto const number = static_cast<std::uint32_t>(gpu.device);
    for (auto const& record : tool.take()) {
        if (auto const* const one = std::get_if<activity::device>(&record))
            if (one->id == number) device = *one;
        if (auto const* const one = std::get_if<activity::pcie>(&record))
            if (one->id == number) bus = *one;
        if (auto const* const one = std::get_if<activity::environment>(&record))
            if (one->device == number) clocks = *one;
    }
    char name[256];
    REQUIRE(gpu.driver.DeviceGetName(name, 256, gpu.device) == CUDA_SUCCESS);
    CHECK(device.name == std::string_view{name});
    auto const attribute = [&](CUdevice_attribute which) {
        int value = 0;
        CHECK(gpu.driver.DeviceGetAttribute(&value, which, gpu.device) == CUDA_SUCCESS);
        return static_cast<std::uint32_t>(value);
    };
    CHECK(device.capability_first == attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
    CHECK(device.multiprocessors == attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    CHECK(device.core_clock == attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
    CHECK(device.max_block == activity::dimensions{1024, 1024, 64});
    CHECK(device.max_grid == activity::dimensions{2147483647, 65535, 65535});
    std::size_t memory = 0;
    REQUIRE(gpu.driver.DeviceTotalMem(&memory, gpu.device) == CUDA_SUCCESS);
    CHECK(device.memory == gpuprof::bytes{static_cast<double>(memory)});
    CHECK(device.max_warps_per_multiprocessor == 64); // Hopper tuning guide, 1.4.1.1
    CHECK(device.uuid == bus.device_uuid);
    CHECK(bus.type == activity::pcie_device_type::gpu);
    CHECK(bus.upstream_bus == attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID));
    CHECK(bus.generation == 5); // H100 data sheet: PCIe Gen5, 16 lanes of 32 GT/s
    CHECK(bus.link_width == 16);
    CHECK(bus.link_rate == 32);
    REQUIRE(bus.peers);
    // Those of its chip that other test cases of this process have made.
    int devices = 0, listed = 0;
    REQUIRE(gpu.driver.DeviceGetCount(&devices) == CUDA_SUCCESS);
    for (CUdevice other = 0; other < devices; ++other) {
        int can = 0;
        CHECK(gpu.driver.DeviceCanAccessPeer(&can, gpu.device, other) == CUDA_SUCCESS);
        if (can != 0) CHECK(bus.peers->devices[listed++] == other);
    }
    CHECK(bus.peers->devices[listed] == -1);
    CHECK(clocks.kind == activity::environment_kind::speed);
    CHECK(clocks.sm_clock == device.core_clock / 1000);
    CHECK(clocks.throttle_reasons == 0);
}

TEST_CASE("memory is recorded when it is allocated and when it is released") {
    embedded_context gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMORY, CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_MEMORY_POOL};
    CUdeviceptr device = 0, pooled = 0, managed = 0;
    CUstream stream = nullptr;
    std::uint64_t const before = tool.now();
    REQUIRE(gpu.driver.MemAlloc(&device, 1000) == CUDA_SUCCESS);                             // 0 ns after `before`
    REQUIRE(gpu.driver.MemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS); // 1,000
    REQUIRE(gpu.driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);       // 2,000
    REQUIRE(gpu.driver.MemAllocAsync(&pooled, 256, stream) == CUDA_SUCCESS);                 // 3,000
    REQUIRE(gpu.driver.MemFreeAsync(pooled, stream) == CUDA_SUCCESS);                        // 4,000
    REQUIRE(gpu.driver.MemFree(device) == CUDA_SUCCESS);                                     // 5,000
    REQUIRE(gpu.driver.MemFree(managed) == CUDA_SUCCESS);                                    // 6,000
    std::vector<activity::memory_operation> operations;
    std::vector<activity::memory> spans;
    std::vector<activity::memory_pool> pools;
    for (auto const& record : tool.take()) {
        if (auto const* const one = std::get_if<activity::memory_operation>(&record)) operations.push_back(*one);
        if (auto const* const one = std::get_if<activity::memory>(&record)) spans.push_back(*one);
        if (auto const* const one = std::get_if<activity::memory_pool>(&record)) pools.push_back(*one);
    }
    REQUIRE(operations.size() == 6);
    REQUIRE(spans.size() == 3);
    CHECK(operations[0].type == activity::memory_operation_type::allocation);
    CHECK(operations[0].memory == activity::memory_kind::device);
    CHECK(operations[0].address == device);
    CHECK(operations[0].size == gpuprof::bytes{1000.});
    CHECK(operations[0].time.ticks == before);
    CHECK(operations[0].context == context_id(tool, gpu.handle));
    CHECK(!operations[0].asynchronous);
    CHECK(!operations[0].stream);
    CHECK(operations[0].pool == activity::memory_pool_type::invalid);
    CHECK(operations[1].memory == activity::memory_kind::managed);
    CHECK(operations[2].asynchronous);
    CHECK(operations[2].stream == stream_id(tool, stream));
    CHECK(operations[2].pool == activity::memory_pool_type::local);
    CHECK(operations[2].pool_used == gpuprof::bytes{256.});
    CHECK(operations[3].type == activity::memory_operation_type::release);
    CHECK(operations[3].address == pooled);
    CHECK(operations[3].pool_used == gpuprof::bytes{0.});
    CHECK(operations[4].type == activity::memory_operation_type::release);
    CHECK(operations[4].address == device);
    CHECK(operations[4].size == gpuprof::bytes{1000.});
    CHECK(spans[1].address == device);
    CHECK(spans[1].time.start.ticks == before);
    CHECK(spans[1].time.end.ticks == before + 5000);
    CHECK(spans[2].memory == activity::memory_kind::managed);
    CHECK(spans[2].time.duration() == gpuprof::nanoseconds{5000.});
    CHECK(pools.size() <= 1); // the device's pool is made once a process
    for (auto const& pool : pools) {
        CHECK(pool.operation == activity::memory_pool_operation::created);
        CHECK(pool.address == operations[2].pool_address);
    }
}

TEST_CASE("a module's PTX is compiled in time that goes with its length") {
    embedded_context gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_JIT, CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_FUNCTION};
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    REQUIRE(gpu.driver.ModuleLoadData(&module, driver_kernels) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.ModuleGetFunction(&function, module, "fill") == CUDA_SUCCESS);
    REQUIRE(gpu.driver.ModuleGetFunction(&function, module, "fill") == CUDA_SUCCESS); // known: no record
    auto const records = tool.take();
    REQUIRE(records.size() == 4);
    auto const& compiled = std::get<activity::jit>(records[0]);
    double const nanoseconds = 10 * static_cast<double>(std::string_view{driver_kernels}.size());
    CHECK(compiled.entry == activity::jit_entry::ptx_to_cubin);
    CHECK(compiled.operation == activity::jit_operation::compile);
    CHECK(compiled.time.duration() == gpuprof::nanoseconds{nanoseconds});
    CHECK(compiled.cache_path.data() == nullptr);
    auto const& cost = std::get<activity::overhead>(records[1]);
    CHECK(cost.kind == activity::overhead_kind::driver_compiler);
    CHECK(cost.object.kind == activity::object_kind::thread);
    CHECK(cost.time == compiled.time);
    CHECK(cost.correlation == compiled.correlation);
    auto const& found = std::get<activity::function>(records[2]);
    CHECK(found.name == "fill");
    CHECK(found.context == context_id(tool, gpu.handle));
    auto const& flush = std::get<activity::overhead>(records[3]);
    CHECK(flush.kind == activity::overhead_kind::cupti_buffer_flush);
    CHECK(flush.time.duration() == gpuprof::nanoseconds{1000.});
}

TEST_CASE("nodes of graphs have numbers of their own, and records name them") {
    small_graph gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMSET,
                             CUPTI_ACTIVITY_KIND_MEMCPY};
    std::uint32_t graph = 0, executables[2] = {};
    CHECK(tool.cupti.GetGraphId(gpu.graph, &graph) == CUPTI_SUCCESS);
    for (int i = 0; i < 2; ++i) CHECK(tool.cupti.GetGraphExecId(gpu.executables[i], &executables[i]) == CUPTI_SUCCESS);
    CHECK(std::set{graph, executables[0], executables[1]}.size() == 3);
    CUgraphNode nodes[3] = {};
    std::size_t count = 3;
    REQUIRE(gpu.driver.GraphGetNodes(gpu.graph, nodes, &count) == CUDA_SUCCESS);
    std::set<std::uint64_t> numbers;
    for (CUgraphNode const node : nodes) {
        std::uint64_t number = 0;
        CHECK(tool.cupti.GetGraphNodeId(node, &number) == CUPTI_SUCCESS);
        CHECK(numbers.insert(number).second);
    }
    for (CUgraphExec const executable : gpu.executables)
        REQUIRE(gpu.driver.GraphLaunch(executable, gpu.stream) == CUDA_SUCCESS);
    auto const records = tool.take();
    REQUIRE(records.size() == 6);
    std::uint32_t correlation = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        std::uint32_t const expected = executables[i / 3];
        auto const check = [&](auto const& one) {
            CHECK(one.graph == expected);
            REQUIRE(one.graph_node);
            CHECK(numbers.insert(*one.graph_node).second); // an executable's nodes are its own
            if (i % 3 == 0) CHECK(one.correlation != correlation);
            else CHECK(one.correlation == correlation); // one call
            correlation = one.correlation;
            CHECK(one.stream == stream_id(tool, gpu.stream));
        };
        if (i % 3 == 0) check(std::get<activity::kernel>(records[i]));
        if (i % 3 == 1) check(std::get<activity::memset>(records[i]));
        if (i % 3 == 2) check(std::get<activity::memcpy>(records[i]));
    }
    std::uint64_t number = 0;
    CHECK(tool.cupti.GetGraphNodeId(nullptr, &number) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.GetGraphNodeId(nodes[0], nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    REQUIRE(gpu.driver.GraphDestroy(gpu.graph) == CUDA_SUCCESS);
    CHECK(tool.cupti.GetGraphNodeId(nodes[0], &number) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.GetGraphId(gpu.graph, &graph) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("a graph as a whole is one record, and its nodes none") {
    small_graph gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                             CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMCPY};
    REQUIRE(gpu.driver.GraphLaunch(gpu.executables[1], gpu.stream) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.MemsetD8Async(gpu.to, 1, 8, gpu.stream) == CUDA_SUCCESS);
    auto const records = tool.take();
    REQUIRE(records.size() == 2);
    auto const& whole = std::get<activity::graph_trace>(records[0]);
    auto const& fill = std::get<activity::memset>(records[1]);
    std::uint32_t id = 0;
    CHECK(tool.cupti.GetGraphExecId(gpu.executables[1], &id) == CUPTI_SUCCESS);
    CHECK(whole.graph == id);
    CHECK(whole.device == static_cast<std::uint32_t>(gpu.device));
    CHECK(whole.end_device == whole.device);
    CHECK(whole.stream == stream_id(tool, gpu.stream));
    CHECK(whole.time.duration()->value() > 2000); // a fill and a copy take a microsecond each, at least
    CHECK(fill.time.start >= whole.time.end);
}

} // namespace activity_objects_test
