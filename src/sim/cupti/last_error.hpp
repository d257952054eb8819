// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls as C sees them, and the status of the last one that failed on a thread.
#ifndef GPUPROF_SRC_SIM_CUPTI_LAST_ERROR_HPP
#define GPUPROF_SRC_SIM_CUPTI_LAST_ERROR_HPP

#include <new>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/results.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// Keeps the status for get_last_error on this thread. The body is in activity.cpp.
void set_last_error(CUptiResult status) noexcept;

// The status of the last of the activity and common calls that failed on the calling thread; it is
// then forgotten.
CUptiResult get_last_error();

namespace detail {

// The call as a C function that keeps the status it fails with; running out of memory is a status,
// too.
template <auto Call>
inline constexpr auto with_last_error = nullptr;
template <class... A, CUptiResult (*Call)(A...)>
inline constexpr auto with_last_error<Call> = +[](A... arguments) noexcept -> CUptiResult {
    CUptiResult status = CUPTI_SUCCESS;
#if GPUPROF_EXCEPTIONS
    try {
        status = Call(arguments...);
    } catch (std::bad_alloc const&) {
        status = CUPTI_ERROR_OUT_OF_MEMORY;
    } catch (...) { // of the operating system
        status = CUPTI_ERROR_UNKNOWN;
    }
#else
    status = Call(arguments...);
#endif
    if (status != CUPTI_SUCCESS) set_last_error(status);
    return status;
};

} // namespace detail

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_LAST_ERROR_HPP
