// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of functions that do the same kind of thing: all launches, all copies.
#ifndef GPUPROF_TRACE_FUNCTION_FAMILIES_HPP
#define GPUPROF_TRACE_FUNCTION_FAMILIES_HPP

#include <cstdint>
#include <span>

#include "../detail/config.hpp"
#include "callback_ids.hpp"
#include "function_family_rows.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
[[nodiscard]] constexpr callback_set family(abi::CUpti_CallbackDomain domain,
                                            std::span<std::uint16_t const> numbers) noexcept {
    callback_set all;
    for (std::uint16_t const number : numbers) all.add({domain, number});
    return all;
}
} // namespace detail

// The functions of the driver that launch, copy, fill memory, allocate, free, or wait for the GPU, each with all its versions.
// A call of the runtime makes one of the driver, with few exceptions: listening to the driver's hears both.
namespace driver_calls {
inline constexpr callback_set launches = detail::family(abi::CUPTI_CB_DOMAIN_DRIVER_API, detail::driver_launches);
inline constexpr callback_set copies = detail::family(abi::CUPTI_CB_DOMAIN_DRIVER_API, detail::driver_copies);
inline constexpr callback_set sets = detail::family(abi::CUPTI_CB_DOMAIN_DRIVER_API, detail::driver_sets);
inline constexpr callback_set allocations = detail::family(abi::CUPTI_CB_DOMAIN_DRIVER_API, detail::driver_allocations);
inline constexpr callback_set frees = detail::family(abi::CUPTI_CB_DOMAIN_DRIVER_API, detail::driver_frees);
inline constexpr callback_set synchronizations =
    detail::family(abi::CUPTI_CB_DOMAIN_DRIVER_API, detail::driver_synchronizations);
} // namespace driver_calls

// The same of the runtime.
namespace runtime_calls {
inline constexpr callback_set launches = detail::family(abi::CUPTI_CB_DOMAIN_RUNTIME_API, detail::runtime_launches);
inline constexpr callback_set copies = detail::family(abi::CUPTI_CB_DOMAIN_RUNTIME_API, detail::runtime_copies);
inline constexpr callback_set sets = detail::family(abi::CUPTI_CB_DOMAIN_RUNTIME_API, detail::runtime_sets);
inline constexpr callback_set allocations =
    detail::family(abi::CUPTI_CB_DOMAIN_RUNTIME_API, detail::runtime_allocations);
inline constexpr callback_set frees = detail::family(abi::CUPTI_CB_DOMAIN_RUNTIME_API, detail::runtime_frees);
inline constexpr callback_set synchronizations =
    detail::family(abi::CUPTI_CB_DOMAIN_RUNTIME_API, detail::runtime_synchronizations);
} // namespace runtime_calls

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_FUNCTION_FAMILIES_HPP
