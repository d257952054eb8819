// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of how activity records of the embedded GPU get to a tool: buffers, flushes, lost records, reading, detaching. The
// answers are those that cupti_activity.h documents.
#include <atomic>
#include <cstdint>
#include <thread>
#include <variant>
#include <vector>

#include "support/activity_tool.hpp"
#include "support/driver_kernels.hpp"

namespace activity_buffers_test {

using namespace gpuprof::abi;
namespace activity = gpuprof::activity;

namespace {

constexpr std::size_t fill_bytes = 88; // CUpti_ActivityMemset4, of CUDA 13.0

// Work that is one record each: fills.
struct filling : embedded_context {
    filling() { REQUIRE(driver.MemAlloc(&to, 4096) == CUDA_SUCCESS); }
    void fill(int count = 1) {
        for (int i = 0; i < count; ++i) CHECK(driver.MemsetD8Async(to, 1, 16, nullptr) == CUDA_SUCCESS);
    }
    CUdeviceptr to = 0;
};

} // namespace

TEST_CASE("a buffer is asked for when a record needs one, and given back when the next does not fit") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET};
    tool.size = 3 * fill_bytes + 40;
    CHECK(tool.given == 0);
    gpu.fill();
    CHECK(tool.given == 1);
    gpu.fill(2);
    CHECK(tool.returned == 0);
    gpu.fill();
    CHECK(tool.given == 2);
    REQUIRE(tool.full.size() == 1);
    CHECK(tool.full[0].valid == 3 * fill_bytes);
    CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_SUCCESS);
    REQUIRE(tool.full.size() == 2);
    CHECK(tool.full[1].valid == fill_bytes);
    CHECK(tool.decoded().size() == 4);
    CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_SUCCESS);
    CHECK(tool.full.size() == 2); // nothing was recorded since
    CHECK(tool.dropped() == 0);
}

TEST_CASE("a buffer is given back with as many records as the tool wants") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET};
    tool.limit = 2;
    gpu.fill(5);
    REQUIRE(tool.full.size() == 2);
    CHECK(tool.full[0].valid == 2 * fill_bytes);
    CHECK(tool.full[1].valid == 2 * fill_bytes);
    CHECK(tool.take().size() == 5);
}

TEST_CASE("records without room are dropped and counted, and the count begins again when it is read") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET};
    SUBCASE("the tool has no more buffers") {
        tool.size = 2 * fill_bytes;
        tool.most = 2;
        gpu.fill(7);
        CHECK(tool.dropped() == 3);
        CHECK(tool.dropped() == 0);
        tool.most = 3;
        gpu.fill();
        CHECK(tool.dropped() == 0);
        CHECK(tool.take().size() == 5);
    }
    SUBCASE("a buffer has no room for one record") {
        tool.size = fill_bytes - 8;
        gpu.fill(3);
        CHECK(tool.dropped() == 3);
        CHECK(tool.returned == tool.given);
        CHECK(tool.take().empty());
    }
}

TEST_CASE("a forced flush gives back buffers without records, too") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET};
    tool.size = fill_bytes;
    std::atomic<int> waiting{0};
    tool.on_request = [&] { // both threads ask for a buffer before one of them gets it
        for (++waiting; waiting < 2;) std::this_thread::yield();
    };
    CUcontext const context = gpu.handle;
    std::thread other{[&] {
        CHECK(gpu.driver.CtxSetCurrent(context) == CUDA_SUCCESS);
        gpu.fill();
    }};
    gpu.fill();
    other.join();
    CHECK(tool.given == 2);
    CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) == CUPTI_SUCCESS);
    CHECK(tool.returned == 2);
    CHECK(tool.decoded().size() == 2);
}

TEST_CASE("the tool may launch, flush and read in its functions for buffers") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET};
    tool.size = 2 * fill_bytes;
    int requests = 0;
    int nested = 0;
    tool.on_request = [&] {
        if (++requests == 1) gpu.fill(); // it has nowhere to go: dropped
    };
    tool.on_complete = [&](std::size_t) {
        if (++nested > 3) return;
        gpu.fill();
        CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_SUCCESS);
        CHECK(tool.now() != 0);
    };
    gpu.fill(4);
    tool.on_complete = nullptr;
    CHECK(tool.dropped() == 1);
    CHECK(tool.take().size() == 4 + 3);
}

TEST_CASE("nothing is recorded, asked for or counted without the tool's functions or with the kinds off") {
    filling gpu;
    test::activity_tool tool;
    gpu.fill();
    CHECK(tool.given == 0);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    gpu.fill();
    CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    gpu.fill();
    CHECK(tool.take().size() == 1);
    CHECK(tool.cupti.Finalize() == CUPTI_SUCCESS);
    CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
    gpu.fill();
    CHECK(tool.dropped() == 0);
    CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(tool.cupti.ActivityRegisterCallbacks(nullptr, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("reading goes from record to record and refuses what is no buffer of records") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET};
    gpu.fill(2);
    CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_SUCCESS);
    REQUIRE(tool.full.size() == 1);
    auto const [buffer, valid] = tool.full[0];
    CUpti_Activity* at = nullptr;
    CHECK(tool.cupti.ActivityGetNextRecord(nullptr, valid, &at) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.ActivityGetNextRecord(buffer, valid, nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(tool.cupti.ActivityGetNextRecord(buffer, 0, &at) == CUPTI_ERROR_MAX_LIMIT_REACHED);
    CHECK(at == nullptr);
    CHECK(tool.cupti.ActivityGetNextRecord(buffer, valid, &at) == CUPTI_SUCCESS);
    CHECK(reinterpret_cast<std::uint8_t*>(at) == buffer);
    CHECK(at->kind == CUPTI_ACTIVITY_KIND_MEMSET);
    CHECK(tool.cupti.ActivityGetNextRecord(buffer, valid, &at) == CUPTI_SUCCESS);
    CHECK(reinterpret_cast<std::uint8_t*>(at) == buffer + fill_bytes);
    CHECK(tool.cupti.ActivityGetNextRecord(buffer, valid, &at) == CUPTI_ERROR_MAX_LIMIT_REACHED);
    at = nullptr;
    CHECK(tool.cupti.ActivityGetNextRecord(buffer, fill_bytes - 1, &at) == CUPTI_ERROR_INVALID_KIND); // cut off
    std::uint64_t unknown[2] = {999, 0};
    at = nullptr;
    CHECK(tool.cupti.ActivityGetNextRecord(reinterpret_cast<std::uint8_t*>(unknown), sizeof unknown, &at) ==
          CUPTI_ERROR_INVALID_KIND);
    std::size_t* const nowhere = nullptr;
    CHECK(tool.cupti.ActivityGetNumDroppedRecords(nullptr, 0, nowhere) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("detaching gives every buffer back, forgets all settings, and CUPTI works again afterwards") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET};
    CHECK(tool.cupti.ActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 5) == CUPTI_SUCCESS);
    CHECK(tool.cupti.SetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM) == CUPTI_SUCCESS);
    gpu.fill(3);
    CHECK(tool.cupti.Finalize() == CUPTI_SUCCESS);
    CHECK(tool.returned == tool.given);
    gpu.fill(3);
    CHECK(tool.given == 1);
    std::uint64_t last = 0;
    CHECK(tool.cupti.ActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last) ==
          CUPTI_ERROR_QUEUE_EMPTY);
    CUpti_ActivityThreadIdType type{};
    CHECK(tool.cupti.GetThreadIdType(&type) == CUPTI_SUCCESS);
    CHECK(type == CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT);
    CHECK(tool.decoded().size() == 3);
    SUBCASE("and again") {
        test::activity_tool again{CUPTI_ACTIVITY_KIND_MEMSET};
        gpu.fill(2);
        CHECK(again.take().size() == 2);
    }
}

TEST_CASE("eight threads launch while another flushes and switches, and no record is lost unseen") {
    filling gpu;
    test::activity_tool tool{CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_DRIVER};
    tool.size = 1000;
    tool.most = 200;
    constexpr int threads = 8;
    constexpr int launches = 200;
    std::atomic<bool> done{false};
    std::thread other{[&] {
        while (!done) {
            CHECK(tool.cupti.ActivityFlushAll(0) == CUPTI_SUCCESS);
            CHECK(tool.cupti.ActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER) == CUPTI_SUCCESS);
            CHECK(tool.cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER) == CUPTI_SUCCESS);
            CHECK(tool.cupti.ActivityEnableContext(gpu.handle, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) ==
                  CUPTI_SUCCESS);
            std::this_thread::yield();
        }
    }};
    std::vector<std::thread> launching;
    for (int i = 0; i < threads; ++i)
        launching.emplace_back([&, i] {
            CHECK(gpu.driver.CtxSetCurrent(gpu.handle) == CUDA_SUCCESS);
            CHECK(tool.cupti.ActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0,
                                                               static_cast<std::uint64_t>(i)) == CUPTI_SUCCESS);
            gpu.fill(launches);
        });
    for (auto& one : launching) one.join();
    done = true;
    other.join();
    tool.most = ~std::size_t{0};
    std::size_t fills = 0;
    std::size_t rest = 0;
    for (auto const& record : tool.take()) {
        fills += std::holds_alternative<activity::memset>(record) ? 1 : 0;
        CHECK(!std::holds_alternative<activity::unknown>(record));
        ++rest;
    }
    std::size_t const lost = tool.dropped();
    CHECK(fills + lost >= threads * launches); // other kinds may be among the lost
    CHECK(fills <= threads * launches);
    CHECK(rest >= fills);
}

} // namespace activity_buffers_test
