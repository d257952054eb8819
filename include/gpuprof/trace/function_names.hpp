// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the functions that can be listened to: from a number to a name, and from a name to numbers. Layer: trace.
#ifndef GPUPROF_TRACE_FUNCTION_NAMES_HPP
#define GPUPROF_TRACE_FUNCTION_NAMES_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <span>        // rows
#include <string>      // texts of the error
#include <string_view> // names

#include "../core/error.hpp"
#include "../core/printable.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"
#include "../metric/nearest.hpp"
#include "activity/release.hpp"
#include "callback_ids.hpp"
#include "function_rows.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// The row of a number; null for a number that no release up to CUDA 13.5 has. Rows are in the order of their numbers, with
// few numbers missing.
[[nodiscard]] constexpr function_row const* row_of(std::span<function_row const> rows, std::uint32_t number) noexcept {
    std::size_t at = number < rows.size() ? number : rows.size();
    while (at > 0 && (at == rows.size() || rows[at].number > number)) --at;
    return rows[at].number == number ? &rows[at] : nullptr;
}
[[nodiscard]] constexpr std::span<function_row const> rows_of(driver_function) noexcept { return driver_rows; }
[[nodiscard]] constexpr std::span<function_row const> rows_of(runtime_function) noexcept { return runtime_rows; }
[[nodiscard]] constexpr std::span<function_row const> rows_of(nvtx_function) noexcept { return nvtx_rows; }
} // namespace detail

// A function of the driver, the runtime or NVTX, by its own number.
template <class T>
concept function_id = requires(T id) {
    detail::rows_of(id);
};

// CUPTI's name of a function: "cuLaunchKernel", "cudaMalloc_v3020", "nvtxRangePushA". Empty for a number that no release up to
// CUDA 13.5 has. NUL-terminated; lives as long as the program. Cost: one look-up in a table.
template <function_id Id>
[[nodiscard]] constexpr std::string_view name(Id function) noexcept {
    auto const* const row = detail::row_of(detail::rows_of(function), static_cast<std::uint32_t>(function));
    return row != nullptr ? row->name : std::string_view{};
}

// The first CUDA release whose CUPTI announces the function; 11.8 stands for all releases up to it. Release 0 for a number that
// no release up to CUDA 13.5 has. Older releases do not know the number: listening to it there is no error and tells nothing.
template <function_id Id>
[[nodiscard]] constexpr activity::cuda_release first_release(Id function) noexcept {
    auto const* const row = detail::row_of(detail::rows_of(function), static_cast<std::uint32_t>(function));
    return row != nullptr ? static_cast<activity::cuda_release>(row->since) : activity::cuda_release{};
}

namespace detail {
// A name without what tells its variants apart: the version, and "with a default stream for each thread" (_ptsz, _ptds).
[[nodiscard]] constexpr std::string_view base_of_function(std::string_view name) noexcept {
    for (;;) {
        std::size_t const end = name.rfind('_');
        if (end == std::string_view::npos || end == 0) return name;
        std::string_view const suffix = name.substr(end + 1);
        bool version = suffix.size() > 1 && suffix[0] == 'v';
        for (std::size_t i = 1; i < suffix.size(); ++i) version = version && suffix[i] >= '0' && suffix[i] <= '9';
        if (!version && suffix != "ptsz" && suffix != "ptds") return name;
        name = name.substr(0, end);
    }
}

constexpr void add_calls(callback_set& to, std::string_view name, std::span<function_row const> rows,
                         abi::CUpti_CallbackDomain domain) noexcept {
    for (function_row const& row : rows) {
        std::string_view const known{row.name};
        if (known.substr(0, name.size()) == name && (known == name || base_of_function(known) == name))
            to.add({domain, row.number});
    }
}

// Empty if there is no such name.
[[nodiscard]] constexpr callback_set find_calls(std::string_view name) noexcept {
    callback_set found;
    if (name.empty()) return found;
    add_calls(found, name, driver_rows, abi::CUPTI_CB_DOMAIN_DRIVER_API);
    add_calls(found, name, driver_aliases, abi::CUPTI_CB_DOMAIN_DRIVER_API);
    add_calls(found, name, runtime_rows, abi::CUPTI_CB_DOMAIN_RUNTIME_API);
    add_calls(found, name, runtime_aliases, abi::CUPTI_CB_DOMAIN_RUNTIME_API);
    add_calls(found, name, nvtx_rows, abi::CUPTI_CB_DOMAIN_NVTX);
    return found;
}

template <fixed_string Name>
[[nodiscard]] consteval callback_set checked_calls() {
    constexpr callback_set found = find_calls(Name.view());
    static_assert(!found.empty(), "gpuprof: neither the driver nor the runtime nor NVTX has a function of this name");
    return found;
}
} // namespace detail

// The calls of a function, by the name that programs write: each version of it, also those with a default stream for each thread.
// calls<"cudaMemcpyAsync"> is cudaMemcpyAsync_v3020 and cudaMemcpyAsync_ptsz_v7000; a full name means that one alone. A name that
// no release up to CUDA 13.5 has does not compile.
template <fixed_string Name>
inline constexpr callback_set calls = detail::checked_calls<Name>();

namespace detail {
// What a program may have meant: names without what tells variants apart, each of them once or seldom more.
struct function_bases {
    std::span<function_row const> rows;

    struct iterator {
        function_row const* at;
        [[nodiscard]] std::string_view operator*() const noexcept {
            std::string_view const known{at->name};
            return known.find("_pts") != known.npos || known.find("_ptd") != known.npos ? std::string_view{}
                                                                                        : base_of_function(known);
        }
        iterator& operator++() noexcept {
            ++at;
            return *this;
        }
        friend bool operator==(iterator const&, iterator const&) = default;
    };
    [[nodiscard]] iterator begin() const noexcept { return {rows.data()}; }
    [[nodiscard]] iterator end() const noexcept { return {rows.data() + rows.size()}; }
};
} // namespace detail

// The same for a name that only the running program knows. Errors: invalid_argument, with the nearest names. Cost: one pass over
// 1500 names; on failure an edit distance for each.
GPUPROF_LAZY [[nodiscard]] result<callback_set> try_calls(std::string_view name) {
    callback_set const found = detail::find_calls(name);
    if (!found.empty()) return found;
    bool const of_runtime = name.substr(0, 4) == "cuda", of_nvtx = name.substr(0, 4) == "nvtx";
    std::string remedy = detail::perhaps(
        name, detail::function_bases{of_runtime ? std::span<detail::function_row const>{detail::runtime_rows}
                                     : of_nvtx  ? std::span<detail::function_row const>{detail::nvtx_rows}
                                                : std::span<detail::function_row const>{detail::driver_rows}});
    if (remedy.empty()) remedy = "look into trace/driver_functions.hpp and its neighbours";
    error why{errc::invalid_argument, 0, name.empty() ? "an empty name" : detail::printable(name),
              "neither the driver nor the runtime nor NVTX has a function of this name", remedy};
    return why;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_FUNCTION_NAMES_HPP
