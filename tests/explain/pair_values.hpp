// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was measured of the kernels of tests/hardware/pairs, as reports: reads what measure_pairs.cu wrote.
#ifndef TESTS_EXPLAIN_PAIR_VALUES_HPP
#define TESTS_EXPLAIN_PAIR_VALUES_HPP

#include <cstddef>
#include <cstdlib>
#include <istream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/measure/report.hpp>
#include <gpuprof/metric/info.hpp>

// A report with a range for each row.
[[nodiscard]] inline gpuprof::report read_pair_values(std::istream& in) {
    gpuprof::report::contents made;
    made.device = "the GPU of the pairs";
    made.chip = "GH100";
    made.completeness.passes_needed = made.completeness.replay_passes = 2; // several: how many is not in the file
    std::string line, cell;
    std::getline(in, line);
    std::istringstream head{line};
    std::getline(head, cell, ',');
    while (std::getline(head, cell, ',')) made.metrics.push_back(gpuprof::try_metric(cell).value());
    while (std::getline(in, line)) {
        std::istringstream row{line};
        std::getline(row, cell, ',');
        made.ranges.push_back({cell, gpuprof::report::range::top, 1, {made.ranges.size()}});
        for (std::size_t i = 0; i < made.metrics.size(); ++i) {
            cell.clear();
            std::getline(row, cell, ',');
            made.values.push_back(cell.empty() ? std::numeric_limits<double>::quiet_NaN()
                                               : std::strtod(cell.c_str(), nullptr));
        }
    }
    return gpuprof::report{std::move(made)};
}

// Rows of last_pairs_list.csv or last_pairs_time.csv by their first cell; cells in quotes have no commas that matter here.
[[nodiscard]] inline std::map<std::string, std::vector<std::string>> read_pair_rows(std::istream& in) {
    std::map<std::string, std::vector<std::string>> rows;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::vector<std::string> cells;
        std::string cell;
        bool quoted = false;
        for (char const c : line + ",") {
            if (c == '"') quoted = !quoted;
            else if (c != ',' || quoted) cell += c;
            else cells.push_back(std::exchange(cell, {}));
        }
        rows[cells.front()] = cells;
    }
    return rows;
}

#endif // TESTS_EXPLAIN_PAIR_VALUES_HPP
