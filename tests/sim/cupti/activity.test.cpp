// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the activity records that the embedded GPU makes of work: kernels, copies, fills, driver calls. Values come from
// what was launched; times from the documented rules of simulated time.
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "support/activity_tool.hpp"
#include "support/driver_kernels.hpp"

namespace activity_test {

using namespace gpuprof::abi;
namespace activity = gpuprof::activity;
namespace sim = gpuprof::sim;

namespace {

std::uint32_t context_id(test::activity_tool& tool, CUcontext context) {
    std::uint32_t id = 0;
    CHECK(tool.cupti.GetContextId(context, &id) == CUPTI_SUCCESS);
    CHECK(id != 0);
    return id;
}
std::uint32_t stream_id(test::activity_tool& tool, CUcontext context, CUstream stream) {
    std::uint32_t id = 0;
    CHECK(tool.cupti.GetStreamIdEx(context, stream, 0, &id) == CUPTI_SUCCESS);
    CHECK(id != 0);
    return id;
}

} // namespace

TEST_CASE("a kernel's record says what was launched, where and by which call") {
    with_kernels gpu;
    CUfunction const kernel = gpu.kernel("fill");
    CUdeviceptr const to = gpu.buffer(4 * 6 * 64);
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -2) == CUDA_SUCCESS);
    unsigned value = 3;
    CUdeviceptr given = to;
    void* params[]{&given, &value};
    std::uint64_t const before = tool.now();
    REQUIRE(gpu.driver.LaunchKernel(kernel, 3, 2, 1, 64, 1, 1, 256, stream, params, nullptr) == CUDA_SUCCESS);
    std::uint64_t const after = tool.now();
    auto const records = tool.take();
    activity::kernel const* launched = nullptr;
    activity::api_call const* call = nullptr;
    for (auto const& record : records) {
        if (auto const* const one = std::get_if<activity::kernel>(&record)) launched = one;
        if (auto const* const one = std::get_if<activity::api_call>(&record))
            if (one->callback == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) call = one;
    }
    REQUIRE(launched != nullptr);
    REQUIRE(call != nullptr);
    CHECK(launched->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    CHECK(launched->name == "fill");
    CHECK(launched->grid == activity::dimensions{3, 2, 1});
    CHECK(launched->block == activity::dimensions{64, 1, 1});
    CHECK(launched->dynamic_shared_memory == gpuprof::bytes{256.});
    CHECK(launched->device == static_cast<std::uint32_t>(gpu.device));
    CHECK(launched->context == context_id(tool, gpu.handle));
    CHECK(launched->stream == stream_id(tool, gpu.handle, stream));
    CHECK(launched->correlation == call->correlation);
    CHECK(launched->correlation != 0);
    CHECK(!launched->graph_node);
    CHECK(launched->launch == activity::launch_type::regular);
    CHECK(!launched->queued.known());
    // Nothing starts before the call that started it; a call takes a microsecond.
    CHECK(call->kind == CUPTI_ACTIVITY_KIND_DRIVER);
    CHECK(call->status == CUDA_SUCCESS);
    CHECK(call->time.start.ticks == before);
    CHECK(call->time.end.ticks == before + 1000);
    CHECK(after == before + 1001);
    CHECK(launched->time.start == call->time.start);
    CHECK(launched->time.end > launched->time.start);
    CHECK(launched->completed == launched->time.end);
    CHECK(tool.dropped() == 0);
}

TEST_CASE("copies and fills are records with their bytes, ends and times") {
    with_kernels gpu;
    CUdeviceptr const device = gpu.buffer(512'000);
    std::vector<unsigned char> host(512'000);
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};
    void* pinned = nullptr;
    REQUIRE(gpu.driver.MemHostAlloc(&pinned, 4096, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.MemcpyHtoD(device, host.data(), 512'000) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.MemsetD32Async(device, 7, 1000, nullptr) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.MemcpyDtoHAsync(pinned, device, 4096, nullptr) == CUDA_SUCCESS);
    auto const records = tool.take();
    REQUIRE(records.size() == 3);
    auto const& up = std::get<activity::memcpy>(records[0]);
    CHECK(up.size == gpuprof::bytes{512'000.});
    CHECK(up.direction == activity::memcpy_kind::host_to_device);
    CHECK(up.from == activity::memory_kind::pageable);
    CHECK(up.to == activity::memory_kind::device);
    CHECK(!up.asynchronous());
    CHECK(up.time.duration() == gpuprof::nanoseconds{1000 + 512'000 / 51.2}); // 51.2 bytes a nanosecond: PCIe 5 x16
    auto const& set = std::get<activity::memset>(records[1]);
    CHECK(set.value == 7);
    CHECK(set.size == gpuprof::bytes{4000.});
    CHECK(set.memory == activity::memory_kind::device);
    CHECK(set.asynchronous());
    auto const& down = std::get<activity::memcpy>(records[2]);
    CHECK(down.direction == activity::memcpy_kind::device_to_host);
    CHECK(down.to == activity::memory_kind::pinned);
    CHECK(down.asynchronous());
    CHECK(down.time.duration() == gpuprof::nanoseconds{1000 + 4096 / 51.2});
    CHECK(up.time.end <= set.time.start); // one stream
    CHECK(set.time.end <= down.time.start);
    CHECK(up.correlation < set.correlation);
    CHECK(set.correlation < down.correlation);
    REQUIRE(gpu.driver.MemFreeHost(pinned) == CUDA_SUCCESS);
}

} // namespace activity_test
