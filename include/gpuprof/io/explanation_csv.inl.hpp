// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of explanation_csv.hpp.
#ifndef GPUPROF_IO_EXPLANATION_CSV_INL_HPP
#define GPUPROF_IO_EXPLANATION_CSV_INL_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "../core/unit_symbol.hpp"
#include "../detail/builtin.hpp"
#include "../text/text_appender.hpp"
#include "csv_cell.hpp"
#include "explanation_csv.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// Writes lines of one kind, of one range and one section or finding.
struct explanation_lines {
    gpuprof::detail::text_appender to;
    std::string_view kind;
    std::size_t range;
    std::string_view path;
    std::string_view id{};
    std::string_view how{};

    void add(std::string_view label, std::string_view metric, std::optional<double> value, std::string_view text = {},
             std::string_view unit = {}, std::string_view missing = {}) const {
        to.text(kind);
        to.text(",");
        to.number(range);
        for (std::string_view const each : {path, id, label, metric}) {
            to.text(",");
            write_csv_cell(to, each);
        }
        to.text(",");
        if (value && *value - *value == 0) to.real(*value);
        for (std::string_view const each : {text, unit, value ? how : std::string_view{}, missing}) {
            to.text(",");
            write_csv_cell(to, each);
        }
        to.text("\r\n");
    }
    void add_gain(explain::gain const& of) const {
        add("gain least", {}, of.least, {}, "ratio");
        add("gain likely", {}, of.likely, {}, "ratio");
        add("gain most", {}, of.most, {}, "ratio");
    }
};

} // namespace detail

GPUPROF_INLINE std::string csv(explain::explanation const& of) {
    using gpuprof::detail::joined;
    std::string made;
    gpuprof::detail::text_appender const to{made};
    to.text("kind,range,path,id,label,metric,value,text,unit,fidelity,missing\r\n");
    for (explain::explained_range const& each : of.ranges()) {
        range_view const range = of.report().at(each.range);
        detail::explanation_lines lines{to, "range", each.range, each.path};
        lines.add("launches", {}, static_cast<double>(range.count()), {}, "ratio");
        if (each.nanoseconds) lines.add("duration", "gpu__time_duration.sum", each.nanoseconds, {}, "ns");
        lines.add("share", {}, each.share, {}, "ratio");
        lines.add("bound by", {}, {}, explain::name(each.bound));
        lines.add_gain(each.together);
        lines.kind = "row";
        for (explain::section const* const part : of.sections()) {
            lines.id = part->id;
            for (explain::section_row const& row : part->rows) {
                explain::row_value const value = explain::value_of(row, range);
                lines.how = name(value.how);
                lines.add(row.label, row.over.empty() ? std::string{row.metric} : joined({row.metric, " / ", row.over}),
                          value.number, value.text,
                          value.number ? unit_symbol{value.value_unit}.view() : std::string_view{},
                          value.missing ? value.missing->message() : std::string{});
            }
        }
    }
    for (explain::finding const& each : of.findings()) {
        detail::explanation_lines lines{to, "finding", each.range, each.path, each.id, name(each.trust)};
        std::string metrics;
        for (std::string const& metric : each.metrics) (metrics += metrics.empty() ? "" : " ") += metric;
        unit_symbol const unit{each.value_unit};
        lines.add("measured", metrics, each.measured, each.condition, unit.view());
        lines.add("threshold", {}, each.threshold, {}, unit.view());
        lines.add("meaning", {}, {}, each.meaning);
        lines.add("advice", {}, {}, each.advice);
        if (each.kind == explain::finding_kind::advice) {
            lines.add_gain(each.gain);
            lines.add("then bound by", {}, {}, explain::name(each.gain.then));
        }
        for (std::string const& line : each.lines) lines.add("line", {}, {}, line);
        if (!each.what_if.empty()) lines.add("what if", {}, {}, each.what_if);
    }
    for (explain::unjudged const& each : of.silences())
        detail::explanation_lines{to, "silence", each.range, of.ranges()[each.range].path, each.id}.add({}, {}, {}, {},
                                                                                                        {}, each.why);
    return made;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_EXPLANATION_CSV_INL_HPP
