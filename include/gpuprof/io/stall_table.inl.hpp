// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of stall_table.hpp.
#ifndef GPUPROF_IO_STALL_TABLE_INL_HPP
#define GPUPROF_IO_STALL_TABLE_INL_HPP

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "../text/printable.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "aligned.hpp"
#include "sample_text.hpp"
#include "stall_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// The source: "Embedded GPU (GH100), estimated: 1 sample = 2^17 cycles, continuous".
[[nodiscard]] inline std::string origin_text(pc_samples const& of) {
    std::string text = gpuprof::detail::printable(of.device);
    if (!of.chip.empty() && text.find(of.chip) == text.npos) text += " (" + of.chip + ")";
    if (of.how != fidelity::exact) text += ", " + std::string{name(of.how)};
    text += ": ";
    text += name(of.mode);
    if (of.period != 0) text += ", a sample every 2^" + std::to_string(of.period) + " cycles";
    return text;
}

// The losses, a line each.
[[nodiscard]] inline std::string losses_text(pc_samples const& of) {
    std::string text;
    if (of.dropped != 0) text += "dropped: " + count_text(of.dropped) + " samples; choose a longer period\n";
    if (of.buffer_full != 0)
        text += "the hardware buffer was full " + count_text(of.buffer_full) +
                " times, and samples were lost; fetch more often, or choose a larger buffer or a longer period\n";
    if (of.lost_records != 0)
        text +=
            "no room in the last fetch for " + count_text(of.lost_records) + " instructions; fetch before the end\n";
    if (of.non_user > of.unnamed) text += "of other kernels: " + count_text(of.non_user - of.unnamed) + " samples\n";
    if (of.unnamed != 0)
        text +=
            "without a record: " + count_text(of.unnamed) +
            " samples; CUPTI names no kernel that ran under a profiler before it was sampled: sample first, or call "
            "tracer::try_detach() or hw::try_detach() between\n";
    return text;
}

struct function_stalls {
    std::uint64_t samples = 0;
    std::uint64_t latency_samples = 0;
    std::vector<stall_count> stalls{};

    void add(pc_record const& record) {
        samples += record.samples();
        latency_samples += record.latency_samples();
        for (stall_count const& each : record.stalls) {
            auto at = std::find_if(stalls.begin(), stalls.end(),
                                   [&](stall_count const& known) { return known.reason == each.reason; });
            if (at == stalls.end()) at = stalls.insert(at, {each.reason, 0, 0});
            at->samples += each.samples;
            at->latency_samples += each.latency_samples;
        }
    }
};

// Functions by name, those with most samples first.
[[nodiscard]] inline std::vector<std::pair<std::string, function_stalls>> by_function(pc_samples const& of) {
    std::map<std::string, function_stalls> functions;
    for (pc_record const& record : of.records) functions[record.function].add(record);
    std::vector<std::pair<std::string, function_stalls>> list{functions.begin(), functions.end()};
    std::stable_sort(list.begin(), list.end(),
                     [](auto const& a, auto const& b) { return a.second.samples > b.second.samples; });
    return list;
}

} // namespace detail

GPUPROF_INLINE std::string stalls_text(std::vector<sampled_reason> const& reasons, std::vector<stall_count> stalls,
                                       std::uint64_t of, std::size_t most) {
    std::stable_sort(stalls.begin(), stalls.end(),
                     [](stall_count const& a, stall_count const& b) { return a.samples > b.samples; });
    std::string text;
    for (std::size_t i = 0; i < stalls.size() && i < most; ++i) {
        if (i != 0) text += ", ";
        text += gpuprof::detail::printable(reasons[stalls[i].reason].name) + ' ' +
                detail::percent_text(stalls[i].samples, of);
    }
    return text;
}

GPUPROF_INLINE std::string table(pc_samples const& of) {
    std::uint64_t const all = of.samples();
    std::vector<std::string> cells{"kernel", "samples", "share", "not hidden", "warps are at"};
    for (auto const& [function, stalls] : detail::by_function(of)) {
        cells.push_back(gpuprof::detail::printable(platform::demangled(function)));
        cells.push_back(detail::count_text(stalls.samples));
        cells.push_back(detail::percent_text(stalls.samples, all));
        cells.push_back(detail::percent_text(stalls.latency_samples, stalls.samples));
        cells.push_back(stalls_text(of.reasons, stalls.stalls, stalls.samples));
    }
    return detail::origin_text(of) + "\n" + detail::aligned(cells, "lrrrl") + detail::losses_text(of);
}

GPUPROF_INLINE std::string table(pc_scope_report const& of) {
    pc_samples all; // for the lines about all scopes
    for (scoped_samples const& each : of.scopes) {
        if (all.device.empty()) all = each.samples, all.records.clear();
        else static_cast<void>(all.try_merge(each.samples)); // cannot fail: they are of one sampler
    }
    if (!of.scopes.empty())
        for (pc_record const& record : of.scopes[0].samples.records) all.add(record);
    std::uint64_t const sum = all.samples();
    std::vector<std::string> cells{"scope", "count", "kernel", "samples", "share", "not hidden", "warps are at"};
    for (scoped_samples const& each : of.scopes) {
        auto const functions = detail::by_function(each.samples);
        if (each.path.empty() && functions.empty()) continue;
        cells.push_back(each.path.empty() ? "(outside)" : gpuprof::detail::printable_path(each.path));
        cells.push_back(each.path.empty() ? "" : detail::count_text(each.count));
        if (functions.empty()) cells.insert(cells.end(), {"", "0", "", "", ""});
        for (std::size_t i = 0; i < functions.size(); ++i) {
            auto const& [function, stalls] = functions[i];
            if (i != 0) cells.insert(cells.end(), {"", ""});
            cells.push_back(gpuprof::detail::printable(platform::demangled(function)));
            cells.push_back(detail::count_text(stalls.samples));
            cells.push_back(detail::percent_text(stalls.samples, sum));
            cells.push_back(detail::percent_text(stalls.latency_samples, stalls.samples));
            cells.push_back(stalls_text(each.samples.reasons, stalls.stalls, stalls.samples));
        }
    }
    std::string text = detail::origin_text(all) + "\n" + detail::aligned(cells, "lrlrrrl") + detail::losses_text(all);
    if (of.ignored != 0) text += "scopes on other threads, left out: " + detail::count_text(of.ignored) + "\n";
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_STALL_TABLE_INL_HPP
