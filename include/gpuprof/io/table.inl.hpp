// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of table.hpp.
#ifndef GPUPROF_IO_TABLE_INL_HPP
#define GPUPROF_IO_TABLE_INL_HPP

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../core/counted.hpp"
#include "../measure/pass_problems.hpp"
#include "../text/distinct_names.hpp"
#include "../text/printable.hpp"
#include "aligned.hpp"
#include "table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE std::string number(double value) {
    return value != value ? std::string{"not collected"} : gpuprof::detail::grouped_number(value);
}

namespace detail {

// The text for a value that is no number: its text, the number of its instances, or that there is
// none.
[[nodiscard]] std::string text_of(range_view const& range, std::string_view metric);

GPUPROF_INLINE std::string text_of(range_view const& range, std::string_view metric) {
    auto const provided = range.try_provided(metric);
    if (!provided) return "not collected";
    if (!provided->text.empty()) return gpuprof::detail::printable(provided->text);
    std::size_t const instances = provided->instances.size();
    if (instances == 0) return "none";
    return gpuprof::detail::joined({std::to_string(instances), instances == 1 ? " instance" : " instances"});
}

// The nearest whole number. From 2^53 on a number is whole.
[[nodiscard]] inline double rounded(double value) noexcept {
    bool const is_whole = !(value > -9007199254740992.0 && value < 9007199254740992.0);
    return is_whole ? value : static_cast<double>(static_cast<long long>(value + (value < 0 ? -0.5 : 0.5)));
}

// "6,164,582 +- 87,000": at most two digits of the deviation, and no fraction beside thousands.
[[nodiscard]] std::string estimate(double value, double deviation);

GPUPROF_INLINE std::string estimate(double value, double deviation) {
    if (value >= 1000 || value <= -1000) value = rounded(value);
    double scale = 1;
    while (deviation / scale >= 100 && scale < 1e300) scale *= 10;
    if (scale > 1) deviation = scale * rounded(deviation / scale);
    char text[64] = {};
    std::snprintf(text, sizeof text, "%.2g", deviation);
    for (char& c : text)
        if (c == ',') c = '.';
    return gpuprof::detail::joined({number(value), " +- ", deviation >= 100 ? number(deviation) : std::string{text}});
}

// Values that need no counter and lack one for the same reason.
struct missing_values {
    error why; // with the first of them as `what`
    std::size_t more = 0;
};
inline void add_missing(std::vector<missing_values>& to, range_view const& range, metric_info const& metric,
                        std::string_view name) {
    bool const is_counted = metric.source == metric_source::hardware || metric.source == metric_source::sass ||
                            metric.source == metric_source::pm_sampling;
    auto provided = range.try_provided(metric.name);
    if (is_counted || provided) return; // what counters lack is among the report's problems
    for (missing_values& each : to)
        if (each.why.cause == provided.error().cause) {
            ++each.more;
            return;
        }
    to.push_back({std::move(provided).error()});
    to.back().why.what = gpuprof::detail::joined({metric.name, " of ", name});
}

} // namespace detail

GPUPROF_INLINE std::string table(report const& of) {
    constexpr char const* titles[] = {"range", "count", "metric", "value", "unit"};
    constexpr std::string_view columns = "lrlrl"; // aligned to the left or right
    static_assert(sizeof titles / sizeof *titles == columns.size());
    std::vector<std::string> cells;
    auto const add = [&cells](std::string_view cell) { cells.push_back(std::string{cell}); };
    for (char const* const title : titles) add(title);
    std::size_t levels = 0;
    std::vector<detail::missing_values> missing;
    constexpr std::size_t widest_name = 96;
    std::vector<std::string> names;
    for (range_view const range : of) names.emplace_back(range.name());
    names = gpuprof::detail::distinct_names(std::move(names), widest_name);
    std::size_t place = 0; // of the range
    for (range_view const range : of) {
        // Deeper ranges show their depth as a number: blanks alone would make lines grow without
        // end.
        constexpr std::size_t deepest = 32;
        std::size_t const depth = range.depth();
        std::string shown(2 * ((depth < deepest ? depth : deepest) - 1), ' ');
        if (depth > deepest) shown += gpuprof::detail::joined({"(level ", std::to_string(depth), ") "});
        if (depth > levels) levels = depth;
        shown += names[place++];
        bool first = true;
        for (metric_info const& metric : of.metrics()) {
            auto const value = range.try_value(metric.name);
            add(first ? shown : "");
            add(first ? std::to_string(range.count()) : "");
            add(metric.name);
            if (!value) detail::add_missing(missing, range, metric, names[place - 1]);
            bool const undefined = !value && of.complete() && gpuprof::detail::is_quotient(metric);
            auto const deviation = value ? *range.try_deviation(metric.name) : std::nullopt;
            add(deviation   ? detail::estimate(value->value, *deviation)
                : value     ? number(value->value)
                : undefined ? "not a number (0/0)"
                            : detail::text_of(range, metric.name));
            std::string const unit =
                gpuprof::detail::unit_after(value ? value->value : 0, unit_symbol{metric.value_unit}.view());
            bool const mean = range.count() > 1 && metric.aggregation == aggregation::mean;
            add(gpuprof::detail::joined({unit, mean && !unit.empty() ? " " : "", mean ? "(mean)" : ""}));
            first = false;
        }
    }
    auto const& state = of.completeness();
    bool const named = of.device().find(of.chip()) != std::string_view::npos;
    auto const counted = [](std::size_t number, std::string_view single, std::string_view several) {
        return gpuprof::detail::joined({std::to_string(number), number == 1 ? single : several});
    };
    bool const nested = levels > 1 && state.replay_passes == state.passes_needed * levels;
    std::string text =
        gpuprof::detail::joined({of.device(), named ? "" : " (", named ? "" : of.chip(), named ? "" : ")",
                                 of.source() == device_source::embedded ? ", embedded GPU: not hardware" : "",
                                 of.recording().empty() ? std::string_view{} : recorded_words, ", ", of.hardware(),
                                 ": ", std::to_string(of.metrics().size()), " metrics, "});
    if (state.bursts != 0) text += counted(state.bursts, " burst\n", " bursts\n");
    else
        text += gpuprof::detail::joined(
            {counted(state.passes_needed, nested ? " pass" : " pass, ", nested ? " passes" : " passes, "),
             nested ? gpuprof::detail::joined({" x ", std::to_string(levels), " levels of scopes = "}) : "",
             counted(state.replay_passes, " replay pass\n", " replay passes\n")});
    text += detail::aligned(cells, columns);
    if (state.cache_flushes != 0)
        text += gpuprof::detail::joined({"caches: flushed ", std::to_string(state.cache_flushes),
                                         state.cache_flushes == 1 ? " time\n" : " times\n"});
    if (state.memory_restores != 0)
        text += gpuprof::detail::joined(
            {"memory: restored ", std::to_string(state.memory_restores),
             state.memory_restores == 1 ? " time" : " times",
             state.restored_bytes == 0
                 ? std::string{"\n"}
                 : gpuprof::detail::joined(
                       {", ", number(static_cast<double>(state.restored_bytes)), " bytes each\n"})});
    constexpr double worth_saying = 0.1;
    if (std::size_t const worst = gpuprof::detail::least_alike(of.whole(), worth_saying); worst < of.size()) {
        pass_times const times = of.at(worst).pass_times();
        text += gpuprof::detail::joined({"passes took ", gpuprof::detail::text_of(times), " over ", names[worst],
                                         ": values of several passes are +- ",
                                         std::to_string(static_cast<int>((200 * times.spread() + 1) / 2)), " %\n"});
    }
    if (auto const clocks = of.clocks(); clocks && clocks->known())
        text +=
            gpuprof::detail::joined({"clock of the multiprocessors: ", std::to_string(clocks->before), " MHz before, ",
                                     std::to_string(clocks->during), " while sampling, ", std::to_string(clocks->after),
                                     " after, of ", std::to_string(clocks->most), "\n"});
    for (error const& problem : state.problems)
        text += gpuprof::detail::joined({"incomplete: ", problem.message(), "\n"});
    for (detail::missing_values& each : missing) {
        if (each.more != 0) each.why.what += gpuprof::detail::joined({" and ", std::to_string(each.more), " more"});
        text += gpuprof::detail::joined({"no value: ", each.why.message(), "\n"});
    }
    if (state.memory_differs)
        text += gpuprof::detail::joined({"memory differs between passes: ", state.memory_differs->message(), "\n"});
    if (state.replay_changed) text += gpuprof::detail::joined({state.replay_changed->message(), "\n"});
    for (disturbance const& each : state.disturbances) text += each.message() + '\n';
    if (state.unwatched)
        text += gpuprof::detail::joined({"launches were not watched: ", state.unwatched->message(), "\n"});
    if (state.other_threads != 0)
        text += counted(state.other_threads, " scope of another thread is no range of this report\n",
                        " scopes of other threads are no ranges of this report\n");
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TABLE_INL_HPP
