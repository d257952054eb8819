// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of baseline.hpp.
#ifndef GPUPROF_JUDGE_BASELINE_INL_HPP
#define GPUPROF_JUDGE_BASELINE_INL_HPP

#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/counted.hpp"
#include "../metric/direction.hpp"
#include "../text/json_number.hpp"
#include "../text/json_text.hpp"
#include "../text/json_value.hpp"
#include "../text/printable.hpp"
#include "../text/text_appender.hpp"
#include "../core/unit_symbol.hpp"
#include "../core/unit_text.hpp"
#include "../hw/machine/platform/environment.hpp"
#include "../hw/machine/platform/file.hpp"
#include "baseline.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace judge::detail {

inline constexpr std::size_t most_baseline_bytes = 64u << 20u;

[[nodiscard]] constexpr double magnitude(double number) noexcept { return number < 0 ? -number : number; }
[[nodiscard]] constexpr bool is_finite(double number) noexcept {
    return magnitude(number) < std::numeric_limits<double>::infinity();
}

[[nodiscard]] inline int order_of(baseline_value const& a, baseline_value const& b) noexcept {
    int const ranges = a.range.compare(b.range);
    return ranges != 0 ? ranges : a.metric.compare(b.metric);
}
// By range and metric; those that are equal keep their order.
void sort_values(std::vector<baseline_value>& values);
GPUPROF_INLINE void sort_values(std::vector<baseline_value>& values) {
    std::vector<baseline_value*> order;
    order.reserve(values.size());
    for (baseline_value& each : values) order.push_back(&each);
    auto const compare = [](void const* left, void const* right) {
        auto const *const a = *static_cast<baseline_value*const*>(left), *const b =
                                                                             *static_cast<baseline_value*const*>(right);
        int const found = order_of(*a, *b);
        return found != 0 ? found : a < b ? -1 : a > b;
    };
    if (!order.empty()) std::qsort(order.data(), order.size(), sizeof order[0], compare);
    std::vector<baseline_value> sorted;
    sorted.reserve(values.size());
    for (baseline_value* const each : order) sorted.push_back(std::move(*each));
    values = std::move(sorted);
}

void add_quoted(std::string& to, std::string_view text);
GPUPROF_INLINE void add_quoted(std::string& to, std::string_view text) {
    gpuprof::detail::text_appender const appended{to};
    gpuprof::detail::write_json_string(appended, text);
}

[[nodiscard]] error no_baseline(std::string_view why);
GPUPROF_INLINE error no_baseline(std::string_view why) {
    return {errc::invalid_argument, 0, "this is no baseline of gpuprof", why,
            "write it anew with GPUPROF_UPDATE_BASELINES=1"};
}

void add_range(baseline& to, range_view const& range, std::string_view name);
GPUPROF_INLINE void add_range(baseline& to, range_view const& range, std::string_view name) {
    report const whole = range.report();
    for (std::size_t i = 0; i < whole.metrics().size(); ++i) {
        metric_info const& metric = whole.metrics()[i];
        auto const value = range.try_value(metric.name);
        if (!value || !is_finite(value->value)) continue;
        to.values.push_back({std::string{name}, metric.name, std::string{unit_symbol{metric.value_unit}.view()},
                             value->value, whole.fidelity_of(i)});
    }
}
[[nodiscard]] baseline begun(report const& of);
GPUPROF_INLINE baseline begun(report const& of) {
    return {std::string{of.device()}, std::string{of.chip()}, of.source(), {}};
}

} // namespace judge::detail

GPUPROF_INLINE result<baseline> baseline::try_of(report const& of) {
    if (!of.complete()) return of.completeness().problems.front();
    baseline made = judge::detail::begun(of);
    for (range_view const range : of) judge::detail::add_range(made, range, range.path());
    judge::detail::sort_values(made.values);
    return made;
}

GPUPROF_INLINE result<baseline> baseline::try_of(observation const& of, std::string_view name) {
    if (!of.range()) return of.why_not() ? *of.why_not() : error{errc::not_collected, 0, "nothing was measured"};
    report const whole = of.range()->report();
    if (!whole.complete()) return whole.completeness().problems.front();
    baseline made = judge::detail::begun(whole);
    for (std::size_t i = 0; i < whole.metrics().size(); ++i) {
        metric_info const& metric = whole.metrics()[i];
        judge::judged_value const seen = of.read(metric.name); // the median of repetitions, where that is judged
        if (seen.from.missing) return *seen.from.missing;      // 0/0, not collected
        made.values.push_back({std::string{name}, metric.name, std::string{unit_symbol{metric.value_unit}.view()},
                               seen.value, whole.fidelity_of(i)});
    }
    judge::detail::sort_values(made.values);
    return made;
}

GPUPROF_INLINE std::string baseline::text() const {
    std::string to = "{\n  \"gpuprof_baseline\": " + std::to_string(format) + ",\n  \"device\": ";
    judge::detail::add_quoted(to, device);
    judge::detail::add_quoted(to += ",\n  \"chip\": ", chip);
    judge::detail::add_quoted(to += ",\n  \"source\": ", gpuprof::name(source));
    to += ",\n  \"ranges\": {";
    for (std::size_t i = 0; i < values.size(); ++i) {
        baseline_value const& each = values[i];
        if (i == 0 || values[i - 1].range != each.range) {
            judge::detail::add_quoted(to += i == 0 ? "\n    " : "\n    },\n    ", each.range);
            to += ": {\n      ";
        } else {
            to += ",\n      ";
        }
        judge::detail::add_quoted(to, each.metric);
        gpuprof::detail::add_json_number(to += ": {\"value\": ", each.value);
        judge::detail::add_quoted(to += ", \"unit\": ", each.unit);
        judge::detail::add_quoted(to += ", \"fidelity\": ", gpuprof::name(each.how));
        to += '}';
    }
    to += values.empty() ? "}\n}\n" : "\n    }\n  }\n}\n";
    return to;
}

GPUPROF_INLINE result<baseline> baseline::try_parse(std::string_view text) {
    using judge::detail::no_baseline;
    auto const read = try_read_json(text);
    if (!read) return read.error();
    json_value const* const version = read->find("gpuprof_baseline");
    if (version == nullptr || version->is != json_value::type::number)
        return no_baseline("it does not say \"gpuprof_baseline\"");
    if (version->number != format) {
        error const why{
            errc::version_mismatch, 0,
            gpuprof::detail::joined({"a baseline of format ", gpuprof::detail::number_text(version->number)}),
            gpuprof::detail::joined({"this gpuprof reads format ", std::to_string(format)}),
            "use the gpuprof that wrote it, or write it anew with GPUPROF_UPDATE_BASELINES=1"};
        return why;
    }
    baseline made;
    made.device = read->text_of("device");
    made.chip = read->text_of("chip");
    if (!find_named(read->text_of("source"), made.source))
        return no_baseline("its source is neither hardware nor embedded");
    json_value const* const ranges = read->find("ranges");
    if (ranges == nullptr || ranges->is != json_value::type::object) return no_baseline("it has no ranges");
    for (std::size_t i = 0; i < ranges->names.size(); ++i) {
        json_value const& range = ranges->items[i];
        if (range.is != json_value::type::object) return no_baseline("a range is no object");
        for (std::size_t k = 0; k < range.names.size(); ++k) {
            json_value const* const value = range.items[k].find("value");
            if (value == nullptr || value->is != json_value::type::number) return no_baseline("a metric has no value");
            fidelity how{};
            if (!find_named(range.items[k].text_of("fidelity"), how))
                return no_baseline("a value does not say its fidelity");
            made.values.push_back(
                {ranges->names[i], range.names[k], std::string{range.items[k].text_of("unit")}, value->number, how});
        }
    }
    judge::detail::sort_values(made.values);
    return made;
}

GPUPROF_INLINE result<baseline> baseline::try_read(std::string const& path) {
    auto const text = platform::read_file(path, judge::detail::most_baseline_bytes);
    if (!text) {
        error const why{errc::io, 0, "the baseline \"" + gpuprof::detail::printable_path(path) + "\" cannot be read",
                        "there is no such file, or it is none of at most 64 MiB",
                        "write it with GPUPROF_UPDATE_BASELINES=1"};
        return why;
    }
    auto made = try_parse(*text);
    if (!made) {
        error why = made.error();
        why.what = "\"" + gpuprof::detail::printable_path(path) + "\": " + why.what;
        return why;
    }
    return made;
}

GPUPROF_INLINE result<void> baseline::try_write(std::string const& path) const {
    if (platform::write_file(path, text())) return {};
    return error{errc::io, 0, "the baseline \"" + gpuprof::detail::printable_path(path) + "\" cannot be written", "",
                 "see that its folder is there and may be written"};
}

GPUPROF_INLINE result<std::vector<value_change>> try_compare(baseline const& before, baseline const& after,
                                                             baseline_options const& options) {
    using gpuprof::detail::joined;
    auto const told = [](baseline const& of) {
        return joined({of.device, " (", of.chip, ", ", gpuprof::name(of.source), ")"});
    };
    if (!options.across_devices &&
        (before.device != after.device || before.chip != after.chip || before.source != after.source)) {
        error const why{errc::invalid_argument, 0, "the baselines are of different devices",
                        joined({told(before), " and ", told(after)}), "allow it with baseline_options::across_devices"};
        return why;
    }
    std::vector<value_change> changes;
    std::size_t i = 0, k = 0;
    while (i < before.values.size() || k < after.values.size()) {
        bool const only_before =
            k == after.values.size() ||
            (i < before.values.size() && judge::detail::order_of(before.values[i], after.values[k]) < 0);
        bool const only_after = !only_before && (i == before.values.size() ||
                                                 judge::detail::order_of(after.values[k], before.values[i]) < 0);
        if (only_before || only_after) {
            value_change pair;
            pair.what = only_before ? change::removed : change::added;
            (only_before ? pair.before : pair.after) = only_before ? before.values[i++] : after.values[k++];
            changes.push_back(std::move(pair));
            continue;
        }
        value_change pair{before.values[i++], after.values[k++], change::same};
        if ((pair.before.how != pair.after.how || pair.before.unit != pair.after.unit) && !options.across_fidelities) {
            error const why{errc::invalid_argument, 0,
                            joined({pair.before.metric, " of \"", pair.before.range, "\" came about differently"}),
                            joined({name(pair.before.how), " in ", pair.before.unit, " and ", name(pair.after.how),
                                    " in ", pair.after.unit}),
                            "allow it with baseline_options::across_fidelities"};
            return why;
        }
        bool const exact = before.source == device_source::embedded && after.source == device_source::embedded &&
                           pair.before.how == fidelity::exact && pair.after.how == fidelity::exact;
        double const room = exact ? 0 : judge::detail::magnitude(pair.before.value) * (options.tolerance.value() / 100);
        double const more = pair.after.value - pair.before.value;
        int const direction = gpuprof::detail::direction_of(pair.before.metric);
        if (judge::detail::magnitude(more) > room)
            pair.what = direction == 0                  ? change::changed
                        : (more > 0) == (direction > 0) ? change::better
                                                        : change::worse;
        changes.push_back(std::move(pair));
    }
    return changes;
}

GPUPROF_INLINE std::string markdown(std::vector<value_change> const& changes, bool all) {
    using gpuprof::detail::grouped_number;
    using gpuprof::detail::joined;
    auto const cell = [](std::string_view text) {
        std::string safe;
        for (char const c : gpuprof::detail::printable_path(text))
            safe += c == '|' ? std::string{"\\|"} : std::string{c};
        return safe;
    };
    std::string rows;
    std::size_t counts[6]{};
    for (value_change const& each : changes) {
        ++counts[static_cast<unsigned>(each.what)];
        if (each.what == change::same && !all) continue;
        bool const added = each.what == change::added, removed = each.what == change::removed;
        std::string more;
        if (!added && !removed) {
            double const share = each.percent_more();
            more = each.before.value == 0 && each.after.value != 0
                       ? std::string{"from 0"}
                       : joined({share > 0 ? "+" : "", grouped_number(share), " %"});
        }
        bool const singular = (added || each.before.value == 1) && (removed || each.after.value == 1);
        rows += joined({"| ", cell(each.either().range), " | `", cell(each.either().metric), "` | ",
                        added ? std::string{} : grouped_number(each.before.value), " | ",
                        removed ? std::string{} : grouped_number(each.after.value), " | ",
                        cell(gpuprof::detail::unit_after(singular ? 1 : 2, each.either().unit)), " | ", more, " | ",
                        name(each.what), " |\n"});
    }
    std::string text = joined({std::to_string(changes.size()), " values: ", std::to_string(counts[2]), " worse, ",
                               std::to_string(counts[1]), " better, ", std::to_string(counts[3]), " changed, ",
                               std::to_string(counts[4]), " added, ", std::to_string(counts[5]), " removed\n"});
    if (!rows.empty())
        text += "\n| range | metric | before | after | unit | change | |\n|---|---|---:|---:|---|---:|---|\n" + rows;
    return text;
}

namespace judge {

GPUPROF_INLINE outcome judge_baseline(std::string const& folder, std::string const& name,
                                      baseline_options const& options, observation const& of) {
    auto const now = baseline::try_of(of, name);
    if (!now) return not_answered(now.error());
    for (char const c : name)
        if (c == '/' || static_cast<unsigned char>(c) < 0x20)
            return not_answered(
                {errc::invalid_argument, 0, "\"" + gpuprof::detail::printable(name) + "\" is no file's name"});
    std::string const path =
        gpuprof::detail::joined({folder, "/", name, ".", now->chip.empty() ? "gpu" : now->chip,
                                 now->source == device_source::embedded ? ".embedded.json" : ".json"});
    std::string const update = platform::variable_or_empty("GPUPROF_UPDATE_BASELINES");
    if (!update.empty() && update != "0") {
        if (auto const written = now->try_write(path); !written) return not_answered(written.error());
        return {verdict::pass, "wrote " + path, {}, {}};
    }
    auto const before = baseline::try_read(path);
    if (!before) return not_answered(before.error());
    auto const changes = try_compare(*before, *now, options);
    if (!changes) return not_answered(changes.error());
    outcome made;
    made.expanded = "compared with " + path;
    value_change const* first = nullptr; // of which the details are
    for (value_change const& each : *changes) {
        if (each.what == change::same) continue;
        if (first == nullptr || (first->what != change::worse && each.what == change::worse)) first = &each;
        made.verdict = verdict::fail;
        made.expanded += gpuprof::detail::joined(
            {"\n  ", gpuprof::name(each.what), ": ", each.either().metric, ": ",
             each.what == change::added ? std::string{"nothing"} : gpuprof::detail::grouped_number(each.before.value),
             " -> ",
             each.what == change::removed ? std::string{"nothing"} : gpuprof::detail::grouped_number(each.after.value),
             " ",
             gpuprof::detail::unit_after(each.what == change::removed ? each.before.value : each.after.value,
                                         each.either().unit)});
    }
    if (!made) {
        made.expanded += "\n  if that is meant, run the test with GPUPROF_UPDATE_BASELINES=1";
        evidence from = of.read(first->either().metric).from;
        if (from.readings.empty()) from = of.read(now->values.front().metric).from; // of one that is no longer measured
        made.details = details_of(from);
    }
    return made;
}

} // namespace judge

GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_BASELINE_INL_HPP
