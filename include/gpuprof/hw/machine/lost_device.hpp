// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a call of CUPTI failed, also after the device was lost. Layer: hw.
#ifndef GPUPROF_HW_MACHINE_LOST_DEVICE_HPP
#define GPUPROF_HW_MACHINE_LOST_DEVICE_HPP

#include <string_view> // the call's name

#include "../../core/error.hpp"
#include "../../detail/builtin.hpp"
#include "../abi/driver.hpp"
#include "../abi/results.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// explain() for a call on a context. Once the context is lost CUPTI only says "unknown" to every call; the driver says why,
// and the error is device_lost. Costs a synchronisation of the context. Thread-safe.
GPUPROF_LAZY [[nodiscard]] GPUPROF_COLD error explain_on(abi::driver_table const& driver, abi::CUcontext context,
                                                         std::string_view call, abi::CUptiResult status) {
    error why = explain(call, status);
    if (driver.CtxPushCurrent(context) != abi::CUDA_SUCCESS) return why;
    abi::CUresult const sticky = driver.CtxSynchronize();
    abi::CUcontext popped = nullptr;
    static_cast<void>(driver.CtxPopCurrent(&popped));
    if (sticky == abi::CUDA_SUCCESS || advise(sticky).code != errc::device_lost) return why;
    error lost = explain("cuCtxSynchronize", sticky);
    lost.what = why.what + ", " + lost.what;
    return lost;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LOST_DEVICE_HPP
