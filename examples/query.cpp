// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be measured on which chip, and in how many passes; most of it needs CUPTI, but no GPU.
// What you learn: metric_host, catalogues of CUPTI, describe(), planning without a device; event_catalogue, legacy names.
//
//     query chips                          the chips CUPTI knows
//     query metrics GH100 [part]           base metrics, those whose name contains `part`
//     query metric GH100 sm__inst_executed its sub-metrics, and what it is in words
//     query passes GH100 name [name...]    how many passes these metrics take together
//     query embedded                       how many metrics the embedded GPU models, and how well, by unit
//     query embedded GH100 [part]          which ones
//     query domains                        event domains of the device at hand (GPUPROF_DEVICE=sim:5.2 for one)
//     query events [part]                  its events, those whose name contains `part`
//     query derived [part]                 the metrics CUPTI derives from them
//     query legacy [part]                  legacy metrics of all capabilities, and what each is made of where
#include <array>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/core/chip.hpp>
#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/metric/describe.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/core/unit_symbol.hpp>

namespace hw = gpuprof::hw;

static int fail(gpuprof::error const& why) {
    std::cerr << why.message() << '\n';
    return 1;
}

static int chips(hw::machine const& machine) {
    auto const names = hw::metric_host::try_chips(machine.cupti);
    if (!names) return fail(names.error());
    for (std::string const& chip : *names) {
        auto host = hw::metric_host::try_open(machine.cupti, chip);
        std::cout << chip << (host ? "\n" : "  (known by name only)\n");
    }
    return 0;
}

static constexpr gpuprof::abi::CUpti_MetricType kinds[]{gpuprof::abi::CUPTI_METRIC_TYPE_COUNTER,
                                                        gpuprof::abi::CUPTI_METRIC_TYPE_RATIO,
                                                        gpuprof::abi::CUPTI_METRIC_TYPE_THROUGHPUT};
static constexpr char const* kind_names[]{"counter", "ratio", "throughput"};

static int metrics(hw::metric_host const& host, std::string const& part) {
    std::size_t shown = 0;
    for (std::size_t kind = 0; kind < 3; ++kind) {
        auto const names = host.try_base_metrics(kinds[kind]);
        if (!names) return fail(names.error());
        for (std::string const& name : *names) {
            if (name.find(part) == name.npos) continue;
            std::cout << name << "  (" << kind_names[kind] << ")\n";
            ++shown;
        }
    }
    std::cout << shown << " metrics\n";
    return 0;
}

static int metric(hw::metric_host const& host, std::string const& name) {
    for (std::size_t kind = 0; kind < 3; ++kind) {
        auto const subs = host.try_sub_metrics(name, kinds[kind]);
        if (!subs || subs->empty()) continue;
        auto const properties = host.try_properties(name + subs->front());
        std::cout << name << ", a " << kind_names[kind];
        if (properties)
            std::cout << " of " << properties->hardware_unit << " in " << properties->dimension_unit << ": "
                      << properties->description;
        std::cout << '\n';
        for (std::string const& sub : *subs)
            std::cout << "  " << name + sub << "\n      " << gpuprof::describe(name + sub) << '\n';
        return 0;
    }
    std::vector<std::string> const asked{name + ".sum"};
    std::vector<char const*> const list{asked[0].c_str()};
    auto again = hw::metric_host::try_open(hw::real_machine().cupti, host.chip());
    if (auto refused = again->try_configure(list); !refused) return fail(refused.error());
    return 1;
}

static int passes(hw::machine const& machine, std::string const& chip, std::vector<std::string> const& names) {
    auto const plan = hw::range_hardware::try_plan(machine.cupti, chip, names);
    if (!plan) return fail(plan.error());
    std::cout << names.size() << " metrics on " << chip << ": " << plan->passes()
              << (plan->passes() == 1 ? " pass\n" : " passes\n");
    return 0;
}

// What the embedded GPU models. The unit of a metric stands before its "__".
static int embedded(std::string const& chip, std::string const& part) {
    auto const list = gpuprof::sim::try_embedded_metrics(chip);
    if (!list) return fail(list.error());
    std::size_t shown = 0;
    for (auto const& each : *list) {
        if (each.name.find(part) == each.name.npos) continue;
        std::cout << each.name << "  (" << kind_names[static_cast<std::size_t>(each.kind)] << ", " << name(each.how)
                  << ")\n";
        ++shown;
    }
    std::cout << shown << " metrics\n";
    return 0;
}

static int embedded_summary() {
    using counts = std::array<std::size_t, gpuprof::fidelities>;
    for (std::string_view const chip : gpuprof::sim::embedded_chip_names()) {
        auto const metrics = gpuprof::sim::try_embedded_metrics(chip);
        if (!metrics) continue; // it counts events
        std::map<std::string_view, counts> units;
        counts all{};
        for (auto const& each : *metrics) {
            ++units[each.name.substr(0, each.name.find("__"))][static_cast<std::size_t>(each.how)];
            ++all[static_cast<std::size_t>(each.how)];
        }
        auto const line = [](std::string_view first, auto const& columns) {
            std::cout << std::left << std::setw(7) << first << std::right;
            for (auto const& each : columns) std::cout << std::setw(11) << each;
            std::cout << '\n';
        };
        std::array<std::string_view, gpuprof::fidelities> heads;
        for (std::size_t i = 0; i < heads.size(); ++i) heads[i] = name(static_cast<gpuprof::fidelity>(i));
        line(chip, heads);
        for (auto const& [unit, of_unit] : units) line(unit, of_unit);
        line("all", all);
    }
    return 0;
}

// The event hardware of the device at hand.
static int events(std::string const& what, std::string const& part) {
    auto const gpu = gpuprof::try_open_device();
    if (!gpu) return fail(gpu.error());
    auto const catalogue = hw::event_catalogue::try_open(*gpu);
    if (!catalogue) return fail(catalogue.error());
    if (what == "derived") {
        auto const metrics = catalogue->try_metrics();
        if (!metrics) return fail(metrics.error());
        for (auto const& each : *metrics)
            if (each.name.find(part) != part.npos) std::cout << each.name << ": " << each.description << '\n';
        return 0;
    }
    auto const domains = catalogue->try_domains();
    if (!domains) return fail(domains.error());
    for (auto const& domain : *domains) {
        auto const of_domain = catalogue->try_events(domain.id);
        if (!of_domain) return fail(of_domain.error());
        if (what == "domains")
            std::cout << domain.name << ": " << of_domain->size() << " events, " << domain.profiled_instances << " of "
                      << domain.total_instances << " instances counted\n";
        else
            for (auto const& each : *of_domain)
                if (each.name.find(part) != part.npos)
                    std::cout << each.name << " (" << domain.name << "): " << each.description << '\n';
    }
    return 0;
}

// What gpuprof knows of legacy metrics; nothing is asked.
static int legacy_metrics(std::string const& part) {
    auto const made_of = [](gpuprof::formula const& of) {
        std::string text;
        for (auto const& input : of.inputs()) text += (text.empty() ? " " : ", ") + std::string{input.name};
        return text;
    };
    for (auto const* metric : gpuprof::legacy::all_metrics) {
        std::string const name = metric->name;
        if (name.find(part) == name.npos) continue;
        std::cout << name << ", in " << gpuprof::symbol(metric->of).view() << ": " << metric->meaning << '\n';
        for (auto const family : gpuprof::all_capability_families)
            if (auto const* row = gpuprof::legacy::metrics_of(family).find(name))
                std::cout << "  capability " << gpuprof::name(family) << ":"
                          << (row->asked_of_cupti() ? " as CUPTI calculates it" : made_of(row->formula)) << '\n';
        if (auto const* row = gpuprof::legacy::mapping_of_metric(name); row != nullptr && row->has_equivalent())
            std::cout << "  range hardware:" << made_of(row->formula) << '\n';
    }
    return 0;
}

// "gh100" as CUPTI spells it; a chip that gpuprof does not know stays as it is.
static std::string spelled(std::string const& chip) {
    auto const known = gpuprof::find_chip(chip);
    return known ? std::string{gpuprof::name(*known)} : chip;
}

int main(int count, char** words) {
    std::vector<std::string> const asked(words + 1, words + count);
    std::string const part = asked.size() > 1 ? asked[1] : "";
    if (!asked.empty() && asked[0] == "legacy") return legacy_metrics(part);
    if (!asked.empty() && (asked[0] == "domains" || asked[0] == "events" || asked[0] == "derived"))
        return events(asked[0], part);
    if (!asked.empty() && asked[0] == "embedded")
        return asked.size() > 1 ? embedded(part, asked.size() > 2 ? asked[2] : "") : embedded_summary();
    hw::machine const& machine = hw::real_machine();
    if (machine.cupti_error) {
        std::cout << "No CUPTI to ask.\n" << machine.cupti_error->message() << '\n';
        return 0;
    }
    hw::open_companion(machine.cupti_library, "libnvperf_host.so");
    if (asked.empty() || asked[0] == "chips") return chips(machine);
    if (asked[0] == "passes" && asked.size() > 2)
        return passes(machine, spelled(asked[1]), {asked.begin() + 2, asked.end()});
    if (asked.size() > 1) {
        auto host = hw::metric_host::try_open(machine.cupti, spelled(asked[1]));
        if (!host) return fail(host.error());
        if (asked[0] == "metrics") return metrics(*host, asked.size() > 2 ? asked[2] : "");
        if (asked[0] == "metric" && asked.size() > 2) return metric(*host, asked[2]);
    }
    std::cerr << "usage: query chips | metrics CHIP [part] | metric CHIP name | passes CHIP name... |\n"
                 "             embedded [CHIP [part]] | domains | events [part] | derived [part] | legacy [part]\n";
    return 2;
}
