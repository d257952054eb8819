// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports made by hand, for tests of what judges them.
#ifndef GPUPROF_TESTS_JUDGE_JUDGED_REPORTS_HPP
#define GPUPROF_TESTS_JUDGE_JUDGED_REPORTS_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/measure/report.hpp>
#include <gpuprof/metric/named_metrics.hpp>

struct made_value {
    gpuprof::metric_info metric;
    double value;
    gpuprof::fidelity how = gpuprof::fidelity::exact;
};

// A report of one range "step" in which one kernel ran; a GPU's, unless that is changed.
inline gpuprof::report_contents contents_of(std::vector<made_value> const& values) {
    gpuprof::report_contents made;
    made.device = "Paper GPU";
    made.chip = "GH100";
    made.hardware = "paper";
    made.completeness.passes_needed = made.completeness.replay_passes = 1;
    gpuprof::report_range step{"step", gpuprof::report_range::top, 1, {0}};
    step.launches.heard = true;
    step.launches.kernels = 1;
    step.launches.kernel = "saxpy<<<(4, 1, 1), (96, 1, 1)>>>";
    made.ranges.push_back(std::move(step));
    for (made_value const& each : values) {
        made.metrics.push_back(each.metric);
        made.values.push_back(each.value);
        made.fidelities.push_back(each.how);
    }
    return made;
}
inline gpuprof::report report_of(std::vector<made_value> const& values) { return gpuprof::report{contents_of(values)}; }

// The words of a text, wherever its lines are broken.
inline std::string words_of(std::string_view text) {
    std::string words;
    for (char const c : text) {
        bool const blank = c == ' ' || c == '\n';
        if (!blank) words += c;
        else if (!words.empty() && words.back() != ' ') words += ' ';
    }
    return words;
}
inline bool has(std::string_view text, std::string_view part) {
    return words_of(text).find(words_of(part)) != std::string::npos;
}

#endif // GPUPROF_TESTS_JUDGE_JUDGED_REPORTS_HPP
