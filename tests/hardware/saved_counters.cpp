// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of kernels that are saved by one process and evaluated for other metrics by another, which needs no GPU.
//
//     saved_counters measure TESTS/HARDWARE FOLDER    measures on the device that GPUPROF_DEVICE names. Writes all.json (a report
//                                                     that measured both lists below), few.json (the first list alone), and
//                                                     direct_all.txt, direct_few.txt: the second list as it was measured
//     saved_counters evaluate FOLDER                  reads the reports; evaluated_all.txt, evaluated_few.txt: the second list
//                                                     as their counters give it
//
// A line of a text is "KERNEL METRIC BITS VALUE", or "KERNEL METRIC missing WHY". The kernels are those of the suite, on the
// embedded GPU, which is slow, every sixth.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

#include "suite.hpp"

namespace {

// What few.json has counters of.
constexpr char const* measured[]{"smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                 "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "smsp__cycles_elapsed.max"};
// Other roll-ups and rates of the same counters, and what needs counters of its own.
constexpr char const* others[]{"smsp__inst_executed.avg",
                               "smsp__inst_executed.min",
                               "smsp__inst_executed.max",
                               "smsp__inst_executed.sum.per_cycle_elapsed",
                               "smsp__inst_executed.sum.per_second",
                               "smsp__inst_executed.sum.pct_of_peak_sustained_elapsed",
                               "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
                               "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.avg",
                               "smsp__cycles_elapsed.sum",
                               "dram__bytes_read.sum",
                               "sm__throughput.avg.pct_of_peak_sustained_elapsed"};

std::vector<gpuprof::metric_info> list_of(std::vector<char const*> const& names) {
    std::vector<gpuprof::metric_info> list;
    for (char const* const name : names) list.push_back(gpuprof::try_metric(name).value());
    return list;
}
std::vector<gpuprof::metric_info> other_metrics() { return list_of({std::begin(others), std::end(others)}); }

// Of the second list. The number of values that are missing.
std::size_t write(gpuprof::report const& of, std::string const& file) {
    std::ofstream out{file};
    std::size_t missing = 0;
    for (gpuprof::range_view const range : of)
        for (char const* const metric : others) {
            out << range.path() << ' ' << metric << ' ';
            if (auto const value = range.try_value(metric); value) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, &value->value, sizeof bits);
                out << std::hex << bits << std::dec << ' ' << value->value << '\n';
            } else {
                out << "missing " << value.error().cause << '\n';
                ++missing;
            }
        }
    return missing;
}

gpuprof::report run(gpuprof::device const& gpu, kernel_suite& suite, std::vector<gpuprof::metric_info> const& metrics) {
    gpuprof::profiler_options options;
    options.keep_counter_data = true;
    options.empty_ranges = true;
    gpuprof::profiler prof{gpu, options, metrics};
    for (gpuprof::pass const& each : prof.passes()) {
        static_cast<void>(each);
        bool const slow = gpu.source() == gpuprof::device_source::embedded;
        for (std::size_t at = 0; at < std::size(suite_kernels); at += slow ? 6 : 1) {
            gpuprof::scope kernel{prof, suite_kernels[at].name};
            suite.launch(at);
            suite.wait();
        }
    }
    gpuprof::report made = prof.report();
    std::printf("%zu ranges of %zu metrics in %zu passes: %zu bytes of counters\n", made.size(), metrics.size(),
                prof.passes_needed(),
                made.whole().counters.get() != nullptr ? made.whole().counters.get()->image.size() : std::size_t{0});
    for (gpuprof::error const& each : made.completeness().problems) std::printf("%s\n", each.message().c_str());
    return made;
}

int measure(std::string const& sources, std::string const& folder) {
    gpuprof::device const gpu = gpuprof::open_device();
    std::printf("%s\n", std::string{gpu.name()}.c_str());
    kernel_suite suite{gpu, sources};
    std::vector<char const*> both{std::begin(measured), std::end(measured)};
    both.insert(both.end(), std::begin(others), std::end(others));
    gpuprof::report const all = run(gpu, suite, list_of(both));
    gpuprof::save(all, folder + "/all.json");
    gpuprof::save(run(gpu, suite, list_of({std::begin(measured), std::end(measured)})), folder + "/few.json");
    static_cast<void>(write(all, folder + "/direct_all.txt"));
    static_cast<void>(write(run(gpu, suite, other_metrics()), folder + "/direct_few.txt"));
    return 0;
}

int evaluate(std::string const& folder) {
    for (std::string const which : {"all", "few"}) {
        gpuprof::report const saved = gpuprof::load_report(folder + "/" + which + ".json");
        std::size_t const missing =
            write(gpuprof::evaluate(saved, other_metrics()), folder + "/evaluated_" + which + ".txt");
        std::printf("%s.json: %zu ranges evaluated, %zu of %zu values missing\n", which.c_str(), saved.size(), missing,
                    saved.size() * std::size(others));
    }
    return 0;
}

} // namespace

int main(int count, char** words) try {
    std::string const what = count > 1 ? words[1] : "";
    if (what == "measure" && count == 4) return measure(words[2], words[3]);
    if (what == "evaluate" && count == 3) return evaluate(words[2]);
    std::printf("saved_counters measure TESTS/HARDWARE FOLDER | evaluate FOLDER\n");
    return 2;
} catch (std::exception const& failure) {
    std::printf("%s\n", failure.what());
    return 1;
}
