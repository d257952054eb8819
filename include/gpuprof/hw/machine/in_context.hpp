// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes driver calls in a context, whichever is current, and refuses where a stream is captured.
#ifndef GPUPROF_HW_MACHINE_IN_CONTEXT_HPP
#define GPUPROF_HW_MACHINE_IN_CONTEXT_HPP

#include <string>
#include <string_view>

#include "../../core/result.hpp"
#include "../abi/driver.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The context is current in the calls of `work`, which returns the driver's first refusal, or none.
template <class F>
[[nodiscard]] result<void> in_context(abi::driver_table const& driver, abi::CUcontext context, F work) {
    if (auto status = driver.CtxPushCurrent(context)) return explain("cuCtxPushCurrent", status);
    result<void> done = work();
    abi::CUcontext popped = nullptr;
    static_cast<void>(driver.CtxPopCurrent(&popped));
    return done;
}

// Whether the stream is being captured, or for the default one any stream of the current context: what is then given to it
// would spoil what is captured. A driver that does not tell (before CUDA 10.0) captures nothing; one that refuses to tell may.
[[nodiscard]] inline bool is_capturing(abi::driver_table const& driver, abi::CUstream stream = nullptr) noexcept {
    auto capturing = abi::CU_STREAM_CAPTURE_STATUS_NONE;
    return driver.StreamIsCapturing != nullptr && (driver.StreamIsCapturing(stream, &capturing) != abi::CUDA_SUCCESS ||
                                                   capturing != abi::CU_STREAM_CAPTURE_STATUS_NONE);
}

// Waits for the current context. The default stream must not be touched while a stream is being
// captured: it would spoil what is captured. Errors: invalid_state then, with `undone` as what was
// not done; what cuStreamIsCapturing and cuCtxSynchronize say, such as a fault of a kernel before.
[[nodiscard]] inline result<void> try_wait_for_context(abi::driver_table const& driver, std::string_view undone,
                                                       std::string_view remedy) {
    auto capturing = abi::CU_STREAM_CAPTURE_STATUS_NONE;
    auto const asked =
        driver.StreamIsCapturing == nullptr ? abi::CUDA_SUCCESS : driver.StreamIsCapturing(nullptr, &capturing);
    if (asked != abi::CUDA_SUCCESS && asked != abi::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        return explain("cuStreamIsCapturing", asked);
    if (asked != abi::CUDA_SUCCESS || capturing != abi::CU_STREAM_CAPTURE_STATUS_NONE)
        return error{errc::invalid_state, static_cast<int>(asked), std::string{undone},
                     "a stream of the context is being captured", std::string{remedy}};
    if (auto status = driver.CtxSynchronize()) return explain("cuCtxSynchronize", status);
    return {};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_IN_CONTEXT_HPP
