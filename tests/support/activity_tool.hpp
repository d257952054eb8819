// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool that has CUPTI's activity calls fill its buffers, as one that traces does; one at a time. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_ACTIVITY_TOOL_HPP
#define GPUPROF_TESTS_SUPPORT_ACTIVITY_TOOL_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/hw/abi/cupti.hpp>
#include "sim/cupti/cupti.hpp"
#include <gpuprof/hw/activity/record.hpp>

namespace test {

class activity_tool {
public:
    using abi_kind = gpuprof::abi::CUpti_ActivityKind;

    // Enables the kinds, in this order.
    explicit activity_tool(std::initializer_list<abi_kind> kinds = {},
                           gpuprof::abi::cupti_table const& calls = gpuprof::sim::cupti::table())
        : cupti{calls} {
        active() = this;
        CHECK(cupti.Finalize() == gpuprof::abi::CUPTI_SUCCESS);
        CHECK(cupti.ActivityRegisterCallbacks(requested, completed) == gpuprof::abi::CUPTI_SUCCESS);
        std::uint32_t version = 0;
        CHECK(cupti.GetVersion(&version) == gpuprof::abi::CUPTI_SUCCESS);
        release = gpuprof::activity::release_of_cupti(version);
        for (abi_kind const kind : kinds) CHECK(cupti.ActivityEnable(kind) == gpuprof::abi::CUPTI_SUCCESS);
    }
    ~activity_tool() {
        CHECK(cupti.Finalize() == gpuprof::abi::CUPTI_SUCCESS);
        CHECK(given == returned); // no buffer is kept, none is given back twice
        active() = nullptr;
    }
    activity_tool(activity_tool const&) = delete;
    activity_tool& operator=(activity_tool const&) = delete;

    // Flushes and decodes all that came since the last time. Texts and lists stay valid as long as the tool.
    std::vector<gpuprof::activity::record> take() {
        CHECK(cupti.ActivityFlushAll(1) == gpuprof::abi::CUPTI_SUCCESS);
        return decoded();
    }
    // What came without flushing.
    std::vector<gpuprof::activity::record> decoded() {
        std::lock_guard const held{mutex};
        std::vector<gpuprof::activity::record> records;
        for (; taken < full.size(); ++taken) {
            auto const& buffer = full[taken];
            gpuprof::abi::CUpti_Activity* at = nullptr;
            while (cupti.ActivityGetNextRecord(buffer.bytes, buffer.valid, &at) == gpuprof::abi::CUPTI_SUCCESS)
                records.push_back(gpuprof::activity::decode(
                    release, at,
                    buffer.valid - static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(at) - buffer.bytes)));
            CHECK(cupti.ActivityGetNextRecord(buffer.bytes, buffer.valid, &at) ==
                  gpuprof::abi::CUPTI_ERROR_MAX_LIMIT_REACHED);
        }
        return records;
    }
    // Those of one type.
    template <class Record>
    std::vector<Record> take_only() {
        std::vector<Record> only;
        for (auto const& record : take())
            if (auto const* const one = std::get_if<Record>(&record)) only.push_back(*one);
        return only;
    }
    std::size_t dropped() {
        std::size_t count = 0;
        CHECK(cupti.ActivityGetNumDroppedRecords(nullptr, 0, &count) == gpuprof::abi::CUPTI_SUCCESS);
        return count;
    }
    std::uint64_t now() {
        std::uint64_t nanoseconds = 0;
        CHECK(cupti.GetTimestamp(&nanoseconds) == gpuprof::abi::CUPTI_SUCCESS);
        return nanoseconds;
    }

    gpuprof::abi::cupti_table cupti;
    gpuprof::activity::cuda_release release{};
    std::size_t size = std::size_t{1} << 16; // of the buffers that it gives
    std::size_t limit = 0;                   // records a buffer
    std::size_t most = ~std::size_t{0};      // buffers that it gives; none beyond
    std::function<void()> on_request;
    std::function<void(std::size_t valid)> on_complete;
    std::size_t given = 0;
    std::size_t returned = 0;
    struct filled {
        std::uint8_t* bytes;
        std::size_t valid;
    };
    std::vector<filled> full;

private:
    static activity_tool*& active() {
        static activity_tool* tool = nullptr;
        return tool;
    }
    static void requested(std::uint8_t** buffer, std::size_t* size, std::size_t* limit) {
        activity_tool& tool = *active();
        if (tool.on_request) tool.on_request();
        std::lock_guard const held{tool.mutex};
        *buffer = nullptr;
        *size = 0;
        if (tool.given == tool.most) return;
        ++tool.given;
        tool.storage.push_back(std::make_unique<std::uint64_t[]>(tool.size / 8 + 1));
        *buffer = reinterpret_cast<std::uint8_t*>(tool.storage.back().get());
        *size = tool.size;
        *limit = tool.limit;
    }
    static void completed(gpuprof::abi::CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
        activity_tool& tool = *active();
        {
            std::lock_guard const held{tool.mutex};
            CHECK(context == nullptr);
            CHECK(stream == 0);
            ++tool.returned;
            tool.full.push_back({buffer, valid});
        }
        if (tool.on_complete) tool.on_complete(valid);
    }

    std::mutex mutex;
    std::size_t taken = 0;
    std::vector<std::unique_ptr<std::uint64_t[]>> storage;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_ACTIVITY_TOOL_HPP
