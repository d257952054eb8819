// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where warps stall, as tables of kernels and of scopes. Layer: write out.
#ifndef GPUPROF_IO_STALL_TABLE_HPP
#define GPUPROF_IO_STALL_TABLE_HPP

#include <cstddef> // std::size_t
#include <cstdint> // counts
#include <string>  // tables
#include <vector>  // stalls

#include "../hw/pc/pc_samples.hpp"
#include "../sample/pc_scopes.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// "long_scoreboard 86 %, wait 12 %": the reasons with most samples, as shares of `of` samples.
GPUPROF_DECLARE [[nodiscard]] std::string stalls_text(std::vector<sampled_reason> const& reasons,
                                                      std::vector<stall_count> stalls, std::uint64_t of,
                                                      std::size_t most = 3);

// A line for each function, those with most samples first: its samples, its share, the share of latency samples, and what its
// warps were at. Above, where the samples come from; below, what is missing.
GPUPROF_DECLARE [[nodiscard]] std::string table(pc_samples const& of);

// The same for each scope, in the order in which they were first entered: a line for each function that was sampled in it.
GPUPROF_DECLARE [[nodiscard]] std::string table(pc_scope_report const& of);

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "stall_table.inl.hpp"
#endif

#endif // GPUPROF_IO_STALL_TABLE_HPP
