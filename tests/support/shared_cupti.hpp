// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUPTI of 13.3 that another tool shares: the calls of the process are refused, those of a subscriber work. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_SHARED_CUPTI_HPP
#define GPUPROF_TESTS_SUPPORT_SHARED_CUPTI_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "paper_activity.hpp"

namespace test {

// Makes `of` such a CUPTI, whose records remain those of 13.0. One at a time. By cupti_callbacks.h and
// cupti_activity.h of 13.5, which do not say that the calls of the process are refused: that is assumed, with a status of its own.
class shared_cupti {
public:
    explicit shared_cupti(paper_activity& of) : alone_{of.machine.cupti} {
        using namespace abi;
        current() = this;
        cupti_table& table = of.machine.cupti;
        table.Subscribe_v2 = [](CUpti_SubscriberHandle* handle, cupti_callback heard, void* user,
                                CUpti_SubscriberParams* names) {
            if (names->structSize != 40 || names->allowMultipleSubscribers == 0) {
                if (names->oldSubscriberSize > 16) std::strcpy(names->oldSubscriberName, "CUPTI for other");
                return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
            }
            return current()->alone_.Subscribe(handle, heard, user);
        };
        table.Subscribe = [](CUpti_SubscriberHandle*, cupti_callback, void*) {
            return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
        };
        table.ActivityEnable = [](CUpti_ActivityKind) { return CUPTI_ERROR_INVALID_OPERATION; };
        table.ActivityDisable = [](CUpti_ActivityKind) { return CUPTI_ERROR_INVALID_OPERATION; };
        table.ActivityRegisterCallbacks = [](CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc) {
            return CUPTI_ERROR_INVALID_OPERATION;
        };
        table.ActivitySetAttribute = [](CUpti_ActivityAttribute, std::size_t*, void*) {
            return CUPTI_ERROR_INVALID_OPERATION;
        };
        table.ActivityPushExternalCorrelationId = [](CUpti_ExternalCorrelationKind, std::uint64_t) {
            return CUPTI_ERROR_INVALID_OPERATION;
        };
        table.ActivityEnable_v2 = [](CUpti_SubscriberHandle by, CUpti_ActivityKind kind, void*) {
            return known(by) ? current()->alone_.ActivityEnable(kind) : CUPTI_ERROR_INVALID_PARAMETER;
        };
        table.ActivityEnableAndDump_v2 = table.ActivityEnable_v2;
        table.ActivityEnableAndDump = table.ActivityEnable;
        table.ActivityDisable_v2 = [](CUpti_SubscriberHandle by, CUpti_ActivityKind kind, void*) {
            return known(by) ? current()->alone_.ActivityDisable(kind) : CUPTI_ERROR_INVALID_PARAMETER;
        };
        table.ActivityRegisterCallbacks_v2 = [](CUpti_SubscriberHandle by, cupti_buffer_request_v2 asks,
                                                cupti_buffer_complete_v2 gives) {
            if (!known(by)) return CUPTI_ERROR_INVALID_PARAMETER;
            current()->asks_ = asks;
            current()->gives_ = gives;
            return current()->alone_.ActivityRegisterCallbacks(
                [](std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
                    current()->asks_(buffer, size, most, nullptr);
                },
                [](CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t size, std::size_t valid) {
                    current()->gives_(buffer, size, valid, nullptr);
                });
        };
        table.ActivityGetAttribute_v2 = [](CUpti_SubscriberHandle, CUpti_ActivityAttribute which, std::size_t* size,
                                           void* value) {
            if (which > CUPTI_ACTIVITY_ATTR_USER_DEFINED_RECORDS) return CUPTI_ERROR_NOT_SUPPORTED;
            return current()->alone_.ActivityGetAttribute(which, size, value);
        };
        table.ActivitySetAttribute_v2 = [](CUpti_SubscriberHandle by, CUpti_ActivityAttribute which, std::size_t* size,
                                           void* value) {
            if (!known(by)) return CUPTI_ERROR_INVALID_PARAMETER;
            if (which <= CUPTI_ACTIVITY_ATTR_USER_DEFINED_RECORDS)
                return current()->alone_.ActivitySetAttribute(which, size, value);
            std::uint64_t given = 0;
            std::memcpy(&given, value, *size);
            current()->own |= std::uint64_t{given != 0} << which;
            return CUPTI_SUCCESS;
        };
        table.ActivityGetNextRecord_v2 = [](CUpti_SubscriberHandle by, std::uint8_t* bytes, std::size_t valid,
                                            CUpti_Activity** at) {
            return known(by) ? current()->alone_.ActivityGetNextRecord(bytes, valid, at)
                             : CUPTI_ERROR_INVALID_PARAMETER;
        };
        table.ActivityGetNumDroppedRecords_v2 = [](CUpti_SubscriberHandle by, CUcontext context, std::uint32_t stream,
                                                   std::size_t* dropped) {
            return known(by) ? current()->alone_.ActivityGetNumDroppedRecords(context, stream, dropped)
                             : CUPTI_ERROR_INVALID_PARAMETER;
        };
        table.ActivityPushExternalCorrelationId_v2 = [](CUpti_SubscriberHandle by, CUpti_ExternalCorrelationKind kind,
                                                        std::uint64_t id) {
            return known(by) ? current()->alone_.ActivityPushExternalCorrelationId(kind, id)
                             : CUPTI_ERROR_INVALID_PARAMETER;
        };
        table.ActivityPopExternalCorrelationId_v2 = [](CUpti_SubscriberHandle by, CUpti_ExternalCorrelationKind kind,
                                                       std::uint64_t* last) {
            return known(by) ? current()->alone_.ActivityPopExternalCorrelationId(kind, last)
                             : CUPTI_ERROR_INVALID_PARAMETER;
        };
        table.GetTimestamp_v2 = [](CUpti_SubscriberHandle by, std::uint64_t* time) {
            return known(by) ? current()->alone_.GetTimestamp(time) : CUPTI_ERROR_INVALID_PARAMETER;
        };
    }
    ~shared_cupti() { current() = nullptr; }
    shared_cupti(shared_cupti const&) = delete;
    shared_cupti& operator=(shared_cupti const&) = delete;

    std::uint64_t own = 0; // the subscriber's settings that were not 0: a bit for each attribute from 12 on

private:
    static shared_cupti*& current() {
        static shared_cupti* one = nullptr;
        return one;
    }
    static bool known(abi::CUpti_SubscriberHandle by) { return by != nullptr; }

    abi::cupti_table alone_; // as if no other tool were there
    abi::cupti_buffer_request_v2 asks_ = nullptr;
    abi::cupti_buffer_complete_v2 gives_ = nullptr;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_SHARED_CUPTI_HPP
