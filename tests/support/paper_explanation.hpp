// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An explanation of a report written here, with hostile names, for tests of what is written. Warps wait half of their time for
// memory, DRAM is busy for half of the time, and the rule says that half of the waiting goes. What that saves is the time
// model's matter: tests compare with the explanation's own numbers.
#ifndef GPUPROF_TESTS_SUPPORT_PAPER_EXPLANATION_HPP
#define GPUPROF_TESTS_SUPPORT_PAPER_EXPLANATION_HPP

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/explain.hpp>

namespace paper {

namespace explain = gpuprof::explain;

inline constexpr std::string_view hostile = "</script><img src=x onerror=\"document.title='broken'\">&lt;'\xff";

inline constexpr explain::section_row time_rows[]{
    {"Duration", "gpu__time_duration.sum"},
    {"Bytes <read>", "dram__bytes_read.sum"},
    {"Bytes a sector", "dram__bytes_read.sum", "dram__sectors_read.sum"},
    {"L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"DRAM", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Cache", "launch__func_cache_config"},
};
inline constexpr explain::section times{"times", "Times & bytes", "What it took.", time_rows};
inline constexpr explain::section_row other_rows[]{{"Nothing", "lts__t_sectors.sum"}};
inline constexpr explain::section others{"others", "Others", "Of which nothing is known.", other_rows};
inline constexpr explain::section const* sections[]{&times, &others};

inline void judge_waits(explain::examination_of_range& of) {
    if (of.values.range().name() == "quiet") return of.cannot("no value of x");
    auto const bytes = of.values.find("dram__bytes_read.sum");
    if (!bytes || *bytes == 0) return;
    explain::finding what;
    what.condition = "bytes, over those <needed>";
    what.measured = *bytes / 1000;
    what.threshold = 1.25;
    what.meaning = "all & more is read";
    what.lines = {"a<b>.cu:12", "b.cu:3"};
    what.what_if = "500 bytes";
    of.say(std::move(what), explain::change{}.scale("long_scoreboard", 0.5));
}
inline void judge_note(explain::examination_of_range& of) {
    if (of.values.range().name() == "quiet") return of.cannot("no value of x");
    explain::finding what;
    what.kind = explain::finding_kind::information;
    what.meaning = "it ran";
    of.say(std::move(what), {});
}
inline constexpr explain::rule rules[]{
    {"too_many_bytes", "Too many bytes", "times", "Read less.", {}, &judge_waits},
    {"it_ran", "It ran", "times", "", {}, &judge_note},
};

// What a range has measured.
inline std::vector<std::pair<std::string, double>> measured(double bytes, double nanoseconds) {
    std::vector<std::pair<std::string, double>> values;
    for (std::string const& name : explain::bottleneck_metric_names()) values.emplace_back(name, 0.0);
    auto const set = [&values](std::string_view name, double value) {
        for (auto& each : values)
            if (each.first == name) return static_cast<void>(each.second = value);
        values.emplace_back(name, value);
    };
    set("smsp__warps_active.sum", 1000);
    set("smsp__warps_issue_stalled_long_scoreboard.sum", 500);
    set("dram__throughput.avg.pct_of_peak_sustained_elapsed", 50);
    set("sm__cycles_elapsed.max", 100);
    set("sm__cycles_active.max", 100);
    set("sm__cycles_active.avg", 100);
    set("gpu__time_duration.sum", nanoseconds);
    set("dram__bytes_read.sum", bytes);
    set("dram__sectors_read.sum", 125);
    set("lts__t_sectors.sum", std::numeric_limits<double>::quiet_NaN());
    set("launch__func_cache_config", std::numeric_limits<double>::quiet_NaN());
    return values;
}

// One launch of a kernel in a loop. Without bytes the rule finds nothing.
struct launch {
    std::string name;
    double bytes;
    double nanoseconds;
    std::size_t count = 1;
};
inline explain::explanation launched(std::vector<launch> const& all) {
    gpuprof::report::contents made;
    for (launch const& each : all) {
        bool const first = made.metrics.empty();
        made.ranges.push_back({each.name, gpuprof::report::range::top, each.count, {made.ranges.size()}});
        for (auto const& [name, value] : measured(each.bytes, each.nanoseconds)) {
            if (first) made.metrics.push_back(*gpuprof::try_metric(name));
            made.values.push_back(value);
        }
    }
    return explain::explanation{gpuprof::report{std::move(made)}, explain::set{"paper", sections}, rules};
}

// @param bytes that the first range reads
inline explain::explanation explained(double bytes = 2000) {
    gpuprof::report::contents made;
    made.device = "Paper <GPU>";
    made.chip = "GH100";
    made.source = gpuprof::device_source::embedded;
    made.hardware = "range profiler";
    auto const values = measured(bytes, 300000);
    std::size_t column = 0;
    for (auto const& [name, value] : values) {
        made.metrics.push_back(*gpuprof::try_metric(name));
        made.fidelities.push_back(name == "dram__bytes_read.sum" ? gpuprof::fidelity::modelled
                                                                 : gpuprof::fidelity::exact);
        made.values.push_back(value);
        if (name == "launch__func_cache_config") {
            gpuprof::report_note note;
            note.metric = column;
            note.value.text = "prefer <L1>";
            made.notes.push_back(std::move(note));
        }
        ++column;
    }
    for (int row = 1; row < 4; ++row) // the second range took 0.1 ms, the others nothing that is known
        for (auto const& [name, value] : values)
            made.values.push_back(name == "gpu__time_duration.sum"
                                      ? (row == 1 ? 100000 : std::numeric_limits<double>::quiet_NaN())
                                  : name == "dram__bytes_read.sum" ? 0
                                                                   : value);
    made.ranges = {{std::string{hostile}, gpuprof::report::range::top, 1, {0}},
                   {"saxpy", gpuprof::report::range::top, 1, {1}},
                   {"quiet", gpuprof::report::range::top, 2, {2, 3}}};
    made.completeness.passes_needed = 3;
    made.completeness.problems.push_back({gpuprof::errc::not_collected, 12, "what <b>", "why\n", "do"});
    made.completeness.problems.push_back({gpuprof::errc::unavailable, 0, "launch__func_cache_config", "no driver", ""});
    return explain::explanation{gpuprof::report{std::move(made)}, explain::set{"paper", sections}, rules};
}

} // namespace paper

#endif // GPUPROF_TESTS_SUPPORT_PAPER_EXPLANATION_HPP
