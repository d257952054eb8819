// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof query: what can be measured on which chip. Most of it asks nothing but gpuprof's own lists.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include <gpuprof/core/chip.hpp>
#include <gpuprof/core/compute_capability_text.hpp>
#include <gpuprof/core/unit_symbol.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/io/progress.hpp>
#include <gpuprof/legacy.hpp>
#include <gpuprof/metric/catalogue/all.hpp>
#include <gpuprof/metric/catalogue_lookup.hpp>
#include <gpuprof/metric/describe.hpp>
#include <gpuprof/metric/metric_sets.hpp>

#include "../sim/chip/chips.hpp"
#include "../sim/counters/metric_table.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "embedded_chip.hpp"
#include "help.hpp"
#include "short_names.hpp"
#include "start.hpp"
#include "terminal.hpp"

namespace gpuprof::command {
namespace {

constexpr int unknown = 1; // the exit status

[[noreturn]] void refuse(error const& why) { command::refuse(unknown, why.message()); }

bool has(std::string_view text, std::string_view part) {
    auto const lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    for (std::size_t at = 0; at + part.size() <= text.size(); ++at)
        if (std::equal(part.begin(), part.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                       [&](char a, char b) { return lower(a) == lower(b); }))
            return true;
    return false;
}

std::string_view word_of(metric_kind kind) {
    switch (kind) {
        case metric_kind::counter: return "counter";
        case metric_kind::ratio: return "ratio";
        case metric_kind::throughput: return "throughput";
        default: return "metric";
    }
}

// What a base metric is about: the description of a value of it.
std::string meaning_of(std::string_view base, metric_kind kind) {
    auto const subs = sub_metrics(kind);
    std::string_view const sub = kind == metric_kind::counter ? ".sum" : subs.empty() ? "" : subs.back();
    return describe(std::string{base}.append(sub));
}

// A name, and in further lines what it means.
void print_described(std::string const& line, std::string const& meaning) {
    print(line + '\n' + paragraph("      ", meaning, 6, columns(STDOUT_FILENO)));
}

void print_count(std::size_t shown) { print(std::to_string(shown) + (shown == 1 ? " metric\n" : " metrics\n")); }

chip known_chip(std::string_view word) {
    if (word.empty()) command::refuse("name the chip, such as gh100; gpuprof query chips lists them");
    if (auto const found = find_chip(word)) return *found;
    std::vector<std::string_view> names;
    for (chip const each : all_chips) names.push_back(name(each));
    std::string capital;
    for (char const c : word) capital += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    command::refuse(unknown, "there is no chip " + gpuprof::detail::printable(word) + perhaps(capital, names) +
                                 "; gpuprof query chips lists them");
}

hw::machine const& machine_with_cupti() {
    hw::machine const& here = hw::real_machine();
    if (here.cupti_error) refuse(*here.cupti_error);
    hw::open_companion(here.cupti_library, "libnvperf_host.so");
    return here;
}

int chips(bool of_cupti) {
    if (!of_cupti) {
        for (chip const each : all_chips) {
            bool const embedded = sim::find_chip_model(name(each)) != nullptr;
            print(std::string{name(each)} + "  capability " + std::string{capability_text(capability(each))} +
                  (embedded ? ", embedded GPU\n" : "\n"));
        }
        return 0;
    }
    hw::machine const& here = machine_with_cupti();
    auto const names = hw::metric_host::try_chips(here.cupti);
    if (!names) refuse(names.error());
    io::progress line{"asking CUPTI", "chips"};
    std::string text;
    for (std::size_t i = 0; i < names->size(); ++i) {
        line.show(i, names->size());
        auto const host = hw::metric_host::try_open(here.cupti, (*names)[i]);
        text += (*names)[i] + (host ? "\n" : "  (known by name only)\n");
    }
    line.clear();
    print(text);
    return 0;
}

// Prints the sets of the namespace gpuprof::metrics::sets whose name has the text in it.
void print_sets(std::string_view part) {
    for (named_metric_set const& each : all_metric_sets) {
        if (!has(each.name, part)) continue;
        std::string list;
        for (std::string_view const metric : each.metrics) (list += list.empty() ? "" : ", ") += short_name_of(metric);
        print_described("sets::" + std::string{each.name}, list);
    }
}

// Prints those of the short names that have the text in them, in what they stand for, or in its description.
std::size_t print_short_names(std::string_view part, catalogue const* on) {
    std::size_t shown = 0;
    for (short_name const& each : short_names) {
        if (on != nullptr && !on->contains(each.metric)) continue;
        std::string const meaning = describe(each.metric);
        if (!has(each.name, part) && !has(each.metric, part) && !has(meaning, part)) continue;
        print_described(std::string{each.name} + "  " + std::string{each.metric}, meaning);
        ++shown;
    }
    return shown;
}

int metrics(arguments const& given) {
    std::string const part = given.operand(2);
    bool const described = given.has("--describe");
    std::size_t shown = 0;
    auto const show = [&](std::string_view name, metric_kind kind) {
        std::string const meaning = described || !part.empty() ? meaning_of(name, kind) : std::string{};
        if (!has(name, part) && !has(meaning, part)) return;
        std::string const line = std::string{name} + "  (" + std::string{word_of(kind)} + ')';
        if (described) print_described(line, meaning);
        else print(line + '\n');
        ++shown;
    };
    chip const which = known_chip(given.operand(1));
    catalogue const& all = catalogue_for(which);
    if (!part.empty()) shown += print_short_names(part, &all);
    if (!given.has("--cupti")) {
        for (base_metric const& each : all) show(each.name, each.kind);
    } else {
        auto const host = hw::metric_host::try_open(machine_with_cupti().cupti, std::string{name(which)});
        if (!host) refuse(host.error());
        constexpr std::pair<abi::CUpti_MetricType, metric_kind> kinds[]{
            {abi::CUPTI_METRIC_TYPE_COUNTER, metric_kind::counter},
            {abi::CUPTI_METRIC_TYPE_RATIO, metric_kind::ratio},
            {abi::CUPTI_METRIC_TYPE_THROUGHPUT, metric_kind::throughput}};
        for (auto const& [type, kind] : kinds) {
            auto const names = host->try_base_metrics(type);
            if (!names) refuse(names.error());
            for (std::string const& each : *names) show(each, kind);
        }
    }
    print_count(shown);
    return 0;
}

int metric(arguments const& given) {
    catalogue const& all = catalogue_for(known_chip(given.operand(1)));
    std::string const asked = full_name(given.operand(2));
    if (asked.empty()) command::refuse("name the metric: gpuprof query metric CHIP NAME");
    std::string const base{base_name(asked)};
    auto const found = all.find(base);
    if (!found || (base != asked && !all.contains(asked))) {
        auto const why = try_find(all, base == asked ? asked + ".sum" : asked);
        std::string_view best[3];
        auto const shorts = nearest(asked, short_names, best);
        if (!shorts.empty() && base == asked && asked.find("__") == asked.npos)
            command::refuse(unknown, "there is no metric " + gpuprof::detail::printable(asked) + "; " +
                                         gpuprof::detail::perhaps(shorts));
        refuse(why.error());
    }
    if (base != asked) { // one value of it
        print_described(asked, describe(asked));
        return 0;
    }
    print(base + ", a " + std::string{word_of(found->kind)} + " of " + std::string{found->hardware_unit} +
          (found->dimension.empty() ? "" : " in " + std::string{found->dimension}) + '\n');
    for (std::string_view const sub : sub_metrics(found->kind)) {
        std::string const each = base + std::string{sub};
        print_described("  " + each, describe(each));
    }
    return 0;
}

int passes(arguments const& given) {
    std::string const which{name(known_chip(given.operand(1)))};
    std::vector<std::string> names;
    for (std::size_t i = 2; i < given.operands().size(); ++i) names.push_back(full_name(given.operand(i)));
    if (names.empty()) command::refuse("name the metrics: gpuprof query passes CHIP NAME...");
    auto const plan = hw::range_hardware::try_plan(machine_with_cupti().cupti, which, names);
    if (!plan) refuse(plan.error());
    print(std::to_string(names.size()) + (names.size() == 1 ? " metric on " : " metrics on ") + which + ": " +
          std::to_string(plan->passes()) + (plan->passes() == 1 ? " pass\n" : " passes\n"));
    return 0;
}

int embedded_summary() {
    using counts = std::array<std::size_t, fidelities>;
    for (sim::chip_model const* const model : sim::embedded_chips) {
        if (!model->has_range_profiling()) continue; // it counts events
        std::map<std::string_view, counts> units;
        counts all{};
        for (sim::metric_row const& row : sim::metric_rows) {
            if (!row.is_on(*model)) continue;
            std::string_view const metric = row.name;
            ++units[metric.substr(0, metric.find("__"))][static_cast<std::size_t>(row.how)];
            ++all[static_cast<std::size_t>(row.how)];
        }
        auto const line = [](std::string_view first, auto const& cells) {
            char text[64];
            std::snprintf(text, sizeof text, "%-7.*s", static_cast<int>(first.size()), first.data());
            print(text);
            for (auto const& cell : cells) {
                std::string const word{cell};
                std::snprintf(text, sizeof text, "%11s", word.c_str());
                print(text);
            }
            print("\n");
        };
        auto const words = [](counts const& numbers) {
            std::array<std::string, fidelities> texts;
            for (std::size_t i = 0; i < fidelities; ++i) texts[i] = std::to_string(numbers[i]);
            return texts;
        };
        std::array<std::string_view, fidelities> heads;
        for (std::size_t i = 0; i < heads.size(); ++i) heads[i] = name(static_cast<fidelity>(i));
        line(model->chip_name, heads);
        for (auto const& [unit, of_unit] : units) line(unit, words(of_unit));
        line("all", words(all));
    }
    return 0;
}

// What the embedded GPU models.
int embedded(arguments const& given) {
    if (given.operands().size() < 2) return embedded_summary();
    sim::chip_model const& model = embedded_chip(given.operand(1));
    if (!model.has_range_profiling())
        command::refuse(unknown, std::string{model.chip_name} + " counts events: gpuprof query events --chip " +
                                     given.operand(1));
    std::string const part = given.operand(2);
    std::size_t shown = 0;
    for (sim::metric_row const& row : sim::metric_rows) {
        if (!row.is_on(model)) continue;
        std::string const meaning = static_cast<char const*>(row.description);
        bool short_fits = false;
        for (short_name const& each : short_names)
            short_fits = short_fits || (base_name(each.metric) == row.name && has(each.name, part));
        if (!short_fits && !has(row.name, part) && !has(meaning, part)) continue;
        std::string const line =
            std::string{row.name} + "  (" + std::string{word_of(row.kind)} + ", " + std::string{name(row.how)} + ')';
        if (given.has("--describe")) print_described(line, meaning);
        else print(line + '\n');
        ++shown;
    }
    print_count(shown);
    return 0;
}

// The event hardware of the device at hand, or of the embedded GPU, which is asked as CUDA programs ask it.
int events(arguments const& given) {
    if (auto const chip_name = given.find("--chip")) {
        static_cast<void>(embedded_chip(*chip_name));
        set_embedded(*chip_name);
        std::vector<std::string> again{"/proc/self/exe", "query"};
        again.insert(again.end(), given.operands().begin(), given.operands().end());
        start(again);
    }
    std::string const what = given.operand(0);
    std::string const part = given.operand(1);
    std::size_t const width = columns(STDOUT_FILENO);
    auto const show = [&](std::string const& name, std::string const& in, std::string const& meaning) {
        if (has(name, part)) print(paragraph(name + in + ": ", meaning, 6, width));
    };
    auto const gpu = try_open_device();
    if (!gpu) refuse(gpu.error());
    auto const catalogue = hw::event_catalogue::try_open(*gpu);
    if (!catalogue) refuse(catalogue.error());
    if (what == "derived") {
        auto const metrics = catalogue->try_metrics();
        if (!metrics) refuse(metrics.error());
        for (auto const& each : *metrics) show(each.name, "", each.description);
        return 0;
    }
    auto const domains = catalogue->try_domains();
    if (!domains) refuse(domains.error());
    for (auto const& domain : *domains) {
        auto const of_domain = catalogue->try_events(domain.id);
        if (!of_domain) refuse(of_domain.error());
        if (what == "domains")
            print(domain.name + ": " + std::to_string(of_domain->size()) + " events, " +
                  std::to_string(domain.profiled_instances) + " of " + std::to_string(domain.total_instances) +
                  " instances counted\n");
        else
            for (auto const& each : *of_domain) show(each.name, " (" + domain.name + ')', each.description);
    }
    return 0;
}

// What gpuprof knows of legacy metrics; nothing is asked.
int legacy_metrics(std::string_view part) {
    std::size_t const width = columns(STDOUT_FILENO);
    auto const made_of = [](formula const& of) {
        std::string text;
        for (auto const& input : of.inputs()) text += (text.empty() ? " " : ", ") + std::string{input.name};
        return text;
    };
    for (auto const* metric : legacy::all_metrics) {
        std::string const metric_name = metric->name;
        if (!has(metric_name, part) && !has(metric->meaning, part)) continue;
        print(paragraph(metric_name + ", in " + std::string{symbol(metric->of).view()} + ": ",
                        std::string{metric->meaning}, 6, width));
        for (auto const family : all_capability_families)
            if (auto const* row = legacy::metrics_of(family).find(metric_name))
                print(paragraph("  capability " + std::string{name(family)} + ": ",
                                row->asked_of_cupti() ? " as CUPTI calculates it" : made_of(row->formula), 6, width));
        if (auto const* row = legacy::mapping_of_metric(metric_name); row != nullptr && row->has_equivalent())
            print(paragraph("  range hardware: ", made_of(row->formula), 6, width));
    }
    return 0;
}

} // namespace

int query(arguments const& given) {
    std::string const what = given.operand(0);
    if (what == "chips") return chips(given.has("--cupti"));
    if (what == "names") {
        print_sets(given.operand(1));
        print_count(print_short_names(given.operand(1), nullptr));
        return 0;
    }
    if (what == "metrics") return metrics(given);
    if (what == "metric") return metric(given);
    if (what == "passes") return passes(given);
    if (what == "embedded") return embedded(given);
    if (what == "domains" || what == "events" || what == "derived") return events(given);
    if (what == "legacy") return legacy_metrics(given.operand(1));
    if (what.empty()) command::refuse("say what: gpuprof query --help shows the words");
    command::refuse("query knows no word " + gpuprof::detail::printable(what) +
                    perhaps(what, list_parts(find_command("query")->first_words, ' ')) +
                    "; gpuprof query --help shows the words");
}

} // namespace gpuprof::command
