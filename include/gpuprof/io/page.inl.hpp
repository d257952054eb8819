// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of page.hpp. What is not JavaScript's: the summary, the findings, and the data behind the rest.
#ifndef GPUPROF_IO_PAGE_INL_HPP
#define GPUPROF_IO_PAGE_INL_HPP

#include <charconv>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../text/distinct_names.hpp"
#include "../text/html_text.hpp"
#include "../text/json_members.hpp"
#include "../text/numbered_texts.hpp"
#include "../text/text_appender.hpp"
#include "explained_order.hpp"
#include "explanation_json.inl.hpp"
#include "file_sink.hpp"
#include "page.hpp"
#include "page_options.hpp"
#include "page_parts.hpp"
#include "page_script.hpp"
#include "page_style.hpp"
#include "short_number.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

using gpuprof::detail::html_text;
using gpuprof::detail::joined;

// The shortest text that reads back as the same number.
[[nodiscard]] inline std::string digits_of(double value) {
    std::string text;
    if (value - value == 0) text_appender{text}.real(value);
    return text;
}
[[nodiscard]] inline std::string digits_of(std::size_t value) { return std::to_string(value); }

// A number of the data: whole numbers in full, others with seven significant digits, of which people see four.
inline void add_short(text_appender const& to, std::string_view key, double value) {
    if (!(std::fabs(value) < 1e15) || value == std::floor(value)) return gpuprof::detail::add_number(to, key, value);
    char digits[32];
    auto const end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 7);
    to.text(key);
    to.text({digits, static_cast<std::size_t>(end.ptr - digits)});
}

// Shares for HTML: "12 %", "7 to 18 %", and with one decimal below 100 %: "4.2 %".
[[nodiscard]] inline std::string share_text(double of) { return html_text(whole_share(of)); }
[[nodiscard]] inline std::string interval_text(double least, double most) {
    return html_text(share_interval(least, most));
}
[[nodiscard]] inline std::string tenths_text(double of) {
    if (of > 0 && of < 0.0005) return "&lt;0.1 %";
    return short_number(of < 1 ? std::round(1000 * of) / 10 : std::round(100 * of)) + " %";
}

// Writes the page of one explanation.
class page_writer {
public:
    page_writer(explain::explanation const& of, page_options const& options) : of_{of}, options_{options} {
        for (explain::explained_range const& each : of.ranges()) names_.push_back(each.path);
        names_ = gpuprof::detail::distinct_names(std::move(names_), 64);
        for (page_baseline const& each : options.baselines) matches_.push_back(matching_ranges(of, each.what));
        order_ = longest_first(of);
        advice_ = advice_of_ranges(of);
        alike_ = alike_findings(of);
    }
    [[nodiscard]] std::string write();

private:
    void add(std::initializer_list<std::string_view> parts) {
        for (std::string_view const part : parts) page_ += part;
    }
    void add_head();
    void add_facts();
    void add_tiles();
    void add_problems();
    void add_ranges();
    void add_findings();
    void add_gone(std::size_t baseline);
    void add_details();
    void add_range(explain::explained_range const& each, bool open);
    void add_finding(explain::finding const& each, std::size_t number);
    [[nodiscard]] std::string parts_of(std::size_t range) const;
    void insert_parts();
    void add_silences();
    void add_data();

    [[nodiscard]] std::string link(std::size_t range) const;
    [[nodiscard]] static std::string interval(explain::gain const& of);
    [[nodiscard]] static std::string gain_cell(explain::gain const& of);
    // The finding of that id in a baseline's range that belongs to a range; null if there is none.
    [[nodiscard]] explain::finding const* counterpart(std::size_t baseline, explain::finding const& of) const;
    [[nodiscard]] std::size_t number_of(std::string const& metric);

    explain::explanation const& of_;
    page_options const& options_;
    std::string page_{};
    std::vector<std::string> names_{};
    std::vector<std::size_t> order_{};
    std::vector<std::size_t> advice_{}; // how many findings of each range say what to change
    std::vector<finding_group> alike_{};
    std::vector<std::vector<std::optional<std::size_t>>> matches_{}; // of each baseline
    std::vector<std::string> metrics_{};                             // that findings rest on
    gpuprof::detail::numbered_texts metric_numbers_{};
    struct part_place {
        std::size_t at; // in the page
        std::size_t range;
    };
    std::vector<part_place> part_places_{};
};

GPUPROF_INLINE std::string page_writer::link(std::size_t range) const {
    std::string const full = html_text(of_.ranges()[range].path), shown = html_text(names_[range]);
    return joined({"<a href=\"#r", digits_of(range), full == shown ? "\"" : "\" title=\"",
                   full == shown ? std::string{} : full + '"', "><code>", shown, "</code></a>"});
}

// A bar from the least to the most, with a mark where the gain is likely, on a scale from 0 to 100 %.
GPUPROF_INLINE std::string page_writer::interval(explain::gain const& of) {
    auto const at = [](double share) { return digits_of(std::round(1000 * share) / 10); };
    return joined({"<svg class=iv viewBox=\"0 0 100 8\" preserveAspectRatio=none role=img><title>",
                   interval_text(of.least, of.most), "</title><path class=t d=\"M0 0h100v8H0z\"/><path class=b d=\"M",
                   at(of.least), " 0h", at(of.most - of.least), "v8h-", at(of.most - of.least),
                   "z\"/><path class=l d=\"M", at(of.likely < 0.02 ? 0 : of.likely - 0.02), " 0h2v8h-2z\"/></svg>"});
}
GPUPROF_INLINE std::string page_writer::gain_cell(explain::gain const& of) {
    return joined({"<td data-v=", digits_of(of.likely), "><b>", share_text(of.likely), "</b> <small>",
                   interval_text(of.least, of.most), "</small>", interval(of)});
}

GPUPROF_INLINE explain::finding const* page_writer::counterpart(std::size_t baseline,
                                                                explain::finding const& of) const {
    std::optional<std::size_t> const range = matches_[baseline][of.range];
    if (!range) return nullptr;
    for (explain::finding const& each : options_.baselines[baseline].what.findings())
        if (each.range == *range && each.id == of.id) return &each;
    return nullptr;
}

GPUPROF_INLINE std::size_t page_writer::number_of(std::string const& metric) {
    std::size_t const number = metric_numbers_.number_of(metric);
    if (number == metrics_.size()) metrics_.push_back(metric);
    return number;
}

// The policy lets the page load nothing, and attributes run nothing: its own script and style only.
GPUPROF_INLINE void page_writer::add_head() {
    add({"<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta http-equiv=\"Content-Security-Policy\" ",
         "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-page'; img-src data:; base-uri ",
         "'none'; ",
         "form-action 'none'\">\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<title>",
         html_text(options_.title), "</title>\n<style>", page_style,
         "</style>\n</head>\n<body>\n<a class=skip href=\"#main\">Skip to the ranges</a>\n<header>\n<div ",
         "class=top><h1>", html_text(options_.title),
         "</h1><button type=button id=theme hidden>Theme</button></div>\n"});
}

GPUPROF_INLINE void page_writer::add_facts() {
    report const& whole = of_.report();
    completeness const& state = whole.completeness();
    auto const fact = [this](std::string_view name, std::string_view value) {
        if (!value.empty()) add({"<div><dt>", html_text(name), "</dt><dd>", html_text(value), "</dd></div>\n"});
    };
    add({"<dl class=facts>\n"});
    fact("Device", whole.device());
    fact("Chip", whole.chip());
    fact("Source", whole.source() == device_source::embedded ? "embedded GPU" : "GPU");
    fact("Counters", whole.hardware());
    fact("Recording", whole.recording());
    if (state.passes_needed > 0) fact("Passes", digits_of(state.passes_needed));
    if (auto const clocks = whole.clocks(); clocks && clocks->known())
        fact("SM clock", joined({std::to_string(clocks->during), " MHz"}));
    for (auto const& each : options_.facts) fact(each.first, each.second);
    for (page_baseline const& each : options_.baselines)
        fact("Compared with", joined({each.name, " (", each.what.report().device(), ")"}));
    add({"</dl>\n"});
}

// What all findings together would save: each range's gain, weighted by its share of the time.
GPUPROF_INLINE void page_writer::add_tiles() {
    double time = 0;
    explain::gain all;
    for (explain::explained_range const& each : of_.ranges()) {
        if (of_.report().at(each.range).depth() != 1 || !each.nanoseconds) continue;
        time += *each.nanoseconds;
        if (advice_[each.range] == 0) continue;
        all.least += each.share * each.together.least;
        all.likely += each.share * each.together.likely;
        all.most += each.share * each.together.most;
    }
    std::size_t advice = 0;
    for (finding_group const& each : alike_)
        advice += of_.findings()[each.findings.front()].kind == explain::finding_kind::advice;
    std::size_t const ranges = of_.ranges().size();
    add({"<ul class=tiles>\n<li><b>", time > 0 ? short_duration(time) : "n/a", "</b>on the GPU</li>\n<li><b>",
         digits_of(ranges), "</b>", ranges == 1 ? "range" : "ranges", "</li>\n<li><b>", digits_of(advice), "</b>",
         advice == 1 ? "finding" : "findings", "</li>\n"});
    if (advice > 0 && time > 0)
        add({"<li><b>", share_text(all.likely), "</b>of the time, if all were mended <small>(",
             interval_text(all.least, all.most), ")</small></li>\n"});
    add({"</ul>\n"});
}

GPUPROF_INLINE void page_writer::add_problems() {
    report const& whole = of_.report();
    if (whole.source() == device_source::embedded)
        add({"<p class=note>Measured on the embedded GPU: what is counted is exact; caches, cycles and times follow "
             "from a "
             "model. Each value says which of both it is.</p>\n"});
    std::vector<error> problems = whole.completeness().problems;
    if (whole.completeness().unwatched) problems.push_back(*whole.completeness().unwatched);
    std::vector<disturbance> const& disturbances = whole.completeness().disturbances;
    if (problems.empty() && disturbances.empty()) return;
    add({"<div class=note role=note><b>",
         whole.complete() ? "Not all is known of this measurement:" : "This measurement is not complete:",
         "</b><ul>\n"});
    for (error const& each : problems) add({"<li>", html_text(each.message()), "</li>\n"});
    for (disturbance const& each : disturbances) add({"<li>", html_text(each.message()), "</li>\n"});
    add({"</ul></div>\n"});
}

GPUPROF_INLINE void page_writer::add_ranges() {
    add({"<section aria-labelledby=ranges>\n<h2 id=ranges>Ranges</h2>\n<div class=scroll tabindex=0 role=region "
         "aria-labelledby=ranges><table class=sorts>\n<caption>Kernels and scopes, the longest first. What all "
         "findings of a "
         "range save together is less than their sum: they overlap.</caption>\n<thead><tr><th scope=col>Range</th>"
         "<th scope=col class=\"n wide\">Launches</th><th scope=col class=n>Duration</th><th scope=col class=\"n "
         "wide\">Share</th>"
         "<th scope=col class=wide>Bound by</th><th scope=col>All findings save</th>"});
    for (page_baseline const& each : options_.baselines)
        add({"<th scope=col class=n>", html_text(each.name), "</th><th scope=col class=n>Change</th>"});
    add({"</tr></thead>\n<tbody>\n"});
    for (std::size_t const at : order_) {
        explain::explained_range const& each = of_.ranges()[at];
        std::size_t const launches = of_.report().at(each.range).count();
        double const time = each.nanoseconds.value_or(-1);
        std::string_view const bound =
            each.bound == explain::limit::none ? std::string_view{"not known"} : explain::name(each.bound);
        add({"<tr><th scope=row>",
             link(at),
             "<small class=narrow>",
             bound,
             "</small></th><td class=\"n wide\" data-v=",
             digits_of(launches),
             ">",
             digits_of(launches),
             "</td><td class=n data-v=",
             digits_of(time),
             ">",
             each.nanoseconds ? short_duration(time) : "n/a",
             "</td><td class=\"n wide\" data-v=",
             digits_of(each.share),
             ">",
             share_text(each.share),
             "<svg class=share viewBox=\"0 0 100 8\" preserveAspectRatio=none aria-hidden=true><path class=t d=\"M0 ",
             "0h100v8H0z\"/><path class=v d=\"M0 0h",
             digits_of(std::round(1000 * each.share) / 10),
             "v8H0z\"/></svg></td><td class=wide>",
             bound,
             "</td>",
             advice_[each.range] > 0 ? gain_cell(each.together) : "<td data-v=0 class=soft>nothing found",
             "</td>"});
        for (std::size_t i = 0; i < options_.baselines.size(); ++i) {
            std::optional<std::size_t> const match = matches_[i][at];
            std::optional<double> const then =
                match ? options_.baselines[i].what.ranges()[*match].nanoseconds : std::nullopt;
            add({"<td class=n data-v=\"", then ? digits_of(*then) : std::string{}, "\">",
                 then    ? short_duration(*then)
                 : match ? "n/a"
                         : "not there"});
            double const change = then && each.nanoseconds && *then > 0 ? (time - *then) / *then : 0;
            bool const known = then && each.nanoseconds && *then > 0;
            add({"</td><td class=\"n ",
                 change <= -0.01  ? "down"
                 : change >= 0.01 ? "up"
                                  : "",
                 "\" data-v=\"", known ? digits_of(change) : std::string{}, "\">",
                 !known        ? std::string{}
                 : change == 0 ? "same"
                               : joined({change < 0 ? "\xe2\x88\x92" : "+", tenths_text(std::fabs(change))}),
                 "</td>"});
        }
        add({"</tr>\n"});
    }
    add({"</tbody></table></div>\n</section>\n"});
}

GPUPROF_INLINE void page_writer::add_findings() {
    add({"<section aria-labelledby=findings>\n<h2 id=findings>Findings</h2>\n"});
    bool first = true;
    for (finding_group const& group : alike_) {
        std::size_t const number = group.findings.front();
        explain::finding const& each = of_.findings()[number];
        if (each.kind != explain::finding_kind::advice) continue;
        if (first) {
            add({"<div class=scroll tabindex=0 role=region aria-labelledby=findings><table "
                 "class=sorts>\n<caption>Those that "
                 "save the most time first. The bar is the interval of the estimate, from 0 to 100 % of the range's "
                 "time.</caption>\n<thead><tr><th scope=col>Finding</th><th scope=col class=wide>Range</th><th "
                 "scope=col>Saves, of the range</th><th scope=col class=\"n wide\">Of all time</th><th scope=col "
                 "class=wide>Then bound by</th>"});
            for (page_baseline const& baseline : options_.baselines)
                add({"<th scope=col class=n>", html_text(baseline.name), "</th>"});
            add({"</tr></thead>\n<tbody>\n"});
            first = false;
        }
        std::string launches;
        if (group.findings.size() > 1)
            launches = joined({"<small>in ", digits_of(group.launches), " of ", digits_of(group.of_launches),
                               " launches; the one that saves the most</small>"});
        add({"<tr><th scope=row><a href=\"#f", digits_of(number), "\">", html_text(each.title),
             "</a><small class=narrow>", html_text(names_[each.range]), "</small>", launches, "</th><td class=wide>",
             link(each.range), "</td>", gain_cell(each.gain),
             "</td><td class=\"n wide\" data-v=", digits_of(group.share), ">", tenths_text(group.share),
             "</td><td class=wide>", explain::name(each.gain.then), "</td>"});
        for (std::size_t i = 0; i < options_.baselines.size(); ++i) {
            explain::finding const* const then = counterpart(i, each);
            add({"<td class=n data-v=\"", then != nullptr ? digits_of(then->gain.likely) : std::string{}, "\">",
                 then != nullptr           ? share_text(then->gain.likely)
                 : matches_[i][each.range] ? "not found"
                                           : "no such range",
                 "</td>"});
        }
        add({"</tr>\n"});
    }
    if (first) add({"<p>No rule found anything to mend.</p>\n"});
    else add({"</tbody></table></div>\n"});
    for (std::size_t i = 0; i < options_.baselines.size(); ++i) add_gone(i);
    add({"</section>\n"});
}

// The findings of a baseline that are there no more.
GPUPROF_INLINE void page_writer::add_gone(std::size_t baseline) {
    std::string list;
    std::size_t gone = 0;
    for (explain::finding const& then : options_.baselines[baseline].what.findings()) {
        if (then.kind != explain::finding_kind::advice) continue;
        for (std::size_t at = 0; at < matches_[baseline].size(); ++at) {
            if (matches_[baseline][at] != then.range) continue;
            bool stays = false;
            for (explain::finding const& now : of_.findings()) stays = stays || (now.range == at && now.id == then.id);
            if (stays) continue;
            list +=
                joined({"<li>", html_text(then.title), ", ", share_text(then.gain.likely), ": ", link(at), "</li>\n"});
            ++gone;
        }
    }
    if (gone == 0) return;
    add({"<details><summary>", digits_of(gone), gone == 1 ? " finding of " : " findings of ",
         html_text(options_.baselines[baseline].name), gone == 1 ? " is" : " are", " here no more</summary>\n<ul>\n",
         list, "</ul></details>\n"});
}

GPUPROF_INLINE void page_writer::add_finding(explain::finding const& each, std::size_t number) {
    bool const advises = each.kind == explain::finding_kind::advice;
    std::string_view const grade = !advises                   ? "info"
                                   : each.gain.likely >= 0.2  ? "high"
                                   : each.gain.likely >= 0.05 ? "mid"
                                                              : "low";
    std::string const f = digits_of(number);
    add({"<article class=\"finding ", grade, "\" id=f", f, " data-id=\"", html_text(each.id),
         "\" data-least=", digits_of(each.gain.least), " data-likely=", digits_of(each.gain.likely), " data-most=",
         digits_of(each.gain.most), " data-measured=\"", digits_of(each.measured), "\">\n<div class=head><h4>",
         html_text(each.title), "</h4><code class=soft>", html_text(each.id), "</code></div>\n"});
    if (advises) {
        add({"<div class=gain>", interval(each.gain), "<span><b>", share_text(each.gain.likely), "</b> of its time (",
             interval_text(each.gain.least, each.gain.most), ")"});
        if (each.gain.then != explain::limit::none) add({", then bound by ", explain::name(each.gain.then)});
        add({"</span></div>\n"});
    }
    if (!each.meaning.empty()) add({"<p class=meaning>", html_text(each.meaning), "</p>\n"});
    add({"<dl>\n"});
    if (!each.advice.empty()) add({"<dt>To do</dt><dd>", html_text(each.advice), "</dd>\n"});
    if (!each.what_if.empty()) add({"<dt>If mended</dt><dd>", html_text(each.what_if), "</dd>\n"});
    if (!each.lines.empty()) {
        add({"<dt>Lines</dt><dd>"});
        for (std::string const& line : each.lines)
            add({&line == each.lines.data() ? "<code>" : ", <code>", html_text(line), "</code>"});
        add({"</dd>\n"});
    }
    if (!each.condition.empty())
        add({"<dt>Measured</dt><dd>", html_text(each.condition), ": <b>",
             html_text(short_value(each.measured, each.value_unit)), "</b>; threshold ",
             html_text(short_value(each.threshold, each.value_unit)), "</dd>\n"});
    for (finding_note const& note : options_.ranks_of_findings)
        if (note.id == each.id && note.path == each.path) add({"<dt>Ranks</dt><dd>", html_text(note.text), "</dd>\n"});
    for (std::size_t i = 0; i < options_.baselines.size(); ++i)
        if (explain::finding const* const then = counterpart(i, each))
            add({"<dt>", html_text(options_.baselines[i].name), "</dt><dd>",
                 html_text(short_value(then->measured, then->value_unit)), advises ? "; would save " : "",
                 advises ? share_text(then->gain.likely) : std::string{}, "</dd>\n"});
    add({"</dl>\n"});
    if (!each.metrics.empty()) {
        add({"<details class=evidence data-r=", digits_of(each.range), " data-m=\""});
        for (std::string const& metric : each.metrics) add({digits_of(number_of(metric)), " "});
        add({"\"><summary>Rests on ", digits_of(each.metrics.size()), each.metrics.size() == 1 ? " value" : " values",
             each.trust == fidelity::exact ? "" : ", the least of them ",
             each.trust == fidelity::exact ? std::string_view{} : name(each.trust), "</summary></details>\n"});
    }
    add({"</article>\n"});
}

// The parts of one range.
GPUPROF_INLINE std::string page_writer::parts_of(std::size_t range) const {
    std::vector<page_part> parts = parts_of_every_page();
    parts.insert(parts.end(), options_.parts.begin(), options_.parts.end());
    std::string text;
    for (page_part const& each : parts) {
        std::string const html = each.html(each.context, of_, range);
        if (html.empty()) continue;
        text += joined({"<section class=part tabindex=0 aria-label=\"", html_text(each.title), "\" data-s=\"",
                        html_text(each.section), "\"><h5>", html_text(each.title), "</h5>\n", html, "</section>\n"});
    }
    return text;
}

// Puts the parts of the longest ranges into the page, those of as many ranges as there is room for.
GPUPROF_INLINE void page_writer::insert_parts() {
    std::string const page = std::move(page_);
    page_.clear();
    page_.reserve(page.size() + page.size() / 4);
    constexpr std::string_view left_out = "<p class=soft>Pictures are left out, to keep the page small.</p>\n";
    bool full = false;
    std::size_t const least = page.size() + part_places_.size() * left_out.size();
    std::size_t written = 0, room = options_.bytes > least ? options_.bytes - least : 0;
    for (part_place const& each : part_places_) {
        add({std::string_view{page}.substr(written, each.at - written)});
        written = each.at;
        std::string const parts = full ? std::string{} : parts_of(each.range);
        full = full || parts.size() > room; // then those of the ranges that took less time are not even made
        room -= full ? 0 : parts.size();
        add({full ? left_out : std::string_view{parts}});
    }
    add({std::string_view{page}.substr(written)});
}

GPUPROF_INLINE void page_writer::add_range(explain::explained_range const& each, bool open) {
    range_view const range = of_.report().at(each.range);
    std::string const r = digits_of(each.range);
    bool const shortened = names_[each.range] != each.path;
    add({"<details class=range id=r", r, open ? " open" : "", shortened ? " data-name=\"" : "",
         shortened ? html_text(each.path) + '"' : std::string{}, "><summary><h3><code>", html_text(names_[each.range]),
         "</code></h3> <span class=soft>"});
    if (range.count() > 1) add({digits_of(range.count()), " launches, "});
    add({each.nanoseconds ? short_duration(*each.nanoseconds) : "time not known"});
    if (each.bound != explain::limit::none) add({", bound by ", explain::name(each.bound)});
    if (advice_[each.range] > 0)
        add({", all findings save ", share_text(each.together.likely), " (",
             interval_text(each.together.least, each.together.most), ")"});
    add({"</span></summary>\n<div class=body>\n"});
    if (shortened)
        add({"<div class=full><code>", html_text(each.path),
             "</code><button type=button class=copy hidden>Copy name</button></div>\n"});
    if (!range.launches().kernel.empty() && range.launches().kernel.substr(0, range.name().size()) != range.name())
        add({"<p class=soft>Launched <code>", html_text(range.launches().kernel), "</code></p>\n"});
    std::size_t number = 0, found = 0;
    for (explain::finding const& one : of_.findings()) {
        if (one.range == each.range) {
            add_finding(one, number);
            ++found;
        }
        ++number;
    }
    if (found == 0) add({"<p>No rule found anything.</p>\n"});
    add({"<div class=values data-r=", r, ">\n"});
    part_places_.push_back({page_.size(), each.range});
    add({"</div></div></details>\n"});
}

GPUPROF_INLINE void page_writer::add_details() {
    add({"<section aria-labelledby=details>\n<h2 id=details>Range by range</h2>\n<noscript><p class=note>Without "
         "JavaScript, "
         "the values of sections are not shown; findings are.</p></noscript>\n"});
    bool open = true;
    for (std::size_t const at : order_) {
        add_range(of_.ranges()[at], open);
        open = false;
    }
    add({"</section>\n"});
}

GPUPROF_INLINE void page_writer::add_silences() {
    std::vector<silence_group> const groups = silences_by_reason(of_);
    if (groups.empty()) return;
    add({"<section aria-labelledby=silences>\n<h2 id=silences>Not judged</h2>\n<div class=scroll tabindex=0 "
         "role=region "
         "aria-labelledby=silences><table>\n<caption>Rules that could not say anything, and "
         "why.</caption>\n<thead><tr><th "
         "scope=col>Why</th><th scope=col>Rules</th><th scope=col>Ranges</th></tr></thead>\n<tbody>\n"});
    for (silence_group const& each : groups) {
        add({"<tr><td>", html_text(each.why), "</td><td class=ids>"});
        for (std::string_view const rule : each.rules) add({"<code>", html_text(rule), "</code> "});
        add({"</td><td>"});
        if (each.ranges.size() == of_.ranges().size() && each.ranges.size() > 1) {
            add({"all"});
        } else {
            constexpr std::size_t shown = 4;
            for (std::size_t i = 0; i < each.ranges.size() && i < shown; ++i)
                add({i == 0 ? "" : ", ", link(each.ranges[i])});
            if (each.ranges.size() > shown) add({" and ", digits_of(each.ranges.size() - shown), " more"});
        }
        add({"</td></tr>\n"});
    }
    add({"</tbody></table></div>\n</section>\n"});
}

// {"embedded":bool,"sections":[...],"reasons":[...],"metrics":[[name,unit,fidelity]],
//  "ranges":[{"sections":{...},"metrics":{number:value}}],"baselines":[{"name":...,"ranges":[{...} or null]}]}
GPUPROF_INLINE void page_writer::add_data() {
    using gpuprof::detail::add_text;
    report const& whole = of_.report();
    std::vector<row_facts> facts;
    reasons why;
    std::string text, ranges;
    text_appender const to{text}, rows{ranges};
    std::vector<std::vector<std::size_t>> used(of_.ranges().size()); // metrics of the range's findings
    for (explain::finding const& each : of_.findings())
        for (std::string const& metric : each.metrics) {
            std::size_t const number = number_of(metric);
            bool known = false;
            for (std::size_t const other : used[each.range]) known = known || other == number;
            if (!known) used[each.range].push_back(number);
        }
    std::string_view before = "[";
    for (explain::explained_range const& each : of_.ranges()) {
        range_view const range = whole.at(each.range);
        std::vector<explain::row_value> const values = values_of(of_.sections(), range);
        learn(facts, values);
        rows.text(before);
        rows.text("{\"sections\":");
        add_values(rows, of_.sections(), values, why, &add_short);
        rows.text(",\"metrics\":{");
        std::string_view comma;
        for (std::size_t const number : used[each.range]) {
            auto const value = range.try_value(metrics_[number]);
            if (!value || value->value - value->value != 0) continue;
            rows.text(joined({comma, "\"", digits_of(number), "\":"}));
            add_short(rows, {}, value->value);
            comma = ",";
        }
        rows.text("}}");
        before = ",\n";
    }
    rows.text(of_.ranges().empty() ? "[]" : "]");
    to.text(whole.source() == device_source::embedded ? "{\"embedded\":true" : "{\"embedded\":false");
    to.text(",\"baselines\":[");
    before = {};
    for (std::size_t i = 0; i < options_.baselines.size(); ++i) {
        page_baseline const& baseline = options_.baselines[i];
        to.text(before);
        add_text(to, "{\"name\":", baseline.name);
        to.text(",\"ranges\":[");
        std::string_view comma;
        for (std::optional<std::size_t> const& match : matches_[i]) {
            to.text(comma);
            if (match) {
                std::size_t const place = baseline.what.ranges()[*match].range;
                add_values(to, of_.sections(), values_of(of_.sections(), baseline.what.report().at(place)), why,
                           &add_short);
            } else {
                to.text("null");
            }
            comma = ",\n";
        }
        to.text("]}");
        before = ",\n";
    }
    to.text("],\"sections\":");
    add_sections(to, of_.sections(), facts);
    to.text(",\"reasons\":");
    add_errors(to, why.list());
    to.text(",\"metrics\":[");
    before = {};
    for (std::string const& metric : metrics_) {
        std::size_t column = 0;
        while (column < whole.metrics().size() && whole.metrics()[column].name != metric) ++column;
        bool const known = column < whole.metrics().size();
        add_text(to, joined({before, "["}), metric);
        add_text(to, ",", known ? unit_symbol{whole.metrics()[column].value_unit}.view() : std::string_view{});
        add_text(to, ",", name(whole.fidelity_of(column)));
        to.text("]");
        before = ",";
    }
    to.text(joined({"],\"ranges\":", ranges, "}"}));
    // "<" stands in strings only; so no text can end the element
    std::size_t plain = 0;
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', plain)) {
        add({std::string_view{text}.substr(plain, at - plain), "\\u003c"});
        plain = at + 1;
    }
    add({std::string_view{text}.substr(plain)});
}

GPUPROF_INLINE std::string page_writer::write() {
    page_.reserve(1u << 20);
    add_head();
    add_facts();
    add_tiles();
    add_problems();
    add({"</header>\n<nav aria-label=\"Parts of the page\"><ul><li><a href=\"#ranges\">Ranges</a></li><li><a "
         "href=\"#findings\">Findings</a></li>"});
    for (page_section const& each : options_.sections)
        add({"<li><a href=\"#", html_text(each.id), "\">", html_text(each.title), "</a></li>"});
    add({"<li><a href=\"#details\">Range by range</a></li>",
         of_.silences().empty() ? "" : "<li><a href=\"#silences\">Not judged</a></li>",
         "</ul></nav>\n<main id=main>\n"});
    add_ranges();
    add_findings();
    for (page_section const& each : options_.sections)
        add({"<section aria-labelledby=\"", html_text(each.id), "\">\n<h2 id=\"", html_text(each.id), "\">",
             html_text(each.title), "</h2>\n", each.html, "</section>\n"});
    add_details();
    add_silences();
    add({"</main>\n<footer>Written by gpuprof. Shares and intervals are of the time that a range took.</footer>\n"
         "<script type=\"application/json\" id=data>"});
    add_data();
    add({"</script>\n<script nonce=page>", page_script, "</script>\n</body>\n</html>\n"});
    insert_parts();
    return std::move(page_);
}

} // namespace detail

GPUPROF_INLINE std::string page(explain::explanation const& of, page_options const& options) {
    return detail::page_writer{of, options}.write();
}

GPUPROF_INLINE result<void> try_write_page(std::string path, explain::explanation const& of,
                                           page_options const& options) {
    std::string const text = page(of, options);
    auto file = file_sink::try_open(std::move(path));
    if (!file) return std::move(file).error();
    sink const to = file->sink();
    if (auto written = to.put(to.to, text, {}); !written) return std::move(written).error();
    return file->close();
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PAGE_INL_HPP
