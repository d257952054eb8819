// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of memory_chart_svg.hpp.
#ifndef GPUPROF_IO_MEMORY_CHART_SVG_INL_HPP
#define GPUPROF_IO_MEMORY_CHART_SVG_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/counted.hpp"
#include "../core/unit_symbol.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "memory_chart_svg.hpp"
#include "svg_picture.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {
[[nodiscard]] inline explain::chart_unit_row const& row_of(explain::chart_unit unit) {
    return explain::memory_chart_metrics::units[static_cast<std::size_t>(unit)];
}
[[nodiscard]] inline std::string amount_text(explain::chart_link const& of) {
    if (!of.amount.number) return "n/a";
    return prefixed_number(*of.amount.number, of.row->what == "bytes" ? "B" : "");
}
[[nodiscard]] inline std::string peak_text(explain::chart_link const& of) {
    return of.of_peak.number ? joined({prefixed_number(*of.of_peak.number), " %"}) : std::string{};
}
// The whole truth of a link: "L1/TEX cache to Global: 131,072 requests, 12.5 % of the peak".
[[nodiscard]] inline std::string link_text(explain::chart_link const& of) {
    std::string made = joined({row_of(of.row->from).title, " to ", row_of(of.row->to).title, ": "});
    if (!of.amount.number)
        return joined({made, "n/a, ", of.amount.missing ? of.amount.missing->message() : "it was not measured"});
    made += gpuprof::detail::counted(*of.amount.number, unit_symbol{of.row->unit}.view());
    if (of.of_peak.number)
        made = joined({made, ", ", gpuprof::detail::grouped_number(*of.of_peak.number), " % of the peak"});
    return made;
}

class memory_chart_picture {
public:
    explicit memory_chart_picture(explain::memory_chart const& of) : of_{of} {}

    [[nodiscard]] std::string draw() {
        if (of_.nodes.empty()) return picture_.finish(40);
        using explain::chart_unit;
        for (std::size_t i = 0; i < 6; ++i) {
            auto const unit = static_cast<chart_unit>(static_cast<std::size_t>(chart_unit::global) + i);
            double const x = 10 + 91 * static_cast<double>(i);
            node(unit, x, 104, 86, 42);
            link(chart_unit::kernel, unit, x + 14, 46, 104, false);
            auto const physical = unit == chart_unit::shared ? chart_unit::shared_memory : chart_unit::l1;
            link(physical, unit, x + 10, 146, 236, true, 36);
            link(unit, physical, x + 22, 146, 236, false, 66);
        }
        node(chart_unit::kernel, 10, 10, 541, 36);
        node(chart_unit::l1, 10, 236, 450, 52);
        node(chart_unit::shared_memory, 465, 236, 86, 52);
        link(chart_unit::l2, chart_unit::l1, 120, 288, 348, true);
        link(chart_unit::l1, chart_unit::l2, 270, 288, 348, false);
        node(chart_unit::l2, 10, 348, 541, 58);
        node(chart_unit::compression, 405, 354, 138, 46);
        chart_unit const memories[]{chart_unit::system, chart_unit::device, chart_unit::peer};
        for (std::size_t i = 0; i < 3; ++i) {
            double const x = 10 + 183 * static_cast<double>(i);
            link(memories[i], chart_unit::l2, x + 16, 406, 478, true);
            link(chart_unit::l2, memories[i], x + 96, 406, 478, false);
            node(memories[i], x, 478, 175, 52);
        }
        legend(556);
        return picture_.finish(588);
    }

private:
    [[nodiscard]] std::string description() const {
        std::string made;
        for (explain::chart_link const& each : of_.links)
            if (each.amount.number) (made += made.empty() ? "" : "; ") += link_text(each);
        return made.empty() ? "No link was measured." : made;
    }

    void node(explain::chart_unit unit, double x, double y, double width, double height) {
        explain::chart_node const& of = of_.nodes[static_cast<std::size_t>(unit)];
        picture_.box(
            {x, y}, width, height, of.row->logical ? "var(--gp-logical, #2f9e44)" : "var(--gp-physical, #3b82f6)",
            joined({" fill-opacity=\"0.14\" stroke=\"",
                    of.row->logical ? "var(--gp-logical, #2f9e44)" : "var(--gp-physical, #3b82f6)", "\" rx=\"4\""}));
        bool const valued = of.row->value != nullptr;
        std::string_view const title = of.row->title;
        std::size_t const blank = title.find(' ');
        if (width < 100 && blank != title.npos) { // two lines
            std::size_t const at = title == "Global to shared" ? title.rfind(' ') : blank;
            picture_.text({x + width / 2, y + height / 2 - 3}, title.substr(0, at), "middle", 13);
            picture_.text({x + width / 2, y + height / 2 + 13}, title.substr(at + 1), "middle", 13);
        } else {
            picture_.text({x + (unit == explain::chart_unit::l2 ? 180 : width / 2), y + height / 2 + (valued ? -2 : 5)},
                          title, "middle", 14, " font-weight=\"600\"");
        }
        if (valued)
            picture_.text({x + (unit == explain::chart_unit::l2 ? 180 : width / 2), y + height / 2 + 16},
                          of.value.number ? joined({prefixed_number(*of.value.number), " % ", of.row->value_title})
                                          : joined({of.row->value_title, " n/a"}),
                          "middle", 13);
        if (of.row->port == nullptr) return;
        std::string const hint =
            joined({title, ", port: ",
                    of.port.number ? joined({gpuprof::detail::grouped_number(*of.port.number), " % of the peak"})
                                   : std::string{"n/a"}});
        picture_.mark(corners(x + 6, y + 5, 8, height - 10), colour(of.port), hint,
                      of.port.number ? joined({" data-port=\"", exact_number(*of.port.number), "\""}) : std::string{});
    }

    [[nodiscard]] static std::string_view colour(explain::row_value const& per_cent) {
        return per_cent.number ? heat_colour(*per_cent.number) : "var(--gp-unknown, #868e96)";
    }
    [[nodiscard]] static std::vector<svg_point> corners(double x, double y, double width, double height) {
        return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    }

    // An arrow between two heights, and what went there beside it. @param down how far under `top` the text stands
    void link(explain::chart_unit from, explain::chart_unit to, double x, double top, double bottom, bool up,
              double down = 26) {
        explain::chart_link const* const of = of_.find(from, to);
        if (of == nullptr) return;
        double const tip = up ? top + 2 : bottom - 2, tail = up ? bottom - 2 : top + 2, head = up ? tip + 9 : tip - 9;
        bool const idle = of->amount.number && *of->amount.number == 0;
        double const half = of->of_peak.number ? 1 + 2 * *of->of_peak.number / 100 : 1;
        picture_.mark({{x - half, tail},
                       {x - half, head},
                       {x - 5, head},
                       {x, tip},
                       {x + 5, head},
                       {x + half, head},
                       {x + half, tail}},
                      idle ? "var(--gp-unknown, #868e96)" : colour(of->of_peak), link_text(*of),
                      of->amount.number ? joined({" data-metric=\"", of->row->metrics[0], "\" data-value=\"",
                                                  exact_number(*of->amount.number), "\""})
                                        : joined({" data-metric=\"", of->row->metrics[0], "\""}));
        bool const small = from == explain::chart_unit::kernel;
        double const left = bottom - top == 90 ? (up ? x + 19 : x + 7) : x + 12; // of two links side by side: the same
        picture_.text({left, top + down},
                      joined({small ? ""
                              : up  ? "\u2191 "
                                    : "\u2193 ",
                              amount_text(*of)}),
                      "start", 13);
        if (small) picture_.text({left, top + down + 15}, "instr.", "start", 12);
        else picture_.text({left, top + down + 15}, peak_text(*of), "start", 12, " fill-opacity=\"0.8\"");
    }

    void legend(double y) {
        constexpr std::string_view names[]{"to 20 % of peak", "40", "60", "80", "100 %"};
        double x = 10;
        for (std::size_t i = 0; i < 5; ++i) {
            picture_.box({x, y}, 14, 14, heat_colours[i]);
            picture_.text({x + 19, y + 12}, names[i], "start", 13);
            x += i == 0 ? 132 : 52;
        }
        picture_.box({x + 16, y}, 14, 14, "var(--gp-unknown, #868e96)");
        picture_.text({x + 35, y + 12}, "idle, or peak not known", "start", 13);
    }

    explain::memory_chart const& of_;
    svg_picture picture_{561, "Memory chart: what went between kernel, caches and memories", description()};
};
} // namespace detail

GPUPROF_INLINE std::string svg(explain::memory_chart const& of) { return detail::memory_chart_picture{of}.draw(); }

GPUPROF_INLINE std::string table(explain::memory_chart const& of, std::size_t columns) {
    std::vector<std::string> cells{"from", "to", "amount", "", "of peak"};
    for (explain::chart_link const& each : of.links) {
        cells.emplace_back(detail::row_of(each.row->from).title);
        cells.emplace_back(detail::row_of(each.row->to).title);
        cells.push_back(each.amount.number ? gpuprof::detail::grouped_number(*each.amount.number) : "n/a");
        cells.emplace_back(each.row->what);
        cells.push_back(detail::peak_text(each));
    }
    std::string made = detail::aligned(cells, "llrlr");
    for (explain::chart_node const& each : of.nodes) {
        if (each.row->value == nullptr) continue;
        std::string const line =
            detail::joined({each.row->title, ": ",
                            each.value.number ? detail::joined({detail::prefixed_number(*each.value.number), " % "})
                                              : std::string{"n/a "},
                            each.row->value_title});
        gpuprof::detail::append_wrapped(made, line, 0, 2, columns);
        made += '\n';
    }
    return made;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_MEMORY_CHART_SVG_INL_HPP
