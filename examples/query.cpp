// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be measured on which chip, and in how many passes; needs CUPTI, but no GPU.
// What you learn: metric_host, catalogues of CUPTI, describe(), planning without a device.
//
//     query chips                          the chips CUPTI knows
//     query metrics GH100 [part]           base metrics, those whose name contains `part`
//     query metric GH100 sm__inst_executed its sub-metrics, and what it is in words
//     query passes GH100 name [name...]    how many passes these metrics take together
#include <iostream>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/metric_describe.hpp>

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

int main(int count, char** words) {
    std::vector<std::string> const asked(words + 1, words + count);
    hw::machine const& machine = hw::real_machine();
    if (machine.cupti_error) {
        std::cout << "No CUPTI to ask.\n" << machine.cupti_error->message() << '\n';
        return 0;
    }
    hw::open_companion(machine.cupti_library, "libnvperf_host.so");
    if (asked.empty() || asked[0] == "chips") return chips(machine);
    if (asked[0] == "passes" && asked.size() > 2) return passes(machine, asked[1], {asked.begin() + 2, asked.end()});
    if (asked.size() > 1) {
        auto host = hw::metric_host::try_open(machine.cupti, asked[1]);
        if (!host) return fail(host.error());
        if (asked[0] == "metrics") return metrics(*host, asked.size() > 2 ? asked[2] : "");
        if (asked[0] == "metric" && asked.size() > 2) return metric(*host, asked[2]);
    }
    std::cerr << "usage: query chips | metrics CHIP [part] | metric CHIP name | passes CHIP name...\n";
    return 2;
}
