// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of findings.hpp.
#ifndef GPUPROF_IO_FINDINGS_INL_HPP
#define GPUPROF_IO_FINDINGS_INL_HPP

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "../core/counted.hpp"
#include "../text/printable.hpp"
#include "../text/wrapped.hpp"
#include "findings.hpp"
#include "section_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
using gpuprof::detail::joined;

// "12 %"; of a share.
[[nodiscard]] inline std::string whole_share(double of) {
    return joined({std::to_string(static_cast<long long>(std::floor(100 * of + 0.5))), " %"});
}
[[nodiscard]] inline std::string gain_text(explain::gain const& of) {
    return joined({whole_share(of.likely), " (", whole_share(of.least), " to ", whole_share(of.most), ")"});
}
inline void append_line(std::string& text, std::string_view sentence, std::size_t indent, std::size_t columns) {
    text.append(indent, ' ');
    gpuprof::detail::append_wrapped(text, sentence, indent, indent, columns);
    text += '\n';
}
// Appends lines, each after some blanks.
inline void append_indented(std::string& to, std::string_view lines, std::size_t indent) {
    while (!lines.empty()) {
        std::size_t const end = lines.find('\n');
        to.append(indent, ' ').append(lines.substr(0, end)) += '\n';
        lines = end == lines.npos ? std::string_view{} : lines.substr(end + 1);
    }
}
// "1.2 ms".
[[nodiscard]] inline std::string duration_text(double nanoseconds) {
    char const* const units[]{"ns", "us", "ms", "s"};
    std::size_t at = 0;
    while (nanoseconds >= 1000 && at < 3) {
        nanoseconds /= 1000;
        ++at;
    }
    return joined({gpuprof::detail::grouped_number(std::round(nanoseconds * 100) / 100), " ", units[at]});
}
} // namespace detail

GPUPROF_INLINE std::string text(explain::finding const& of, std::size_t columns) {
    using detail::joined;
    bool const advises = of.kind == explain::finding_kind::advice;
    std::string made;
    detail::append_line(made,
                        joined({of.title, advises ? ": " : "", advises ? detail::gain_text(of.gain) : "",
                                advises ? " of the time" : "", " [", of.id, "]"}),
                        0, columns);
    detail::append_line(made, of.meaning, 2, columns);
    if (!of.advice.empty()) detail::append_line(made, of.advice, 2, columns);
    if (advises && of.gain.then != explain::limit::none)
        detail::append_line(made, joined({"Then bound by ", explain::name(of.gain.then), "."}), 2, columns);
    std::string lines;
    for (std::string const& line : of.lines) (lines += lines.empty() ? "" : ", ") += line;
    if (!lines.empty()) detail::append_line(made, joined({"at ", lines}), 2, columns);
    if (!of.what_if.empty()) detail::append_line(made, of.what_if, 2, columns);
    return made;
}

GPUPROF_INLINE std::string table(explain::explanation const& of, std::size_t columns) {
    using detail::joined;
    report const& whole = of.report();
    std::string made = joined({whole.device(), whole.source() == device_source::embedded ? ", the embedded GPU" : "",
                               whole.recording().empty() ? "" : recorded_words, "\n"});
    for (error const& problem : whole.completeness().problems) detail::append_line(made, problem.message(), 0, columns);
    for (explain::explained_range const& each : of.ranges()) {
        made += '\n';
        detail::append_line(
            made,
            joined({gpuprof::detail::printable_path(each.path), each.nanoseconds ? ": " : "",
                    each.nanoseconds ? detail::duration_text(*each.nanoseconds) : "",
                    each.bound == explain::limit::none ? "" : ", bound by ",
                    each.bound == explain::limit::none ? std::string_view{} : explain::name(each.bound)}),
            0, columns);
        for (explain::finding const& one : of.findings()) {
            if (one.range != each.range) continue;
            detail::append_indented(made, text(one, columns - 2), 2);
        }
        for (explain::section const* const part : of.sections()) {
            made += joined({"  ", part->title, "\n"});
            detail::append_indented(made, section_text(*part, whole.at(each.range), columns - 4), 4);
        }
    }
    for (explain::unjudged const& each : of.silences())
        detail::append_line(made, joined({each.id, " could not be judged: ", each.why}), 0, columns);
    return made;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_FINDINGS_INL_HPP
