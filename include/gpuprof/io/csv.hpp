// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a report as CSV (RFC 4180).
#ifndef GPUPROF_IO_CSV_HPP
#define GPUPROF_IO_CSV_HPP

#include <string>

#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a range; columns "range" (its path), "count", then one a metric with its unit:
// "dram__bytes_read.sum [byte]". Numbers have as many digits as read back the same. An empty cell
// means not collected, or divided by 0. Lines end with CR LF.
#if GPUPROF_ENABLED // else beside the report's twin
[[nodiscard]] std::string csv(report const& of);
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "csv.inl.hpp"
#endif

#endif // GPUPROF_IO_CSV_HPP
