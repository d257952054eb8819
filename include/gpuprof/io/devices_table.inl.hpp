// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of devices_table.hpp.
#ifndef GPUPROF_IO_DEVICES_TABLE_INL_HPP
#define GPUPROF_IO_DEVICES_TABLE_INL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../detail/builtin.hpp"
#include "../text/distinct_names.hpp"
#include "../text/json_members.hpp"
#include "../text/printable.hpp"
#include "../text/text_appender.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "csv_cell.hpp"
#include "devices_table.hpp"
#include "error_json.hpp"
#include "short_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
// "2 GPUs: NVIDIA H200", each name once.
[[nodiscard]] inline std::string devices_line(ranks::device_report const& of) {
    std::string text = std::to_string(of.devices.size()) + (of.devices.size() == 1 ? " GPU" : " GPUs");
    for (std::size_t i = 0; i < of.devices.size(); ++i) {
        auto const here = of.devices.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(of.devices.begin(), here, *here) != here) continue;
        text += (i == 0 ? ": " : ", ") + gpuprof::detail::printable(*here);
    }
    return text + (of.source == device_source::embedded ? ", embedded GPU: not hardware" : "") + '\n';
}
} // namespace detail

GPUPROF_INLINE std::string table(ranks::device_report const& of) {
    constexpr std::size_t width = 100, widest_name = 32, widest_range = 96, most_columns = 4;
    bool const each_shown = of.devices.size() <= most_columns;
    std::vector<std::string> metrics, cells{"range, metric"};
    for (ranks::device_row const& each : of.rows) metrics.push_back(each.metric.name);
    metrics = gpuprof::detail::distinct_names(std::move(metrics), widest_name);
    for (std::size_t i = 0; each_shown && i < of.devices.size(); ++i) cells.push_back("GPU " + std::to_string(i));
    if (!each_shown) cells.insert(cells.end(), {"least", "mean", "most", "most at"});
    cells.insert(cells.end(), {"sum", "unit", "spread"});
    std::string const columns = 'l' + (each_shown ? std::string(of.devices.size(), 'r') : "rrrl") + "rlr";
    for (std::size_t i = 0; i < of.rows.size(); ++i) {
        ranks::device_row const& row = of.rows[i];
        cells.push_back("  " + metrics[i]);
        for (std::size_t device = 0; each_shown && device < row.values.size(); ++device)
            cells.push_back(std::isnan(row.values[device]) ? "-" : detail::short_number(row.values[device]));
        if (!each_shown) {
            for (double const value : {row.all.least(), row.all.mean(), row.all.most()})
                cells.push_back(detail::short_number(value));
            bool const alike = row.all.least() == row.all.most();
            cells.push_back(alike ? "all" : "GPU " + std::to_string(row.all.highest().front().rank));
        }
        auto const sum = row.sum();
        double const mean = row.all.mean();
        cells.push_back(sum ? detail::short_number(*sum) : "");
        cells.emplace_back(unit_symbol{row.metric.value_unit}.view());
        cells.push_back(detail::whole_share(mean != 0 ? row.all.deviation() / std::fabs(mean) : 0));
    }
    std::string const lines = detail::aligned(cells, columns);
    std::string text = gpuprof::detail::wrapped_lines(detail::devices_line(of), width);
    for (std::size_t begin = 0, line = 0; begin < lines.size(); ++line) {
        std::size_t const end = lines.find('\n', begin) + 1;
        if (line != 0 && (line == 1 || of.rows[line - 1].range != of.rows[line - 2].range))
            text += gpuprof::detail::printable(of.rows[line - 1].range, widest_range) + '\n';
        text += gpuprof::detail::wrapped_lines(lines.substr(begin, end - begin), width);
        begin = end;
    }
    for (error const& each : of.problems)
        text += gpuprof::detail::wrapped_lines("missing: " + each.message() + "\n", width);
    return text;
}

GPUPROF_INLINE std::string csv(ranks::device_report const& of) {
    std::string text = "range,metric,unit";
    gpuprof::detail::text_appender const to{text};
    for (std::size_t i = 0; i < of.devices.size(); ++i) {
        to.text(",GPU ");
        to.number(i);
    }
    to.text(",sum,mean,standard deviation\r\n");
    auto const real = [&](double value) {
        to.text(",");
        if (!std::isnan(value)) to.real(value);
    };
    for (ranks::device_row const& each : of.rows) {
        write_csv_cell(to, each.range);
        to.text(",");
        write_csv_cell(to, each.metric.name);
        to.text(",");
        write_csv_cell(to, unit_symbol{each.metric.value_unit}.view());
        for (double const value : each.values) real(value);
        real(each.sum().value_or(gpuprof::detail::quiet_nan));
        real(each.all.mean());
        real(each.all.deviation());
        to.text("\r\n");
    }
    return text;
}

GPUPROF_INLINE std::string json(ranks::device_report const& of) {
    using gpuprof::detail::add_number;
    using gpuprof::detail::add_text;
    std::string text;
    gpuprof::detail::text_appender const to{text};
    to.text("{\"devices\":[");
    for (std::string const& each : of.devices) add_text(to, &each == of.devices.data() ? "" : ",", each);
    to.text("],\"rows\":[");
    for (ranks::device_row const& each : of.rows) {
        add_text(to, &each == of.rows.data() ? "\n{\"range\":" : ",\n{\"range\":", each.range);
        add_text(to, ",\"metric\":", each.metric.name);
        add_text(to, ",\"unit\":", unit_symbol{each.metric.value_unit}.view());
        to.text(",\"values\":[");
        for (std::size_t i = 0; i < each.values.size(); ++i) add_number(to, i == 0 ? "" : ",", each.values[i]);
        add_number(to, "],\"sum\":", each.sum().value_or(gpuprof::detail::quiet_nan));
        add_number(to, ",\"mean\":", each.all.mean());
        add_number(to, ",\"standard deviation\":", each.all.deviation());
        to.text("}");
    }
    to.text("],\"problems\":[");
    for (error const& each : of.problems) {
        if (&each != of.problems.data()) to.text(",");
        detail::add_error(to, each);
    }
    to.text("]}\n");
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_DEVICES_TABLE_INL_HPP
