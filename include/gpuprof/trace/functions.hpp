// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the driver, the runtime and NVTX by name, checked when a program is compiled.
#ifndef GPUPROF_TRACE_FUNCTIONS_HPP
#define GPUPROF_TRACE_FUNCTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"
#include "../hw/abi/function_tables.hpp"
#include "../metric/spelled.hpp"

GPUPROF_NAMESPACE_BEGIN

// A function of the driver, the runtime or NVTX: CUPTI's own number of it, which is the same in
// every release. To name one, write driver_call<"cuLaunchKernel">.
enum class driver_function : std::uint32_t {};
enum class runtime_function : std::uint32_t {};
enum class nvtx_function : std::uint32_t {};

namespace detail {
[[nodiscard]] constexpr function_table const& table_of(driver_function) noexcept { return driver_names; }
[[nodiscard]] constexpr function_table const& table_of(runtime_function) noexcept { return runtime_names; }
[[nodiscard]] constexpr function_table const& table_of(nvtx_function) noexcept { return nvtx_names; }

// A name without what tells its variants apart: the version, and "with a default stream for each
// thread" (_ptsz, _ptds).
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

// How many characters lie between the longest common beginning and the longest common end.
[[nodiscard]] constexpr std::size_t differing_stretch(std::string_view a, std::string_view b) noexcept {
    if (a.size() < b.size()) return differing_stretch(b, a);
    std::size_t begin = 0;
    while (begin < b.size() && a[begin] == b[begin]) ++begin;
    std::size_t end = 0;
    while (begin + end < b.size() && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
    return a.size() - begin - end;
}

// The name that differs from `name` in the shortest stretch; the first of several. A name without
// version is compared with others without theirs. For a compiler that stops with an error;
// `nearest` judges better, and costs more.
[[nodiscard]] constexpr std::string_view nearest_function(function_table const& table, std::string_view name) noexcept {
    bool const is_base = base_of_function(name) == name;
    std::string_view best;
    std::size_t least = ~std::size_t{0};
    for (function_row const& row : table.rows) {
        std::size_t const stretch = differing_stretch(name, is_base ? base_of_function(row.name) : row.name);
        if (stretch >= least) continue;
        least = stretch;
        best = row.name;
    }
    return best;
}

// The nearest name, as compilers show it beside a wrong one.
template <fixed_string Name, class Function>
struct nearest_full_name {
    [[nodiscard]] static consteval std::string_view text() noexcept {
        return nearest_function(table_of(Function{}), Name.view());
    }
};

// What a name stands for. A wrong one stands for a type that tells the nearest, and a constraint
// refuses it: compilers then show that type beside the user's line.
template <class Nearest>
struct no_such_function_nearest_is {};
template <class Found>
inline constexpr bool is_function_of_cuda = true;
template <class Nearest>
inline constexpr bool is_function_of_cuda<no_such_function_nearest_is<Nearest>> = false;

template <class Function, fixed_string Name>
[[nodiscard]] consteval auto find_function() noexcept {
    constexpr function_row const* row = table_of(Function{}).find(Name.view());
    if constexpr (row != nullptr) return static_cast<Function>(row->number);
    else return no_such_function_nearest_is<spelled<nearest_full_name<Name, Function>>>{};
}
} // namespace detail

// A function by its full name: driver_call<"cuMemAlloc_v2">, runtime_call<"cudaMalloc_v3020">,
// nvtx_call<"nvtxRangePushA">. A name that no release up to CUDA 13.5 has does not compile, and the
// message shows the nearest. All versions of a function together: calls<"cudaMalloc">.
// (The second argument is not for users.)
template <fixed_string Name, class Found = decltype(detail::find_function<driver_function, Name>())>
    requires(detail::is_function_of_cuda<Found>)
inline constexpr driver_function driver_call = detail::find_function<driver_function, Name>();
template <fixed_string Name, class Found = decltype(detail::find_function<runtime_function, Name>())>
    requires(detail::is_function_of_cuda<Found>)
inline constexpr runtime_function runtime_call = detail::find_function<runtime_function, Name>();
template <fixed_string Name, class Found = decltype(detail::find_function<nvtx_function, Name>())>
    requires(detail::is_function_of_cuda<Found>)
inline constexpr nvtx_function nvtx_call = detail::find_function<nvtx_function, Name>();

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_FUNCTIONS_HPP
