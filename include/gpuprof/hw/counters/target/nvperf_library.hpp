// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads libnvperf_host, which plans and evaluates metrics for CUPTI before 12.6.
#ifndef GPUPROF_HW_COUNTERS_TARGET_NVPERF_LIBRARY_HPP
#define GPUPROF_HW_COUNTERS_TARGET_NVPERF_LIBRARY_HPP

#include <string>
#include <string_view>

#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../detail/builtin.hpp"
#include "../../abi/nvperf_host.hpp"
#include "../../machine/library_files.hpp"
#include "../../machine/machine.hpp"
#include "../../machine/platform/library.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The table of the library at a path. It stays loaded. Errors: unavailable, which names the first
// missing call. Cost: 0.1 s of dynamic linking the first time. Thread-safe.
[[nodiscard]] inline result<abi::nvperf_table> try_load_nvperf(std::string const& path) {
    platform::opened_library const opened = platform::open_library(path);
    if (opened.handle == nullptr)
        return error{errc::unavailable, 0, path, opened.refusal, "install it beside libcupti; CUDA's toolkit has both"};
    abi::nvperf_table table;
    char const* missing = nullptr;
#define GPUPROF_NVPERF_FIND(member, symbol, parameters)                                                                \
    table.member =                                                                                                     \
        reinterpret_cast<decltype(table.member)>(platform::find_symbol(opened.handle, #symbol)); /* NOLINT */          \
    if (table.member == nullptr && missing == nullptr) missing = #symbol;
    GPUPROF_ABI_NVPERF(GPUPROF_NVPERF_FIND)
#undef GPUPROF_NVPERF_FIND
    if (missing != nullptr)
        return error{errc::unavailable, 0, detail::joined({missing, " is not in ", path}),
                     "the library is older than CUPTI 11.8", "use CUPTI 11.8 or later"};
    return table;
}

// The table of a machine: its own, or that of the library beside its CUPTI, which must be of the same release. Errors,
// cost and thread-safety: as try_load_nvperf().
[[nodiscard]] inline result<abi::nvperf_table> try_nvperf_of(machine const& on) {
    if (on.nvperf != nullptr) return *on.nvperf;
    std::string const& cupti = on.cupti_library.path;
    return try_load_nvperf(cupti.substr(0, platform::file_name_begin(cupti)) + nvperf_host_file);
}

// The error of a call that libnvperf_host refused.
[[nodiscard]] GPUPROF_COLD inline error refused_by_nvperf(std::string_view call, int status) {
    return error{errc::internal, status, detail::joined({call, " gives status ", std::to_string(status)}),
                 "libnvperf_host refused the call", "use the libnvperf_host that came with this CUPTI"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_TARGET_NVPERF_LIBRARY_HPP
