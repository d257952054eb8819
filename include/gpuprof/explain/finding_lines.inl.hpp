// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of finding_lines.hpp, and explanation::locate().
#ifndef GPUPROF_EXPLAIN_FINDING_LINES_INL_HPP
#define GPUPROF_EXPLAIN_FINDING_LINES_INL_HPP

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
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

// A function of a view, whose name is looked at often.
struct named_function {
    std::string mangled;
    std::string demangled;

    // Whether it is the kernel that a range of this name ran.
    [[nodiscard]] bool is(std::string_view kernel) const noexcept {
        if (mangled == kernel || demangled == kernel) return true;
        std::string_view const name = demangled;
        return !kernel.empty() && name.starts_with(kernel) && name.substr(kernel.size()).starts_with("(");
    }
};
[[nodiscard]] inline std::vector<named_function> functions_of(source_view const& view) {
    std::vector<std::string> names;
    for (source_file const& file : view.files)
        for (source_line const& line : file.lines)
            for (source_instruction const& each : line.instructions) add_once(names, each.function);
    for (unplaced_counts const& each : view.unplaced) add_once(names, each.function);
    std::vector<named_function> functions;
    for (std::string& each : names) {
        std::string demangled = platform::demangled(each);
        functions.push_back({std::move(each), std::move(demangled)});
    }
    return functions;
}

// The mangled names of the functions that count.
[[nodiscard]] inline std::set<std::string> chosen_functions(source_view const& view, line_filter const& filter) {
    std::set<std::string> chosen;
    for (named_function& each : functions_of(view)) {
        bool const other = std::any_of(filter.others.begin(), filter.others.end(),
                                       [&](std::string_view kernel) { return each.is(kernel); });
        if (filter.kernel.empty() || each.is(filter.kernel) || !other) chosen.insert(std::move(each.mangled));
    }
    return chosen;
}

// The names of ranges that are kernels of the view, each once.
[[nodiscard]] inline std::vector<std::string> kernels_of(report const& of, source_view const& view) {
    std::vector<std::string> names, kernels;
    for (range_view const range : of) add_once(names, range.name());
    std::vector<named_function> const functions = functions_of(view);
    for (std::string& name : names)
        if (std::any_of(functions.begin(), functions.end(), [&](named_function const& each) { return each.is(name); }))
            kernels.push_back(std::move(name));
    return kernels;
}
// @pre `kernels` outlives it
[[nodiscard]] inline line_filter filter_of(std::string_view range, std::vector<std::string> const& kernels) {
    line_filter filter;
    for (std::string const& each : kernels) {
        if (each == range) filter.kernel = each; // else the range has a name of its own, and any kernels
        filter.others.emplace_back(each);
    }
    return filter;
}

// What an instruction costs: by the finding's column, or, where the view lacks that, by the warps that wait for it.
class finding_cost {
public:
    finding_cost(finding_column const& of, source_view const& view) {
        source_column const* const column = find_source_column(of.column);
        if (column != nullptr && view.has(*column)) {
            column_ = column;
            return;
        }
        while (reason_ < view.reasons.size() && view.reasons[reason_].name != of.stall) ++reason_;
        known_by_stall_ = reason_ < view.reasons.size();
        indirect_ = column != nullptr;
    }
    [[nodiscard]] bool known() const noexcept { return column_ != nullptr || known_by_stall_; }
    // Whether it is of the instructions at which warps wait, and the finding is of those that they wait for.
    [[nodiscard]] bool indirect() const noexcept { return indirect_; }
    [[nodiscard]] std::uint64_t of(source_counts const& counts) const {
        if (column_ != nullptr) return column_->of(counts);
        for (stall_count const& each : counts.stalls)
            if (each.reason == reason_) return each.samples;
        return 0;
    }

private:
    source_column const* column_ = nullptr;
    std::size_t reason_ = 0;
    bool known_by_stall_ = false;
    bool indirect_ = false;
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
    std::set<std::string> const chosen = detail::chosen_functions(view, filter);
    std::map<std::string, std::uint64_t> places;
    std::uint64_t whole = 0;
    for (source_file const& file : view.files)
        for (source_line const& line : file.lines)
            for (source_instruction const& each : line.instructions) {
                std::uint64_t const of_this = cost.of(each.counts);
                if (of_this == 0 || !chosen.contains(each.function)) continue;
                std::string place = detail::short_place(file.path, line.line);
                if (!each.inlined_at.empty()) {
                    source_location const& call = each.inlined_at.back();
                    place += " inlined at " + detail::short_place(call.file, call.line);
                }
                if (cost.indirect()) place += " (where warps wait)";
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
    std::vector<std::string> const kernels = detail::kernels_of(report_, lines);
    for (finding& each : findings_) {
        range_view const range = report_.at(each.range);
        each.lines = costliest_lines(each.id, lines, detail::filter_of(range.name(), kernels));
    }
}

GPUPROF_INLINE source_view lines_of_range(source_view const& view, gpuprof::report const& of, std::size_t range) {
    std::vector<std::string> const kernels = detail::kernels_of(of, view);
    range_view const named = of.at(range);
    std::set<std::string> const chosen = detail::chosen_functions(view, detail::filter_of(named.name(), kernels));
    source_view part = view;
    std::erase_if(part.unplaced, [&](unplaced_counts const& each) { return !chosen.contains(each.function); });
    for (source_file& file : part.files)
        for (source_line& line : file.lines)
            std::erase_if(line.instructions,
                          [&](source_instruction const& each) { return !chosen.contains(each.function); });
    part.add_up();
    return part;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_FINDING_LINES_INL_HPP
