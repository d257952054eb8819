// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of a range in nanobench's own JSON; adaptor_reports.py reads it.
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include <iostream>

#include "judge/adaptor/measured_launch.hpp"

#include <gpuprof/judge/adaptor/benchmarks.hpp>

int main() {
    for (auto const& m : {measured_launch(), measured_nothing()}) {
        ankerl::nanobench::Bench bench;
        bench.output(nullptr).epochs(1).epochIterations(1);
        add_counters(bench, m);
        bench.run("nothing", [] {});
        bench.render("{{#result}}{\"warps\": \"{{context(smsp__warps_launched.sum)}}\"}\n{{/result}}", std::cout);
    }
}
