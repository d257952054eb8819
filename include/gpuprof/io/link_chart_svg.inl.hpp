// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of link_chart_svg.hpp.
#ifndef GPUPROF_IO_LINK_CHART_SVG_INL_HPP
#define GPUPROF_IO_LINK_CHART_SVG_INL_HPP

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "../text/printable.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "link_chart_svg.hpp"
#include "svg_picture.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

[[nodiscard]] inline std::string rate_text(std::optional<double> of) {
    return of ? prefixed_number(*of, "B/s") : std::string{"n/a"};
}
[[nodiscard]] inline std::string links_text(unsigned links) {
    return links == 0 ? std::string{"links"} : joined({std::to_string(links), links == 1 ? " link" : " links"});
}
// The whole truth of a line: "GPU 0 to GPU 1: 4 links, peak 106 GB/s each way, 80 GB/s there, n/a back".
[[nodiscard]] inline std::string link_text(explain::link_chart const& chart, explain::link_chart_link const& of) {
    std::string made = joined({chart.ends[of.from].name, " to ", chart.ends[of.to].name, ": ", links_text(of.links)});
    if (of.through_switch) made += " through a switch";
    if (of.peak) made = joined({made, ", peak ", rate_text(of.peak), " each way"});
    if (of.there || of.back) made = joined({made, ", ", rate_text(of.there), " there, ", rate_text(of.back), " back"});
    return made;
}
[[nodiscard]] inline std::string_view link_colour(explain::link_chart_link const& of) {
    if (!of.peak || !(*of.peak > 0) || (!of.there && !of.back)) return unknown_colour;
    return heat_colour(100 * std::max(of.there.value_or(0), of.back.value_or(0)) / *of.peak);
}

class link_chart_picture {
public:
    explicit link_chart_picture(explain::link_chart const& of) : of_{of} {}

    [[nodiscard]] std::string draw() {
        place();
        for (explain::link_chart_link const& each : of_.links) {
            svg_point const from = places_[each.from], to = places_[each.to];
            double const width = std::min(2 + 0.5 * each.links, 10.0);
            picture_.hinted_line(from, to, link_colour(each), width, link_text(of_, each),
                                 joined({" data-from=\"", std::to_string(each.from), "\" data-to=\"",
                                         std::to_string(each.to), "\" data-links=\"", std::to_string(each.links), "\"",
                                         each.through_switch ? " stroke-dasharray=\"6 3\"" : ""}));
        }
        // The first third of a line is far from where lines cross.
        if (of_.links.size() <= most_labels)
            for (explain::link_chart_link const& each : of_.links) label(each);
        for (std::size_t i = 0; i < of_.ends.size(); ++i) {
            auto const [x, y] = places_[i];
            bool const is_switch = of_.ends[i].kind == explain::link_chart_end_kind::network_switch;
            picture_.box({x - half_width, y - half_height}, 2 * half_width, 2 * half_height, "var(--b,Canvas)",
                         is_switch ? " stroke=\"var(--l)\" stroke-width=\"2\""
                                   : " stroke=\"var(--p)\" stroke-width=\"2\" rx=\"6\"");
            picture_.text({x, y + 5}, shortened(of_.ends[i].name, 12), "middle");
            if (!of_.ends[i].sent && !of_.ends[i].received) continue;
            picture_.text({x, y + half_height + 16}, joined({"sent ", rate_text(of_.ends[i].sent)}), "middle", 12);
            picture_.text({x, y + half_height + 32}, joined({"received ", rate_text(of_.ends[i].received)}), "middle",
                          12);
        }
        return picture_.finish(height);
    }

private:
    // GPUs and CPUs on a circle, the first on the left; switches side by side in the middle.
    void place() {
        double on_circle = 0, inside = 0;
        for (explain::link_chart_end const& each : of_.ends)
            ++(each.kind == explain::link_chart_end_kind::network_switch ? inside : on_circle);
        double next = 0, next_inside = 0;
        for (explain::link_chart_end const& each : of_.ends) {
            if (each.kind == explain::link_chart_end_kind::network_switch) {
                double const x = wide / 2 + (next_inside++ - (inside - 1) / 2) * (2 * half_width + 16);
                places_.push_back({x, height / 2});
                continue;
            }
            constexpr double full = 6.283185307179586;
            double const angle = full / 2 + full * next++ / on_circle;
            places_.push_back({wide / 2 + 210 * std::cos(angle), height / 2 + 160 * std::sin(angle)});
        }
    }
    void label(explain::link_chart_link const& of) {
        svg_point const from = places_[of.from], to = places_[of.to];
        svg_point const at{from.x + 0.4 * (to.x - from.x), from.y + 0.4 * (to.y - from.y) - 6};
        picture_.text(at, links_text(of.links), "middle", 12);
        if (!of.there && !of.back)
            return picture_.text({at.x, at.y + 20}, of.peak ? rate_text(of.peak) : "", "middle", 12);
        picture_.text({at.x, at.y + 20}, joined({rate_text(of.there), " / ", rate_text(of.back)}), "middle", 12);
    }
    [[nodiscard]] std::string description() const {
        std::string made;
        for (explain::link_chart_link const& each : of_.links) made += joined({link_text(of_, each), ". "});
        return made;
    }

    static constexpr double wide = 560, height = 450, half_width = 46, half_height = 17;
    static constexpr std::size_t most_labels = 6;
    explain::link_chart const& of_;
    std::vector<svg_point> places_{};
    svg_picture picture_{wide, "Topology of NVLink", description(), declared_heat};
};

} // namespace detail

GPUPROF_INLINE std::string svg(explain::link_chart const& of) {
    return of.links.empty() ? std::string{} : detail::link_chart_picture{of}.draw();
}

GPUPROF_INLINE std::string table(explain::link_chart const& of, std::size_t columns) {
    if (of.links.empty()) {
        std::string made;
        gpuprof::detail::append_wrapped(
            made, "NVLink: n/a: " + (of.missing ? of.missing->message() : std::string{"there is no link"}), 0, 0,
            columns);
        return made + '\n';
    }
    std::vector<std::string> cells{"from", "to", "links", "peak", "there", "back"};
    for (explain::link_chart_link const& each : of.links)
        for (std::string cell :
             {gpuprof::detail::printable(of.ends[each.from].name), gpuprof::detail::printable(of.ends[each.to].name),
              each.links == 0 ? std::string{"n/a"} : std::to_string(each.links), detail::rate_text(each.peak),
              detail::rate_text(each.there), detail::rate_text(each.back)})
            cells.push_back(std::move(cell));
    return detail::aligned(cells, "llrrrr");
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_LINK_CHART_SVG_INL_HPP
