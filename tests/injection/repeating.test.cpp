// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof replay --mode kernel, launch and range from end to end: a program that knows nothing of gpuprof runs once, and counts what it
// counts when it is run once a pass.
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>

#include "support/scratch_directory.hpp"

namespace repeating_test {

namespace {

std::string text_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

struct outcome {
    int status = -1; // as a shell tells it
    std::string printed, told;
};
outcome gpuprof_command(scratch_directory const& in, std::string const& words) {
    std::string const command = "cd " + in.path() + " && env -u GPUPROF_CHIP -u GPUPROF_DEVICE " +
                                GPUPROF_TEST_COMMAND + ' ' + words + " >out 2>err </dev/null; exit $?";
    int const status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(in.path() + "/out"), text_of(in.path() + "/err")};
}
gpuprof::report kept(scratch_directory const& in) {
    auto loaded = gpuprof::try_load_report(in.path() + "/report");
    REQUIRE(loaded);
    return *std::move(loaded);
}

// More than one pass.
constexpr std::string_view names[]{"smsp__inst_executed.sum", "smsp__warps_launched.sum",
                                   "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};
std::string replay(std::string const& options, std::string const& program) {
    std::string metrics;
    for (std::string_view const each : names) metrics += (metrics.empty() ? "" : ",") + std::string{each};
    return "replay --chip gv100 --passes --keep report --metrics " + metrics + ' ' + options + " -- " + program;
}
std::string const program = GPUPROF_TEST_RUNTIME_PROGRAM;

std::vector<double> values_of(gpuprof::report const& of, std::string_view range, std::string_view metric) {
    auto const found = of.try_range(range);
    REQUIRE(found);
    auto const values = found->try_values(metric);
    REQUIRE(values);
    return {values->begin(), values->end()};
}
double sum_of(gpuprof::report const& of, std::string_view metric) {
    double sum = 0;
    for (auto const& range : of)
        for (double const each : range.try_values(metric).value()) sum += each;
    return sum;
}

} // namespace

TEST_CASE("gpuprof replay counts the same in each mode, and the program runs once and sees one execution") {
    scratch_directory const scratch;
    // Three launches, of which two change their input; the program looks at the result.
    auto const application = gpuprof_command(scratch, replay("", program + " blocks"));
    INFO(application.told);
    REQUIRE(application.status == 0);
    auto const expected = kept(scratch);
    REQUIRE(sum_of(expected, names[1]) == 1 + 1 + 2); // warps
    for (std::string const mode : {"kernel", "launch", "range --range waits"}) {
        CAPTURE(mode);
        auto const of = gpuprof_command(scratch, replay("--mode " + mode, program + " blocks"));
        INFO(of.told);
        CHECK(of.status == 0);
        CHECK(of.printed == "PASSED\n");
        auto const here = kept(scratch);
        for (auto const& problem : here.completeness().problems) CHECK(problem.message() == "");
        CHECK(here.completeness().passes_needed > 1);
        for (std::string_view const metric : names) CHECK(sum_of(here, metric) == sum_of(expected, metric));
    }
    // Two launches until the program copies their result, and one until its end.
    auto const ranges = kept(scratch);
    REQUIRE(ranges.size() == 1);
    CHECK(values_of(ranges, "from scale", names[1]) == std::vector<double>{2, 2});
}

TEST_CASE("gpuprof replay puts back what a range copies to an array") {
    scratch_directory const scratch;
    auto const of = gpuprof_command(scratch, replay("--mode range --range waits", program + " array"));
    INFO(of.told);
    CHECK(of.status == 0);
    CHECK(of.printed == "PASSED\n"); // the program looks at the array
    auto const whole = kept(scratch);
    for (auto const& problem : whole.completeness().problems) CHECK(problem.message() == "");
    CHECK(whole.completeness().passes_needed > 1);
    // Two launches until the program copies their result, and two around copies from and to the array.
    CHECK(values_of(whole, "from scale", names[1]) == std::vector<double>{2, 2});
}

#ifdef GPUPROF_TEST_NVTX_PROGRAM
TEST_CASE("gpuprof replay measures the NVTX ranges of a program, with the calls of all threads in them") {
    scratch_directory const scratch;
    auto const of = gpuprof_command(scratch, replay("--mode range", GPUPROF_TEST_NVTX_PROGRAM));
    INFO(of.told);
    REQUIRE(of.status == 0);
    auto const whole = kept(scratch);
    for (auto const& problem : whole.completeness().problems) CHECK(problem.message() == "");
    // Each launch is one warp: four of this thread, and two of another one, whose range is not measured.
    CHECK(values_of(whole, "epoch", names[1]) == std::vector<double>{6});
    std::string const inner = "epoch/w\u00e4rm \u20ac \U0001f600";
    CHECK(values_of(whole, inner, names[1]) == std::vector<double>{2, 2});
    CHECK(values_of(whole, inner + "/loader:batch", names[1]) == std::vector<double>{1, 1});
    CHECK(whole.size() == 3);
    CHECK(whole.completeness().other_threads == 1);

    // Ranges of the process: of the calls of all threads, whichever started or ended them.
    auto const of_process = gpuprof_command(
        scratch, replay("--mode range --range nvtx", GPUPROF_TEST_NVTX_PROGRAM + std::string{" started"}));
    INFO(of_process.told);
    REQUIRE(of_process.status == 0);
    auto const started = kept(scratch);
    for (auto const& problem : started.completeness().problems) CHECK(problem.message() == "");
    CHECK(started.completeness().other_threads == 0);
    CHECK(values_of(started, "load", names[1]) == std::vector<double>{2});
    CHECK(values_of(started, "loader:work", names[1]) == std::vector<double>{1});
    CHECK(values_of(started, "a", names[1]) == std::vector<double>{3}); // it lasts until b within it ends
    CHECK(values_of(started, "a/b", names[1]) == std::vector<double>{2});
    CHECK(started.size() == 4);

    auto const chosen = gpuprof_command(scratch, replay("--mode range --nvtx '^loader:'", GPUPROF_TEST_NVTX_PROGRAM));
    INFO(chosen.told);
    REQUIRE(chosen.status == 0);
    CHECK(values_of(kept(scratch), "loader:batch", names[1]) == std::vector<double>{1, 1});
    CHECK(kept(scratch).size() == 1);
}
#endif

TEST_CASE("gpuprof replay measures what lies between cuProfilerStart and cuProfilerStop") {
    scratch_directory const scratch;
    auto const of = gpuprof_command(scratch, replay("--mode range --range profiler", program + " profiled"));
    INFO(of.told);
    REQUIRE(of.status == 0);
    CHECK(kept(scratch).completeness().problems.empty());
    CHECK(kept(scratch).size() == 1);
    CHECK(values_of(kept(scratch), "cuProfilerStart", names[1]) == std::vector<double>{2});
}

TEST_CASE("gpuprof replay says that a program marks no range, and refuses options that do not go together") {
    scratch_directory const scratch;
    auto const unmarked = gpuprof_command(scratch, replay("--mode range", program));
    CHECK(unmarked.status == 1);
    CHECK(unmarked.printed == "PASSED\n");
    CHECK(has(unmarked.told, "no range was measured: the program marks none; --range waits measures"));
    for (std::string const options : {"--range waits", "--mode launch --nvtx step", "--mode range --fresh",
                                      "--mode launch --kernels scale", "--mode graph"}) {
        CAPTURE(options);
        auto const of = gpuprof_command(scratch, replay(options, program));
        CHECK(of.status == 2);
        CHECK(of.printed.empty());
    }
}

} // namespace repeating_test
