// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of source_view.hpp.
#ifndef GPUPROF_IO_SOURCE_VIEW_INL_HPP
#define GPUPROF_IO_SOURCE_VIEW_INL_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/machine/platform/demangle.hpp"
#include "../text/html_text.hpp"
#include "../text/json_text.hpp"
#include "../text/printable.hpp"
#include "../text/text_appender.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "csv_cell.hpp"
#include "error_json.hpp"
#include "sample_text.hpp"
#include "source_text.hpp"
#include "source_view.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// The columns that the view has.
[[nodiscard]] inline std::vector<explain::source_column const*> columns_of(explain::source_view const& of) {
    std::vector<explain::source_column const*> columns;
    for (explain::source_column const& each : explain::source_columns)
        if (of.has(each)) columns.push_back(&each);
    return columns;
}
// Among them, those that count anything.
[[nodiscard]] inline std::vector<explain::source_column const*> used_columns(explain::source_view const& of) {
    auto columns = columns_of(of);
    columns.erase(std::remove_if(columns.begin(), columns.end(),
                                 [&](explain::source_column const* each) { return each->of(of.counts) == 0; }),
                  columns.end());
    return columns;
}

[[nodiscard]] inline std::string call_text(explain::source_instruction const& of) {
    if (of.inlined_at.empty()) return {};
    return of.inlined_at.back().path() + ':' + std::to_string(of.inlined_at.back().line);
}
[[nodiscard]] inline std::string place_text(explain::source_instruction const& of) {
    char text[24] = {};
    std::snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(of.pc_offset));
    return text;
}

// What the view lacks, a sentence each.
[[nodiscard]] inline std::vector<std::string> problems_of(explain::source_view const& of) {
    std::vector<std::string> list;
    for (auto const& [what, why] :
         {std::pair{"no counts of instructions: ", &of.no_counts}, std::pair{"no samples of warps: ", &of.no_samples},
          std::pair{"some instructions have no text: ", &of.no_text}})
        if (*why) list.push_back(what + (*why)->message());
    for (explain::unplaced_counts const& each : of.unplaced)
        list.push_back("without a line: " + count_text(each.counts.instructions) + " instructions and " +
                       count_text(each.counts.samples) + " samples of " +
                       gpuprof::detail::printable(platform::demangled(each.function)) + "; " + each.why);
    if (!of.complete) list.emplace_back("samples or counts were lost; shares may be off");
    return list;
}

// A text of at most so many characters: bytes of UTF-8 that do not begin one are no characters.
[[nodiscard]] inline std::string cut_text(std::string text, std::size_t longest) {
    if (text.size() <= longest) return text;
    std::size_t end = longest < 3 ? 0 : longest - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
    return text.substr(0, end) + "...";
}

inline void write_counts(gpuprof::detail::text_appender const& to, explain::source_counts const& counts,
                         std::vector<explain::source_column const*> const& columns) {
    to.text("\"counts\": [");
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i != 0) to.text(", ");
        to.number(columns[i]->of(counts));
    }
    to.text("], \"stalls\": [");
    for (std::size_t i = 0; i < counts.stalls.size(); ++i) {
        to.text(i == 0 ? "[" : ", [");
        to.number(counts.stalls[i].reason);
        to.text(", ");
        to.number(counts.stalls[i].samples);
        to.text(", ");
        to.number(counts.stalls[i].latency_samples);
        to.text("]");
    }
    to.text("]");
}
inline void write_member(gpuprof::detail::text_appender& to, std::string_view name, std::string_view value) {
    to.text("\"");
    to.text(name);
    to.text("\": ");
    gpuprof::detail::write_json_string(to, value);
}

inline void write_instruction(gpuprof::detail::text_appender& to, explain::source_instruction const& of,
                              std::vector<explain::source_column const*> const& columns) {
    char module[24] = {};
    std::snprintf(module, sizeof module, "%llx", static_cast<unsigned long long>(of.module));
    to.text("{");
    write_member(to, "function", of.function);
    to.text(", ");
    write_member(to, "module", module);
    to.text(", \"pc_offset\": ");
    to.number(of.pc_offset);
    to.text(", ");
    write_member(to, "text", of.text);
    to.text(", \"inlined_at\": [");
    for (std::size_t i = 0; i < of.inlined_at.size(); ++i) {
        to.text(i == 0 ? "{" : ", {");
        write_member(to, "path", of.inlined_at[i].path());
        to.text(", \"line\": ");
        to.number(of.inlined_at[i].line);
        to.text("}");
    }
    to.text("], ");
    write_counts(to, of.counts, columns);
    to.text("}");
}

} // namespace detail

GPUPROF_INLINE std::string table(explain::source_view const& of, source_view_text_options const& options) {
    std::string made = gpuprof::detail::printable(of.device);
    if (of.how != fidelity::exact) made += ", " + std::string{name(of.how)};
    made += ": heat is of " + std::string{of.heat_column().title} + '\n';
    constexpr std::size_t shortest_text = 40, gap = 2;
    auto columns = detail::used_columns(of);
    // Counts that others follow from are for programs.
    constexpr std::string_view shown[]{"samples",           "instructions",          "idle_threads",
                                       "predicated_off",    "global_excess_sectors", "shared_excess_wavefronts",
                                       "local_sectors",     "divergent_branches",    "global_sectors",
                                       "shared_wavefronts", "latency_samples"};
    std::vector<explain::source_column const*> chosen;
    std::size_t room = options.columns > shortest_text + 14 ? options.columns - shortest_text - 14 : 0;
    for (std::string_view const id : shown)
        for (explain::source_column const* const each : columns) {
            if (each->id != id) continue;
            std::size_t const width =
                std::max(each->title.size(), detail::count_text(each->of(of.counts)).size()) + gap;
            if (width > room) continue;
            room -= width;
            chosen.push_back(each);
        }
    std::string const letters = "rr" + std::string(chosen.size(), 'r') + "l";
    for (explain::source_file const& file : of.files) {
        made += '\n' + gpuprof::detail::printable_path(file.path) + (file.could_be_read ? "" : " (could not be read)") +
                '\n';
        std::vector<std::string> cells{"line", "heat"};
        for (explain::source_column const* const each : chosen) cells.emplace_back(each->title);
        cells.emplace_back("source");
        auto const add = [&](std::string number, explain::source_counts const& counts, std::string text) {
            cells.push_back(std::move(number));
            char heat[16] = {};
            std::snprintf(heat, sizeof heat, "%.0f %%", 100 * of.heat(counts));
            cells.emplace_back(heat);
            for (explain::source_column const* const each : chosen) {
                std::uint64_t const value = each->of(counts);
                cells.push_back(value == 0 ? "" : detail::count_text(value));
            }
            cells.push_back(std::move(text));
        };
        for (explain::source_line const& line : file.lines) {
            add(std::to_string(line.line), line.counts, detail::shown_line(line.text));
            if (of.heat(line.counts) < options.instructions_from) continue;
            for (explain::source_instruction const& each : line.instructions) {
                std::string text =
                    "    " + (each.text.empty() ? detail::place_text(each) : detail::shown_line(each.text));
                if (!each.inlined_at.empty()) text += "  // inlined at " + detail::call_text(each);
                add("", each.counts, std::move(text));
            }
        }
        // Text gets what the numbers leave.
        std::size_t const row = letters.size();
        std::size_t numbers = 0;
        for (std::size_t column = 0; column + 1 < row; ++column) {
            std::size_t width = 0;
            for (std::size_t i = column; i < cells.size(); i += row) width = std::max(width, cells[i].size());
            numbers += width + gap;
        }
        std::size_t const left = options.columns > numbers + shortest_text ? options.columns - numbers : shortest_text;
        for (std::size_t i = row - 1; i < cells.size(); i += row) cells[i] = detail::cut_text(cells[i], left);
        made += detail::aligned(cells, letters);
    }
    for (std::string const& each : detail::problems_of(of)) {
        gpuprof::detail::append_wrapped(made, each, 0, 0, options.columns);
        made += '\n';
    }
    return made;
}

GPUPROF_INLINE std::string json(explain::source_view const& of) {
    std::string made;
    gpuprof::detail::text_appender to{made};
    auto const columns = detail::columns_of(of);
    to.text("{\"gpuprof_source_view\": 1, ");
    detail::write_member(to, "device", of.device);
    to.text(", ");
    detail::write_member(to, "chip", of.chip);
    to.text(of.source == device_source::hardware ? ", \"hardware\": true, " : ", \"hardware\": false, ");
    detail::write_member(to, "fidelity", name(of.how));
    to.text(of.complete ? ", \"complete\": true, \"columns\": [" : ", \"complete\": false, \"columns\": [");
    auto const separate = [&](std::size_t i, std::string_view text) { to.text(i == 0 ? std::string_view{} : text); };
    for (std::size_t i = 0; i < columns.size(); ++i) {
        separate(i, ", ");
        gpuprof::detail::write_json_string(to, columns[i]->id);
    }
    to.text("],\n\"reasons\": [");
    for (std::size_t i = 0; i < of.reasons.size(); ++i) {
        separate(i, ", ");
        gpuprof::detail::write_json_string(to, of.reasons[i].name);
    }
    to.text("],\n\"problems\": [");
    auto const problems = detail::problems_of(of);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        separate(i, ", ");
        gpuprof::detail::write_json_string(to, problems[i]);
    }
    to.text("]");
    for (auto const& [member, why] :
         {std::pair{",\n\"no_counts\": ", &of.no_counts}, std::pair{",\n\"no_samples\": ", &of.no_samples},
          std::pair{",\n\"no_text\": ", &of.no_text}}) {
        to.text(member);
        if (*why) detail::add_error(to, **why);
        else to.text("null");
    }
    to.text(",\n\"files\": [");
    for (std::size_t f = 0; f < of.files.size(); ++f) {
        explain::source_file const& file = of.files[f];
        separate(f, ",");
        to.text("\n{");
        detail::write_member(to, "path", file.path);
        to.text(file.could_be_read ? ", \"could_be_read\": true, " : ", \"could_be_read\": false, ");
        detail::write_counts(to, file.counts, columns);
        to.text(", \"lines\": [");
        for (std::size_t l = 0; l < file.lines.size(); ++l) {
            explain::source_line const& line = file.lines[l];
            separate(l, ",");
            to.text("\n{\"line\": ");
            to.number(line.line);
            to.text(", ");
            detail::write_member(to, "text", line.text);
            to.text(", ");
            detail::write_counts(to, line.counts, columns);
            to.text(", \"instructions\": [");
            for (std::size_t i = 0; i < line.instructions.size(); ++i) {
                separate(i, ",");
                to.text("\n");
                detail::write_instruction(to, line.instructions[i], columns);
            }
            to.text("]}");
        }
        to.text("]}");
    }
    to.text("],\n\"unplaced\": [");
    for (std::size_t i = 0; i < of.unplaced.size(); ++i) {
        separate(i, ", ");
        to.text("{");
        detail::write_member(to, "function", of.unplaced[i].function);
        to.text(", ");
        detail::write_member(to, "why", of.unplaced[i].why);
        to.text(", ");
        detail::write_counts(to, of.unplaced[i].counts, columns);
        to.text("}");
    }
    to.text("]}\n");
    return made;
}

GPUPROF_INLINE std::string csv(explain::source_view const& of) {
    std::string made;
    gpuprof::detail::text_appender const to{made};
    auto const columns = detail::columns_of(of);
    to.text("file,line,source,function,pc_offset,instruction,inlined_at");
    for (explain::source_column const* const each : columns) {
        to.text(",");
        to.text(each->id);
    }
    to.text("\r\n");
    for (explain::source_file const& file : of.files)
        for (explain::source_line const& line : file.lines)
            for (explain::source_instruction const& each : line.instructions) {
                write_csv_cell(to, file.path);
                to.text(",");
                to.number(line.line);
                for (std::string const& text : {line.text, each.function}) {
                    to.text(",");
                    write_csv_cell(to, text);
                }
                to.text(",");
                to.number(each.pc_offset);
                for (std::string const& text : {each.text, detail::call_text(each)}) {
                    to.text(",");
                    write_csv_cell(to, text);
                }
                for (explain::source_column const* const column : columns) {
                    to.text(",");
                    to.number(column->of(each.counts));
                }
                to.text("\r\n");
            }
    return made;
}

GPUPROF_INLINE std::string html_rows(explain::source_view const& of, std::size_t most_lines) {
    using gpuprof::detail::html_text;
    constexpr std::size_t most_instructions = 50;
    auto const columns = detail::used_columns(of);
    explain::source_column const& heat = of.heat_column();
    // The heat from which on lines are shown.
    std::vector<std::uint64_t> heats;
    for (explain::source_file const& file : of.files)
        for (explain::source_line const& line : file.lines) heats.push_back(heat.of(line.counts));
    std::sort(heats.begin(), heats.end(), std::greater<>{});
    std::uint64_t const least =
        heats.size() > most_lines ? (most_lines == 0 ? ~std::uint64_t{0} : heats[most_lines - 1]) : 0;
    std::size_t shown = 0, left_out = 0;
    std::string page;
    for (explain::source_file const& file : of.files) {
        std::string rows;
        auto const add = [&](std::string_view kind, std::string const& number, explain::source_counts const& counts,
                             std::string const& text) {
            char warmth[16] = {};
            auto const share = static_cast<unsigned>(1000 * of.heat(counts));
            std::snprintf(warmth, sizeof warmth, "%u.%03u", share / 1000, share % 1000);
            rows += gpuprof::detail::joined(
                {"<tr class=\"", kind, "\" style=\"--heat:", warmth, "\"><th scope=\"row\">", number, "</th>"});
            for (explain::source_column const* const each : columns) {
                std::uint64_t const value = each->of(counts);
                rows += gpuprof::detail::joined({"<td>", value == 0 ? "" : detail::count_text(value), "</td>"});
            }
            rows += gpuprof::detail::joined({"<td class=\"code\">", text, "</td></tr>\n"});
        };
        for (explain::source_line const& line : file.lines) {
            if (heat.of(line.counts) < least || shown == most_lines) {
                ++left_out;
                continue;
            }
            ++shown;
            add("line", std::to_string(line.line), line.counts, html_text(line.text));
            std::size_t written = 0;
            for (explain::source_instruction const& each : line.instructions) {
                if (written++ == most_instructions) break;
                std::string text = each.text.empty() ? detail::place_text(each) : each.text;
                if (!each.inlined_at.empty()) text += "  // inlined at " + detail::call_text(each);
                add("instruction", "", each.counts, html_text(text));
            }
        }
        if (rows.empty()) continue;
        page += gpuprof::detail::joined({"<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"",
                                         html_text(file.path), "\">\n<table class=\"source\">\n<caption>",
                                         html_text(file.path), file.could_be_read ? "" : " (could not be read)",
                                         "</caption>\n<thead><tr><th scope=\"col\">line</th>"});
        for (explain::source_column const* const each : columns)
            page += gpuprof::detail::joined(
                {"<th scope=\"col\" title=\"", html_text(each->meaning), "\">", html_text(each->title), "</th>"});
        page += "<th scope=\"col\">source</th></tr></thead>\n<tbody>\n" + rows + "</tbody>\n</table>\n</div>\n";
    }
    if (left_out != 0) page += "<p>" + detail::count_text(left_out) + " cooler lines are left out.</p>\n";
    for (std::string const& each : detail::problems_of(of)) page += "<p>" + html_text(each) + "</p>\n";
    return page;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SOURCE_VIEW_INL_HPP
