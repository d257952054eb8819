// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of roofline_svg.hpp.
#ifndef GPUPROF_IO_ROOFLINE_SVG_INL_HPP
#define GPUPROF_IO_ROOFLINE_SVG_INL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../core/counted.hpp"
#include "../text/wrapped.hpp"
#include "roofline_svg.hpp"
#include "svg_picture.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
[[nodiscard]] inline std::string_view how_known(bool measured) { return measured ? "measured" : "theoretical"; }
[[nodiscard]] inline std::string reason_of(explain::row_value const& value) {
    return value.missing ? value.missing->message() : "it was not measured";
}
[[nodiscard]] inline std::string point_text(explain::roofline const& of, explain::roof const& under) {
    return joined(
        {of.work->title, ", ", under.level->title, ": ", prefixed_number(*of.achieved.number, "FLOP/s"), " at ",
         prefixed_number(*under.intensity), " FLOP/byte",
         under.reached ? joined({", ", prefixed_number(100 * *under.reached), " % of the roof"}) : std::string{},
         under.side ? joined({", ", explain::name(*under.side), " side"}) : std::string{}});
}

// A logarithmic axis of whole decades.
struct decades {
    int first = 0;
    int last = 0;
    bool used = false;
    void include(std::optional<double> value) {
        if (!value || !(*value > 0)) return;
        int const low = static_cast<int>(std::floor(std::log10(*value)));
        int const high = static_cast<int>(std::ceil(std::log10(*value)));
        first = used ? std::min(first, low) : low;
        last = used ? std::max(last, high) : high;
        used = true;
        if (first == last) ++last;
    }
    // 0 at the begin of the axis, 1 at its end.
    [[nodiscard]] double place(double value) const { return (std::log10(value) - first) / (last - first); }
};

// What several rooflines have in common, drawn once.
struct drawn_roof {
    std::string_view id;
    double value;
};
[[nodiscard]] inline bool first_time(std::vector<drawn_roof>& drawn, std::string_view id, double value) {
    for (drawn_roof const& each : drawn)
        if (each.id == id && std::fabs(each.value - value) <= 0.005 * value) return false;
    drawn.push_back({id, value});
    return true;
}

class roofline_chart {
public:
    explicit roofline_chart(std::span<explain::roofline const> of) : of_{of} {
        for (explain::roofline const& each : of) {
            y_.include(each.peak.number);
            if (each.has_point()) y_.include(each.achieved.number);
            for (explain::roof const& under : each.roofs) {
                if (under.ridge) x_.include(*under.ridge / 100), x_.include(*under.ridge * 10); // room for both roofs
                if (under.intensity) x_.include(*under.intensity / 2), x_.include(*under.intensity * 2);
            }
        }
        if (!x_.used) x_ = {-2, 3, true};
        if (!y_.used) y_ = {9, 14, true};
        y_.first -= 1;
    }

    [[nodiscard]] std::string draw() {
        axes();
        for (std::size_t i = 0; i < of_.size(); ++i) roofs(i);
        for (std::size_t i = 0; i < of_.size(); ++i) points(i);
        double y = bottom + 52;
        for (std::size_t i = 0; i < of_.size(); ++i) y = legend(i, y);
        return picture_.finish(y);
    }

private:
    static constexpr double width = 480, left = 62, right = 462, top = 34, bottom = 320;

    [[nodiscard]] double x_of(double intensity) const { return left + (right - left) * x_.place(intensity); }
    [[nodiscard]] double y_of(double work) const { return bottom - (bottom - top) * y_.place(work); }
    [[nodiscard]] svg_point at(double intensity, double work) const { return {x_of(intensity), y_of(work)}; }

    [[nodiscard]] std::string description() const {
        std::string made;
        for (explain::roofline const& each : of_) {
            if (!made.empty()) made += ' ';
            made += text(each, static_cast<std::size_t>(-1));
        }
        for (char& c : made)
            if (c == '\n') c = ' ';
        return made;
    }

    void axes() {
        picture_.text({left, 18}, "FLOP/s", "end", 13);
        constexpr std::string_view grid = " stroke-opacity=\"0.15\"";
        for (int decade = x_.first; decade <= x_.last; ++decade) {
            double const x = x_of(std::pow(10, decade));
            picture_.line({x, top}, {x, bottom}, ink, 1, grid);
            if ((decade - x_.first) % ((x_.last - x_.first) / 7 + 1) == 0)
                picture_.text({x, bottom + 18}, prefixed_number(std::pow(10, decade)), "middle", 13);
        }
        for (int decade = y_.first; decade <= y_.last; ++decade) {
            double const y = y_of(std::pow(10, decade));
            picture_.line({left, y}, {right, y}, ink, 1, grid);
            if ((decade - y_.first) % ((y_.last - y_.first) / 9 + 1) == 0)
                picture_.text({left - 6, y + 4}, prefixed_number(std::pow(10, decade)), "end", 13);
        }
        picture_.text({(left + right) / 2, bottom + 36}, "FLOP per byte", "middle", 13);
    }

    void roofs(std::size_t which) {
        explain::roofline const& of = of_[which];
        double const end = std::pow(10, x_.last), floor = std::pow(10, y_.first);
        double steepest = 0;
        for (explain::roof const& under : of.roofs) steepest = std::max(steepest, under.bandwidth.number.value_or(0));
        bool const other_range = of.label != of_[0].label;
        std::string_view const dashes = other_range ? " stroke-dasharray=\"6 4\"" : "";
        if (of.peak.number && *of.peak.number > 0 && first_time(drawn_, of.work->id, *of.peak.number)) {
            double const begin = steepest > 0 ? *of.peak.number / steepest : std::pow(10, x_.first);
            picture_.line(at(begin, *of.peak.number), at(end, *of.peak.number), series_colour(which), 2, dashes);
            double y = y_of(*of.peak.number) - 6;
            for (double const other : flat_labels_)
                if (std::fabs(other - y) < 15) y = other + 15; // below the other's line
            flat_labels_.push_back(y);
            picture_.text(
                {right, y},
                joined({of.work->title, " ", prefixed_number(*of.peak.number, "FLOP/s"), ", ", how_known(of.measured)}),
                "end", 12);
        }
        double highest = 0; // of all peaks: there slopes end
        for (explain::roofline const& each : of_) highest = std::max(highest, each.peak.number.value_or(0));
        if (highest == 0) highest = std::pow(10, y_.last);
        for (explain::roof const& under : of.roofs) {
            if (!under.bandwidth.number || *under.bandwidth.number <= 0) continue;
            double const slope = *under.bandwidth.number;
            if (!first_time(drawn_, under.level->id, slope)) continue;
            double const begin = std::max(std::pow(10, x_.first), floor / slope);
            if (under.level->id == "dram" && drawn_dram_++ == 0 && of.peak.number)
                picture_.polygon({at(begin, slope * begin),
                                  at(*of.peak.number / slope, *of.peak.number),
                                  {x_of(*of.peak.number / slope), bottom},
                                  {x_of(begin), bottom}},
                                 accent, " fill-opacity=\"0.08\"");
            svg_point const from = at(begin, slope * begin), to = at(highest / slope, highest);
            picture_.line(from, to, ink, 1.5, dashes);
            double const turn = std::atan2(to.y - from.y, to.x - from.x) * 180 / 3.14159265358979;
            double const off = under.level->id == "dram" ? 15 : -6; // below the lowest slope, above the others
            svg_point const label{from.x + 0.12 * (to.x - from.x), from.y + 0.12 * (to.y - from.y) + off};
            picture_.text(
                label,
                joined({under.level->title, " ", prefixed_number(slope, "B/s"), ", ", how_known(under.measured)}),
                "start", 12,
                joined({" transform=\"rotate(", svg_picture::at(turn), " ", svg_picture::at(label.x), " ",
                        svg_picture::at(label.y), ")\""}));
        }
    }

    // The mark of a level: a circle, a square, a diamond.
    void mark(std::string_view level, svg_point where, std::string_view colour, std::string_view hint,
              std::string_view data) {
        if (level == "dram") return picture_.circle(where, 6, colour, hint, data);
        double const x = where.x, y = where.y;
        if (level == "l2")
            return picture_.mark({{x - 5, y - 5}, {x + 5, y - 5}, {x + 5, y + 5}, {x - 5, y + 5}}, colour, hint, data);
        picture_.mark({{x, y - 7}, {x + 7, y}, {x, y + 7}, {x - 7, y}}, colour, hint, data);
    }
    void points(std::size_t which) {
        explain::roofline const& of = of_[which];
        for (explain::roof const& under : of.roofs) {
            if (!under.intensity) continue;
            svg_point const where = at(*under.intensity, *of.achieved.number);
            if (under.attainable)
                picture_.line(where, at(*under.intensity, *under.attainable), series_colour(which), 1.5,
                              " stroke-dasharray=\"2 3\"");
            mark(under.level->id, where, series_colour(which), joined({of.label, ": ", point_text(of, under)}),
                 joined({" data-level=\"", under.level->id, "\" data-intensity=\"", exact_number(*under.intensity),
                         "\" data-work=\"", exact_number(*of.achieved.number), "\""}));
        }
    }

    // Returns where the next entry begins.
    [[nodiscard]] double legend(std::size_t which, double y) {
        explain::roofline const& of = of_[which];
        y += 18;
        picture_.box({8, y - 11}, 12, 12, series_colour(which));
        picture_.text(
            {26, y},
            shortened(joined({of.label.empty() ? "" : of.label, of.label.empty() ? "" : ": ", of.work->title}), 60),
            "start", 14, " font-weight=\"600\"");
        bool any = false;
        for (explain::roof const& under : of.roofs) {
            if (!under.intensity) continue;
            any = true;
            y += 18;
            mark(under.level->id, {33, y - 4}, series_colour(which), {}, {});
            picture_.text(
                {46, y},
                joined({under.level->title, ": ", prefixed_number(*of.achieved.number, "FLOP/s"), " at ",
                        prefixed_number(*under.intensity), " FLOP/byte",
                        under.reached ? joined({", ", prefixed_number(100 * *under.reached), " % of the roof"})
                                      : std::string{}}),
                "start", 13);
        }
        if (!any) {
            y += 18;
            std::string const why = of.achieved.number && !of.has_point() ? "no operation of this kind"
                                    : !of.achieved.number                 ? reason_of(of.achieved)
                                                                          : "no level of memory has a value";
            picture_.text({26, y}, shortened(why, 64), "start", 13);
        }
        return y + 8;
    }

    std::span<explain::roofline const> of_;
    decades x_{}, y_{};
    std::vector<drawn_roof> drawn_{};
    std::vector<double> flat_labels_{};
    int drawn_dram_ = 0;
    svg_picture picture_{width, "Roofline: work per second by work per byte", description()};
};
} // namespace detail

GPUPROF_INLINE std::string svg(std::span<explain::roofline const> of) { return detail::roofline_chart{of}.draw(); }

GPUPROF_INLINE std::string text(explain::roofline const& of, std::size_t columns) {
    using detail::joined;
    using detail::prefixed_number;
    std::string made;
    auto const add = [&](std::string_view sentence, std::size_t indent) {
        made.append(indent, ' ');
        gpuprof::detail::append_wrapped(made, sentence, indent, indent + 2, columns);
        made += '\n';
    };
    add(joined({of.label, of.label.empty() ? "" : ": ", of.work->title, ": ",
                of.achieved.number ? prefixed_number(*of.achieved.number, "FLOP/s")
                                   : joined({"n/a (", detail::reason_of(of.achieved), ")"}),
                of.peak.number ? joined({" of ", prefixed_number(*of.peak.number, "FLOP/s"), " (",
                                         detail::how_known(of.measured), ")"})
                               : joined({", peak n/a (", detail::reason_of(of.peak), ")"})}),
        0);
    for (explain::roof const& under : of.roofs) {
        std::string line = joined({under.level->title, ": "});
        if (under.bandwidth.number)
            line =
                joined({line, prefixed_number(under.traffic.number.value_or(0), "B/s"), " of ",
                        prefixed_number(*under.bandwidth.number, "B/s"), " (", detail::how_known(under.measured), ")"});
        else line = joined({line, "n/a (", detail::reason_of(under.bandwidth), ")"});
        if (!under.traffic.number)
            line = joined({under.level->title, ": n/a (", detail::reason_of(under.traffic), ")"});
        if (under.intensity) line = joined({line, ", ", prefixed_number(*under.intensity), " FLOP/byte"});
        if (under.side && under.reached)
            line = joined({line, ", ridge at ", prefixed_number(*under.ridge), ": ", explain::name(*under.side),
                           " side, ", prefixed_number(100 * *under.reached), " % of the roof"});
        add(line, 2);
    }
    return made;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_ROOFLINE_SVG_INL_HPP
