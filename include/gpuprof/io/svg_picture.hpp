// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a picture together as SVG: for pages in light and dark, of any width, without an outside reference.
#ifndef GPUPROF_IO_SVG_PICTURE_HPP
#define GPUPROF_IO_SVG_PICTURE_HPP

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../text/json_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

using gpuprof::detail::joined;

// Text for XML 1.0: characters that mean something are escaped, what XML forbids is '?'.
[[nodiscard]] inline std::string xml_text(std::string_view text) {
    std::string made;
    for (char const c : text) {
        switch (c) {
            case '&': made += "&amp;"; break;
            case '<': made += "&lt;"; break;
            case '>': made += "&gt;"; break;
            case '"': made += "&quot;"; break;
            default: made += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
        }
    }
    return made;
}

// "1.23 k", "56.7", "4.8 T": three digits and a prefix. No locale.
[[nodiscard]] inline std::string prefixed_number(double value) {
    if (value != value) return "-";
    constexpr char const* prefixes[]{"", " k", " M", " G", " T", " P", " E"};
    std::size_t at = 0;
    double size = value < 0 ? -value : value;
    while (size >= 999.5 && at < 6) {
        size /= 1000;
        ++at;
    }
    char text[40] = {};
    std::snprintf(text, sizeof text, "%.3g%s", value < 0 ? -size : size, prefixes[at]);
    for (char& c : text)
        if (c == ',') c = '.'; // the decimal point of some locales
    return text;
}
// The same with a unit: "1.23 GB/s", "56.7 B/s".
[[nodiscard]] inline std::string prefixed_number(double value, std::string_view unit) {
    std::string text = prefixed_number(value);
    bool const prefixed = !text.empty() && text.back() >= 'A';
    return joined({text, prefixed || unit.empty() ? "" : " ", unit});
}
// All digits, to be read back. @pre finite
[[nodiscard]] inline std::string exact_number(double value) {
    std::string made;
    gpuprof::detail::add_json_number(made, value);
    return made;
}
// A text of at most `most` bytes, ends kept.
[[nodiscard]] inline std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string{text};
    std::size_t const end = (most - 3) / 2;
    auto const inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u; };
    std::size_t left = most - 3 - end, right = text.size() - end;
    while (left > 0 && inside(left)) --left;
    while (right < text.size() && inside(right)) ++right;
    return joined({text.substr(0, left), "...", text.substr(right)});
}

// Colours. A picture declares the short names that it uses, each the page's colour or else one that can be seen on white and on
// black.
inline constexpr std::string_view ink = "currentColor";
inline constexpr std::string_view accent = "var(--a)";
inline constexpr std::string_view unknown_colour = "var(--u)";
inline constexpr std::string_view series_colours[]{"var(--s1)", "var(--s2)", "var(--s3)",
                                                   "var(--s4)", "var(--s5)", "var(--s6)"};
inline constexpr std::string_view declared_series =
    "--a:var(--gp-accent,#3b82f6);--s1:var(--gp-series-1,#3b82f6);--s2:var(--gp-series-2,#e8590c);"
    "--s3:var(--gp-series-3,#2f9e44);--s4:var(--gp-series-4,#ae3ec9);--s5:var(--gp-series-5,#e64980);"
    "--s6:var(--gp-series-6,#1098ad);--b:var(--gp-background,Canvas)";
[[nodiscard]] inline std::string_view series_colour(std::size_t at) noexcept { return series_colours[at % 6]; }
// From idle to a peak that is reached.
inline constexpr std::string_view heat_colours[]{"var(--h1)", "var(--h2)", "var(--h3)", "var(--h4)", "var(--h5)"};
inline constexpr std::string_view declared_heat =
    "--h1:var(--gp-heat-1,#3b82f6);--h2:var(--gp-heat-2,#1098ad);--h3:var(--gp-heat-3,#2f9e44);"
    "--h4:var(--gp-heat-4,#e67700);--h5:var(--gp-heat-5,#e03131);--u:var(--gp-unknown,#868e96);"
    "--l:var(--gp-logical,#2f9e44);--p:var(--gp-physical,#3b82f6)";
[[nodiscard]] inline std::string_view heat_colour(double per_cent) noexcept {
    std::size_t const at = !(per_cent > 0) ? 0 : per_cent >= 100 ? 4 : static_cast<std::size_t>(per_cent / 20);
    return heat_colours[at];
}

struct svg_point {
    double x = 0;
    double y = 0;
};

// One picture. `more` are further attributes, which begin with a blank: ` stroke-dasharray="4 3"`.
class svg_picture {
public:
    // @param colours declared_series or declared_heat
    svg_picture(double width, std::string_view title, std::string_view description, std::string_view colours)
        : width_{width}, title_{title}, description_{description}, colours_{colours} {}

    void line(svg_point from, svg_point to, std::string_view colour, double width = 1, std::string_view more = {}) {
        add({"<line x1=\"", at(from.x), "\" y1=\"", at(from.y), "\" x2=\"", at(to.x), "\" y2=\"", at(to.y),
             "\" stroke=\"", colour, "\" stroke-width=\"", at(width), "\"", more, "/>"});
    }
    // With what is shown where a pointer rests.
    void hinted_line(svg_point from, svg_point to, std::string_view colour, double width, std::string_view hint,
                     std::string_view more) {
        hinted(joined({"<line x1=\"", at(from.x), "\" y1=\"", at(from.y), "\" x2=\"", at(to.x), "\" y2=\"", at(to.y),
                       "\" stroke=\"", colour, "\" stroke-width=\"", at(width), "\"", more}),
               "</line>", hint);
    }
    void polyline(std::vector<svg_point> const& points, std::string_view colour, double width,
                  std::string_view more = {}) {
        add({"<polyline points=\"", list(points), "\" fill=\"none\" stroke=\"", colour, "\" stroke-width=\"", at(width),
             "\"", more, "/>"});
    }
    void polygon(std::vector<svg_point> const& points, std::string_view fill, std::string_view more = {}) {
        add({"<polygon points=\"", list(points), "\" fill=\"", fill, "\"", more, "/>"});
    }
    // Thin lines, drawn as one: pairs of points.
    void grid(std::vector<svg_point> const& ends) {
        std::string steps;
        for (std::size_t i = 0; i < ends.size(); ++i)
            ((((steps += i % 2 == 0 ? 'M' : 'L') += at(ends[i].x)) += ' ') += at(ends[i].y));
        add({"<path d=\"", steps, "\" stroke=\"currentColor\" stroke-opacity=\"0.15\"/>"});
    }
    void box(svg_point corner, double width, double height, std::string_view fill, std::string_view more = {}) {
        add({"<rect x=\"", at(corner.x), "\" y=\"", at(corner.y), "\" width=\"", at(width), "\" height=\"", at(height),
             "\" fill=\"", fill, "\"", more, "/>"});
    }
    // @param hint what is shown where a pointer rests; @param data attributes with the exact numbers
    void circle(svg_point centre, double radius, std::string_view fill, std::string_view hint = {},
                std::string_view data = {}) {
        hinted(joined({"<circle cx=\"", at(centre.x), "\" cy=\"", at(centre.y), "\" r=\"", at(radius), "\" fill=\"",
                       fill, "\" stroke=\"var(--b)\"", data}),
               "</circle>", hint);
    }
    void mark(std::vector<svg_point> const& points, std::string_view fill, std::string_view data) {
        polygon(points, fill, joined({" stroke=\"var(--b)\"", data}));
    }
    // @param anchor "start", "middle" or "end"
    void text(svg_point where, std::string_view text, std::string_view anchor = "start", double size = 13,
              std::string_view more = {}) {
        if (text.empty()) return;
        add({"<text x=\"", at(where.x), "\" y=\"", at(where.y), anchor == "start" ? "" : "\" text-anchor=\"",
             anchor == "start" ? "" : anchor, size == 13 ? std::string{} : joined({"\" font-size=\"", at(size)}), "\"",
             more, ">", xml_text(text), "</text>"});
    }
    // A shape from a point by steps: "h4v9z".
    void shape(svg_point from, std::string_view steps, std::string_view fill, std::string_view hint) {
        hinted(joined({"<path d=\"M", at(from.x), " ", at(from.y), steps, "\" fill=\"", fill, "\""}), "</path>", hint);
    }

    [[nodiscard]] std::string finish(double height) const {
        return joined(
            {"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", at(width_), " ", at(height),
             "\" role=\"img\" fill=\"currentColor\" font-family=\"system-ui,sans-serif\" font-size=\"13\" style=\"",
             colours_, "\">\n<title>", xml_text(title_), "</title>\n<desc>", xml_text(description_), "</desc>\n", body_,
             "</svg>\n"});
    }

    // A coordinate with at most two decimals.
    [[nodiscard]] static std::string at(double value) {
        if (!(value > -1e6 && value < 1e6)) value = 0;
        char text[40] = {};
        std::snprintf(text, sizeof text, "%lld", static_cast<long long>(std::floor(std::fabs(value) * 100 + 0.5)));
        std::string digits{text};
        while (digits.size() < 3) digits.insert(0, 1, '0');
        std::string decimals = digits.substr(digits.size() - 2);
        digits.erase(digits.size() - 2);
        while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
        if (value < 0 && (digits != "0" || !decimals.empty())) digits.insert(0, 1, '-');
        return decimals.empty() ? digits : joined({digits, ".", decimals});
    }

private:
    void add(std::initializer_list<std::string_view> parts) {
        for (std::string_view const part : parts) body_ += part;
        body_ += '\n';
    }
    void hinted(std::string const& begin, std::string_view end, std::string_view hint) {
        if (hint.empty()) add({begin, "/>"});
        else add({begin, "><title>", xml_text(hint), "</title>", end});
    }
    [[nodiscard]] static std::string list(std::vector<svg_point> const& points) {
        std::string made;
        for (svg_point const& each : points) {
            if (!made.empty()) made += ' ';
            (made += at(each.x)).append(1, ',') += at(each.y);
        }
        return made;
    }

    double width_;
    std::string title_, description_;
    std::string_view colours_;
    std::string body_{};
};

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SVG_PICTURE_HPP
