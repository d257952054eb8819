// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call of libpcsamplingutil, the library beside CUPTI, that writes files of PC samples. Layouts are those of CUPTI 11.8 to
// 13.5. Its calls that read are not here: they crash on damaged files (13.0: on 379 of 1,500).
#ifndef GPUPROF_HW_ABI_CUPTI_PC_SAMPLING_UTIL_HPP
#define GPUPROF_HW_ABI_CUPTI_PC_SAMPLING_UTIL_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "cupti_pc_sampling.hpp"

// One row a call, X(member, exported symbol, (parameters)).
// clang-format off
#define GPUPROF_ABI_PC_SAMPLING_UTIL(X) \
    X(PutPcSampData, CuptiUtilPutPcSampData, (CUptiUtil_PutPcSampDataParams* params))
// clang-format on

GPUPROF_NAMESPACE_BEGIN
namespace abi {

enum CUptiUtilResult : int {
    CUPTI_UTIL_SUCCESS = 0,
    CUPTI_UTIL_ERROR_INVALID_PARAMETER = 1,
    CUPTI_UTIL_ERROR_UNABLE_TO_CREATE_FILE = 2,
    CUPTI_UTIL_ERROR_UNABLE_TO_OPEN_FILE = 3,
    CUPTI_UTIL_ERROR_READ_WRITE_OPERATION_FAILED = 4,
    CUPTI_UTIL_ERROR_FILE_HANDLE_CORRUPTED = 5,
    CUPTI_UTIL_ERROR_SEEK_OPERATION_FAILED = 6,
    CUPTI_UTIL_ERROR_OUT_OF_MEMORY = 7,
    CUPTI_UTIL_ERROR_UNKNOWN = 999
};

// All stall reasons that there are: names with room for 128 characters, and their numbers.
struct PcSamplingStallReasons {
    std::size_t numStallReasons = 0;
    char** stallReasons = nullptr;
    std::uint32_t* stallReasonIndex = nullptr;
};

struct CUptiUtil_PutPcSampDataParams {
    std::size_t size = sizeof(CUptiUtil_PutPcSampDataParams);
    unsigned int bufferType = 1;   // PC_SAMPLING_BUFFER_PC_TO_COUNTER_DATA
    void* pSamplingData = nullptr; // a CUpti_PCSamplingData
    std::size_t numAttributes = 0; // the stall reasons at least
    CUpti_PCSamplingConfigurationInfo* pPCSamplingConfigurationInfo = nullptr;
    PcSamplingStallReasons* pPcSamplingStallReasons = nullptr;
    char const* fileName = nullptr; // appended to
};

// Null where the library lacks a call.
struct pc_sampling_util_table {
#define GPUPROF_ABI_MEMBER(member, symbol, parameters) CUptiUtilResult(*member) parameters = nullptr;
    GPUPROF_ABI_PC_SAMPLING_UTIL(GPUPROF_ABI_MEMBER)
#undef GPUPROF_ABI_MEMBER
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_PC_SAMPLING_UTIL_HPP
