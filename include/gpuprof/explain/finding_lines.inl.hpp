// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of finding_lines.hpp, and explanation::locate().
#ifndef GPUPROF_EXPLAIN_FINDING_LINES_INL_HPP
#define GPUPROF_EXPLAIN_FINDING_LINES_INL_HPP

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "../hw/machine/platform/demangle.hpp"
#include "finding_lines.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
namespace detail {

// "saxpy.cu:12".
[[nodiscard]] inline std::string short_place(std::string_view path, std::uint32_t line) {
    std::size_t const slash = path.find_last_of("/\\");
    return gpuprof::detail::joined({slash == path.npos ? path : path.substr(slash + 1), ":", std::to_string(line)});
}

// Whether a function, mangled in a view, is a kernel, as a range is named after it.
[[nodiscard]] inline bool is_kernel(std::string_view function, std::string_view demangled, std::string_view kernel) {
    if (function == kernel || demangled == kernel) return true;
    return demangled.starts_with(kernel) && !kernel.empty() && demangled.substr(kernel.size()).starts_with("(");
}
[[nodiscard]] inline bool counts_for(std::string const& function, line_filter const& filter) {
    if (filter.kernel.empty()) return true;
    std::string const demangled = platform::demangled(function);
    if (is_kernel(function, demangled, filter.kernel)) return true;
    return std::none_of(filter.others.begin(), filter.others.end(),
                        [&](std::string_view other) { return is_kernel(function, demangled, other); });
}

// What an instruction costs by a column.
class finding_cost {
public:
    finding_cost(finding_column const& of, source_view const& view)
        : column_{find_source_column(of.column.empty() ? "samples" : of.column)} {
        while (reason_ < view.reasons.size() && view.reasons[reason_].name != of.stall) ++reason_;
        is_stall_ = of.column.empty();
        known_ = view.has(*column_) && (!is_stall_ || reason_ < view.reasons.size());
    }
    [[nodiscard]] bool known() const noexcept { return known_; }
    [[nodiscard]] std::uint64_t of(source_counts const& counts) const {
        if (!is_stall_) return column_->of(counts);
        for (stall_count const& each : counts.stalls)
            if (each.reason == reason_) return each.samples;
        return 0;
    }

private:
    source_column const* column_;
    std::size_t reason_ = 0;
    bool is_stall_ = false;
    bool known_ = false;
};

} // namespace detail

GPUPROF_INLINE std::vector<std::string> costliest_lines(std::string_view finding, source_view const& view,
                                                        line_filter const& filter, std::size_t most) {
    auto const* const end = std::end(finding_columns);
    auto const* const row = std::find_if(std::begin(finding_columns), end,
                                         [&](finding_column const& each) { return each.finding == finding; });
    if (row == end) return {};
    detail::finding_cost const cost{*row, view};
    if (!cost.known()) return {};
    std::map<std::string, bool> chosen; // functions
    std::map<std::string, std::uint64_t> places;
    std::uint64_t whole = 0;
    for (source_file const& file : view.files)
        for (source_line const& line : file.lines)
            for (source_instruction const& each : line.instructions) {
                std::uint64_t const of_this = cost.of(each.counts);
                if (of_this == 0) continue;
                auto function = chosen.find(each.function);
                if (function == chosen.end())
                    function = chosen.emplace(each.function, detail::counts_for(each.function, filter)).first;
                if (!function->second) continue;
                std::string place = detail::short_place(file.path, line.line);
                if (!each.inlined_at.empty()) {
                    source_location const& call = each.inlined_at.back();
                    place += " inlined at " + detail::short_place(call.file, call.line);
                }
                places[std::move(place)] += of_this;
                whole += of_this;
            }
    std::vector<std::pair<std::string, std::uint64_t>> costliest{places.begin(), places.end()};
    std::stable_sort(costliest.begin(), costliest.end(),
                     [](auto const& a, auto const& b) { return a.second > b.second; });
    std::vector<std::string> lines;
    for (auto& [place, of_this] : costliest)
        if (lines.size() < most && of_this >= (whole + 9) / 10) lines.push_back(std::move(place));
    return lines;
}

GPUPROF_INLINE void explanation::locate(source_view const& lines) {
    std::vector<std::string> functions; // of the view, demangled
    for (source_file const& file : lines.files)
        for (source_line const& line : file.lines)
            for (source_instruction const& each : line.instructions) detail::add_once(functions, each.function);
    std::vector<std::string> kernels; // that ranges are named after
    for (range_view const range : report_) {
        bool const is_there = std::any_of(functions.begin(), functions.end(), [&](std::string const& function) {
            return detail::is_kernel(function, platform::demangled(function), range.name());
        });
        kernels.push_back(is_there ? std::string{range.name()} : std::string{});
    }
    line_filter filter;
    for (std::string const& each : kernels)
        if (!each.empty()) filter.others.emplace_back(each);
    for (finding& each : findings_) {
        filter.kernel = kernels[each.range]; // empty for a range with a name of its own, and any kernels
        each.lines = costliest_lines(each.id, lines, filter);
    }
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_FINDING_LINES_INL_HPP
