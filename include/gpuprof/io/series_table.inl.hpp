// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of series_table.hpp.
#ifndef GPUPROF_IO_SERIES_TABLE_INL_HPP
#define GPUPROF_IO_SERIES_TABLE_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/counted.hpp"
#include "../core/unit_symbol.hpp"
#include "../text/json_members.hpp"
#include "../text/printable.hpp"
#include "../text/text_appender.hpp"
#include "aligned.hpp"
#include "csv_cell.hpp"
#include "error_json.hpp"
#include "series_table.hpp"
#include "table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

[[nodiscard]] inline std::string so_many(std::size_t number, std::string_view one, std::string_view many) {
    return gpuprof::detail::joined({std::to_string(number), " ", number == 1 ? one : many});
}
[[nodiscard]] std::string estimate(double value, double deviation); // of table.inl.hpp
// "1,234 +- 56", "1,234", "not a number (0/0)"
[[nodiscard]] inline std::string mean_text(iteration_value const& of) {
    if (of.mean != of.mean) return "not a number (0/0)";
    return of.half_width == of.half_width ? estimate(of.mean, of.half_width) : number(of.mean);
}
// Whether the row is the best, or like it.
[[nodiscard]] inline std::string_view place_of(std::size_t row, result<explain::series_choice> const& best) {
    if (!best) return "";
    if (row == best->row) return "best";
    for (std::size_t const each : best->alike)
        if (each == row) return "alike";
    return "";
}
[[nodiscard]] inline std::string_view words_of(memory_control memory) noexcept {
    return memory == memory_control::leave ? ", memory left as it was" : ", memory put back for each run";
}

[[nodiscard]] std::string choice_text(explain::series_report const& of, explain::series_choice const& best);
GPUPROF_INLINE std::string choice_text(explain::series_report const& of, explain::series_choice const& best) {
    using gpuprof::detail::joined;
    constexpr std::size_t most_shown = 4;
    std::string text =
        joined({"best: ", of.text_of(best.values), ", by ", best.metric, " (", name(best.direction), " is better)\n"});
    std::string alike;
    for (std::size_t i = 0; i < best.alike.size() && i < most_shown; ++i)
        alike += joined({alike.empty() ? "" : "; ", of.text_of(of.rows[best.alike[i]].values)});
    if (best.alike.size() > most_shown)
        alike += joined({"; and ", std::to_string(best.alike.size() - most_shown), " more"});
    if (!alike.empty()) text += joined({"cannot be told from it: ", alike, "\n"});
    if (!best.noise_known) text += "each was measured once: how much the values vary is not known\n";
    return text;
}

} // namespace detail

GPUPROF_INLINE std::string table(explain::series_report const& of) {
    using gpuprof::detail::joined;
    bool const named = of.device.find(of.chip) != std::string::npos;
    std::string text = joined({of.device, named ? "" : " (", named ? "" : of.chip, named ? "" : ")",
                               of.source == device_source::embedded ? ", embedded GPU: not hardware" : "", ": ",
                               detail::so_many(of.rows.size(), "combination", "combinations"), ", ",
                               detail::so_many(of.rounds, "round", "rounds"), " of ",
                               detail::so_many(of.passes, "pass", "passes"), detail::words_of(of.memory), "\n"});
    auto const best = of.try_best();
    std::vector<std::string> cells;
    std::string columns;
    for (explain::axis const& each : of.axes) {
        cells.push_back(gpuprof::detail::printable(each.name));
        columns += 'r';
    }
    for (metric_info const& each : of.metrics) {
        unit_symbol const unit{each.value_unit};
        cells.push_back(unit.view().empty() ? each.name : joined({each.name, " [", unit.view(), "]"}));
        columns += 'r';
    }
    cells.emplace_back();
    columns += 'l';
    for (std::size_t row = 0; row < of.rows.size(); ++row) {
        explain::series_row const& each = of.rows[row];
        for (std::size_t i = 0; i < of.axes.size(); ++i)
            cells.push_back(of.axes[i].text_of(each.values.list()[i].value));
        for (std::size_t i = 0; i < of.metrics.size(); ++i)
            cells.push_back(each.refused ? std::string{"-"}
                                         : detail::mean_text(each.measured(i, of.metrics[i].value_unit)));
        cells.emplace_back(each.refused ? std::string_view{"refused"} : detail::place_of(row, best));
    }
    text += detail::aligned(cells, columns);
    text += best ? detail::choice_text(of, *best) : joined({"no best: ", best.error().message(), "\n"});
    // Combinations that are refused for one reason are one line.
    std::vector<bool> told(of.rows.size());
    for (std::size_t row = 0; row < of.rows.size(); ++row) {
        if (!of.rows[row].refused || told[row]) continue;
        error const& why = *of.rows[row].refused;
        std::size_t others = 0;
        for (std::size_t i = row + 1; i < of.rows.size(); ++i) {
            auto const& other = of.rows[i].refused;
            if (!other || other->code != why.code || other->status != why.status || other->cause != why.cause) continue;
            told[i] = true;
            ++others;
        }
        text += joined({"refused: ", of.text_of(of.rows[row].values),
                        others == 0 ? "" : joined({" and ", detail::so_many(others, "other", "others")}), ": ",
                        why.message(), "\n"});
    }
    if (of.source == device_source::embedded)
        for (std::size_t i = 0; i < of.trust.size(); ++i)
            text += joined({of.metrics[i].name, ": ", name(of.trust[i]), "\n"});
    for (error const& problem : of.problems) text += joined({"incomplete: ", problem.message(), "\n"});
    return text;
}

GPUPROF_INLINE std::string csv(explain::series_report const& of) {
    std::string text;
    gpuprof::detail::text_appender const to{text};
    for (explain::axis const& each : of.axes) {
        write_csv_cell(to, each.name);
        to.text(",");
    }
    for (metric_info const& metric : of.metrics)
        for (std::string_view const column : {" mean", " half width", " least", " most"}) {
            unit_symbol const unit{metric.value_unit};
            write_csv_cell(to, gpuprof::detail::joined({metric.name, column, " [", unit.view(), "]"}));
            to.text(",");
        }
    to.text("refused\r\n");
    for (explain::series_row const& row : of.rows) {
        for (auto const& each : row.values.list()) {
            to.number(each.value);
            to.text(",");
        }
        for (std::size_t i = 0; i < of.metrics.size(); ++i) {
            iteration_value const value = row.refused ? iteration_value{} : row.measured(i, of.metrics[i].value_unit);
            for (double const each : {value.mean, value.half_width, value.least, value.most}) {
                if (!row.refused && each - each == 0) to.real(each);
                to.text(",");
            }
        }
        if (row.refused) write_csv_cell(to, row.refused->message());
        to.text("\r\n");
    }
    return text;
}

namespace detail {

void add_row(gpuprof::detail::text_appender const& to, explain::series_report const& of,
             explain::series_row const& row);
GPUPROF_INLINE void add_row(gpuprof::detail::text_appender const& to, explain::series_report const& of,
                            explain::series_row const& row) {
    std::string_view comma = "{\"values\":{";
    for (auto const& each : row.values.list()) {
        gpuprof::detail::add_text(to, comma, each.name);
        to.text(":");
        to.number(each.value);
        comma = ",";
    }
    to.text("},\"rounds\":{");
    comma = {};
    for (std::size_t i = 0; i < row.rounds.size(); ++i) {
        gpuprof::detail::add_text(to, comma, of.metrics[i].name);
        std::string_view before = ":[";
        for (double const each : row.rounds[i]) {
            gpuprof::detail::add_number(to, before, each);
            before = ",";
        }
        to.text("]");
        comma = ",";
    }
    to.text("},\"refused\":");
    if (row.refused) add_error(to, *row.refused);
    else to.text("null");
    to.text("}");
}

} // namespace detail

GPUPROF_INLINE std::string json(explain::series_report const& of) {
    using gpuprof::detail::add_text;
    std::string text;
    gpuprof::detail::text_appender const to{text};
    add_text(to, "{\"device\":", of.device);
    add_text(to, ",\"chip\":", of.chip);
    add_text(to, ",\"source\":", name(of.source));
    to.text(",\"rounds\":");
    to.number(of.rounds);
    to.text(",\"passes\":");
    to.number(of.passes);
    to.text(",\"axes\":[");
    std::string_view comma;
    for (explain::axis const& each : of.axes) {
        to.text(comma);
        add_text(to, "{\"name\":", each.name);
        std::string_view before = ",\"values\":[";
        for (long long const value : each.values) {
            to.text(before);
            to.number(value);
            before = ",";
        }
        to.text("]}");
        comma = ",";
    }
    to.text("],\"metrics\":[");
    comma = {};
    for (metric_info const& each : of.metrics) {
        unit_symbol const unit{each.value_unit};
        to.text(comma);
        add_text(to, "{\"name\":", each.name);
        add_text(to, ",\"unit\":", unit.view());
        to.text("}");
        comma = ",";
    }
    to.text("],\"rows\":[");
    comma = {};
    for (explain::series_row const& row : of.rows) {
        to.text(comma);
        detail::add_row(to, of, row);
        comma = ",";
    }
    to.text("],\"best\":");
    if (auto const best = of.try_best()) {
        to.text("{\"row\":");
        to.number(best->row);
        add_text(to, ",\"metric\":", best->metric);
        add_text(to, ",\"better\":", name(best->direction));
        std::string_view before;
        to.text(",\"alike\":[");
        for (std::size_t const row : best->alike) {
            to.text(before);
            to.number(row);
            before = ",";
        }
        to.text(best->noise_known ? "],\"noise_known\":true}" : "],\"noise_known\":false}");
    } else {
        to.text("null");
    }
    to.text(",\"problems\":[");
    comma = {};
    for (error const& problem : of.problems) {
        to.text(comma);
        detail::add_error(to, problem);
        comma = ",";
    }
    to.text("]}\n");
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SERIES_TABLE_INL_HPP
