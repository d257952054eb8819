// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what the rules find in measured kernels of tests/hardware/pairs, as JSON for pairs_table.py.
//   pair_findings <values.csv >gpuprof.json
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gpuprof/explain.hpp>

#include "pair_values.hpp"

int main() try {
    gpuprof::explain::explanation const why{read_pair_values(std::cin), gpuprof::explain::set::full};
    std::map<std::string, std::vector<gpuprof::explain::finding const*>> of_kernel;
    for (auto const& range : why.ranges()) of_kernel[range.path];
    for (auto const& each : why.findings())
        if (each.kind == gpuprof::explain::finding_kind::advice) of_kernel[each.path].push_back(&each);
    char const* separator = "{\n";
    for (auto const& kernel : of_kernel) {
        std::printf("%s\"%s\": [", separator, kernel.first.c_str());
        separator = ",\n";
        char const* comma = "";
        for (auto const* each : kernel.second) {
            std::printf("%s{\"id\": \"%s\", \"likely\": %.1f, \"estimate\": [%.1f, %.1f]}", comma,
                        std::string{each->id}.c_str(), 100 * each->gain.likely, 100 * each->gain.least,
                        100 * each->gain.most);
            comma = ", ";
        }
        std::printf("]");
    }
    std::printf("%s\n}\n", of_kernel.empty() ? "{" : "");
} catch (std::exception const& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
