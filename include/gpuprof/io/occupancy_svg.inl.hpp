// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of occupancy_svg.hpp.
#ifndef GPUPROF_IO_OCCUPANCY_SVG_INL_HPP
#define GPUPROF_IO_OCCUPANCY_SVG_INL_HPP

#include <cmath>
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/counted.hpp"
#include "../text/wrapped.hpp"
#include "occupancy_svg.hpp"
#include "svg_picture.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
class occupancy_picture {
public:
    explicit occupancy_picture(explain::occupancy_curves const& of) : of_{of} {
        most_ = of.most_warps.value_or(0);
        for (explain::occupancy_curve const* const each : {&of.block_size, &of.registers, &of.shared_memory}) {
            for (explain::occupancy_point const& point : each->points) most_ = std::max(most_, point.warps);
            if (each->launch) most_ = std::max(most_, each->launch->warps);
        }
        if (!(most_ > 0)) most_ = 1;
    }
    [[nodiscard]] std::string draw() {
        double y = 0;
        for (explain::occupancy_curve const* const each : {&of_.block_size, &of_.registers, &of_.shared_memory})
            y = curve(*each, y);
        return picture_.finish(y);
    }

private:
    static constexpr double left = 46, right = 462, high = 120;

    [[nodiscard]] double curve(explain::occupancy_curve const& of, double y) {
        double const top = y + 30, bottom = top + high;
        picture_.text({8, y + 18}, joined({of.title, ": ", of.amounts_of}), "start", 14, " font-weight=\"600\"");
        if (of.points.empty()) {
            picture_.text({8, y + 40},
                          shortened(joined({"n/a: ", of.missing ? of.missing->message() : "not measured"}), 70),
                          "start", 13);
            return y + 54;
        }
        double widest = of.points.back().amount;
        if (of.launch) widest = std::max(widest, of.launch->amount);
        auto const at = [&](double amount, double warps) {
            return svg_point{left + (right - left) * (widest > 0 ? amount / widest : 0), bottom - high * warps / most_};
        };
        std::vector<svg_point> grid;
        for (int part = 0; part <= 4; ++part) {
            double const warps = most_ * part / 4;
            grid.insert(grid.end(), {at(0, warps), at(widest, warps)});
            if (part % 2 == 0) picture_.text({left - 6, at(0, warps).y + 4}, prefixed_number(warps), "end", 13);
        }
        for (int part = 0; part <= 4; ++part) {
            double const amount = widest * part / 4;
            picture_.text({at(amount, 0).x, bottom + 18}, gpuprof::detail::grouped_number(std::round(amount)),
                          part == 4 ? "end" : "middle", 13);
        }
        picture_.grid(grid);
        std::vector<svg_point> line;
        double before = 0;
        for (explain::occupancy_point const& point : of.points) {
            if (of.steps) line.push_back(at(before, point.warps));
            line.push_back(at(point.amount, point.warps));
            before = point.amount;
        }
        if (of.steps) line.push_back(at(before, 0));
        std::string points;
        for (explain::occupancy_point const& point : of.points) {
            if (!points.empty()) points += ' ';
            (points += exact_number(point.amount)).append(1, ':') += exact_number(point.warps);
        }
        picture_.polyline(line, accent, 2, joined({" data-curve=\"", of.title, "\" data-points=\"", points, "\""}));
        if (of.launch) {
            picture_.circle(at(of.launch->amount, of.launch->warps), 6, series_colour(1), said(of, *of.launch),
                            joined({" data-launch=\"", exact_number(of.launch->amount), ":",
                                    exact_number(of.launch->warps), "\""}));
            picture_.text({right, y + 18},
                          joined({"this launch: ", gpuprof::detail::grouped_number(of.launch->warps), " warps"}), "end",
                          13, joined({" fill=\"", series_colour(1), "\""}));
        }
        return bottom + 30;
    }
    [[nodiscard]] static std::string said(explain::occupancy_curve const& of, explain::occupancy_point const& point) {
        return joined({gpuprof::detail::grouped_number(point.amount), " ", of.amounts_of, ": ",
                       gpuprof::detail::grouped_number(point.warps), " warps"});
    }

    explain::occupancy_curves const& of_;
    double most_ = 1;
    svg_picture picture_{480, "Occupancy: warps of an SM by block size, registers and shared memory", text(of_),
                         declared_series};
};
// The warps of a curve at the amounts before and after the launch's at which they change.
[[nodiscard]] inline std::string changes_of(explain::occupancy_curve const& of) {
    std::string made;
    if (!of.launch) return made;
    explain::occupancy_point const* less = nullptr;
    explain::occupancy_point const* more = nullptr;
    for (explain::occupancy_point const& point : of.points) {
        if (point.amount < of.launch->amount && point.warps != of.launch->warps) less = &point;
        if (point.amount > of.launch->amount && point.warps != of.launch->warps && more == nullptr) more = &point;
    }
    auto const add = [&](explain::occupancy_point const* point) {
        if (point == nullptr) return;
        made = joined({made, made.empty() ? "; " : ", ", gpuprof::detail::grouped_number(point->amount), " give ",
                       gpuprof::detail::grouped_number(point->warps)});
    };
    add(less);
    add(more);
    return made;
}
} // namespace detail

GPUPROF_INLINE std::string svg(explain::occupancy_curves const& of) { return detail::occupancy_picture{of}.draw(); }

GPUPROF_INLINE std::string text(explain::occupancy_curves const& of, std::size_t columns) {
    using detail::joined;
    using gpuprof::detail::grouped_number;
    std::string made;
    auto const add = [&](std::string_view line, std::size_t indent) {
        made.append(indent, ' ');
        gpuprof::detail::append_wrapped(made, line, indent, indent + 2, columns);
        made += '\n';
    };
    add(joined(
            {"Theoretical occupancy: ",
             of.theoretical ? joined({grouped_number(of.theoretical->value()), " % (", grouped_number(*of.warps),
                                      " of ", grouped_number(*of.most_warps), " warps)"})
                            : std::string{"n/a"},
             ", achieved: ", of.achieved ? joined({grouped_number(of.achieved->value()), " %"}) : std::string{"n/a"}}),
        0);
    for (explain::occupancy_curve const* const each : {&of.block_size, &of.registers, &of.shared_memory}) {
        if (each->points.empty())
            add(joined({each->title, ": n/a (", each->missing ? each->missing->message() : "not measured", ")"}), 2);
        else if (each->launch)
            add(joined({each->title, ": ", grouped_number(each->launch->amount), " ", each->amounts_of, " give ",
                        grouped_number(each->launch->warps), " warps of an SM", detail::changes_of(*each)}),
                2);
    }
    return made;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_OCCUPANCY_SVG_INL_HPP
