// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What callbacks of NVTX get as parameters, for the calls that gpuprof reads. No NVTX header.
#ifndef GPUPROF_HW_ABI_NVTX_PARAMETERS_HPP
#define GPUPROF_HW_ABI_NVTX_PARAMETERS_HPP

#include <cstdint>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

// The name, colour, category and number of a range or a mark. messageType: 0 none, 1 char, 2 wchar_t, 3 a registered string.
// payloadType: 0 none, 1 uint64_t, 2 int64_t, 3 double, 4 uint32_t, 5 int32_t, 6 float.
union nvtx_payload {
    std::uint64_t ullValue = 0;
    std::int64_t llValue;
    double dValue;
    std::uint32_t uiValue;
    std::int32_t iValue;
    float fValue;
};
union nvtx_message {
    char const* ascii = nullptr;
    wchar_t const* unicode;
    void* registered;
};
struct nvtxEventAttributes_v2 {
    std::uint16_t version = 0;
    std::uint16_t size = 0;
    std::uint32_t category = 0;
    std::int32_t colorType = 0; // 0 none, 1 ARGB
    std::uint32_t color = 0;
    std::int32_t payloadType = 0;
    std::int32_t reserved0 = 0;
    nvtx_payload payload = {};
    std::int32_t messageType = 0;
    nvtx_message message = {};
};

// clang-format off
struct nvtxMarkA_params { char const* message = nullptr; };
struct nvtxMarkW_params { wchar_t const* message = nullptr; };
struct nvtxMarkEx_params { nvtxEventAttributes_v2 const* eventAttrib = nullptr; };
struct nvtxRangeStartA_params { char const* message = nullptr; };
struct nvtxRangeStartW_params { wchar_t const* message = nullptr; };
struct nvtxRangeStartEx_params { nvtxEventAttributes_v2 const* eventAttrib = nullptr; };
struct nvtxRangeEnd_params { std::uint64_t id = 0; };
struct nvtxRangePushA_params { char const* message = nullptr; };
struct nvtxRangePushW_params { wchar_t const* message = nullptr; };
struct nvtxRangePushEx_params { nvtxEventAttributes_v2 const* eventAttrib = nullptr; };

// Of a domain of the program's own.
struct nvtxDomainMarkEx_params { void* domain = nullptr; nvtxMarkEx_params core = {}; };
struct nvtxDomainRangeStartEx_params { void* domain = nullptr; nvtxRangeStartEx_params core = {}; };
struct nvtxDomainRangeEnd_params { void* domain = nullptr; nvtxRangeEnd_params core = {}; };
struct nvtxDomainRangePushEx_params { void* domain = nullptr; nvtxRangePushEx_params core = {}; };
struct nvtxDomainRangePop_params { void* domain = nullptr; };
// clang-format on

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_NVTX_PARAMETERS_HPP
