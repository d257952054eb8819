// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains failures of CUPTI calls, also after the device was lost.
#ifndef GPUPROF_HW_MACHINE_LOST_DEVICE_HPP
#define GPUPROF_HW_MACHINE_LOST_DEVICE_HPP

#include <string_view>

#include "../../core/error.hpp"
#include "../../detail/builtin.hpp"
#include "../abi/driver.hpp"
#include "../abi/results.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The driver's status for a lost context, which lasts until the process ends; CUDA_SUCCESS for any
// other context. Costs a synchronisation of the context. Thread-safe.
[[nodiscard]] GPUPROF_COLD inline abi::CUresult why_lost(abi::driver_table const& driver, abi::CUcontext context) {
    if (driver.CtxPushCurrent == nullptr || driver.CtxSynchronize == nullptr ||
        driver.CtxPushCurrent(context) != abi::CUDA_SUCCESS)
        return abi::CUDA_SUCCESS;
    abi::CUresult const sticky = driver.CtxSynchronize();
    abi::CUcontext popped = nullptr;
    static_cast<void>(driver.CtxPopCurrent(&popped));
    return advise(sticky).code == errc::device_lost ? sticky : abi::CUDA_SUCCESS;
}

// The error of a call on a lost context: device_lost, with both calls. @pre sticky is not success
[[nodiscard]] GPUPROF_COLD inline error as_lost(error const& why, abi::CUresult sticky) {
    error lost = explain("cuCtxSynchronize", sticky);
    lost.what = why.what + ", " + lost.what;
    return lost;
}

// explain() for a call on a context. CUPTI says "unknown" to every call on a lost context; the
// driver says why. Cost and thread-safety: as why_lost().
[[nodiscard]] GPUPROF_COLD inline error explain_on(abi::driver_table const& driver, abi::CUcontext context,
                                                   std::string_view call, abi::CUptiResult status) {
    error const why = explain(call, status);
    abi::CUresult const sticky = why_lost(driver, context);
    return sticky == abi::CUDA_SUCCESS ? why : as_lost(why, sticky);
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LOST_DEVICE_HPP
