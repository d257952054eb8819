// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a section of one range has beside its rows: tables and curves as text, and as a picture.
#ifndef GPUPROF_IO_SECTION_TEXT_HPP
#define GPUPROF_IO_SECTION_TEXT_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../explain/section.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Memory tables, rooflines, the memory chart, the topology of NVLink and the curves of occupancy. Empty for sections that
// have nothing but rows. Lines
// end with '\n'.
[[nodiscard]] std::string section_text(explain::section const& of, range_view const& range, std::size_t columns = 100);

// The section's picture as an <svg> element: of roofline (the three kinds of arithmetic with the most operations),
// memory_chart, nvlink_topology (where there are links) and occupancy. Empty for sections that have none.
[[nodiscard]] std::string section_svg(explain::section const& of, range_view const& range);

#if !GPUPROF_ENABLED
inline std::string section_text(explain::section const&, range_view const&, std::size_t) { return {}; }
inline std::string section_svg(explain::section const&, range_view const&) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "section_text.inl.hpp"
#endif

#endif // GPUPROF_IO_SECTION_TEXT_HPP
