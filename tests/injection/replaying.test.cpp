// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof replay from end to end: real processes of a program that knows nothing of gpuprof, one pass each, that are killed, that
// differ, and whose files are damaged. What one process measures at once is by gpuprof explain, which replays each kernel.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/machine/platform/directory_lock.hpp>
#include <gpuprof/saved.hpp>

#include "support/scratch_directory.hpp"

namespace replaying_test {

namespace files = std::filesystem;

namespace {

std::string text_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}
void write(std::string const& path, std::string const& text) { std::ofstream{path, std::ios::binary} << text; }
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
std::size_t count(std::string_view text, std::string_view part) {
    std::size_t times = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++times;
    return times;
}

struct outcome {
    int status = -1; // as a shell tells it
    std::string printed, told;
};
outcome gpuprof_command(std::string const& folder, std::string const& words) {
    std::string const command = "cd " + folder + " && env -u GPUPROF_CHIP -u GPUPROF_DEVICE " + GPUPROF_TEST_COMMAND +
                                ' ' + words + " >out 2>err </dev/null; exit $?";
    int const status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder + "/out"), text_of(folder + "/err")};
}
// Nine metrics of a unit that holds a few at once, and one that patches the program.
constexpr char metrics[] = "--metrics smsp__inst_executed.sum,smsp__warps_launched.sum,smsp__thread_inst_executed.sum,"
                           "smsp__inst_executed_op_branch.sum,smsp__inst_executed_pipe_alu.sum,"
                           "smsp__inst_executed_pipe_fma.sum,smsp__inst_issued.sum,smsp__cycles_active.sum,"
                           "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum ";
constexpr char in_passes[] = "replay --chip gv100 --passes --most 8 --keep report ";
std::string const program = GPUPROF_TEST_RUNTIME_PROGRAM;

// A program that does in its run N, from 1, what the N-th of `hows` says, and from then on what the last one says. It is a
// shell, which starts the real one.
std::string changing_program(scratch_directory const& in, std::vector<std::string> const& hows) {
    std::string script = "echo run >>runs\ncase $(wc -l <runs) in\n";
    for (std::size_t i = 0; i < hows.size(); ++i)
        script += (i + 1 == hows.size() ? std::string{"*"} : std::to_string(i + 1)) + ") " + hows[i] + " ;;\n";
    write(in.path() + "/program.sh", script + "esac\n");
    return "-- sh program.sh";
}

gpuprof::report kept(scratch_directory const& in, std::string const& name = "report") {
    auto loaded = gpuprof::try_load_report(in.path() + '/' + name);
    REQUIRE(loaded);
    return *std::move(loaded);
}
// The values of the launches of a kernel, NaN for none.
std::vector<double> values_of(gpuprof::report const& of, std::string_view metric, std::size_t range = 0) {
    auto const values = of.at(range).try_values(metric);
    REQUIRE(values);
    std::vector<double> list;
    for (auto const& each : *values) list.push_back(each);
    return list;
}

} // namespace

TEST_CASE("gpuprof replay runs a program once a pass, and its report has the values of kernel replay") {
    scratch_directory const scratch;
    auto const replayed = gpuprof_command(scratch.path(), std::string{in_passes} + "-- " + program + " blocks");
    INFO(replayed.told);
    REQUIRE(replayed.status == 0);
    std::size_t const passes = count(replayed.told, "gpuprof: pass ");
    CHECK(passes > 3);
    CHECK(count(replayed.printed, "PASSED\n") == passes);
    CHECK(has(replayed.told, "gpuprof: pass 2 of " + std::to_string(passes) + "\n"));
    CHECK(has(replayed.told, "gpuprof: pass " + std::to_string(passes) + " of " + std::to_string(passes) + "\n"));
    CHECK_FALSE(files::exists(scratch.path() + "/gpuprof-replay-" + files::path{program}.filename().string()));

    auto const explained =
        gpuprof_command(scratch.path(), "explain --chip gv100 --launch all --keep explained -- " + program + " blocks");
    REQUIRE(explained.status == 0);
    auto const here = kept(scratch), there = kept(scratch, "explained");
    CHECK(here.complete());
    CHECK(here.completeness().replay_passes == passes);
    REQUIRE(here.size() == 1); // one kernel
    CHECK(here.at(0).name() == "scale");
    REQUIRE(here.at(0).count() == 3);
    REQUIRE(there.size() == 3); // a range a launch
    std::size_t compared = 0;
    for (auto const& metric : there.metrics()) {
        CAPTURE(metric.name);
        auto const found = here.at(0).try_values(metric.name);
        for (std::size_t launch = 0; launch < 3; ++launch) {
            auto const expected = there.at(launch).try_values(metric.name);
            CHECK(found.has_value() == expected.has_value());
            if (!found || !expected) continue;
            REQUIRE(found->size() == 3);
            REQUIRE(expected->size() == 1);
            bool const is_number = expected->front() == expected->front();
            CHECK((found->at(launch) == found->at(launch)) == is_number);
            if (is_number) CHECK(found->at(launch) == expected->front());
            compared += is_number ? 1 : 0;
        }
    }
    CHECK(compared > 100);
}

TEST_CASE("gpuprof replay goes on after a program that was killed, with what was measured before") {
    scratch_directory const scratch;
    std::string const words =
        std::string{in_passes} + metrics + changing_program(scratch, {program, program + " killed", program});
    auto const first = gpuprof_command(scratch.path(), words);
    INFO(first.told);
    CHECK(first.status == 137); // 128 and SIGKILL
    CHECK(has(first.told, "gpuprof: pass 2 of "));
    CHECK(has(first.told, "its pass is not measured; the same command goes on"));
    CHECK_FALSE(files::exists(scratch.path() + "/report.json"));
    auto const second = gpuprof_command(scratch.path(), words);
    INFO(second.told);
    CHECK(second.status == 0);
    CHECK(second.told.starts_with("gpuprof: pass 2 of "));
    auto const whole = kept(scratch);
    CHECK(whole.complete());
    std::string const undisturbed = scratch.path() + "/undisturbed";
    REQUIRE(files::create_directory(undisturbed));
    REQUIRE(gpuprof_command(scratch.path(),
                            std::string{"replay --chip gv100 --keep undisturbed/report "} + metrics + "-- " + program)
                .status == 0);
    for (auto const& metric : whole.metrics())
        CHECK(values_of(whole, metric.name) == values_of(kept(scratch, "undisturbed/report"), metric.name));
}

TEST_CASE("gpuprof replay goes on after it was killed itself, between two runs and in one") {
    scratch_directory const scratch;
    // The first of them ends between two runs, the second kills the command and goes on beside the next one.
    std::string const words =
        std::string{in_passes} + metrics +
        changing_program(scratch, {program + "; kill -9 $PPID", "kill -9 $PPID; sleep 1; " + program, program});
    for (int i = 0; i < 2; ++i)
        CHECK(std::system(("cd " + scratch.path() + " && (env -u GPUPROF_DEVICE " + GPUPROF_TEST_COMMAND + ' ' + words +
                           " >out 2>err); exit 0")
                              .c_str()) == 0);
    // What a process that was killed while it wrote leaves behind.
    std::string const folder = scratch.path() + "/gpuprof-replay-sh";
    write(folder + "/0.state.Ab3dEf", "{");
    auto const last = gpuprof_command(scratch.path(), words);
    INFO(last.told);
    CHECK(last.status == 0);
    CHECK(last.told.starts_with("gpuprof: pass 2 of "));
    CHECK(kept(scratch).complete());
    CHECK_FALSE(files::exists(folder));
}

TEST_CASE("gpuprof replay passes on the status of a run that fails, and keeps what it measured") {
    scratch_directory const scratch;
    std::string const words =
        std::string{in_passes} + metrics + changing_program(scratch, {program, program + "; exit 7", program});
    auto const first = gpuprof_command(scratch.path(), words);
    CHECK(first.status == 7);
    CHECK(has(first.told, "the program ended with status 7; its pass is kept; the same command goes on"));
    auto const second = gpuprof_command(scratch.path(), words);
    CHECK(second.status == 0);
    CHECK(second.told.starts_with("gpuprof: pass 3 of "));
}

TEST_CASE("gpuprof replay refuses passes of another program, metrics or arguments, and begins anew by --fresh") {
    scratch_directory const scratch;
    files::copy_file(program, scratch.path() + "/app");
    std::string const begin = std::string{in_passes} + "--runs 1 ";
    auto const one = gpuprof_command(scratch.path(), begin + metrics + "-- ./app");
    INFO(one.told);
    CHECK(one.status == 1); // --runs was reached
    CHECK(has(one.told, "gpuprof: pass 1 of "));
    CHECK(has(one.told, " is done; the same command goes on"));
    auto const refused = [&](std::string const& words, std::string_view what) {
        auto const of = gpuprof_command(scratch.path(), words);
        CHECK(of.status == 2);
        INFO(of.told);
        CHECK(has(of.told, what));
        CHECK(has(of.told, "--fresh begins anew"));
        CHECK(of.printed.empty()); // the program did not run
    };
    refused(begin + metrics + "-- ./app blocks", "other options");
    refused(begin + "--metrics smsp__inst_executed.sum -- ./app", "other metrics");
    refused(begin + metrics + "--match name -- ./app", "other options");
    refused("replay --chip gh100 --passes --runs 1 " + std::string{metrics} + "-- ./app", "another device");
    std::ofstream{scratch.path() + "/app", std::ios::app | std::ios::binary} << "one more byte";
    refused(begin + metrics + "-- ./app", "another program");
    auto const anew = gpuprof_command(scratch.path(), begin + "--fresh " + metrics + "-- ./app");
    CHECK(anew.status == 1);
    CHECK(anew.told.starts_with("gpuprof: pass 1\n"));
}

TEST_CASE("gpuprof replay refuses a state that was cut off or changed, and a folder of other files") {
    scratch_directory const scratch;
    std::string const words = std::string{in_passes} + metrics + "--runs 1 --state kept -- " + program;
    REQUIRE(gpuprof_command(scratch.path(), words).status == 1);
    for (std::string const name : {"kept/0.state", "kept/command.state"}) {
        std::string const file = scratch.path() + '/' + name, whole = text_of(file);
        REQUIRE(whole.size() > 200);
        std::string changed = whole;
        changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 1);
        for (std::string const& bad : {whole.substr(0, whole.size() / 2), std::string{}, changed}) {
            write(file, bad);
            auto const of = gpuprof_command(scratch.path(), words);
            CHECK(of.status == 2);
            CHECK(has(of.told, "it was cut off, or changed since it was written"));
            CHECK(of.printed.empty());
        }
        write(file, whole);
    }
    CHECK(gpuprof_command(scratch.path(), words).status == 1);
    CHECK(text_of(scratch.path() + "/err").starts_with("gpuprof: pass 2 of "));

    {
        gpuprof::platform::directory_lock const held{scratch.path() + "/kept/lock/file"};
        auto const busy = gpuprof_command(scratch.path(), words);
        CHECK(busy.status == 2);
        CHECK(has(busy.told, "is used by another gpuprof replay"));
        CHECK(busy.printed.empty());
    }
    REQUIRE(files::create_directory(scratch.path() + "/mine"));
    write(scratch.path() + "/mine/thesis.json", "{}");
    auto const other =
        gpuprof_command(scratch.path(), std::string{in_passes} + metrics + "--fresh --state mine -- " + program);
    CHECK(other.status == 2);
    CHECK(has(other.told, "has files that are not of a replay"));
    CHECK(text_of(scratch.path() + "/mine/thesis.json") == "{}");
}

TEST_CASE("gpuprof replay says by name which launches were not in every pass, and collects no value of them") {
    scratch_directory const scratch;
    REQUIRE(
        gpuprof_command(scratch.path(), std::string{"replay --chip gv100 --keep report "} + metrics + "-- " + program)
            .status == 0);
    auto const undisturbed = kept(scratch);
    // A third launch of five blocks in the first run, of six in the second, and none in the others.
    std::string const words = std::string{in_passes} + metrics +
                              changing_program(scratch, {program + " long 5", program + " long 6", program});
    auto const of = gpuprof_command(scratch.path(), words);
    INFO(of.told);
    CHECK(of.status == 0);
    auto const whole = kept(scratch);
    std::string const passes = std::to_string(whole.completeness().replay_passes);
    REQUIRE(whole.completeness().replay_passes > 2);
    REQUIRE(whole.completeness().problems.size() == 1);
    auto const& why = whole.completeness().problems.front();
    CHECK(why.code == gpuprof::errc::replay_mismatch);
    CHECK(why.what == "2 launches of scale were in 1 of " + passes + " passes: not collected");
    CHECK(has(of.told, why.what)); // in the table
    REQUIRE(whole.size() == 1);
    REQUIRE(whole.at(0).count() == 4);
    for (auto const& metric : whole.metrics()) {
        CAPTURE(metric.name);
        auto const values = values_of(whole, metric.name), expected = values_of(undisturbed, metric.name);
        REQUIRE(values.size() == 4);
        REQUIRE(expected.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) CHECK(values[i] == expected[i]);
        for (std::size_t i = 2; i < 4; ++i) CHECK(values[i] != values[i]); // NaN
    }
}

TEST_CASE("gpuprof replay matches launches by their kernel and grid, or by what --match says") {
    scratch_directory const scratch;
    auto const problems = [&](std::string const& match, std::vector<std::string> const& hows) {
        files::remove(scratch.path() + "/runs");
        auto const of =
            gpuprof_command(scratch.path(), std::string{in_passes} + metrics + match + changing_program(scratch, hows));
        INFO(of.told);
        REQUIRE(of.status == 0);
        return kept(scratch).completeness().problems.size();
    };
    std::vector<std::string> const other_grid{program + " long 5", program + " long 6"};
    CHECK(problems("", other_grid) == 2); // that of one pass, and that of all others
    CHECK(problems("--match name ", other_grid) == 0);
    CHECK(problems("--match all ", other_grid) == 2);
    // A block of 64 threads in the first run, of 32 in the others.
    std::vector<std::string> const other_block{program + " blocks", program + " long 1"};
    CHECK(problems("--match grid ", other_block) == 0);
    CHECK(problems("--match all ", other_block) == 2);
}

TEST_CASE("gpuprof replay measures each process of a program, those that begin in one order as one") {
    scratch_directory const scratch;
    write(scratch.path() + "/both.sh", program + "; " + program + " strided; " + program + " idle\n");
    auto const of = gpuprof_command(scratch.path(), std::string{in_passes} + metrics + "-- sh both.sh");
    INFO(of.told);
    REQUIRE(of.status == 0);
    CHECK(kept(scratch).complete());
    CHECK(kept(scratch).at(0).name() == "scale");
    CHECK(kept(scratch, "report-2").complete());
    CHECK(kept(scratch, "report-2").at(0).name() == "strided");
    CHECK_FALSE(files::exists(scratch.path() + "/report-3"));
}

TEST_CASE("gpuprof replay measures a launch until the next one where kernels wait for the host") {
    scratch_directory const scratch;
    auto const measured = [&](std::string const& how) {
        REQUIRE(gpuprof_command(scratch.path(), std::string{in_passes} + metrics + how + "-- " + program + " blocks")
                    .status == 0);
        return kept(scratch);
    };
    auto const shortly = measured(""), until_next = measured("--kernels-wait ");
    CHECK(until_next.complete());
    for (auto const& metric : shortly.metrics()) // instructions are those of the kernel in either case
        CHECK(values_of(until_next, metric.name) == values_of(shortly, metric.name));
}

TEST_CASE("gpuprof replay tells when nothing is launched, and runs nothing where words are wrong") {
    scratch_directory const scratch;
    auto const idle = gpuprof_command(scratch.path(), std::string{in_passes} + metrics + "-- " + program + " idle");
    CHECK(idle.status == 1);
    CHECK(has(idle.told, "no kernel was measured"));
    auto const unknown =
        gpuprof_command(scratch.path(), "replay --chip gv100 --metrics smsp__inst_exekuted.sum -- " + program);
    CHECK(unknown.status == 2);
    CHECK(has(unknown.told, "smsp__inst_executed"));
    CHECK(unknown.printed.empty());
    CHECK(gpuprof_command(scratch.path(), "replay -- /nonexistent/program").status == 127);
}

} // namespace replaying_test
