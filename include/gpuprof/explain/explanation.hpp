// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why kernels take as long as they do: the values of sections, and what rules found in them.
#ifndef GPUPROF_EXPLAIN_EXPLANATION_HPP
#define GPUPROF_EXPLAIN_EXPLANATION_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "../core/unit.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "finding.hpp"
#include "rule.hpp"
#include "section.hpp"
#include "sections.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

struct source_view; // source_view.hpp

// The value of one row of a section in one range, or why there is none.
struct row_value {
    std::optional<double> number{}; // in `value_unit`
    std::string text{};             // of a metric that is a text: "enabled"
    gpuprof::unit value_unit{};
    fidelity how = fidelity::exact;
    std::optional<error> missing{}; // set if there is neither number nor text
};

// The value of a row. A share above 100 % is no value: `missing` says which passes do not belong together.
[[nodiscard]] row_value value_of(section_row const& row, range_view const& range);

// What can be said of one range.
struct explained_range {
    std::size_t range = 0;               // its place in the report
    std::string path{};                  // of the range
    std::optional<double> nanoseconds{}; // that it took, where it was measured
    double share = 0;                    // of the time of all ranges that have no other range around them
    limit bound = limit::none;           // what bounds it now
    explain::gain together{};            // of all its findings: they overlap, so their gains do not add up
};

// A report, looked at by sections and rules. A value: it shares the report, and stays when device and profiler are gone.
// Const use is thread-safe.
class explanation {
public:
    explanation() = default;
    // Judges what was measured; measures nothing. @param rules those of rules.hpp, if none are given. Cost: about a
    // millisecond a range.
    explanation(gpuprof::report of, explain::set const& sections, std::span<rule const> rules = {});

    [[nodiscard]] gpuprof::report const& report() const& noexcept { return report_; }
    [[nodiscard]] std::span<section const* const> sections() const noexcept { return sections_; }
    // Of all ranges: what would save the most time first, then what is only said.
    [[nodiscard]] std::vector<finding> const& findings() const& noexcept { return findings_; }
    [[nodiscard]] std::vector<finding> findings() && { return findings_; }
    // The rules that could not say anything of a range, and why.
    [[nodiscard]] std::vector<unjudged> const& silences() const& noexcept { return silences_; }
    // Of each range of the report, in its order.
    [[nodiscard]] std::vector<explained_range> const& ranges() const& noexcept { return ranges_; }
    // The finding of that id with the largest gain; null if there is none.
    [[nodiscard]] finding const* find(std::string_view id) const noexcept {
        for (finding const& each : findings_)
            if (each.id == id) return &each;
        return nullptr;
    }
    // Sets the lines of findings that belong to instructions: the costliest ones by finding_columns (explain_lines.hpp
    // defines it), of the kernel that the finding's range is named after.
    void locate(source_view const& lines);

private:
    gpuprof::report report_{};
    std::vector<section const*> sections_{};
    std::vector<finding> findings_{};
    std::vector<unjudged> silences_{};
    std::vector<explained_range> ranges_{};
};

// The metrics of a set's sections and of the rules that belong to them, each once.
[[nodiscard]] std::vector<std::string> metric_names_of(set const& sections, std::span<rule const> rules = {});

#if !GPUPROF_ENABLED
inline row_value value_of(section_row const&, range_view const&) { return {}; }
inline explanation::explanation(gpuprof::report of, explain::set const&, std::span<rule const>)
    : report_{std::move(of)} {}
inline void explanation::locate(source_view const&) {}
inline std::vector<std::string> metric_names_of(set const&, std::span<rule const>) { return {}; }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "explanation.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_EXPLANATION_HPP
