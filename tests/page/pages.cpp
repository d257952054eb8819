// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the pages that check.py opens, and the same explanation as JSON: pages FOLDER
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include <gpuprof/explain.hpp>
#include <gpuprof/ranks.hpp>

#include "support/paper_explanation.hpp"

namespace ranks = gpuprof::ranks;

namespace {

// Twelve ranks, the last of which has more to do; names are hostile.
ranks::rank_report many_ranks() {
    ranks::rank_report made;
    made.size = 13;
    made.heard = 12;
    made.silent.push_back({7, 0});
    made.work = {{1, 11, {0, 1, 2, 3}}, {2, 1, {12}}};
    made.places.push_back({12, "node<3>, GPU \"x\""});
    made.problems.push_back(ranks::problem_of(made.silent));
    for (char const* const range : {"saxpy", "a <b> & c"})
        for (char const* const metric : {"gpu__time_duration.sum", "smsp__inst_executed.sum", "dram__bytes_read.sum"}) {
            ranks::rank_row& row = made.rows.emplace_back();
            row.range = range;
            row.metric = gpuprof::try_metric(metric).value();
            double const step = row.metric.name[0] == 's' ? 0 : 0.125;
            for (std::size_t rank = 0; rank < 13; ++rank)
                if (rank != 7) row.values.add((rank == 12 ? 3000 : 1000) + step * static_cast<double>(rank), rank);
        }
    return made;
}
ranks::straggler_report one_straggler() {
    ranks::straggler_report made;
    made.size = made.heard = 13;
    made.found.push_back({12, "node<3>", "saxpy", ranks::straggler_cause::more_work, 2, 2000, 3000, 1000});
    return made;
}

} // namespace

int main(int count, char** arguments) try {
    if (count != 2) return 2;
    std::string const folder = arguments[1];
    auto const why = paper::explained();
    gpuprof::io::page_options options;
    options.baselines.push_back({"before", paper::explained(1000)});
    gpuprof::io::write_page(folder + "/alone.html", why);
    gpuprof::io::write_page(folder + "/compared.html", why, options);
    gpuprof::io::write_page(folder + "/nothing.html", gpuprof::explain::explanation{});
    auto const of_ranks = many_ranks();
    auto const slower = one_straggler();
    gpuprof::io::page_options with_ranks;
    with_ranks.sections.push_back(gpuprof::io::ranks_section(of_ranks, &slower));
    for (auto const& each : why.findings())
        with_ranks.ranks_of_findings.push_back({each.path, each.id, "on rank <12>"});
    gpuprof::io::write_page(folder + "/ranks.html", why, with_ranks);
    std::ofstream{folder + "/ranks.json"} << gpuprof::io::json(of_ranks);
    std::ofstream{folder + "/slower.json"} << gpuprof::io::json(slower);
    std::ofstream{folder + "/why.json"} << gpuprof::io::json(why);
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
