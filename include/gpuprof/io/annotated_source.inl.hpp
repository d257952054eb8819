// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of annotated_source.hpp.
#ifndef GPUPROF_IO_ANNOTATED_SOURCE_INL_HPP
#define GPUPROF_IO_ANNOTATED_SOURCE_INL_HPP

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

#include "../text/printable.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../sample/source_lines.hpp"
#include "aligned.hpp"
#include "annotated_source.hpp"
#include "sample_text.hpp"
#include "source_text.hpp"
#include "stall_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

[[nodiscard]] inline std::string origin_text(source_table const& of) {
    std::string text = gpuprof::detail::printable(of.device);
    if (of.how != fidelity::exact) text += ", " + std::string{name(of.how)};
    return text + ": " + count_text(of.samples) + " samples";
}
[[nodiscard]] inline std::string losses_text(source_table const& of) {
    std::string text;
    for (unplaced_samples const& each : of.unplaced)
        text += "without a line: " + count_text(each.samples) + " samples of " +
                gpuprof::detail::printable(platform::demangled(each.function)) + "; " + each.why + "\n";
    if (!of.complete)
        text += "samples were lost" + (of.lost != 0 ? ": " + count_text(of.lost) + " dropped" : std::string{}) +
                "; shares may be off\n";
    return text;
}

} // namespace detail

GPUPROF_INLINE std::string table(source_table const& of, source_text_options const& options) {
    std::string text = detail::origin_text(of) + "\n";
    for (sampled_file const& file : of.files) {
        text += "\n" + gpuprof::detail::printable_path(file.path) + (file.text.empty() ? " (could not be read)" : "") +
                "\n";
        auto const source = gpuprof::detail::lines_of_text(file.text);
        std::vector<std::string> cells{"line", "samples", "share", "not hidden", "source", "warps are at"};
        auto const add = [&](std::uint32_t number, sampled_line const* line) {
            cells.push_back(std::to_string(number));
            cells.push_back(line == nullptr ? "" : detail::count_text(line->samples));
            cells.push_back(line == nullptr ? "" : detail::percent_text(line->samples, of.samples));
            cells.push_back(line == nullptr ? "" : detail::percent_text(line->latency_samples, line->samples));
            cells.push_back(number <= source.size() ? detail::shown_line(source[number - 1]) : "");
            cells.push_back(line == nullptr ? "" : stalls_text(of.reasons, line->stalls, line->samples, 2));
        };
        std::uint32_t next = 1; // the first line that is not shown yet
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            sampled_line const& line = file.lines[i];
            std::uint32_t const from = line.line > options.around ? line.line - options.around : 1;
            if (from > next && !source.empty()) {
                cells.insert(cells.end(), {"...", "", "", "", "", ""});
                next = from;
            }
            for (; next < line.line && !source.empty(); ++next) add(next, nullptr);
            add(line.line, &line);
            next = line.line + 1;
            std::uint32_t const following = i + 1 < file.lines.size() ? file.lines[i + 1].line : ~std::uint32_t{0};
            for (std::uint32_t const end = line.line + options.around;
                 next <= end && next <= source.size() && next < following; ++next)
                add(next, nullptr);
        }
        text += detail::aligned(cells, "rrrrll");
    }
    return text + detail::losses_text(of);
}

GPUPROF_INLINE std::string html(source_table const& of) {
    using detail::escaped_html;
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Where warps "
                       "stall</title>\n<style>\n"
                       "body { font-family: sans-serif; margin: 1em; color: #222; background: #fff }\n"
                       "table { border-collapse: collapse; font-size: 13px }\n"
                       "td, th { padding: 1px 8px; text-align: right; vertical-align: top; white-space: nowrap }\n"
                       "th { position: sticky; top: 0; background: #eee }\n"
                       "td.source { text-align: left; font-family: monospace; white-space: pre }\n"
                       "td.stalls { text-align: left; color: #555 }\n"
                       "td.bar { width: 120px; text-align: left } td.bar span { display: inline-block; height: 10px; "
                       "background: #c33 }\n"
                       "tr.sampled { background: #fff6ee } p.lost { color: #a00 }\n"
                       "</style>\n</head>\n<body>\n<h1>Where warps stall</h1>\n";
    page += "<p>" + escaped_html(detail::origin_text(of)) + "</p>\n";
    std::string const losses = detail::losses_text(of); // keeps the text that lines are views of
    for (auto const& line : gpuprof::detail::lines_of_text(losses))
        page += "<p class=\"lost\">" + escaped_html(line) + "</p>\n";
    for (sampled_file const& file : of.files) {
        page += "<h2>" + escaped_html(file.path) + "</h2>\n";
        if (file.text.empty()) page += "<p>The file could not be read.</p>\n";
        page += "<table>\n<tr><th>line</th><th>samples</th><th></th><th>share</th><th>not hidden</th>"
                "<th>warps are at</th><th>source</th></tr>\n";
        auto const source = gpuprof::detail::lines_of_text(file.text);
        std::uint64_t most = 1;
        for (sampled_line const& line : file.lines) most = line.samples > most ? line.samples : most;
        auto const waits_for = [](stall_reason which) {
            return meaning(which).empty() ? std::string_view{"what only this chip has"} : meaning(which);
        };
        auto const row = [&](std::uint32_t number, sampled_line const* line) {
            page += line == nullptr ? "<tr><td>" : "<tr class=\"sampled\"><td>";
            page += std::to_string(number) + "</td>";
            if (line == nullptr) {
                page += "<td></td><td></td><td></td><td></td>";
            } else {
                page += "<td>" + detail::count_text(line->samples) +
                        "</td><td class=\"bar\"><span style=\"width:" + std::to_string(line->samples * 120 / most) +
                        "px\"></span></td><td>" + detail::percent_text(line->samples, of.samples) + "</td><td>" +
                        detail::percent_text(line->latency_samples, line->samples) + "</td>";
            }
            page += "<td class=\"stalls\">"; // left of the source, whose lines may be wider than the window
            for (std::size_t i = 0; line != nullptr && i < line->stalls.size(); ++i) {
                sampled_reason const& reason = of.reasons[line->stalls[i].reason];
                page += std::string{i == 0 ? "" : ", "} + "<span title=\"" +
                        escaped_html(gpuprof::detail::joined({"waits for ", waits_for(reason.reason)})) + "\">" +
                        escaped_html(reason.name) + "</span> " +
                        detail::percent_text(line->stalls[i].samples, line->samples);
            }
            page += "</td><td class=\"source\">" +
                    escaped_html(number <= source.size() ? source[number - 1] : std::string_view{});
            page += "</td></tr>\n";
        };
        std::uint32_t next = 1;
        for (sampled_line const& line : file.lines) {
            for (; next < line.line && next <= source.size(); ++next) row(next, nullptr);
            row(line.line, &line);
            next = line.line + 1;
        }
        for (; next <= source.size(); ++next) row(next, nullptr);
        page += "</table>\n";
    }
    return page + "</body>\n</html>\n";
}

GPUPROF_INLINE result<void> try_write_html(source_table const& of, std::string const& path) {
    if (platform::write_file(path, html(of))) return {};
    return error{errc::io, 0, gpuprof::detail::joined({"writing ", path}), "the file cannot be written",
                 "check the folder, its permissions and the room on the disk"};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_ANNOTATED_SOURCE_INL_HPP
