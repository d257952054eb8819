// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of driver and CUPTI statuses, and errors that explain them.
#ifndef GPUPROF_HW_MACHINE_STATUS_HPP
#define GPUPROF_HW_MACHINE_STATUS_HPP

#include <string>
#include <string_view>

#include "../../detail/builtin.hpp"
#include "../../core/error.hpp"
#include "../abi/results.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace abi {

#define GPUPROF_ABI_CASE(enumerator, value)                                                                            \
    case enumerator: return #enumerator;

// The enumerator's name ("CUDA_ERROR_NO_DEVICE"); empty for a number that no header up to CUDA 13.5
// has.
[[nodiscard]] constexpr std::string_view name(CUresult status) noexcept {
    switch (status) { GPUPROF_ABI_CURESULTS(GPUPROF_ABI_CASE) }
    return {};
}

// The enumerator's name ("CUPTI_ERROR_HARDWARE_BUSY"); empty for a number that no header up to CUDA
// 13.5 has.
[[nodiscard]] constexpr std::string_view name(CUptiResult status) noexcept {
    switch (status) { GPUPROF_ABI_CUPTIRESULTS(GPUPROF_ABI_CASE) }
    return {};
}

#undef GPUPROF_ABI_CASE

} // namespace abi

namespace hw {

// The usual meaning of a status, and its remedy; the texts may be empty.
struct advice {
    errc code = errc::internal;
    std::string_view cause = {};
    std::string_view remedy = {};
};

// Whether CUPTI did as asked and only warns: "profiling session will continue" (CUPTI 12.0, known
// issues).
[[nodiscard]] constexpr bool is_warning(abi::CUptiResult status) noexcept {
    return status == abi::CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE;
}

// The usual meaning of a CUPTI status (CUPTI 12.0, 2.2). errc::internal where no document explains
// it.
[[nodiscard]] constexpr advice advise(abi::CUptiResult status) noexcept {
    using namespace abi;
    switch (status) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            return {errc::permission, "hardware counters are closed to ordinary users on this machine",
                    "load the nvidia kernel module with NVreg_RestrictProfilingToAdminUsers=0, or run as root or with "
                    "CAP_SYS_ADMIN; under WSL 2 allow counters for all users in the Windows NVIDIA Control Panel"};
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return {errc::permission, "the hypervisor has not granted this virtual GPU access to hardware counters",
                    "enable profiling for the virtual GPU on the host (vGPU plugin parameter enable_profiling)"};
        case CUPTI_ERROR_HARDWARE_BUSY:
            return {errc::busy, "another client holds the counter hardware, often DCGM or another profiler",
                    "pause it (dcgmi profile --pause), or end the other profiling session, then try again"};
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            return {errc::busy, "another tool in this process has subscribed to CUPTI, which serves one subscriber",
                    "run without the other tool (Nsight, a framework's own profiler, an injected library)"};
        case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
            return {errc::busy, "the event and metric API is in use in this process and excludes the profiler API",
                    "use one of the two per process"};
        case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
            return {errc::unavailable, "the event and metric API works below compute capability 7.5 only",
                    "use a profiler for counters here, pc_sampler for samples of instructions"};
        case CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE:
            return {errc::unavailable,
                    "the program lacks routines of the OpenACC runtime that CUPTI needs, most often because it has the "
                    "runtime as a static library",
                    "link the OpenACC runtime as a shared library"};
        case CUPTI_ERROR_NOT_SUPPORTED:
            return {errc::unavailable, "this device, driver or operating system does not support the call", ""};
        case CUPTI_ERROR_API_NOT_IMPLEMENTED:
            return {errc::unavailable, "this CUPTI declares the call but does not implement it", "use a newer CUPTI"};
        case CUPTI_ERROR_NOT_COMPATIBLE:
            return {errc::invalid_state,
                    "what was asked for does not fit what is going on already: other counters that are on, another "
                    "collection",
                    "end the other collection, or ask for less at once"};
        case CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE: // a warning, see is_warning()
            return {errc::version_mismatch,
                    "code of nvcc before 9.0 may be counted wrongly on devices of capability 6.0 and 6.1",
                    "compile the program with nvcc 9.0 or later; if that was done, ignore this"};
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
            return {errc::unavailable, "the device is a virtual GPU of a kind that has no counters",
                    "profile on a physical GPU"};
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
            return {errc::unavailable, "confidential computing is on and closes the counters",
                    "switch the GPU to confidential-computing mode off or devtools"};
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
            return {errc::unavailable, "mining processors have no counters", "profile on another GPU"};
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
            return {errc::unavailable, "the call does not work inside a MIG partition",
                    "profile on a GPU without MIG, or on a partition that owns the whole GPU"};
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
            return {errc::unavailable, "the call does not work on GPUs joined by SLI", "switch SLI off"};
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
            return {errc::unavailable, "the call does not work under WSL", "profile under native Linux"};
        case CUPTI_ERROR_CDP_TRACING_NOT_SUPPORTED:
        case CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED:
        case CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE:
        case CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES:
        case CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS:
        case CUPTI_ERROR_HES_TRACE_NOT_SUPPORTED_ON_MPS:
            return {errc::unavailable, "this device or configuration does not support what was asked for", ""};
        case CUPTI_ERROR_INVALID_METRIC_NAME:
        case CUPTI_ERROR_INVALID_METRIC_ID:
        case CUPTI_ERROR_INVALID_EVENT_NAME:
        case CUPTI_ERROR_INVALID_EVENT_ID:
        case CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID:
            return {errc::unknown_metric, "this chip has no metric or event of that name", "list what the chip has"};
        case CUPTI_ERROR_INVALID_CHIP_NAME:
            return {errc::version_mismatch, "this CUPTI does not know the chip", "use a CUPTI released after the GPU"};
        case CUPTI_ERROR_NOT_INITIALIZED:
            return {
                errc::version_mismatch,
                "CUPTI could not connect to the CUDA driver, most often because it is newer than the driver",
                "use the CUPTI of a toolkit no newer than the driver, or update the driver; if they fit, check that a "
                "device is visible (nvidia-smi, CUDA_VISIBLE_DEVICES)"};
        case CUPTI_ERROR_INVALID_DEVICE:
        case CUPTI_ERROR_INVALID_CONTEXT:
        case CUPTI_ERROR_INVALID_STREAM:
        case CUPTI_ERROR_INVALID_HANDLE:
        case CUPTI_ERROR_INVALID_MODULE:
            return {errc::invalid_argument, "the device, context or handle is null, destroyed or another process's",
                    ""};
        case CUPTI_ERROR_INVALID_PARAMETER:
        case CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT:
        case CUPTI_ERROR_INVALID_KIND: return {errc::invalid_argument, "CUPTI refused an argument of the call", ""};
        case CUPTI_ERROR_INVALID_OPERATION:
        case CUPTI_ERROR_DISABLED:
            return {errc::invalid_state, "the call does not fit the present state of the profiling session", ""};
        case CUPTI_ERROR_NOT_READY:
        case CUPTI_ERROR_QUEUE_EMPTY:
            return {errc::not_collected, "no data has arrived yet", "synchronise the device, then try again"};
        case CUPTI_ERROR_INVALID_METRIC_VALUE:
        case CUPTI_ERROR_INVALID_EVENT_VALUE:
            return {errc::not_collected, "the counters did not give a usable value", "measure again, over more work"};
        case CUPTI_ERROR_MAX_LIMIT_REACHED:
            return {errc::too_many_ranges, "a limit of the collection was reached",
                    "ask for fewer ranges or less depth"};
        case CUPTI_ERROR_OUT_OF_MEMORY:
            return {errc::unavailable, "host or device memory ran out while setting up the collection",
                    "leave memory free on the device, or ask for fewer ranges"};
        case CUPTI_ERROR_HARDWARE:
            return {errc::device_lost, "the counter hardware reported a fault",
                    "look for Xid messages in the kernel log"};
        default: return {};
    }
}

// The usual meaning of a driver status. errc::internal where no document explains it.
[[nodiscard]] constexpr advice advise(abi::CUresult status) noexcept {
    using namespace abi;
    switch (status) {
        case CUDA_ERROR_NO_DEVICE:
            return {errc::unavailable, "the driver sees no GPU", "check nvidia-smi and CUDA_VISIBLE_DEVICES"};
        case CUDA_ERROR_STUB_LIBRARY:
            return {errc::unavailable, "the libcuda that was loaded is the toolkit's link-time stub, not a driver",
                    "take the stubs directory off LD_LIBRARY_PATH, or install the driver"};
        case CUDA_ERROR_NOT_INITIALIZED:
            return {errc::invalid_state, "the driver was not initialised in this process", "call cuInit first"};
        case CUDA_ERROR_DEINITIALIZED:
            return {errc::device_lost, "the driver is shutting down with the process", "finish before main returns"};
        case CUDA_ERROR_DEVICE_UNAVAILABLE:
            return {errc::busy, "the device is in exclusive or prohibited mode and another process has it",
                    "end the other process, or set the compute mode to default"};
        case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
            return {errc::version_mismatch, "libcuda and the kernel module are of different versions",
                    "reboot after a driver update; in a container, use the libcuda that the host provides"};
        case CUDA_ERROR_SYSTEM_NOT_READY:
            return {errc::unavailable, "a system service that the GPU needs is not running",
                    "start the fabric manager (nvidia-fabricmanager), then try again"};
        case CUDA_ERROR_OPERATING_SYSTEM:
            return {errc::unavailable, "a call to the operating system failed, often for want of device files",
                    "check the permissions of /dev/nvidia*"};
        case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
        case CUDA_ERROR_NO_BINARY_FOR_GPU:
        case CUDA_ERROR_INVALID_PTX:
        case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
            return {errc::version_mismatch, "the driver cannot turn this code into code for this device",
                    "use PTX that the driver knows, or update the driver"};
        case CUDA_ERROR_NOT_PERMITTED:
            return {errc::permission, "the driver does not permit the call to this user or at this time", ""};
        case CUDA_ERROR_NOT_SUPPORTED: return {errc::unavailable, "the device or driver does not support the call", ""};
        case CUDA_ERROR_OUT_OF_MEMORY:
            return {errc::unavailable, "memory ran out, on the device or for page-locked host memory", "free some"};
        case CUDA_ERROR_MPS_CONNECTION_FAILED:
        case CUDA_ERROR_MPS_RPC_FAILURE:
        case CUDA_ERROR_MPS_SERVER_NOT_READY:
        case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED:
        case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED:
        case CUDA_ERROR_MPS_CLIENT_TERMINATED:
            return {errc::unavailable, "the multi-process service (MPS) refused or lost this client",
                    "restart MPS, or run without it"};
        case CUDA_ERROR_INVALID_VALUE:
        case CUDA_ERROR_INVALID_DEVICE:
        case CUDA_ERROR_INVALID_HANDLE:
        case CUDA_ERROR_INVALID_IMAGE:
        case CUDA_ERROR_NOT_FOUND: return {errc::invalid_argument, "the driver refused an argument of the call", ""};
        case CUDA_ERROR_INVALID_CONTEXT:
        case CUDA_ERROR_CONTEXT_IS_DESTROYED:
            return {errc::invalid_argument, "no context is current, or it is destroyed or foreign",
                    "create or retain a context and make it current on this thread"};
        case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
        case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
        case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
            return {errc::invalid_state, "a stream is being captured into a graph and the call is forbidden meanwhile",
                    "profile the launch of the graph, not its capture"};
        case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
            return {errc::invalid_argument,
                    "the launch needs more registers or shared memory than a multiprocessor has", "use smaller blocks"};
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_NVLINK_UNCORRECTABLE:
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
            return {errc::device_lost,
                    "a kernel or the device failed, now or in an earlier call, and the context is unusable",
                    "find the fault with compute-sanitizer; look for Xid messages in the kernel log"};
        default: return {};
    }
}

} // namespace hw

namespace detail {
[[nodiscard]] inline error failed_call(std::string_view call, std::string_view status, int number,
                                       hw::advice const& meaning) {
    return error{meaning.code, number,
                 joined({call, ": ", status.empty() ? "unknown status" : status, " (", std::to_string(number), ")"}),
                 meaning.cause, meaning.remedy};
}
} // namespace detail

namespace hw {

// Turns the failing status of `call`, an abi::CUresult or abi::CUptiResult, into an error with its
// likely cause and remedy: "cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)".
// @pre status is not success. Allocates; for failure paths. Thread-safe.
template <class Status>
    requires requires(Status status) { advise(status); }
[[nodiscard]] GPUPROF_COLD error explain(std::string_view call, Status status) {
    return detail::failed_call(call, name(status), static_cast<int>(status), advise(status));
}

} // namespace hw

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_STATUS_HPP
