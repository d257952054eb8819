// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what links carried, as a table.
#ifndef GPUPROF_IO_LINK_TABLE_HPP
#define GPUPROF_IO_LINK_TABLE_HPP

#include <string>

#include "../detail/config.hpp"
#include "../trace/link_flow.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a link: what is at its other end, and for each direction the bytes of data, the bandwidth (in 10^9 bytes a second)
// and its share of the link's speed. The last line has the sums. Empty if there are no links.
[[nodiscard]] std::string table(link_traffic const& of);

#if !GPUPROF_ENABLED
inline std::string table(link_traffic const&) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "link_table.inl.hpp"
#endif

#endif // GPUPROF_IO_LINK_TABLE_HPP
