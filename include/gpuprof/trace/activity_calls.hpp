// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's activity calls: those of the process, or those of one subscriber among several.
#ifndef GPUPROF_TRACE_ACTIVITY_CALLS_HPP
#define GPUPROF_TRACE_ACTIVITY_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../hw/abi/cupti.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// cuptiActivityGetNextRecord, for the process or for one subscriber.
struct next_record {
    decltype(abi::cupti_table::ActivityGetNextRecord) of_process = nullptr;
    decltype(abi::cupti_table::ActivityGetNextRecord_v2) of_one = nullptr;
    abi::CUpti_SubscriberHandle subscriber = nullptr;

    abi::CUptiResult operator()(std::uint8_t* bytes, std::size_t valid, abi::CUpti_Activity** at) const noexcept {
        return subscriber != nullptr ? of_one(subscriber, bytes, valid, at) : of_process(bytes, valid, at);
    }
};

// Where several tools share CUPTI (13.3 and later), each has kinds, buffers and settings of its own, by calls that take its
// subscriber's handle. @pre each call is there: has_own_calls() says so of those of one subscriber
struct activity_calls {
    abi::cupti_table const* cupti = nullptr;
    abi::CUpti_SubscriberHandle subscriber = nullptr; // null: the calls of the process

    [[nodiscard]] bool is_shared() const noexcept { return subscriber != nullptr; }
    // What the names of calls end with.
    [[nodiscard]] std::string_view suffix() const noexcept { return is_shared() ? "_v2" : ""; }
    // Whether this CUPTI has the calls of one subscriber.
    [[nodiscard]] static bool has_own_calls(abi::cupti_table const& in) noexcept {
        return in.ActivityEnable_v2 != nullptr && in.ActivityDisable_v2 != nullptr &&
               in.ActivityEnableAndDump_v2 != nullptr && in.ActivityRegisterCallbacks_v2 != nullptr &&
               in.ActivityGetAttribute_v2 != nullptr && in.ActivitySetAttribute_v2 != nullptr &&
               in.ActivityGetNextRecord_v2 != nullptr && in.ActivityGetNumDroppedRecords_v2 != nullptr &&
               in.ActivityPushExternalCorrelationId_v2 != nullptr &&
               in.ActivityPopExternalCorrelationId_v2 != nullptr && in.GetTimestamp_v2 != nullptr;
    }

    [[nodiscard]] abi::CUptiResult enable(abi::CUpti_ActivityKind kind) const noexcept {
        return is_shared() ? cupti->ActivityEnable_v2(subscriber, kind, nullptr) : cupti->ActivityEnable(kind);
    }
    [[nodiscard]] abi::CUptiResult disable(abi::CUpti_ActivityKind kind) const noexcept {
        return is_shared() ? cupti->ActivityDisable_v2(subscriber, kind, nullptr) : cupti->ActivityDisable(kind);
    }
    [[nodiscard]] abi::CUptiResult dump(abi::CUpti_ActivityKind kind) const noexcept {
        return is_shared() ? cupti->ActivityEnableAndDump_v2(subscriber, kind, nullptr)
                           : cupti->ActivityEnableAndDump(kind);
    }
    [[nodiscard]] abi::CUptiResult get(abi::CUpti_ActivityAttribute which, std::size_t* size,
                                       void* value) const noexcept {
        return is_shared() ? cupti->ActivityGetAttribute_v2(subscriber, which, size, value)
                           : cupti->ActivityGetAttribute(which, size, value);
    }
    [[nodiscard]] abi::CUptiResult set(abi::CUpti_ActivityAttribute which, std::size_t* size,
                                       void* value) const noexcept {
        return is_shared() ? cupti->ActivitySetAttribute_v2(subscriber, which, size, value)
                           : cupti->ActivitySetAttribute(which, size, value);
    }
    [[nodiscard]] abi::CUptiResult dropped(std::size_t* records) const noexcept {
        return is_shared() ? cupti->ActivityGetNumDroppedRecords_v2(subscriber, nullptr, 0, records)
                           : cupti->ActivityGetNumDroppedRecords(nullptr, 0, records);
    }
    [[nodiscard]] abi::CUptiResult push(abi::CUpti_ExternalCorrelationKind kind, std::uint64_t id) const noexcept {
        return is_shared() ? cupti->ActivityPushExternalCorrelationId_v2(subscriber, kind, id)
                           : cupti->ActivityPushExternalCorrelationId(kind, id);
    }
    [[nodiscard]] abi::CUptiResult pop(abi::CUpti_ExternalCorrelationKind kind, std::uint64_t* last) const noexcept {
        return is_shared() ? cupti->ActivityPopExternalCorrelationId_v2(subscriber, kind, last)
                           : cupti->ActivityPopExternalCorrelationId(kind, last);
    }
    [[nodiscard]] abi::CUptiResult timestamp(std::uint64_t* time) const noexcept {
        return is_shared() ? cupti->GetTimestamp_v2(subscriber, time) : cupti->GetTimestamp(time);
    }
    [[nodiscard]] next_record next() const noexcept {
        return {cupti->ActivityGetNextRecord, cupti->ActivityGetNextRecord_v2, subscriber};
    }
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_ACTIVITY_CALLS_HPP
