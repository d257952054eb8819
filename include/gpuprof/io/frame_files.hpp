// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the last frames as CSV, as JSON, and as curves of a trace. Not for the hot loop: allocates.
#ifndef GPUPROF_IO_FRAME_FILES_HPP
#define GPUPROF_IO_FRAME_FILES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../core/device_source.hpp"
#include "../core/unit_symbol.hpp"
#include "../detail/config.hpp"
#include "../frames/frame_losses.hpp"
#include "../frames/frame_sampler.hpp"
#include "../hw/activity/timestamp.hpp"
#include "../text/json_members.hpp"
#include "../text/text_appender.hpp"
#include "csv_cell.hpp"
#include "frame_columns.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The frames of the statistics as CSV (RFC 4180), a line for each: its number, its begin and its end
// on the host in the sampler's clock, and a column for each quantity, counter and scope, with the
// unit: "frame.host_time [ns]", "scope draw [ns]", "scope on the GPU draw [ns]". A cell without a
// value is empty.
template <class Clock>
[[nodiscard]] std::string csv(basic_frame_sampler<Clock> const& frames) {
    auto const all = gpuprof::detail::columns_of(frames);
    std::string text;
    gpuprof::detail::text_appender to{text};
    to.text("frame,begin [ns],end [ns]");
    for (auto const& [kind, series] : all.columns) {
        std::string head;
        if (kind.starts_with("scope")) head.append(kind).append(" ");
        head.append(series->name).append(" [").append(unit_symbol{series->unit}.view()).append("]");
        to.text(",");
        write_csv_cell(to, head);
    }
    to.text("\r\n");
    for (std::size_t row = 0; row < all.rows.size(); ++row) {
        to.number(all.rows[row].frame);
        to.text(",");
        to.number(all.rows[row].when.begin);
        to.text(",");
        to.number(all.rows[row].when.end);
        for (std::size_t column = 0; column < all.columns.size(); ++column) {
            to.text(",");
            double const value = all.value(row, column);
            if (value == value) to.real(value);
        }
        to.text("\r\n");
    }
    return text;
}

// The same as JSON, with what was lost and what stands in the way: see docs/frames.md. A value that a
// frame does not have is null.
template <class Clock>
[[nodiscard]] std::string json(basic_frame_sampler<Clock> const& frames) {
    auto const all = gpuprof::detail::columns_of(frames);
    std::string text;
    gpuprof::detail::text_appender const to{text};
    using gpuprof::detail::add_number;
    using gpuprof::detail::add_text;
    add_text(to, "{\"format\":\"gpuprof frames\",\"version\":1,\"source\":", name(frames.source()));
    to.text(",\"frames\":");
    to.number(frames.frames());
    to.text(",\"columns\":[");
    for (std::size_t i = 0; i < all.columns.size(); ++i) {
        auto const& [kind, series] = all.columns[i];
        to.text(i == 0 ? "\n {\"kind\":\"" : ",\n {\"kind\":\"");
        to.text(kind);
        add_text(to, "\",\"name\":", series->name);
        add_text(to, ",\"unit\":", unit_symbol{series->unit}.view());
        to.text("}");
    }
    to.text("],\"rows\":[");
    for (std::size_t row = 0; row < all.rows.size(); ++row) {
        to.text(row == 0 ? "\n {\"frame\":" : ",\n {\"frame\":");
        to.number(all.rows[row].frame);
        to.text(",\"begin_ns\":");
        to.number(all.rows[row].when.begin);
        to.text(",\"end_ns\":");
        to.number(all.rows[row].when.end);
        to.text(",\"values\":[");
        for (std::size_t column = 0; column < all.columns.size(); ++column) {
            add_number(to, column == 0 ? "" : ",", all.value(row, column));
        }
        to.text("]}");
    }
    frame_losses const lost = frames.losses();
    to.text("],\"losses\":{\"scopes\":");
    to.number(lost.scopes);
    to.text(",\"untimed\":");
    to.number(lost.untimed);
    to.text(",\"incomplete\":");
    to.number(lost.incomplete);
    to.text(",\"overflows\":");
    to.number(lost.overflows);
    to.text(",\"allocations\":");
    to.number(lost.allocations);
    to.text(",\"busy_times\":");
    to.number(lost.busy_times);
    to.text("},\"problems\":[");
    bool first = true;
    error const* const of_driver = frames.driver_problem();
    error const* const of_records = frames.record_problem();
    for (error const* const why : {frames.problem(), of_driver, of_records != of_driver ? of_records : nullptr}) {
        if (why == nullptr) continue;
        add_text(to, first ? "{\"code\":" : ",{\"code\":", name(why->code));
        first = false;
        add_text(to, ",\"what\":", why->what);
        add_text(to, ",\"cause\":", why->cause);
        add_text(to, ",\"remedy\":", why->remedy);
        to.text("}");
    }
    to.text("]}\n");
    return text;
}

// Writes the same frames into a trace, as curves: a point at the begin of each frame for each column,
// named as in CSV but without the unit. `to` is a trace_event_writer, whose file may have a tracer's records, too:
// both have the clock of activity records.
template <class Writer, class Clock>
void write_frames(Writer& to, basic_frame_sampler<Clock> const& frames) {
    auto const all = gpuprof::detail::columns_of(frames);
    std::uint64_t const ahead = frames.record_time(0);
    std::string name;
    for (std::size_t column = 0; column < all.columns.size(); ++column) {
        auto const& [kind, series] = all.columns[column];
        name.clear();
        if (kind.starts_with("scope")) name.append(kind).append(" ");
        name.append(series->name);
        for (std::size_t row = 0; row < all.rows.size(); ++row) {
            double const value = all.value(row, column);
            if (value == value) to.counter(name, activity::timestamp{all.rows[row].when.begin + ahead}, value);
        }
    }
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_FRAME_FILES_HPP
