// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How well gains could be estimated if more were known: each planted flaw's estimate again, with parts of what its rule says would
// change replaced by what did change, as counted in the mended kernel (tests/hardware/pairs). Where a rule is right about the flaw,
// what is left is the time model's error, and the noise of the times.
//   pair_limits list.csv time.csv <values.csv
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/explain.hpp>

#include "pair_values.hpp"

namespace {
namespace explain = gpuprof::explain;

// What is taken from the mended kernel in place of what the rule says.
struct knowledge {
    char const* words;
    bool work, waits, warps;
};
constexpr knowledge known[]{{"as the rule says", false, false, false},
                            {"with the mended kernel's instructions and its work of each unit", true, false, false},
                            {"and with its waits", true, true, false},
                            {"and with its resident warps", true, true, true}};

// The change from one kernel to another, as counted: units and waits as shares of what there was.
explain::change counted(explain::time_profile const& from, explain::time_profile const& to, explain::evidence& before,
                        explain::evidence& after) {
    auto const ratio = [&](std::string_view metric) {
        return after.find_or(metric, 1) / std::max(1e-9, before.find_or(metric, 1));
    };
    explain::change made;
    made.instructions = ratio("smsp__inst_executed.sum");
    double const cycles = ratio("sm__cycles_elapsed.max"), warp_cycles = ratio("smsp__warps_active.sum");
    made.warps = warp_cycles / ratio("sm__cycles_active.avg");
    for (std::size_t i = 0; i < explain::gpu_units; ++i) {
        if (from.busy[i] > 0.02) made.busy[i] = to.busy[i] * cycles / from.busy[i];
        if (static_cast<explain::gpu_unit>(i) == explain::gpu_unit::issue) made.busy[i] /= made.instructions;
    }
    for (std::size_t i = 0; i < explain::stall_reason_count; ++i) {
        if (from.stalled[i] > 0.005) made.stalled[i] = to.stalled[i] * warp_cycles / from.stalled[i];
        if (explain::detail::goes_with_instructions(explain::stall_reasons[i])) made.stalled[i] /= made.instructions;
    }
    return made;
}

// The proposal of a kernel that names the flaw and saves most.
std::optional<explain::proposal> planted(gpuprof::range_view const& kernel, explain::time_profile const& now,
                                         std::string const& ids) {
    std::optional<explain::proposal> most;
    for (explain::rule const& each : explain::all_rules()) {
        explain::examination_of_range looked{each, kernel, 0, now};
        each.judge(looked);
        for (explain::proposal& one : looked.proposals()) {
            std::string const id{one.what.id};
            if ((" " + ids + " ").find(" " + id + " ") == std::string::npos) continue;
            if (!most || one.what.gain.likely > most->what.gain.likely) most = std::move(one);
        }
    }
    return most;
}
} // namespace

int main(int count, char** words) {
    if (count != 3) return std::fputs("pair_limits list.csv time.csv <values.csv\n", stderr), 2;
    gpuprof::report const values = read_pair_values(std::cin);
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < values.size(); ++i) place[values.at(i).path()] = i;
    std::ifstream list{words[1]}, time{words[2]};
    auto const times = read_pair_rows(time);
    std::vector<double> errors[std::size(known)];
    for (auto const& [name, listed] : read_pair_rows(list)) {
        bool const again = name.find("_again") != std::string::npos; // changes of mended kernels
        auto const bad = place.find(listed[3]), mended = place.find(listed[4]);
        auto const timed = times.find(name);
        if (again || bad == place.end() || mended == place.end() || timed == times.end()) continue;
        double const gain = 100 * (1 - std::stod(timed->second[2]) / std::stod(timed->second[1]));
        if (std::fabs(gain) < 3) continue; // a trap
        gpuprof::range_view const from = values.at(bad->second), to = values.at(mended->second);
        explain::evidence before{from}, after{to};
        explain::time_profile const now = explain::time_profile::of(before), then = explain::time_profile::of(after);
        auto const found = planted(from, now, listed[6]);
        if (!found) continue;
        explain::change const really = counted(now, then, before, after);
        for (std::size_t i = 0; i < std::size(known); ++i) {
            explain::change by = found->mended;
            if (known[i].work) {
                by.instructions = really.instructions;
                by.busy = really.busy;
            }
            if (known[i].waits) by.stalled = really.stalled;
            if (known[i].warps) by.warps = really.warps;
            double const likely = known[i].work ? explain::estimate(now, by).likely : found->what.gain.likely;
            errors[i].push_back(std::fabs(100 * likely - gain));
        }
    }
    for (std::size_t i = 0; i < std::size(known); ++i) {
        std::vector<double>& each = errors[i];
        std::sort(each.begin(), each.end());
        if (each.empty()) return std::fputs("no pair was compared\n", stderr), 1;
        std::printf("%s: off by %.1f points in the median, more than 20 in %td of %zu\n", known[i].words,
                    each[each.size() / 2], std::count_if(each.begin(), each.end(), [](double e) { return e > 20; }),
                    each.size());
    }
}
