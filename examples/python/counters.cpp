// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof as three C functions, which Python calls by ctypes. You learn how a loop over passes runs a function of another
// language, and how a report becomes a row for each value.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>

namespace {

gpuprof::profiler* current = nullptr;
std::deque<gpuprof::scope> open_scopes; // which cannot be moved
std::string answer;

// "smsp__warps_launched.sum,dram__bytes_read.sum"
std::vector<gpuprof::metric_info> metrics_named(std::string const& list) {
    std::vector<gpuprof::metric_info> metrics;
    for (std::size_t at = 0; at <= list.size();) {
        std::size_t const comma = std::min(list.find(',', at), list.size());
        metrics.push_back(gpuprof::try_metric(list.substr(at, comma - at)).value()); // throws, with the nearest name
        at = comma + 1;
    }
    return metrics;
}

std::string rows_of(gpuprof::report const& report) {
    std::string rows = "range,metric,unit,value\n";
    for (auto const range : report)
        for (auto const& metric : report.metrics())
            if (auto const value = range.try_value(metric.name))
                rows += '"' + range.path() + "\"," + metric.name + ',' +
                        std::string{gpuprof::unit_symbol{metric.value_unit}.view()} + ',' +
                        std::to_string(value->value) + '\n';
    return rows;
}

} // namespace

extern "C" {

// Calls `body` once for each pass that the metrics need. @return rows of CSV, or a line that begins with "error: "; it holds
// until the next call. Not thread-safe.
char const* counters_measure(char const* metrics, void (*body)()) {
    try {
        static gpuprof::device const gpu = gpuprof::open_device();
        gpuprof::profiler prof{gpu, gpuprof::profiler_options{}, metrics_named(metrics)};
        current = &prof;
        for ([[maybe_unused]] auto pass : prof.passes()) body();
        answer = rows_of(prof.report());
    } catch (std::exception const& why) {
        answer = std::string{"error: "} + why.what();
    }
    current = nullptr;
    return answer.c_str();
}

// A range, within the body. Ranges nest.
void counters_begin(char const* name) {
    if (current != nullptr) open_scopes.emplace_back(*current, name);
}
void counters_end() {
    if (!open_scopes.empty()) open_scopes.pop_back();
}
}
