// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of json.hpp.
#ifndef GPUPROF_IO_JSON_INL_HPP
#define GPUPROF_IO_JSON_INL_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../core/unit_symbol.hpp"
#include "error_json.hpp"
#include "json.hpp"
#include "../text/json_members.hpp"
#include "../text/text_appender.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

[[nodiscard]] constexpr std::string_view word_of(metric_kind kind) noexcept {
    switch (kind) {
        case metric_kind::counter: return "counter";
        case metric_kind::ratio: return "ratio";
        case metric_kind::throughput: return "throughput";
        case metric_kind::number: return "number";
        case metric_kind::text: return "text";
        case metric_kind::group: return "group";
    }
    return "unknown";
}
[[nodiscard]] constexpr std::string_view word_of(aggregation how) noexcept {
    switch (how) {
        case aggregation::sum: return "sum";
        case aggregation::minimum: return "minimum";
        case aggregation::maximum: return "maximum";
        case aggregation::mean: return "mean";
    }
    return "unknown";
}
[[nodiscard]] constexpr std::string_view word_of(metric_source source) noexcept {
    switch (source) {
        case metric_source::hardware: return "hardware";
        case metric_source::sass: return "sass";
        case metric_source::launch: return "launch";
        case metric_source::device: return "device";
        case metric_source::nvlink: return "nvlink";
        case metric_source::numa: return "numa";
        case metric_source::warp_sampling: return "warp sampling";
        case metric_source::source_counter: return "source counter";
        case metric_source::opcode: return "opcode";
        case metric_source::profiler: return "profiler";
        case metric_source::named_set: return "named set";
        case metric_source::pm_sampling: return "pm sampling";
    }
    return "unknown";
}

using gpuprof::detail::add_number;
using gpuprof::detail::add_text;

void add_range(gpuprof::detail::text_appender const& to, report const& of, range_view const& range);

GPUPROF_INLINE void add_range(gpuprof::detail::text_appender const& to, report const& of, range_view const& range) {
    add_text(to, "{\"name\":", range.name());
    add_text(to, ",\"path\":", range.path());
    to.text(",\"parent\":");
    if (auto const parent = range.parent()) to.number(*parent);
    else to.text("null");
    to.text(",\"count\":");
    to.number(range.count());
    if (pass_times const times = range.pass_times(); times.passes >= 2) {
        to.text(",\"pass_times\":{\"passes\":");
        to.number(times.passes);
        add_number(to, ",\"shortest_ns\":", times.shortest.value());
        add_number(to, ",\"longest_ns\":", times.longest.value());
        add_number(to, ",\"spread\":", times.spread());
        to.text("}");
    }
    to.text(",\"values\":{");
    std::string_view comma;
    std::string each;
    std::string instances;
    for (metric_info const& metric : of.metrics()) {
        to.text(comma);
        comma = ",";
        gpuprof::detail::write_json_string(to, metric.name);
        to.text(":");
        auto const value = range.try_value(metric.name);
        auto const provided = range.try_provided(metric.name);
        if (value) add_number(to, "", value->value);
        else if (provided && !provided->text.empty()) gpuprof::detail::write_json_string(to, provided->text);
        else to.text("null");
        if (auto const list = range.try_values(metric.name); list && list->size() > 1) {
            gpuprof::detail::text_appender const more{each};
            if (!each.empty()) more.text(",");
            gpuprof::detail::write_json_string(more, metric.name);
            more.text(":");
            std::string_view before = "[";
            for (double const repetition : *list) {
                add_number(more, before, repetition);
                before = ",";
            }
            more.text("]");
        }
        if (!provided || provided->instances.empty()) continue;
        gpuprof::detail::text_appender const more{instances};
        if (!instances.empty()) more.text(",");
        gpuprof::detail::write_json_string(more, metric.name);
        more.text(":");
        std::string_view before = "[{\"of\":";
        for (auto const& instance : provided->instances) {
            add_text(more, before, instance.key);
            if (metric.kind == metric_kind::text) add_text(more, ",\"value\":", instance.text);
            else add_number(more, ",\"value\":", instance.number);
            before = "},{\"of\":";
        }
        more.text("}]");
    }
    to.text("}");
    if (!each.empty()) {
        to.text(",\"each\":{");
        to.text(each);
        to.text("}");
    }
    if (!instances.empty()) {
        to.text(",\"instances\":{");
        to.text(instances);
        to.text("}");
    }
    to.text("}");
}

} // namespace detail

GPUPROF_INLINE std::string json(report const& of) {
    std::string text;
    gpuprof::detail::text_appender const to{text};
    completeness const& state = of.completeness();
    detail::add_text(to, "{\"device\":", of.device());
    detail::add_text(to, ",\"chip\":", of.chip());
    detail::add_text(to, ",\"source\":", name(of.source()));
    if (!of.recording().empty()) detail::add_text(to, ",\"recording\":", of.recording());
    detail::add_text(to, ",\"hardware\":", of.hardware());
    to.text(of.complete() ? ",\"complete\":true" : ",\"complete\":false");
    to.text(",\"passes_needed\":");
    to.number(state.passes_needed);
    to.text(",\"replay_passes\":");
    to.number(state.replay_passes);
    to.text(",\"scopes_of_other_threads\":");
    to.number(state.other_threads);
    to.text(",\"cache_flushes\":");
    to.number(state.cache_flushes);
    to.text(",\"memory_restores\":");
    to.number(state.memory_restores);
    if (state.restored_bytes != 0) {
        to.text(",\"restored_bytes\":");
        to.number(state.restored_bytes);
    }
    to.text(",\"problems\":[");
    std::string_view comma;
    for (error const& problem : state.problems) {
        to.text(comma);
        detail::add_error(to, problem);
        comma = ",";
    }
    to.text("],\"unwatched\":");
    if (state.unwatched) detail::add_error(to, *state.unwatched);
    else to.text("null");
    if (state.memory_differs) {
        to.text(",\"memory_differs\":");
        detail::add_error(to, *state.memory_differs);
    }
    if (state.replay_changed) {
        to.text(",\"replay_changed\":");
        detail::add_error(to, *state.replay_changed);
    }
    if (!state.disturbances.empty()) {
        comma = ",\"disturbances\":[";
        for (disturbance const& each : state.disturbances) {
            to.text(comma);
            detail::add_text(to, "{\"cause\":", name(each.cause));
            detail::add_text(to, ",\"text\":", each.text);
            detail::add_text(to, ",\"remedy\":", each.remedy);
            to.text("}");
            comma = ",";
        }
        to.text("]");
    }
    to.text(",\"metrics\":[");
    comma = {};
    for (metric_info const& metric : of.metrics()) {
        unit_symbol const unit{metric.value_unit};
        to.text(comma);
        detail::add_text(to, "{\"name\":", metric.name);
        detail::add_text(to, ",\"unit\":", unit.view());
        detail::add_text(to, ",\"kind\":", detail::word_of(metric.kind));
        detail::add_text(to, ",\"repetitions\":", detail::word_of(metric.aggregation));
        detail::add_text(to, ",\"collected_from\":", detail::word_of(metric.source));
        to.text("}");
        comma = ",";
    }
    to.text("],\"ranges\":[");
    comma = {};
    for (range_view const range : of) {
        to.text(comma);
        detail::add_range(to, of, range);
        comma = ",";
    }
    to.text("]}\n");
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_JSON_INL_HPP
