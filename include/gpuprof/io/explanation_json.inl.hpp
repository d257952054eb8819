// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of explanation_json.hpp, and the parts of the JSON that a page holds, too.
#ifndef GPUPROF_IO_EXPLANATION_JSON_INL_HPP
#define GPUPROF_IO_EXPLANATION_JSON_INL_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../text/json_members.hpp"
#include "../text/numbered_texts.hpp"
#include "../text/text_appender.hpp"
#include "error_json.hpp"
#include "explained_order.hpp"
#include "explanation_json.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

using gpuprof::detail::text_appender;

// A stable word of a limit, for programs; explain::name() is for people.
[[nodiscard]] constexpr std::string_view word_of(explain::limit of) noexcept {
    constexpr std::string_view words[]{"none", "issue", "pipe",    "shared",      "l1",
                                       "l2",   "dram",  "latency", "distribution"};
    return words[static_cast<std::size_t>(of)];
}
[[nodiscard]] constexpr std::string_view word_of(explain::finding_kind of) noexcept {
    return of == explain::finding_kind::advice ? "advice" : "information";
}

// Why values are missing: each reason once, with a number. Which value it is, its row and its range say.
class reasons {
public:
    [[nodiscard]] std::size_t number_of(error why) {
        if (!why.cause.empty()) why.what.clear();
        std::size_t const number = numbers_.number_of(why.message());
        if (number == list_.size()) list_.push_back(std::move(why));
        return number;
    }
    [[nodiscard]] std::vector<error> const& list() const noexcept { return list_; }

private:
    gpuprof::detail::numbered_texts numbers_{};
    std::vector<error> list_{};
};

// What is the same for a row of a section in all ranges.
struct row_facts {
    gpuprof::unit value_unit{};
    fidelity how = fidelity::exact;
};

// The values of all sections' rows in one range, section by section.
[[nodiscard]] std::vector<explain::row_value> values_of(std::span<explain::section const* const> sections,
                                                        range_view const& range);
GPUPROF_INLINE std::vector<explain::row_value> values_of(std::span<explain::section const* const> sections,
                                                         range_view const& range) {
    std::vector<explain::row_value> values;
    for (explain::section const* const each : sections)
        for (explain::section_row const& row : each->rows) values.push_back(explain::value_of(row, range));
    return values;
}

// Adds what the values of one range tell of their rows: a missing value has no unit.
inline void learn(std::vector<row_facts>& facts, std::vector<explain::row_value> const& values) {
    facts.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!values[i].missing) facts[i] = {values[i].value_unit, values[i].how};
}

inline void add_gain(text_appender const& to, explain::gain const& of) {
    using gpuprof::detail::add_number;
    add_number(to, "{\"least\":", of.least);
    add_number(to, ",\"likely\":", of.likely);
    add_number(to, ",\"most\":", of.most);
    gpuprof::detail::add_text(to, ",\"then\":", word_of(of.then));
    to.text("}");
}

inline void add_list(text_appender const& to, std::vector<std::string> const& list) {
    std::string_view before = "[";
    for (std::string const& each : list) {
        gpuprof::detail::add_text(to, before, each);
        before = ",";
    }
    to.text(list.empty() ? "[]" : "]");
}

// [{"id":...,"title":...,"description":...,"rows":[...]}]
void add_sections(text_appender const& to, std::span<explain::section const* const> sections,
                  std::vector<row_facts> const& facts);
GPUPROF_INLINE void add_sections(text_appender const& to, std::span<explain::section const* const> sections,
                                 std::vector<row_facts> const& facts) {
    using gpuprof::detail::add_text;
    std::size_t row_number = 0;
    std::string_view before = "[";
    for (explain::section const* const each : sections) {
        to.text(before);
        add_text(to, "{\"id\":", each->id);
        add_text(to, ",\"title\":", each->title);
        add_text(to, ",\"description\":", each->description);
        to.text(",\"rows\":[");
        std::string_view comma;
        for (explain::section_row const& row : each->rows) {
            row_facts const known = row_number < facts.size() ? facts[row_number] : row_facts{};
            ++row_number;
            to.text(comma);
            add_text(to, "{\"label\":", row.label);
            add_text(to, ",\"metric\":", row.metric);
            if (!row.over.empty()) add_text(to, ",\"over\":", row.over);
            add_text(to, ",\"unit\":", unit_symbol{known.value_unit}.view());
            add_text(to, ",\"fidelity\":", name(known.how));
            to.text("}");
            comma = ",";
        }
        to.text("]}");
        before = ",";
    }
    to.text(sections.empty() ? "[]" : "]");
}

// {ID:{"values":[...],"missing":[[row,reason]]}}
using number_writer = void (*)(text_appender const& to, std::string_view key, double number);
void add_values(text_appender const& to, std::span<explain::section const* const> sections,
                std::vector<explain::row_value> const& values, reasons& why,
                number_writer add_number = &gpuprof::detail::add_number);
GPUPROF_INLINE void add_values(text_appender const& to, std::span<explain::section const* const> sections,
                               std::vector<explain::row_value> const& values, reasons& why, number_writer add_number) {
    std::size_t at = 0;
    std::string_view before = "{";
    for (explain::section const* const each : sections) {
        gpuprof::detail::add_text(to, before, each->id);
        to.text(":{\"values\":[");
        std::string missing;
        text_appender const lacks{missing};
        for (std::size_t row = 0; row < each->rows.size(); ++row, ++at) {
            explain::row_value const& value = values[at];
            if (row > 0) to.text(",");
            if (value.number) add_number(to, "", *value.number);
            else if (!value.missing) gpuprof::detail::write_json_string(to, value.text);
            else to.text("null");
            if (!value.missing) continue;
            lacks.text(missing.empty() ? "[" : ",[");
            lacks.number(row);
            lacks.text(",");
            lacks.number(why.number_of(*value.missing));
            lacks.text("]");
        }
        to.text("]");
        if (!missing.empty()) to.text(gpuprof::detail::joined({",\"missing\":[", missing, "]"}));
        to.text("}");
        before = ",";
    }
    to.text(sections.empty() ? "{}" : "}");
}

inline void add_errors(text_appender const& to, std::vector<error> const& list) {
    std::string_view before = "[";
    for (error const& each : list) {
        to.text(before);
        add_error(to, each);
        before = ",";
    }
    to.text(list.empty() ? "[]" : "]");
}

// @param alike the place of the finding that stands for it
void add_finding(text_appender const& to, explain::finding const& of, std::size_t alike);
GPUPROF_INLINE void add_finding(text_appender const& to, explain::finding const& of, std::size_t alike) {
    using gpuprof::detail::add_text;
    add_text(to, "{\"id\":", of.id);
    add_text(to, ",\"title\":", of.title);
    add_text(to, ",\"kind\":", word_of(of.kind));
    to.text(",\"range\":");
    to.number(of.range);
    add_text(to, ",\"path\":", of.path);
    add_text(to, ",\"condition\":", of.condition);
    gpuprof::detail::add_number(to, ",\"measured\":", of.measured);
    gpuprof::detail::add_number(to, ",\"threshold\":", of.threshold);
    add_text(to, ",\"unit\":", unit_symbol{of.value_unit}.view());
    to.text(",\"gain\":");
    add_gain(to, of.gain);
    add_text(to, ",\"meaning\":", of.meaning);
    add_text(to, ",\"advice\":", of.advice);
    to.text(",\"metrics\":");
    add_list(to, of.metrics);
    add_text(to, ",\"trust\":", name(of.trust));
    to.text(",\"lines\":");
    add_list(to, of.lines);
    add_text(to, ",\"what_if\":", of.what_if);
    to.text(",\"alike\":");
    to.number(alike);
    to.text("}");
}

} // namespace detail

GPUPROF_INLINE std::string json(explain::explanation const& of) {
    using gpuprof::detail::add_number;
    using gpuprof::detail::add_text;
    std::string text;
    detail::text_appender const to{text};
    report const& whole = of.report();
    completeness const& state = whole.completeness();
    add_text(to, "{\"format\":\"gpuprof explanation\",\"version\":1,\n\"device\":", whole.device());
    add_text(to, ",\"chip\":", whole.chip());
    add_text(to, ",\"source\":", name(whole.source()));
    if (!whole.recording().empty()) add_text(to, ",\"recording\":", whole.recording());
    add_text(to, ",\"hardware\":", whole.hardware());
    to.text(whole.complete() ? ",\"complete\":true,\"passes_needed\":" : ",\"complete\":false,\"passes_needed\":");
    to.number(state.passes_needed);
    to.text(",\"replay_passes\":");
    to.number(state.replay_passes);
    to.text(",\"problems\":");
    detail::add_errors(to, state.problems);

    std::vector<detail::row_facts> facts;
    detail::reasons why;
    std::string ranges;
    detail::text_appender const rows{ranges};
    std::string_view before = "\n";
    for (explain::explained_range const& each : of.ranges()) {
        range_view const range = whole.at(each.range);
        rows.text(before);
        add_text(rows, "{\"name\":", range.name());
        add_text(rows, ",\"path\":", each.path);
        rows.text(",\"parent\":");
        if (auto const parent = range.parent()) rows.number(*parent);
        else rows.text("null");
        rows.text(",\"launches\":");
        rows.number(range.count());
        add_text(rows, ",\"kernel\":", range.launches().kernel);
        add_number(rows, ",\"nanoseconds\":", each.nanoseconds.value_or(gpuprof::detail::quiet_nan));
        add_number(rows, ",\"share\":", each.share);
        add_text(rows, ",\"bound\":", detail::word_of(each.bound));
        rows.text(",\"gain\":");
        detail::add_gain(rows, each.together);
        rows.text(",\"sections\":");
        std::vector<explain::row_value> const values = detail::values_of(of.sections(), range);
        detail::learn(facts, values);
        detail::add_values(rows, of.sections(), values, why);
        rows.text("}");
        before = ",\n";
    }
    to.text(",\n\"sections\":");
    detail::add_sections(to, of.sections(), facts);
    to.text(",\n\"reasons\":");
    detail::add_errors(to, why.list());
    to.text(gpuprof::detail::joined({",\n\"ranges\":[", ranges, "],\n\"findings\":["}));
    before = "\n";
    std::vector<std::size_t> alike(of.findings().size());
    for (detail::finding_group const& group : detail::alike_findings(of))
        for (std::size_t const place : group.findings) alike[place] = group.findings.front();
    for (std::size_t i = 0; i < alike.size(); ++i) {
        to.text(before);
        detail::add_finding(to, of.findings()[i], alike[i]);
        before = ",\n";
    }
    to.text("],\n\"silences\":[");
    before = "\n";
    for (explain::unjudged const& each : of.silences()) {
        to.text(before);
        add_text(to, "{\"id\":", each.id);
        to.text(",\"range\":");
        to.number(each.range);
        add_text(to, ",\"why\":", each.why);
        to.text("}");
        before = ",\n";
    }
    to.text("]}\n");
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_EXPLANATION_JSON_INL_HPP
