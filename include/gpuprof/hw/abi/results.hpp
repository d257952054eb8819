// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result codes of the CUDA driver API and of CUPTI, every value of CUDA 11.8 to 13.5.
#ifndef GPUPROF_HW_ABI_RESULTS_HPP
#define GPUPROF_HW_ABI_RESULTS_HPP

#include "../../detail/config.hpp"

// One row a code, X(enumerator, value): the enumerations below and the names of hw/status.hpp are made of the same rows.
#define GPUPROF_ABI_CURESULTS(X)                                                                                       \
    X(CUDA_SUCCESS, 0)                                                                                                 \
    X(CUDA_ERROR_INVALID_VALUE, 1)                                                                                     \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                                                     \
    X(CUDA_ERROR_NOT_INITIALIZED, 3)                                                                                   \
    X(CUDA_ERROR_DEINITIALIZED, 4)                                                                                     \
    X(CUDA_ERROR_PROFILER_DISABLED, 5)                                                                                 \
    X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6)                                                                          \
    X(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7)                                                                          \
    X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8)                                                                          \
    X(CUDA_ERROR_STUB_LIBRARY, 34)                                                                                     \
    X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36)                                                                       \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                                                               \
    X(CUDA_ERROR_MULTICAST_RESOURCE_FULL, 47)                                                                          \
    X(CUDA_ERROR_NO_DEVICE, 100)                                                                                       \
    X(CUDA_ERROR_INVALID_DEVICE, 101)                                                                                  \
    X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102)                                                                             \
    X(CUDA_ERROR_INVALID_IMAGE, 200)                                                                                   \
    X(CUDA_ERROR_INVALID_CONTEXT, 201)                                                                                 \
    X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202)                                                                         \
    X(CUDA_ERROR_MAP_FAILED, 205)                                                                                      \
    X(CUDA_ERROR_UNMAP_FAILED, 206)                                                                                    \
    X(CUDA_ERROR_ARRAY_IS_MAPPED, 207)                                                                                 \
    X(CUDA_ERROR_ALREADY_MAPPED, 208)                                                                                  \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                                               \
    X(CUDA_ERROR_ALREADY_ACQUIRED, 210)                                                                                \
    X(CUDA_ERROR_NOT_MAPPED, 211)                                                                                      \
    X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212)                                                                             \
    X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213)                                                                           \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214)                                                                               \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                                                               \
    X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)                                                                          \
    X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                                                         \
    X(CUDA_ERROR_INVALID_PTX, 218)                                                                                     \
    X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219)                                                                        \
    X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                                                                            \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                                                          \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                                                         \
    X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                                                                        \
    X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224)                                                                       \
    X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225)                                                                        \
    X(CUDA_ERROR_CONTAINED, 226)                                                                                       \
    X(CUDA_ERROR_INSUFFICIENT_LOADER_VERSION, 227)                                                                     \
    X(CUDA_ERROR_INVALID_SOURCE, 300)                                                                                  \
    X(CUDA_ERROR_FILE_NOT_FOUND, 301)                                                                                  \
    X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302)                                                                  \
    X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)                                                                       \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304)                                                                                \
    X(CUDA_ERROR_INVALID_HANDLE, 400)                                                                                  \
    X(CUDA_ERROR_ILLEGAL_STATE, 401)                                                                                   \
    X(CUDA_ERROR_LOSSY_QUERY, 402)                                                                                     \
    X(CUDA_ERROR_NOT_FOUND, 500)                                                                                       \
    X(CUDA_ERROR_NOT_READY, 600)                                                                                       \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                                                 \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                                         \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                                                  \
    X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703)                                                                   \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                                                     \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                                                         \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                                                                          \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                                                            \
    X(CUDA_ERROR_ASSERT, 710)                                                                                          \
    X(CUDA_ERROR_TOO_MANY_PEERS, 711)                                                                                  \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                                                  \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                                                      \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                                                            \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                                                             \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                                                              \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                                                           \
    X(CUDA_ERROR_INVALID_PC, 718)                                                                                      \
    X(CUDA_ERROR_LAUNCH_FAILED, 719)                                                                                   \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                                                                    \
    X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)                                                                              \
    X(CUDA_ERROR_NOT_PERMITTED, 800)                                                                                   \
    X(CUDA_ERROR_NOT_SUPPORTED, 801)                                                                                   \
    X(CUDA_ERROR_SYSTEM_NOT_READY, 802)                                                                                \
    X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                                                                          \
    X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                                                                  \
    X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)                                                                           \
    X(CUDA_ERROR_MPS_RPC_FAILURE, 806)                                                                                 \
    X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)                                                                            \
    X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)                                                                         \
    X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)                                                                     \
    X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)                                                                           \
    X(CUDA_ERROR_CDP_NOT_SUPPORTED, 811)                                                                               \
    X(CUDA_ERROR_CDP_VERSION_MISMATCH, 812)                                                                            \
    X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)                                                                      \
    X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)                                                                      \
    X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902)                                                                            \
    X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903)                                                                        \
    X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904)                                                                         \
    X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905)                                                                        \
    X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)                                                                         \
    X(CUDA_ERROR_CAPTURED_EVENT, 907)                                                                                  \
    X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908)                                                                     \
    X(CUDA_ERROR_TIMEOUT, 909)                                                                                         \
    X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910)                                                                       \
    X(CUDA_ERROR_EXTERNAL_DEVICE, 911)                                                                                 \
    X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)                                                                            \
    X(CUDA_ERROR_FUNCTION_NOT_LOADED, 913)                                                                             \
    X(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914)                                                                           \
    X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915)                                                                  \
    X(CUDA_ERROR_KEY_ROTATION, 916)                                                                                    \
    X(CUDA_ERROR_STREAM_DETACHED, 917)                                                                                 \
    X(CUDA_ERROR_GRAPH_RECAPTURE_FAILURE, 918)                                                                         \
    X(CUDA_ERROR_FABRIC_NOT_READY, 919)                                                                                \
    X(CUDA_ERROR_UNKNOWN, 999)

#define GPUPROF_ABI_CUPTIRESULTS(X)                                                                                    \
    X(CUPTI_SUCCESS, 0)                                                                                                \
    X(CUPTI_ERROR_INVALID_PARAMETER, 1)                                                                                \
    X(CUPTI_ERROR_INVALID_DEVICE, 2)                                                                                   \
    X(CUPTI_ERROR_INVALID_CONTEXT, 3)                                                                                  \
    X(CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID, 4)                                                                          \
    X(CUPTI_ERROR_INVALID_EVENT_ID, 5)                                                                                 \
    X(CUPTI_ERROR_INVALID_EVENT_NAME, 6)                                                                               \
    X(CUPTI_ERROR_INVALID_OPERATION, 7)                                                                                \
    X(CUPTI_ERROR_OUT_OF_MEMORY, 8)                                                                                    \
    X(CUPTI_ERROR_HARDWARE, 9)                                                                                         \
    X(CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT, 10)                                                                   \
    X(CUPTI_ERROR_API_NOT_IMPLEMENTED, 11)                                                                             \
    X(CUPTI_ERROR_MAX_LIMIT_REACHED, 12)                                                                               \
    X(CUPTI_ERROR_NOT_READY, 13)                                                                                       \
    X(CUPTI_ERROR_NOT_COMPATIBLE, 14)                                                                                  \
    X(CUPTI_ERROR_NOT_INITIALIZED, 15)                                                                                 \
    X(CUPTI_ERROR_INVALID_METRIC_ID, 16)                                                                               \
    X(CUPTI_ERROR_INVALID_METRIC_NAME, 17)                                                                             \
    X(CUPTI_ERROR_QUEUE_EMPTY, 18)                                                                                     \
    X(CUPTI_ERROR_INVALID_HANDLE, 19)                                                                                  \
    X(CUPTI_ERROR_INVALID_STREAM, 20)                                                                                  \
    X(CUPTI_ERROR_INVALID_KIND, 21)                                                                                    \
    X(CUPTI_ERROR_INVALID_EVENT_VALUE, 22)                                                                             \
    X(CUPTI_ERROR_DISABLED, 23)                                                                                        \
    X(CUPTI_ERROR_INVALID_MODULE, 24)                                                                                  \
    X(CUPTI_ERROR_INVALID_METRIC_VALUE, 25)                                                                            \
    X(CUPTI_ERROR_HARDWARE_BUSY, 26)                                                                                   \
    X(CUPTI_ERROR_NOT_SUPPORTED, 27)                                                                                   \
    X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED, 28)                                                                      \
    X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE, 29)                                                            \
    X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES, 30)                                                   \
    X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS, 31)                                                             \
    X(CUPTI_ERROR_CDP_TRACING_NOT_SUPPORTED, 32)                                                                       \
    X(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, 33)                                                                \
    X(CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE, 34)                                                                    \
    X(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, 35)                                                                         \
    X(CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, 36)                                                                    \
    X(CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE, 37)                                                                       \
    X(CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, 38)                                                                   \
    X(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, 39)                                                              \
    X(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, 40)                                                      \
    X(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, 41)                                                            \
    X(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, 42)                                                                        \
    X(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, 43)                                                                        \
    X(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, 44)                                                                        \
    X(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, 45)                                                                        \
    X(CUPTI_ERROR_INVALID_CHIP_NAME, 46)                                                                               \
    X(CUPTI_ERROR_HES_TRACE_NOT_SUPPORTED_ON_MPS, 47)                                                                  \
    X(CUPTI_ERROR_UNKNOWN, 999)                                                                                        \
    X(CUPTI_ERROR_FORCE_INT, 2147483647)

GPUPROF_NAMESPACE_BEGIN
namespace abi {

#define GPUPROF_ABI_ENUMERATOR(name, value) name = value,

// What every driver function returns; 0 is success.
enum CUresult : int { GPUPROF_ABI_CURESULTS(GPUPROF_ABI_ENUMERATOR) };

// What every CUPTI function returns; 0 is success (CUPTI 12.0, 2.2).
enum CUptiResult : int { GPUPROF_ABI_CUPTIRESULTS(GPUPROF_ABI_ENUMERATOR) };

#undef GPUPROF_ABI_ENUMERATOR

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_RESULTS_HPP
