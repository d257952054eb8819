// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes where warps stall, as tables of kernels and of scopes.
#ifndef GPUPROF_IO_STALL_TABLE_HPP
#define GPUPROF_IO_STALL_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../hw/samplers/pc_samples.hpp"
#include "../sample/pc_scope_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The reasons with most samples, as shares of `of` samples: "long_scoreboard 86 %, wait 12 %".
[[nodiscard]] std::string stalls_text(std::vector<sampled_reason> const& reasons, std::vector<stall_count> stalls,
                                      std::uint64_t of, std::size_t most = 3);

// A line a function, those with most samples first: its samples, its share, the share of latency
// samples, and the stall reasons. The source of the samples is above, what is missing is below.
[[nodiscard]] std::string table(pc_samples const& of);

// The same for each scope, in the order of first entry: a line for each function that was sampled
// in it.
[[nodiscard]] std::string table(pc_scope_report const& of);

#if !GPUPROF_ENABLED
inline std::string stalls_text(std::vector<sampled_reason> const&, std::vector<stall_count>, std::uint64_t,
                               std::size_t) {
    return {};
}
inline std::string table(pc_samples const&) { return {}; }
inline std::string table(pc_scope_report const&) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "stall_table.inl.hpp"
#endif

#endif // GPUPROF_IO_STALL_TABLE_HPP
