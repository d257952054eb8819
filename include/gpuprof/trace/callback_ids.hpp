// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program can listen to: functions by name, domains, and what happens to contexts, streams and graphs.
#ifndef GPUPROF_TRACE_CALLBACK_IDS_HPP
#define GPUPROF_TRACE_CALLBACK_IDS_HPP

#include <cstdint>

#include "../detail/config.hpp"
#include "../hw/abi/cupti_callback.hpp"
#include "../hw/callbacks/callback_set.hpp"
#include "functions.hpp"

GPUPROF_NAMESPACE_BEGIN

// Where callbacks come from (CUPTI 12.0, 2.4). As something to listen to it means everything in it.
enum class callback_domain : std::uint32_t {
    driver = abi::CUPTI_CB_DOMAIN_DRIVER_API,       // each call of the CUDA driver, at its entry and exit
    runtime = abi::CUPTI_CB_DOMAIN_RUNTIME_API,     // each call of the CUDA runtime, at its entry and exit
    resource = abi::CUPTI_CB_DOMAIN_RESOURCE,       // contexts, streams, modules and graphs that come and go
    synchronize = abi::CUPTI_CB_DOMAIN_SYNCHRONIZE, // contexts and streams that were waited for
    nvtx = abi::CUPTI_CB_DOMAIN_NVTX,               // calls of NVTX; NVTX_INJECTION64_PATH must name libcupti
    state = abi::CUPTI_CB_DOMAIN_STATE              // what CUPTI itself runs into; CUDA 12.3 and later
};

// What happens to contexts, streams, modules and graphs.
enum class resource_change : std::uint32_t {
    context_created = 1,
    context_destroy_starting = 2,
    stream_created = 3,
    stream_destroy_starting = 4, // flushing activity records here would wait for itself
    driver_initialized = 5,
    module_loaded = 6,
    module_unload_starting = 7,
    module_profiled = 8,
    graph_created = 9,
    graph_destroy_starting = 10,
    graph_cloned = 11,
    graph_node_create_starting = 12,
    graph_node_created = 13,
    graph_node_destroy_starting = 14,
    graph_node_dependency_created = 15,
    graph_node_dependency_destroy_starting = 16,
    graph_exec_create_starting = 17,
    graph_exec_created = 18,
    graph_exec_destroy_starting = 19,
    graph_node_cloned = 20,
    stream_attribute_changed = 21,
    graph_node_updated = 22,
    graph_node_parameters_set = 23
};

// What was waited for.
enum class synchronization_kind : std::uint32_t { stream = 1, context = 2 };

// What CUPTI says of itself.
enum class state_kind : std::uint32_t { fatal_error = 1, error = 2, warning = 3 };

// What to listen to. Typed ids and sets are joined by |, and `set - other` leaves something out:
//     callback_domain::driver - driver_call<"cuCtxGetCurrent">
using hw::callback_set;

namespace detail {
template <class Number>
[[nodiscard]] constexpr callback_set one_callback(abi::CUpti_CallbackDomain domain, Number number) noexcept {
    return hw::callback_id{domain, static_cast<abi::CUpti_CallbackId>(number)};
}
} // namespace detail

// The set of a typed id, to which it converts by itself.
[[nodiscard]] constexpr callback_set as_callbacks(driver_function id) noexcept {
    return detail::one_callback(abi::CUPTI_CB_DOMAIN_DRIVER_API, id);
}
[[nodiscard]] constexpr callback_set as_callbacks(runtime_function id) noexcept {
    return detail::one_callback(abi::CUPTI_CB_DOMAIN_RUNTIME_API, id);
}
[[nodiscard]] constexpr callback_set as_callbacks(nvtx_function id) noexcept {
    return detail::one_callback(abi::CUPTI_CB_DOMAIN_NVTX, id);
}
[[nodiscard]] constexpr callback_set as_callbacks(resource_change id) noexcept {
    return detail::one_callback(abi::CUPTI_CB_DOMAIN_RESOURCE, id);
}
[[nodiscard]] constexpr callback_set as_callbacks(synchronization_kind id) noexcept {
    return detail::one_callback(abi::CUPTI_CB_DOMAIN_SYNCHRONIZE, id);
}
[[nodiscard]] constexpr callback_set as_callbacks(state_kind id) noexcept {
    return detail::one_callback(abi::CUPTI_CB_DOMAIN_STATE, id);
}
[[nodiscard]] constexpr callback_set as_callbacks(callback_domain id) noexcept {
    return callback_set::all_of(static_cast<abi::CUpti_CallbackDomain>(id));
}

// A typed id of one of the kinds above.
template <class T>
concept callback_name = hw::named_callback<T>;

template <callback_name A, callback_name B>
[[nodiscard]] constexpr callback_set operator|(A a, B b) noexcept {
    return as_callbacks(a) |= as_callbacks(b);
}
template <callback_name A>
[[nodiscard]] constexpr callback_set operator-(A a, callback_set const& b) noexcept {
    return as_callbacks(a) -= b;
}
template <callback_name A, callback_name B>
[[nodiscard]] constexpr callback_set operator-(A a, B b) noexcept {
    return as_callbacks(a) -= as_callbacks(b);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_CALLBACK_IDS_HPP
