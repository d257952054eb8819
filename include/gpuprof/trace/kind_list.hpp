// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of records that a tracer collects, as types: chosen when compiling, and then each must be handled.
#ifndef GPUPROF_TRACE_KIND_LIST_HPP
#define GPUPROF_TRACE_KIND_LIST_HPP

#include <type_traits>
#include <variant>

#include "../hw/activity/kind_set.hpp"
#include "../hw/activity/record.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// Part of what a record type stands for: only<runtime_kind> is the calls of the runtime without those of the driver.
template <class Record, abi::CUpti_ActivityKind Kind>
struct only {};
// Calls of the driver alone; calls of the runtime alone.
using driver_calls = only<api_call, abi::CUPTI_ACTIVITY_KIND_DRIVER>;
using runtime_calls = only<api_call, abi::CUPTI_ACTIVITY_KIND_RUNTIME>;
using serial_kernels =
    only<kernel, abi::CUPTI_ACTIVITY_KIND_KERNEL>; // one after the other, which no instruction is added for

namespace detail {
template <class T>
struct selected {
    using record = T;
    static constexpr kind_set kinds = {T::kinds[0]};
};
template <>
struct selected<kernel> {
    using record = kernel;
    static constexpr kind_set kinds = {abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
};
template <>
struct selected<api_call> {
    using record = api_call;
    static constexpr kind_set kinds = {abi::CUPTI_ACTIVITY_KIND_DRIVER, abi::CUPTI_ACTIVITY_KIND_RUNTIME};
};
template <class Record, abi::CUpti_ActivityKind Kind>
struct selected<only<Record, Kind>> {
    using record = Record;
    static constexpr kind_set kinds = {Kind};
};

// A variant of the types, each once: driver_calls and runtime_calls are both api_call.
template <class Variant, class... T>
struct distinct {
    using type = Variant;
};
template <class... Have, class T, class... Rest>
struct distinct<std::variant<Have...>, T, Rest...>
    : std::conditional_t<(std::is_same_v<Have, T> || ...), distinct<std::variant<Have...>, Rest...>,
                         distinct<std::variant<Have..., T>, Rest...>> {};
} // namespace detail

// A list of record types, or parts of them. `kinds<kernel, memcpy>` is a value of it.
template <class... T>
struct kind_list {
    static_assert(sizeof...(T) != 0, "name the records to collect: kinds<activity::kernel, activity::memcpy>");
    // One of the records, by type.
    using record = typename detail::distinct<std::variant<>, typename detail::selected<T>::record...>::type;
    [[nodiscard]] static constexpr kind_set set() noexcept {
        kind_set all;
        (all.add(detail::selected<T>::kinds), ...);
        return all;
    }
    static_assert(excluding_pair(set()).first == abi::CUPTI_ACTIVITY_KIND_INVALID,
                  "CUPTI does not record these kinds together: see activity::excluding_pair");
};
template <class... T>
inline constexpr kind_list<T...> kinds{};

} // namespace activity

namespace detail {
// What iterating over a batch gives.
template <class Kinds>
struct record_chosen {
    using type = typename Kinds::record;
};
template <>
struct record_chosen<activity::kind_set> {
    using type = activity::record;
};
template <class Kinds>
using record_of = typename record_chosen<Kinds>::type;
} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_KIND_LIST_HPP
