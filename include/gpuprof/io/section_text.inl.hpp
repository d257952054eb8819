// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of section_text.hpp.
#ifndef GPUPROF_IO_SECTION_TEXT_INL_HPP
#define GPUPROF_IO_SECTION_TEXT_INL_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../explain/memory_chart.hpp"
#include "../explain/memory_table_values.hpp"
#include "../explain/occupancy_curves.hpp"
#include "../explain/roofline.hpp"
#include "../explain/sections.hpp"
#include "link_chart_svg.hpp"
#include "memory_chart_svg.hpp"
#include "memory_table_text.hpp"
#include "occupancy_svg.hpp"
#include "roofline_svg.hpp"
#include "section_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE std::string section_text(explain::section const& of, range_view const& range, std::size_t columns) {
    std::string made;
    if (of.id == explain::sections::memory_tables.id) {
        for (explain::memory_table const* const each : explain::memory_tables::all)
            made += table(explain::values_of(*each, range), columns);
        return made;
    }
    if (of.id == explain::sections::roofline.id) {
        for (explain::roofline const& each : explain::rooflines_of(range)) made += text(each, columns);
        return made;
    }
    if (of.id == explain::sections::memory_chart.id) return table(explain::memory_chart_of(range), columns);
    if (of.id == explain::sections::nvlink_topology.id) return table(explain::link_chart_of(range), columns);
    if (of.id == explain::sections::occupancy.id) return text(explain::occupancy_curves_of(range), columns);
    return made;
}

GPUPROF_INLINE std::string section_svg(explain::section const& of, range_view const& range) {
    if (of.id == explain::sections::roofline.id) {
        constexpr std::size_t readable = 3; // kinds of arithmetic in one picture
        std::vector<explain::roofline> most = explain::rooflines_of(range);
        std::stable_sort(most.begin(), most.end(), [](explain::roofline const& a, explain::roofline const& b) {
            return a.achieved.number.value_or(0) > b.achieved.number.value_or(0);
        });
        return svg(std::span<explain::roofline const>{most}.first(std::min(readable, most.size())));
    }
    if (of.id == explain::sections::memory_chart.id) return svg(explain::memory_chart_of(range));
    if (of.id == explain::sections::nvlink_topology.id) return svg(explain::link_chart_of(range));
    if (of.id == explain::sections::occupancy.id) return svg(explain::occupancy_curves_of(range));
    return {};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SECTION_TEXT_INL_HPP
