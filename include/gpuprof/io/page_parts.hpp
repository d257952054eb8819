// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures and tables that the page of an explanation has beside its sections.
#ifndef GPUPROF_IO_PAGE_PARTS_HPP
#define GPUPROF_IO_PAGE_PARTS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"
#include "../explain/memory_table_values.hpp"
#include "../explain/sections.hpp"
#include "../text/html_text.hpp"
#include "memory_table_text.hpp"
#include "page_options.hpp"
#include "section_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

[[nodiscard]] inline bool has_section(explain::explanation const& of, std::string_view id) {
    for (explain::section const* const each : of.sections())
        if (each->id == id) return true;
    return false;
}

template <explain::section const& Of>
[[nodiscard]] std::string picture_of(void const*, explain::explanation const& of, std::size_t range) {
    return has_section(of, Of.id) ? section_svg(Of, of.report().at(of.ranges()[range].range)) : std::string{};
}

// The memory tables that have a number in the range.
[[nodiscard]] inline std::string html_of_memory_tables(void const*, explain::explanation const& of, std::size_t range) {
    using gpuprof::detail::append_html;
    std::string html;
    if (!has_section(of, explain::sections::memory_tables.id)) return html;
    for (explain::memory_table const* const each : explain::memory_tables::all) {
        auto const values = explain::values_of(*each, of.report().at(of.ranges()[range].range));
        if (!values.has_numbers()) continue;
        append_html(html += "<table><caption>", each->title);
        html += "</caption><thead><tr><td></td>";
        for (explain::table_column const* const column : values.columns)
            ((html += "<th scope=\"col\">") += gpuprof::detail::html_text(column->title)) += "</th>";
        html += "</tr></thead><tbody>";
        for (std::size_t row = 0; row < values.rows.size(); ++row) {
            append_html(html += "<tr><th scope=\"row\">", values.rows[row]->title);
            html += "</th>";
            for (std::size_t column = 0; column < values.columns.size(); ++column) {
                explain::table_cell const& cell = values.at(row, column);
                html += "<td";
                if (range == 0) { // the same in every range
                    append_html(html += " title=\"", cell.calculation);
                    html += '"';
                }
                append_html(html += '>', text(cell));
                html += "</td>";
            }
            html += "</tr>";
        }
        html += "</tbody></table>";
    }
    return html;
}

// A line each. They stand below the section of that id, in this order.
[[nodiscard]] inline std::vector<page_part> parts_of_every_page() {
    return {
        {"occupancy", "Occupancy by block size, registers and shared memory",
         &picture_of<explain::sections::occupancy>},
        {"roofline", "Roofline", &picture_of<explain::sections::roofline>},
        {"memory_chart", "Memory chart", &picture_of<explain::sections::memory_chart>},
        {"memory_tables", "Memory tables", &html_of_memory_tables},
        {"nvlink_topology", "Topology of NVLink", &picture_of<explain::sections::nvlink_topology>},
    };
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PAGE_PARTS_HPP
