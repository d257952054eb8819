// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the topology of NVLink.
#ifndef GPUPROF_IO_LINK_CHART_SVG_HPP
#define GPUPROF_IO_LINK_CHART_SVG_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../explain/link_chart.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The chart as an <svg> element that scales to the width it is given: GPUs and CPUs on a circle, switches inside it, a line for
// the links between two of them, the wider the more there are. A line's colour says how near the busier direction came to its
// peak, grey that it is not known; its numbers are shown where a pointer rests, and beside it if there are few lines. Empty
// without links. Colours: --gp-heat-1 to -5, --gp-unknown.
[[nodiscard]] std::string svg(explain::link_chart const& of);

// The same as a table: ends, links, peak, what went there and back. Without links, why there are none.
[[nodiscard]] std::string table(explain::link_chart const& of, std::size_t columns = 100);

#if !GPUPROF_ENABLED
inline std::string svg(explain::link_chart const&) { return {}; }
inline std::string table(explain::link_chart const&, std::size_t) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "link_chart_svg.inl.hpp"
#endif

#endif // GPUPROF_IO_LINK_CHART_SVG_HPP
