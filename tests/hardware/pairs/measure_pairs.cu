// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures what the rules of gpuprof read, of each kernel of the pairs, by kernel replay: a CSV with a row a kernel and a column
// a metric. An empty cell was not collected. tests/explain/pair_findings.cpp makes findings of it.
//   measure_pairs [--GROUP] [NAME...]
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <gpuprof/explain.hpp>
#include <gpuprof/gpuprof.hpp>

#include "pair.hpp"

namespace explain = gpuprof::explain;

namespace {

std::vector<std::string> read_by_rules() {
    std::vector<std::string> names = explain::bottleneck_metric_names();
    names.push_back("gpu__time_duration.sum");
    for (explain::rule const& each : explain::all_rules())
        for (auto const metric : each.metrics) names.emplace_back(metric);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

// The last launch of `work` as a row; what keeps it from being measured on the standard error output.
bool measure(gpuprof::device const& gpu, std::vector<gpuprof::metric_info> const& metrics,
             std::function<void()> const& work, std::string const& kernel) {
    work(); // its module is loaded, its data in the caches
    if (cudaError_t const status = cudaGetLastError(); status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", kernel.c_str(), cudaGetErrorString(status));
        return false;
    }
    CHECK_CUDA(cudaDeviceSynchronize());
    gpuprof::profiler_options options;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    options.max_ranges = 4;
    gpuprof::profiler prof{gpu, options, metrics};
    for (auto const& pass : prof.passes()) {
        static_cast<void>(pass);
        work();
    }
    gpuprof::report const report = prof.report();
    if (report.size() != 1) {
        std::fprintf(stderr, "%s: %zu kernels\n", kernel.c_str(), report.size());
        return false;
    }
    std::printf("%s", kernel.c_str());
    for (gpuprof::metric_info const& each : metrics) {
        auto const value = report.at(0).try_value(each.name);
        if (value) std::printf(",%.7g", value->value);
        else std::printf(",");
    }
    std::printf("\n");
    std::fflush(stdout);
    return true;
}

} // namespace

int main(int argc, char** argv) try {
    CHECK_CUDA(cudaFree(nullptr));
    auto const gpu = gpuprof::open_device();
    auto const metrics = explain::try_measurable(gpu, read_by_rules()).value();
    std::printf("kernel");
    for (gpuprof::metric_info const& each : metrics) std::printf(",%s", each.name.c_str());
    std::printf("\n");
    std::sort(pairs().begin(), pairs().end(),
              [](pair const& a, pair const& b) { return std::string(a.name) < b.name; });
    bool all = true;
    for (pair const& each : pairs()) {
        bool chosen = argc == 1;
        for (int i = 1; i < argc; ++i)
            chosen = chosen || each.name == std::string(argv[i]) || each.held_back() == group_of(argv[i]);
        if (!chosen) continue;
        workspace memory(false);
        launches const both = each.set_up(memory);
        if (both.bad) all = measure(gpu, metrics, both.bad, each.bad_kernel()) && all;
        all = measure(gpu, metrics, both.mended, each.mended_kernel()) && all;
    }
    return all ? 0 : 1;
} catch (std::exception const& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
