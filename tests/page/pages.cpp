// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the pages that check.py opens, and the same explanation as JSON: pages FOLDER
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include <gpuprof/explain.hpp>

#include "support/paper_explanation.hpp"

int main(int count, char** arguments) try {
    if (count != 2) return 2;
    std::string const folder = arguments[1];
    auto const why = paper::explained();
    gpuprof::io::page_options options;
    options.baselines.push_back({"before", paper::explained(1000)});
    gpuprof::io::write_page(folder + "/alone.html", why);
    gpuprof::io::write_page(folder + "/compared.html", why, options);
    gpuprof::io::write_page(folder + "/nothing.html", gpuprof::explain::explanation{});
    std::ofstream{folder + "/why.json"} << gpuprof::io::json(why);
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
