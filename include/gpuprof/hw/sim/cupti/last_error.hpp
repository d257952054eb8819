// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls as C sees them, and the last of them that failed on a thread. Layer: hw/sim, CUPTI table.
#ifndef GPUPROF_HW_SIM_CUPTI_LAST_ERROR_HPP
#define GPUPROF_HW_SIM_CUPTI_LAST_ERROR_HPP

#include <new>     // std::bad_alloc
#include <utility> // std::exchange

#include "../../../detail/config.hpp"
#include "../../abi/results.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

[[nodiscard]] inline CUptiResult& last_error() noexcept {
    static thread_local constinit CUptiResult last = CUPTI_SUCCESS;
    return last;
}

// The call; what it fails with is kept, and running out of memory is a status.
template <auto Call>
inline constexpr auto remembered = nullptr;
template <class... A, CUptiResult (*Call)(A...)>
inline constexpr auto remembered<Call> = +[](A... arguments) noexcept -> CUptiResult {
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
    if (status != CUPTI_SUCCESS) last_error() = status;
    return status;
};

} // namespace detail

// Of the activity and common calls, on the calling thread; it is then forgotten.
inline CUptiResult get_last_error() { return std::exchange(detail::last_error(), CUPTI_SUCCESS); }

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_LAST_ERROR_HPP
