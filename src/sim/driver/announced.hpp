// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts driver calls into the table such that tools see each call, before and after it.
#ifndef GPUPROF_SRC_SIM_DRIVER_ANNOUNCED_HPP
#define GPUPROF_SRC_SIM_DRIVER_ANNOUNCED_HPP

#include <new>
#include <type_traits>

#include <gpuprof/hw/abi/cupti_driver_calls.hpp>
#include <gpuprof/hw/abi/driver.hpp>
#include "../gpu/announced_call.hpp"
#include "../gpu/gpu_process.hpp"
#include "resource_callbacks.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// What a call works with. One that needs nothing also works in a child of the GPU's process: see gpu_process.hpp.
enum class call_needs : unsigned char { gpu, nothing };

namespace detail {

// What runs at the boundary to C: an exception becomes a status.
template <class Work>
CUresult without_exceptions(Work&& work) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        return work();
    } catch (std::bad_alloc const&) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (...) { // from a host function or the operating system
        return CUDA_ERROR_UNKNOWN;
    }
#else
    return work();
#endif
}

// Gives the call what its callbacks report: the current context, which a call may change, and the
// name of the kernel that it launches. Does nothing if nobody listens.
void describe(announced_call& announcement, CUfunction kernel);

// The kernel of a launch; null for other calls. Only launches have a parameter of this name.
template <class Parameters>
[[nodiscard]] CUfunction kernel_of(Parameters const& given) noexcept {
    if constexpr (requires { given.f; }) return given.f;
    else return nullptr;
}

struct no_parameters {};

template <class Row, auto Call, class... A>
CUresult announce(A... arguments) noexcept {
    constexpr bool has_parameters = !std::is_void_v<typename Row::parameters>;
    std::conditional_t<has_parameters, typename Row::parameters, no_parameters> const given{arguments...};
    announced_call announcement{Row::id, Row::name, has_parameters ? &given : nullptr};
    CUresult status = without_exceptions([&] {
        describe(announcement, kernel_of(given));
        announcement.enter();
        return CUDA_SUCCESS;
    });
    if (status != CUDA_SUCCESS) return status;
    context_was_lost = false;
    status = without_exceptions([&] { return Call(arguments...); });
    if (context_was_lost) static_cast<void>(without_exceptions(tell_fault));
    announcement.done(status);
    static_cast<void>(without_exceptions([&] {
        describe(announcement, kernel_of(given));
        announcement.leave();
        return CUDA_SUCCESS;
    }));
    return status;
}

template <class Row, auto Call, call_needs Needed>
inline constexpr auto announced = nullptr;
template <class Row, class... A, CUresult (*Call)(A...), call_needs Needed>
inline constexpr auto announced<Row, Call, Needed> = +[](A... arguments) noexcept -> CUresult {
    if (gpu_process.is_child()) [[unlikely]]
        return Needed == call_needs::gpu ? CUDA_ERROR_NOT_INITIALIZED : Call(arguments...);
    if (!announced_call::is_heard()) [[likely]]
        return without_exceptions([&] { return Call(arguments...); });
    return announce<Row, Call>(arguments...);
};

} // namespace detail

// Puts a call into the table; driver_row says how tools see it. Calls
// inside the driver do not use the table, so tools do not see them. Cost while nobody listens: one
// relaxed load a call.
template <auto Member, auto Call, call_needs Needed = call_needs::gpu>
void put(driver_table& calls) noexcept {
    calls.*Member = detail::announced<driver_row<Member>, Call, Needed>;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_ANNOUNCED_HPP
