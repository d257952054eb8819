// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every driver call as tools see it: made known before and after. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_ANNOUNCED_HPP
#define GPUPROF_HW_SIM_DRIVER_ANNOUNCED_HPP

#include <new>         // std::bad_alloc
#include <type_traits> // whether a call has parameters

#include "../../abi/cupti_driver_calls.hpp"
#include "../counters/announced_call.hpp"
#include "../counters/gpu_registry.hpp"
#include "happenings.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace detail {

// A call as C sees it: what runs out of memory, or of another resource of the host, is a status.
template <auto Call, class... A>
CUresult without_exceptions(A... arguments) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        return Call(arguments...);
    } catch (std::bad_alloc const&) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (...) { // of a host function, or of the operating system
        return CUDA_ERROR_UNKNOWN;
    }
#else
    return Call(arguments...);
#endif
}

// The number of the thread's current context is kept: handles are not given out twice.
[[nodiscard]] inline context_name name_of(CUcontext current) {
    thread_local constinit context_name last{};
    if (current == nullptr) return {};
    if (last.context != current) {
        auto const in = enter();
        context_state const* const found = in.driver.contexts.find(current);
        last = {current, found == nullptr ? 0 : found->id};
    }
    return last;
}

// The name lives as long as the kernel's module.
[[nodiscard]] inline char const* symbol_of(CUfunction kernel) {
    auto const in = enter();
    function_state const* const found = in.driver.functions.find(kernel);
    return found == nullptr ? nullptr : found->code->name.c_str();
}

// Looks up what callbacks are told: the current context, which a call may change, and the name of the kernel that the call
// launches.
inline void describe(announced_call& known, CUfunction kernel) {
    CUcontext const current = gpu_registry::current();
    if (!known.has_callbacks() || known.is_described(current)) return;
    known.describe(name_of(current), kernel == nullptr ? nullptr : symbol_of(kernel));
}

// The kernel of a launch: no other call has a parameter of this name.
template <class Parameters>
[[nodiscard]] CUfunction kernel_of(Parameters const& given) noexcept {
    if constexpr (requires { given.f; }) return given.f;
    else return nullptr;
}

struct no_parameters {};

template <class Row, auto Call, class... A>
CUresult make_known(A... arguments) noexcept {
    constexpr bool has_parameters = !std::is_void_v<typename Row::parameters>;
    std::conditional_t<has_parameters, typename Row::parameters, no_parameters> const given{arguments...};
    announced_call known{Row::id, Row::name, has_parameters ? &given : nullptr};
    describe(known, kernel_of(given));
    known.enter();
    context_was_lost = false;
    CUresult const status = without_exceptions<Call>(arguments...);
    if (context_was_lost) static_cast<void>(without_exceptions<tell_fault>());
    known.done(status);
    describe(known, kernel_of(given));
    known.leave();
    return status;
}

template <class Row, auto Call>
inline constexpr auto announced = nullptr;
template <class Row, class... A, CUresult (*Call)(A...)>
inline constexpr auto announced<Row, Call> = +[](A... arguments) noexcept -> CUresult {
    if (!announced_call::is_heard()) [[likely]]
        return without_exceptions<Call>(arguments...);
    return make_known<Row, Call>(arguments...);
};

} // namespace detail

// Puts a call into the table, made known by its row of abi/cupti_driver_calls.hpp. Calls of one another, inside the driver,
// do not come by the table, and nobody hears of them. Cost while nobody listens: one relaxed load a call.
template <auto Member, auto Call>
void put(driver_table& calls) noexcept {
    calls.*Member = detail::announced<driver_call<Member>, Call>;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_ANNOUNCED_HPP
