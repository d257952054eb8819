// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two baselines and prints a Markdown table for a pull request. You learn: baseline::try_read, try_compare, markdown.
//
//     compare_baselines BEFORE.json AFTER.json [--all] [--tolerance PERCENT] [--across-devices] [--across-fidelities]
//
// Exit: 0, 1 if a value got worse, 2 if the files cannot be compared.
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include <gpuprof/judge/baseline.hpp>

int main(int count, char** arguments) {
    std::vector<std::string_view> files;
    gpuprof::baseline_options options;
    bool all = false;
    for (int i = 1; i < count; ++i) {
        std::string_view const word = arguments[i];
        if (word == "--all") all = true;
        else if (word == "--across-devices") options.across_devices = true;
        else if (word == "--across-fidelities") options.across_fidelities = true;
        else if (word == "--tolerance" && i + 1 < count)
            options.tolerance = gpuprof::percent{std::atof(arguments[++i])};
        else files.push_back(word);
    }
    if (files.size() != 2) {
        std::cout << "compare_baselines BEFORE.json AFTER.json [--all] [--tolerance PERCENT] [--across-devices] "
                     "[--across-fidelities]\n";
        return files.empty() ? 0 : 2;
    }
    auto const before = gpuprof::baseline::try_read(std::string{files[0]});
    auto const after = gpuprof::baseline::try_read(std::string{files[1]});
    for (auto const* const read : {&before, &after}) {
        if (*read) continue;
        std::cerr << read->error().message() << '\n';
        return 2;
    }
    auto const changes = gpuprof::try_compare(*before, *after, options);
    if (!changes) {
        std::cerr << changes.error().message() << '\n';
        return 2;
    }
    std::cout << gpuprof::markdown(*changes, all);
    for (gpuprof::value_change const& each : *changes)
        if (each.what == gpuprof::change::worse) return 1;
    return 0;
}
