// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the memory chart.
#ifndef GPUPROF_IO_MEMORY_CHART_SVG_HPP
#define GPUPROF_IO_MEMORY_CHART_SVG_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../explain/memory_chart.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The chart as an <svg> element that scales to the width it is given: the kernel above, memories below, loads upwards, all else
// downwards. A link's colour says how near it came to its peak, and so does that of the bars in units, which are the ports that
// links share. A link without a number says "n/a", and why where a pointer rests. Colours: --gp-heat-1 to -5, --gp-background.
[[nodiscard]] std::string svg(explain::memory_chart const& of);

// The same as a table of links: from, to, how much, of what peak. At most `columns` wide.
[[nodiscard]] std::string table(explain::memory_chart const& of, std::size_t columns = 100);

#if !GPUPROF_ENABLED
inline std::string svg(explain::memory_chart const&) { return {}; }
inline std::string table(explain::memory_chart const&, std::size_t) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "memory_chart_svg.inl.hpp"
#endif

#endif // GPUPROF_IO_MEMORY_CHART_SVG_HPP
