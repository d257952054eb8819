// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of time_lines.hpp.
#ifndef GPUPROF_IO_TIME_LINES_INL_HPP
#define GPUPROF_IO_TIME_LINES_INL_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../text/json_members.hpp"
#include "../text/text_appender.hpp"
#include "csv_cell.hpp"
#include "explained_order.hpp"
#include "short_number.hpp"
#include "svg_picture.hpp"
#include "time_lines.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// What is drawn of one metric: for each place from left to right the samples that begin there.
struct drawn_samples {
    std::size_t count = 0;
    double sum = 0;
    double least = 0;
    double most = 0;

    void add(double value) {
        least = count == 0 ? value : std::min(least, value);
        most = count == 0 ? value : std::max(most, value);
        sum += value;
        ++count;
    }
};

class time_line_picture {
public:
    explicit time_line_picture(time_lines const& of) : of_{of} {
        if (of.begin.empty()) return;
        first_ = of.begin.front();
        whole_ = std::max(of.end.back() - first_, 1.0);
    }
    [[nodiscard]] std::string draw() {
        double y = 0;
        if (of_.begin.empty() || of_.lines.empty()) {
            picture_.text({8, 18}, "n/a: no samples");
            y = 30;
        } else {
            for (time_line const& each : of_.lines) y = graph(each, y);
            picture_.text({left, y + 14}, "0");
            picture_.text({right, y + 14}, short_duration(whole_), "end");
            y += 24;
        }
        if (!of_.complete) {
            picture_.text({8, y + 14}, "Samples were lost.");
            y += 24;
        }
        return picture_.finish(y);
    }

private:
    static constexpr double left = 56, right = 632, high = 70;
    static constexpr std::size_t places = 288; // one for two units of the width

    [[nodiscard]] double graph(time_line const& line, double y) {
        std::vector<drawn_samples> drawn(places);
        drawn_samples all;
        std::size_t const samples = std::min(line.values.size(), of_.begin.size());
        for (std::size_t i = 0; i < samples; ++i) {
            double const value = line.values[i], share = (of_.begin[i] - first_) / whole_;
            if (!(value - value == 0)) continue; // no sample
            drawn[std::min(static_cast<std::size_t>(std::max(share, 0.0) * places), places - 1)].add(value);
            all.add(value);
        }
        double const top = y + 26, bottom = top + high;
        picture_.text({8, y + 18}, shortened(line.metric, 70), "start", 13, " font-weight=\"600\"");
        if (all.count == 0) {
            picture_.text({left, bottom - high / 2}, "n/a: no samples");
            return bottom + 8;
        }
        bool const is_share = line.value_unit == percent_unit && all.most <= 100;
        double const highest = is_share ? 100 : all.most > 0 ? all.most : 1, lowest = std::min(all.least, 0.0);
        auto const at = [&](double place, double value) {
            return svg_point{left + (right - left) * place / places,
                             bottom - high * (value - lowest) / (highest - lowest)};
        };
        picture_.grid({at(0, lowest), at(places, lowest), at(0, highest), at(places, highest)});
        picture_.text({left - 6, bottom + 4}, prefixed_number(lowest), "end");
        picture_.text({left - 6, top + 4}, prefixed_number(highest), "end");
        picture_.text({right, y + 18},
                      joined({"mean ", short_value(all.sum / static_cast<double>(all.count), line.value_unit)}), "end");
        std::vector<svg_point> upper, lower, means;
        for (std::size_t i = 0; i < places; ++i) {
            if (drawn[i].count == 0) continue;
            double const middle = static_cast<double>(i) + 0.5;
            upper.push_back(at(middle, drawn[i].most));
            lower.push_back(at(middle, drawn[i].least));
            means.push_back(at(middle, drawn[i].sum / static_cast<double>(drawn[i].count)));
        }
        upper.insert(upper.end(), lower.rbegin(), lower.rend());
        if (all.count > means.size()) picture_.polygon(upper, series_colour(0), " fill-opacity=\"0.25\"");
        if (means.size() == 1) picture_.circle(means.front(), 3, series_colour(0));
        picture_.polyline(means, series_colour(0), 1.5,
                          joined({" data-metric=\"", xml_text(line.metric), "\" data-samples=\"",
                                  exact_number(static_cast<double>(all.count)), "\" data-mean=\"",
                                  exact_number(all.sum / static_cast<double>(all.count)), "\" data-least=\"",
                                  exact_number(all.least), "\" data-most=\"", exact_number(all.most), "\""}));
        return bottom + 8;
    }

    time_lines const& of_;
    double first_ = 0, whole_ = 1;
    svg_picture picture_{640, "Sampled metrics over time",
                         "A graph for each metric: mean of the samples at each time, least to most as an area.",
                         declared_series};
};

inline void add_numbers(gpuprof::detail::text_appender const& to, std::string_view key, std::vector<double> const& of) {
    to.text(key);
    std::string_view before = "[";
    for (double const each : of) {
        gpuprof::detail::add_number(to, before, each);
        before = ",";
    }
    to.text(of.empty() ? "[]" : "]");
}

} // namespace detail

GPUPROF_INLINE std::string svg(time_lines const& of) { return detail::time_line_picture{of}.draw(); }

GPUPROF_INLINE std::string csv(time_lines const& of) {
    std::string made;
    gpuprof::detail::text_appender const to{made};
    to.text("begin_ns,end_ns");
    for (time_line const& each : of.lines) {
        to.text(",");
        write_csv_cell(to, each.metric);
    }
    to.text("\r\n");
    for (std::size_t i = 0; i < of.begin.size(); ++i) {
        to.real(of.begin[i]);
        to.text(",");
        to.real(of.end[i]);
        for (time_line const& each : of.lines) {
            to.text(",");
            if (i < each.values.size() && each.values[i] - each.values[i] == 0) to.real(each.values[i]);
        }
        to.text("\r\n");
    }
    return made;
}

GPUPROF_INLINE std::string json(time_lines const& of) {
    using gpuprof::detail::add_text;
    std::string made;
    gpuprof::detail::text_appender const to{made};
    add_text(to, "{\"format\":\"gpuprof time lines\",\"version\":1,\"range\":", of.range);
    to.text(of.complete ? ",\"complete\":true" : ",\"complete\":false");
    to.text(",\"first_ns\":");
    to.number(of.first_ns);
    detail::add_numbers(to, ",\n\"begin_ns\":", of.begin);
    detail::add_numbers(to, ",\n\"end_ns\":", of.end);
    to.text(",\n\"metrics\":[");
    std::string_view before = "\n";
    for (time_line const& each : of.lines) {
        to.text(before);
        add_text(to, "{\"name\":", each.metric);
        add_text(to, ",\"unit\":", unit_symbol{each.value_unit}.view());
        detail::add_numbers(to, ",\"values\":", each.values);
        to.text("}");
        before = ",\n";
    }
    to.text("]}\n");
    return made;
}

GPUPROF_INLINE page_part time_line_part(time_lines const& of) {
    return {"pm_sampling", "Over time",
            [](void const* context, explain::explanation const& why, std::size_t range) {
                auto const& lines = *static_cast<time_lines const*>(context);
                bool const here = lines.range.empty()
                                      ? detail::longest_first(why).front() == range
                                      : why.report().at(why.ranges()[range].range).name() == lines.range;
                return here ? svg(lines) : std::string{};
            },
            &of};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TIME_LINES_INL_HPP
