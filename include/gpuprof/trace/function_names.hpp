// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the functions that can be listened to: from a number to a name, and from a name to numbers.
#ifndef GPUPROF_TRACE_FUNCTION_NAMES_HPP
#define GPUPROF_TRACE_FUNCTION_NAMES_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "../core/error.hpp"
#include "../text/printable.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"
#include "../metric/nearest.hpp"
#include "../hw/activity/release.hpp"
#include "callback_ids.hpp"
#include "functions.hpp"

GPUPROF_NAMESPACE_BEGIN

// A function of the driver, the runtime or NVTX, by its own number.
template <class T>
concept function_id = requires(T id) {
    detail::table_of(id);
};

// CUPTI's name of a function: "cuLaunchKernel", "cudaMalloc_v3020", "nvtxRangePushA". Empty for a number that no release up to
// CUDA 13.5 has. NUL-terminated; lives as long as the program. Cost: one look-up in a table.
template <function_id Id>
[[nodiscard]] constexpr std::string_view name(Id function) noexcept {
    auto const* const row = detail::table_of(function).find(static_cast<std::uint32_t>(function));
    return row != nullptr ? row->name : std::string_view{};
}

// The first CUDA release whose CUPTI announces the function; 11.8 stands for all releases up to it. Release 0 for a number that
// no release up to CUDA 13.5 has. Older releases do not know the number: listening to it there is no error and tells nothing.
template <function_id Id>
[[nodiscard]] constexpr activity::cuda_release first_release(Id function) noexcept {
    auto const* const row = detail::table_of(function).find(static_cast<std::uint32_t>(function));
    return row != nullptr ? static_cast<activity::cuda_release>(row->since) : activity::cuda_release{};
}

namespace detail {
constexpr void add_calls(callback_set& to, std::string_view name, function_table const& table,
                         abi::CUpti_CallbackDomain domain) noexcept {
    for (auto const rows : {table.rows, table.aliases})
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
    add_calls(found, name, driver_names, abi::CUPTI_CB_DOMAIN_DRIVER_API);
    add_calls(found, name, runtime_names, abi::CUPTI_CB_DOMAIN_RUNTIME_API);
    add_calls(found, name, nvtx_names, abi::CUPTI_CB_DOMAIN_NVTX);
    return found;
}

// The table in which a wrong name was probably looked for.
[[nodiscard]] constexpr function_table const& table_like(std::string_view name) noexcept {
    return name.substr(0, 4) == "cuda" ? runtime_names : name.substr(0, 4) == "nvtx" ? nvtx_names : driver_names;
}

template <fixed_string Name>
struct nearest_call {
    [[nodiscard]] static consteval std::string_view text() noexcept {
        return base_of_function(nearest_function(table_like(Name.view()), Name.view()));
    }
};
template <fixed_string Name>
[[nodiscard]] consteval auto checked_calls() noexcept {
    constexpr callback_set found = find_calls(Name.view());
    if constexpr (!found.empty()) return found;
    else return no_such_function_nearest_is<spelled<nearest_call<Name>>>{};
}
} // namespace detail

// The calls of a function, by the name that programs write: each version of it, also those with a
// default stream for each thread. calls<"cudaMemcpyAsync"> is cudaMemcpyAsync_v3020 and
// cudaMemcpyAsync_ptsz_v7000; a full name means that one alone. A name that no release up to CUDA
// 13.5 has does not compile, and the message shows the nearest. (The second argument is not for users.)
template <fixed_string Name, class Found = decltype(detail::checked_calls<Name>())>
    requires(detail::is_function_of_cuda<Found>)
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
[[nodiscard]] inline result<callback_set> try_calls(std::string_view name) {
    callback_set const found = detail::find_calls(name);
    if (!found.empty()) return found;
    std::string remedy = detail::perhaps(name, detail::function_bases{detail::table_like(name).rows});
    if (remedy.empty()) remedy = "look into hw/abi/function_rows.hpp";
    error why{errc::invalid_argument, 0, name.empty() ? "an empty name" : detail::printable(name),
              "neither the driver nor the runtime nor NVTX has a function of this name", remedy};
    return why;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_FUNCTION_NAMES_HPP
