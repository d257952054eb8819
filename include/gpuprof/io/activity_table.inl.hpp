// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of activity_table.hpp.
#ifndef GPUPROF_IO_ACTIVITY_TABLE_INL_HPP
#define GPUPROF_IO_ACTIVITY_TABLE_INL_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../text/distinct_names.hpp"
#include "../text/printable.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "activity_table.hpp"
#include "aligned.hpp"
#include "call_names.hpp"
#include "csv.hpp"
#include "../text/json_text.hpp"
#include "../text/text_appender.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE activity_summary::activity_summary(call_names name_of_call)
    : name_of_call_{name_of_call != nullptr ? name_of_call : &io::name_of_call} {}
GPUPROF_INLINE activity_summary::~activity_summary() = default;
GPUPROF_INLINE activity_summary::activity_summary(activity_summary&&) noexcept = default;
GPUPROF_INLINE activity_summary& activity_summary::operator=(activity_summary&&) noexcept = default;

// --- records

GPUPROF_INLINE activity_line* activity_summary::line_of(activity_group group, std::string_view name,
                                                        activity::interval const& time) {
    if (!time.known()) {
        ++without_time_;
        return nullptr;
    }
    std::uint64_t scope = scope_.number;
    auto found = lines_.find(key_view{group, scope, name});
    if (found == lines_.end()) {
        bool const full = lines_.size() >= most_lines;
        if (full) {
            name = "(others)";
            scope = 0;
        }
        activity_line line;
        line.group = group;
        line.name = group == activity_group::kernel ? platform::demangled(std::string{name}) : std::string{name};
        if (line.name.empty()) line.name = "(without a name)";
        if (scope != 0) line.scope = scope_.path(scope_.batch, scope);
        found = lines_.try_emplace(key{group, scope, std::string{name}}, std::move(line)).first;
    }
    activity_line& line = found->second;
    std::uint64_t const length = time.end > time.start ? time.end.ticks - time.start.ticks : 0;
    if (line.count == 0 || length < line.least) line.least = length;
    if (length > line.most) line.most = length;
    line.total += length;
    ++line.count;
    if (group <= activity_group::set) gpu_time_ += length;
    return &line;
}

template <class Work>
activity_line* activity_summary::work_line_of(activity_group group, std::string_view name, Work const& of) {
    activity_line* const line = line_of(group, name, of.time);
    if (line == nullptr) return nullptr;
    std::uint64_t const length = of.time.end > of.time.start ? of.time.end.ticks - of.time.start.ticks : 0;
    if (scope_.number == 0) ranges_.add(group, of.correlation, length);
    else if (line->scope.empty()) beyond_.add(group, 1, length);
    return line;
}

GPUPROF_INLINE void activity_summary::sum(activity::kernel const& of) {
    activity_line* const line = work_line_of(activity_group::kernel, of.name, of);
    if (line == nullptr) return;
    if (line->count == 1) {
        line->grid = of.grid;
        line->block = of.block;
    }
    if (line->grid && !(*line->grid == of.grid)) line->grid.reset();
    if (line->block && !(*line->block == of.block)) line->block.reset();
}
GPUPROF_INLINE void activity_summary::sum(activity::memcpy const& of) {
    if (auto* const line = work_line_of(activity_group::copy, to_text(of.direction), of))
        line->bytes += of.size.count();
}
GPUPROF_INLINE void activity_summary::sum(activity::peer_memcpy const& of) {
    if (auto* const line = work_line_of(activity_group::copy, "peer to peer", of)) line->bytes += of.size.count();
}
GPUPROF_INLINE void activity_summary::sum(activity::memset const& of) {
    if (auto* const line = work_line_of(activity_group::set, to_text(of.memory), of)) line->bytes += of.size.count();
}
GPUPROF_INLINE void activity_summary::sum(activity::synchronization const& of) {
    static_cast<void>(line_of(activity_group::synchronization, to_text(of.type), of.time));
}
GPUPROF_INLINE void activity_summary::sum(activity::api_call const& of) {
    ranges_.add(of);
    std::string_view name = name_of_call_(of.kind, of.callback);
    char text[40] = {};
    if (name.empty()) {
        std::string_view const domain = of.kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME  ? "runtime call "
                                        : of.kind == abi::CUPTI_ACTIVITY_KIND_DRIVER ? "driver call "
                                                                                     : "internal call ";
        char* const end = text + domain.copy(text, domain.size());
        name = {text, static_cast<std::size_t>(std::to_chars(end, text + sizeof text, of.callback).ptr - text)};
    }
    static_cast<void>(line_of(activity_group::call, name, of.time));
}

// --- lines

GPUPROF_INLINE std::vector<activity_line> activity_summary::lines() const {
    std::vector<activity_line> all;
    all.reserve(lines_.size());
    for (auto const& keyed : lines_) all.push_back(keyed.second);
    std::sort(all.begin(), all.end(), [](activity_line const& a, activity_line const& b) {
        if (a.group != b.group) return a.group < b.group;
        if (a.total != b.total) return a.total > b.total;
        return a.name != b.name ? a.name < b.name : a.scope < b.scope;
    });
    return all;
}

GPUPROF_INLINE std::vector<scope_line> activity_summary::scopes() const {
    std::unordered_map<std::string, scope_line> sums; // of what is known, by path
    scope_line not_known = beyond_;
    auto const add = [&](scope_line const& line) {
        scope_line& sum = line.is_known ? sums[line.scope] : not_known;
        if (line.is_known) sum.scope = line.scope;
        sum.add(line);
    };
    for (auto const& keyed : lines_) {
        activity_line const& line = keyed.second;
        if (line.group > activity_group::set || line.scope.empty()) continue;
        scope_line part{line.scope};
        part.add(line.group, line.count, line.total);
        add(part);
    }
    for (scope_line const& line : ranges_.lines()) add(line);
    std::vector<scope_line> all;
    all.reserve(sums.size() + 1);
    for (auto& each : sums) all.push_back(std::move(each.second));
    if (not_known.has_work()) all.push_back(std::move(not_known));
    auto const place = [](scope_line const& of) { return !of.is_known ? 2 : of.scope.empty() ? 1 : 0; };
    std::sort(all.begin(), all.end(), [&place](scope_line const& a, scope_line const& b) {
        if (place(a) != place(b)) return place(a) < place(b);
        return a.total != b.total ? a.total > b.total : a.scope < b.scope;
    });
    return all;
}

namespace detail {

[[nodiscard]] constexpr std::string_view word_of(activity_group group) noexcept {
    switch (group) {
        case activity_group::kernel: return "kernel";
        case activity_group::copy: return "copy";
        case activity_group::set: return "set";
        case activity_group::synchronization: return "synchronization";
        case activity_group::call: return "call";
    }
    return "unknown";
}

// Writes a whole number of `10^-decimals`, its whole part in groups of three: grouped(1234567, 3)
// is "1,234.567".
[[nodiscard]] inline std::string grouped(std::uint64_t value, std::size_t decimals = 0) {
    std::string digits = std::to_string(value);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    std::size_t const whole = digits.size() - decimals;
    if (decimals > 0) digits.insert(whole, 1, '.');
    for (std::size_t at = whole; at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

// The lines' shares in tenths of a percent, which add up to 1000: the remainder of rounding goes to
// those that lost most by it.
[[nodiscard]] inline std::vector<std::uint64_t> shares(std::vector<activity_line> const& lines, std::uint64_t whole) {
    std::vector<std::uint64_t> tenths(lines.size());
    if (whole == 0) return tenths;
    std::vector<std::pair<double, std::size_t>> lost;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < lines.size() && lines[i].group <= activity_group::set; ++i) {
        double const exact = static_cast<double>(lines[i].total) / static_cast<double>(whole) * 1000;
        tenths[i] = static_cast<std::uint64_t>(exact);
        sum += tenths[i];
        lost.emplace_back(exact - static_cast<double>(tenths[i]), i);
    }
    std::sort(lost.begin(), lost.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < lost.size() && sum < 1000; ++i, ++sum) ++tenths[lost[i].second];
    return tenths;
}

[[nodiscard]] inline std::string three(std::optional<activity::dimensions> const& of) {
    if (!of) return "various";
    return gpuprof::detail::joined({std::to_string(of->x), "x", std::to_string(of->y), "x", std::to_string(of->z)});
}

// The bandwidth in hundredths of GB/s; GB/s are bytes in a nanosecond.
[[nodiscard]] inline std::string bandwidth(activity_line const& of) {
    if (of.total == 0) return "";
    constexpr double half = 0.5; // rounds what is not negative, without <cmath>
    double const hundredths = static_cast<double>(of.bytes) / static_cast<double>(of.total) * 100;
    return grouped(static_cast<std::uint64_t>(hundredths + half), 2);
}

// The table by scope; empty if no work was launched in one.
[[nodiscard]] inline std::string scope_table(activity_summary const& of, std::size_t most) {
    std::vector<scope_line> lines = of.scopes();
    if (lines.empty() || lines.front().scope.empty()) return {};
    std::size_t named = 0;
    while (named < lines.size() && !lines[named].scope.empty()) ++named;
    if (named > most) { // those beyond become one
        scope_line rest{gpuprof::detail::joined({"(", std::to_string(named - most), " more)"})};
        for (std::size_t i = most; i < named; ++i) rest.add(lines[i]);
        auto const first = lines.begin() + static_cast<std::ptrdiff_t>(most);
        lines.erase(first, lines.begin() + static_cast<std::ptrdiff_t>(named));
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(most), std::move(rest));
    }
    std::vector<activity_line> totals(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) totals[i].total = lines[i].total;
    std::vector<std::uint64_t> const tenths = shares(totals, of.gpu_time());
    std::vector<std::string> cells{"scope", "kernels", "copies", "sets", "total us", "share"};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        scope_line const& line = lines[i];
        cells.push_back(!line.is_known       ? "(not known)"
                        : line.scope.empty() ? "(in none)"
                                             : gpuprof::detail::printable(line.scope));
        for (std::uint64_t const count : {line.kernels, line.copies, line.sets}) cells.push_back(grouped(count));
        cells.push_back(grouped(line.total, 3));
        cells.push_back(grouped(tenths[i], 1) + " %");
    }
    std::string text = aligned(cells, "lrrrrr");
    if (std::uint64_t const late = of.late_markers())
        text += gpuprof::detail::joined({std::to_string(late), late == 1 ? " end" : " ends",
                                         " of NVTX ranges came too late to be regarded in full\n"});
    return text;
}

} // namespace detail

// --- as text

GPUPROF_INLINE std::string table(activity_summary const& of, std::size_t most) {
    std::vector<activity_line> const lines = of.lines();
    std::vector<std::uint64_t> const tenths = detail::shares(lines, of.gpu_time());
    bool scopes = false;
    for (activity_line const& line : lines) scopes = scopes || !line.scope.empty();
    std::string text;
    for (std::size_t first = 0; first < lines.size();) {
        activity_group const group = lines[first].group;
        std::size_t end = first;
        while (end < lines.size() && lines[end].group == group) ++end;
        bool const kernels = group == activity_group::kernel;
        bool const moved = group == activity_group::copy || group == activity_group::set;
        bool const on_gpu = kernels || moved;
        std::vector<std::string> cells{
            std::string{detail::word_of(group)}, "count", "total us", "mean us", "min us", "max us"};
        std::string columns = "lrrrrr";
        if (moved) cells.insert(cells.end(), {"bytes", "GB/s"}), columns += "rr";
        if (on_gpu) cells.emplace_back("share"), columns += "r";
        if (kernels) cells.insert(cells.end(), {"grid", "block"}), columns += "ll";
        if (scopes) cells.emplace_back("scope"), columns += "l";
        std::size_t const shown = end - first > most ? first + most : end;
        constexpr std::size_t widest_name = 72;
        std::vector<std::string> names;
        for (std::size_t i = first; i < shown; ++i)
            names.emplace_back(group == activity_group::call ? without_version(lines[i].name) : lines[i].name);
        names = gpuprof::detail::distinct_names(std::move(names), widest_name);
        auto const add = [&](std::string name, activity_line const& line, std::uint64_t share, bool sizes) {
            cells.push_back(std::move(name));
            cells.push_back(detail::grouped(line.count));
            cells.push_back(detail::grouped(line.total, 3));
            cells.push_back(detail::grouped((line.total + line.count / 2) / line.count, 3));
            cells.push_back(detail::grouped(line.least, 3));
            cells.push_back(detail::grouped(line.most, 3));
            if (moved) cells.insert(cells.end(), {detail::grouped(line.bytes), detail::bandwidth(line)});
            if (on_gpu) cells.push_back(detail::grouped(share, 1) + " %");
            if (kernels) cells.push_back(sizes ? detail::three(line.grid) : "");
            if (kernels) cells.push_back(sizes ? detail::three(line.block) : "");
            if (scopes) cells.push_back(gpuprof::detail::printable(line.scope));
        };
        for (std::size_t i = first; i < shown; ++i) add(names[i - first], lines[i], tenths[i], true);
        if (shown < end) {
            activity_line rest = lines[shown];
            std::uint64_t share = tenths[shown];
            for (std::size_t i = shown + 1; i < end; ++i) {
                rest.count += lines[i].count;
                rest.total += lines[i].total;
                rest.bytes += lines[i].bytes;
                if (lines[i].least < rest.least) rest.least = lines[i].least;
                if (lines[i].most > rest.most) rest.most = lines[i].most;
                share += tenths[i];
            }
            rest.scope.clear();
            add(gpuprof::detail::joined({"(", std::to_string(end - shown), " more)"}), rest, share, false);
        }
        if (first > 0) text += '\n';
        text += detail::aligned(cells, columns);
        first = end;
    }
    if (std::string const by_scope = detail::scope_table(of, most); !by_scope.empty()) text += '\n' + by_scope;
    if (of.without_time() > 0)
        text += gpuprof::detail::joined(
            {std::to_string(of.without_time()), of.without_time() == 1 ? " record" : " records", " without a time\n"});
    return text;
}

GPUPROF_INLINE std::string csv(activity_summary const& of) {
    std::string text;
    gpuprof::detail::text_appender const to{text};
    to.text("group,name,scope,count,total [ns],mean [ns],min [ns],max [ns],bytes [byte],bandwidth [GB/s],share [%],"
            "grid,block\r\n");
    for (activity_line const& line : of.lines()) {
        bool const kernel = line.group == activity_group::kernel;
        bool const moved = line.group == activity_group::copy || line.group == activity_group::set;
        auto const total = static_cast<double>(line.total);
        to.text(detail::word_of(line.group));
        to.text(",");
        write_csv_cell(to, line.name);
        to.text(",");
        write_csv_cell(to, line.scope);
        for (std::uint64_t const number : {line.count, line.total}) to.text(","), to.number(number);
        to.text(",");
        to.real(total / static_cast<double>(line.count));
        for (std::uint64_t const number : {line.least, line.most}) to.text(","), to.number(number);
        to.text(",");
        if (moved) to.number(line.bytes);
        to.text(",");
        if (moved && line.total > 0) to.real(static_cast<double>(line.bytes) / total);
        to.text(",");
        if ((kernel || moved) && of.gpu_time() > 0) to.real(100 * total / static_cast<double>(of.gpu_time()));
        to.text(",");
        if (kernel && line.grid) to.text(detail::three(line.grid));
        to.text(",");
        if (kernel && line.block) to.text(detail::three(line.block));
        to.text("\r\n");
    }
    return text;
}

GPUPROF_INLINE std::string json(activity_summary const& of) {
    std::string text;
    gpuprof::detail::text_appender const to{text};
    to.text("{\"gpu_time_ns\":");
    to.number(of.gpu_time());
    to.text(",\"records_without_time\":");
    to.number(of.without_time());
    to.text(",\"lines\":[");
    std::string_view comma;
    for (activity_line const& line : of.lines()) {
        bool const moved = line.group == activity_group::copy || line.group == activity_group::set;
        to.text(comma);
        comma = ",";
        to.text("{\"group\":");
        gpuprof::detail::write_json_string(to, detail::word_of(line.group));
        to.text(",\"name\":");
        gpuprof::detail::write_json_string(to, line.name);
        if (!line.scope.empty()) {
            to.text(",\"scope\":");
            gpuprof::detail::write_json_string(to, line.scope);
        }
        auto const number = [&to](std::string_view key, std::uint64_t value) {
            to.text(key);
            to.number(value);
        };
        number(",\"count\":", line.count);
        number(",\"total_ns\":", line.total);
        number(",\"min_ns\":", line.least);
        number(",\"max_ns\":", line.most);
        if (moved) number(",\"bytes\":", line.bytes);
        auto const sizes = [&to](std::string_view key, std::optional<activity::dimensions> const& of_all) {
            if (!of_all) return;
            to.text(key);
            to.number(of_all->x);
            to.text(",");
            to.number(of_all->y);
            to.text(",");
            to.number(of_all->z);
            to.text("]");
        };
        sizes(",\"grid\":[", line.grid);
        sizes(",\"block\":[", line.block);
        to.text("}");
    }
    to.text("],\"scopes\":[");
    comma = {};
    for (scope_line const& line : of.scopes()) {
        to.text(comma);
        comma = ",";
        to.text("{");
        if (!line.is_known) to.text("\"known\":false,");
        if (!line.scope.empty()) {
            to.text("\"scope\":");
            gpuprof::detail::write_json_string(to, line.scope);
            to.text(",");
        }
        to.text("\"kernels\":");
        to.number(line.kernels);
        to.text(",\"copies\":");
        to.number(line.copies);
        to.text(",\"sets\":");
        to.number(line.sets);
        to.text(",\"total_ns\":");
        to.number(line.total);
        to.text("}");
    }
    to.text("],\"late_markers\":");
    to.number(of.late_markers());
    to.text("}\n");
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_ACTIVITY_TABLE_INL_HPP
