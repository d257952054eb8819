// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: data that OpenACC moves.
#ifndef GPUPROF_HW_ACTIVITY_OPENACC_DATA_HPP
#define GPUPROF_HW_ACTIVITY_OPENACC_DATA_HPP

#include <cstdint>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "field_reader.hpp"
#include "openacc_kind.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// Data that OpenACC moves.
struct openacc_data {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_OPENACC_DATA};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityOpenAccData", 152}};

    openacc_event event{};
    openacc_construct parent{};
    std::uint32_t version = 0;
    bool implicit = false; // without a directive
    std::uint32_t device_type = 0;
    std::uint32_t device_number = 0;
    std::uint32_t thread_number = 0;
    std::uint64_t queue = 0;
    std::uint64_t cuda_queue = 0;
    std::uint32_t line = 0;
    std::uint32_t end_line = 0;
    std::uint32_t function_line = 0;
    std::uint32_t function_end_line = 0;
    interval time{};
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint32_t external_id = 0;
    std::string_view source_file{};
    std::string_view function_name{};
    gpuprof::bytes size{};
    std::uint64_t host_address = 0;
    std::uint64_t device_address = 0;
    std::string_view variable{};

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("eventKind", 4, 4, event);
        row("parentConstruct", 8, 4, parent);
        row("version", 12, 4, version);
        row("implicit", 16, 4, implicit);
        row("deviceType", 20, 4, device_type);
        row("deviceNumber", 24, 4, device_number);
        row("threadId", 28, 4, thread_number);
        row("async", 32, 8, queue);
        row("asyncMap", 40, 8, cuda_queue);
        row("lineNo", 48, 4, line);
        row("endLineNo", 52, 4, end_line);
        row("funcLineNo", 56, 4, function_line);
        row("funcEndLineNo", 60, 4, function_end_line);
        row("start", 64, 8, time.start);
        row("end", 72, 8, time.end);
        row("cuDeviceId", 80, 4, device);
        row("cuContextId", 84, 4, context);
        row("cuStreamId", 88, 4, stream);
        row("cuProcessId", 92, 4, process);
        row("cuThreadId", 96, 4, thread);
        row("externalId", 100, 4, external_id);
        row("srcFile", 104, 8, source_file);
        row("funcName", 112, 8, function_name);
        row("bytes", 120, 8, size);
        row("hostPtr", 128, 8, host_address);
        row("devicePtr", 136, 8, device_address);
        row("varName", 144, 8, variable);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_OPENACC_DATA_HPP
