// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `gpuprof run` and `gpuprof explain` as ranks of a job. The launcher is a shell that sets the variables of one:
// tests/mpi does the same by Open MPI and MPICH.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include "support/scratch_directory.hpp"

#include "../../src/command/launched_rank.hpp"

namespace ranks_command_test {

using nlohmann::json;

static std::string text_of(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}
static bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

// Without variables of a launcher that the test itself may run under.
static std::string const plain = "unset OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID RANK WORLD_SIZE LOCAL_WORLD_SIZE "
                                 "GPUPROF_CHIP GPUPROF_DEVICE; ";

struct outcome {
    int status = -1;
    std::string printed, told;
};
// Runs a gpuprof a rank, all at once, in the folder, and waits for all of them. @param words of each rank, after "gpuprof"; an empty
// one is never started, though the others count it
static std::vector<outcome> launch(std::string const& folder, std::vector<std::string> const& words) {
    std::string script = "cd " + folder + " && mkdir -p tmp && export TMPDIR=" + folder + "/tmp; " + plain;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string const r = std::to_string(i), size = std::to_string(words.size());
        if (words[i].empty()) continue;
        script += "(RANK=" + r + " WORLD_SIZE=" + size + " LOCAL_WORLD_SIZE=" + size + " TORCHELASTIC_RUN_ID=test " +
                  GPUPROF_TEST_COMMAND + ' ' + words[i] + " >out" + r + " 2>err" + r + " </dev/null; echo $? >status" +
                  r + ") & ";
    }
    REQUIRE(std::system((script + "wait").c_str()) == 0);
    std::vector<outcome> made(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].empty()) continue;
        std::string const r = std::to_string(i);
        made[i] = {std::atoi(text_of(folder + "/status" + r).c_str()), text_of(folder + "/out" + r),
                   text_of(folder + "/err" + r)};
    }
    return made;
}
static std::string program(std::string const& how = {}) {
    return std::string{" -- "} + GPUPROF_TEST_PROGRAM + ' ' + how;
}

static void set(char const* name, char const* value) {
    if (value == nullptr) ::unsetenv(name);
    else ::setenv(name, value, 1);
}

TEST_CASE("rank and size come from the launcher's variables where both are there and fit each other") {
    using gpuprof::command::find_launched_rank;
    for (auto const& each : gpuprof::command::launchers) // those of a launcher that runs this test
        for (char const* const name : {each.rank, each.size, each.local_size, each.job[0], each.job[1], each.job[2]})
            if (name != nullptr) set(name, nullptr);
    struct {
        char const *launcher, *rank, *size;
    } const known[]{{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                    {"MPICH", "PMI_RANK", "PMI_SIZE"},
                    {"torchrun", "RANK", "WORLD_SIZE"},
                    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    CHECK_FALSE(find_launched_rank());
    for (auto const& each : known) {
        CAPTURE(each.launcher);
        set(each.rank, "3");
        CHECK_FALSE(find_launched_rank()); // a rank without a size
        for (char const* const wrong : {"3", "0", "", "four", "4x", "-4"}) {
            set(each.size, wrong);
            CHECK_FALSE(find_launched_rank());
        }
        set(each.size, "4");
        auto const found = find_launched_rank();
        REQUIRE(found);
        CHECK(found->launcher == each.launcher);
        CHECK(found->rank == 3);
        CHECK(found->size == 4);
        CHECK_FALSE(found->one_machine);
        CHECK(found->job.empty());
        set(each.rank, nullptr);
        CHECK_FALSE(find_launched_rank()); // a size without a rank
        set(each.size, nullptr);
    }
    // A script of sbatch is one process, whatever SLURM_NTASKS says.
    set("SLURM_PROCID", "0");
    set("SLURM_NTASKS", "4");
    CHECK_FALSE(find_launched_rank());
    // torchrun that srun starts, a node each.
    set("SLURM_STEP_NUM_TASKS", "2");
    set("SLURM_JOB_ID", "17");
    set("SLURM_STEP_ID", "0");
    set("RANK", "5");
    set("WORLD_SIZE", "8");
    set("LOCAL_WORLD_SIZE", "4");
    set("TORCHELASTIC_RUN_ID", "a/b");
    set("MASTER_PORT", "29500");
    auto const inner = find_launched_rank();
    REQUIRE(inner);
    CHECK(inner->rank == 5);
    CHECK_FALSE(inner->one_machine);
    CHECK(inner->job == "a_b-29500");
    set("LOCAL_WORLD_SIZE", "8");
    CHECK(find_launched_rank()->one_machine);
    for (char const* const name : {"RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID", "MASTER_PORT"})
        set(name, nullptr);
    CHECK(find_launched_rank()->job == "17-0");
    for (char const* const name :
         {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS", "SLURM_JOB_ID", "SLURM_STEP_ID"})
        set(name, nullptr);
}

TEST_CASE("gpuprof run prints one table of all ranks on rank 0 and its values are those of ranks that run alone") {
    scratch_directory const scratch;
    std::string const at = scratch.path(), metrics = "run --metrics smsp__warps_launched.sum ";
    std::string const few = metrics + "--kernels json --output all.json" + program();
    std::string const more = metrics + "--kernels json --output all.json" + program("blocks"); // 2 warps more
    auto const of = launch(at, {few, few, few, more});
    for (std::size_t i = 0; i < of.size(); ++i) {
        CAPTURE(i);
        CHECK(of[i].status == 0);
        CHECK(of[i].printed == "PASSED\n"); // the program's
        CHECK(of[i].told.empty());
    }
    json const all = json::parse(text_of(at + "/all.json"));
    CHECK(all.at("heard") == 4);
    CHECK(all.at("problems").empty());
    REQUIRE(all.at("rows").size() == 1);
    json const& row = all.at("rows")[0];
    CHECK(row.at("range") == "scale");
    CHECK(row.at("ranks") == 4);
    CHECK(row.at("least") == 2); // two launches of one warp
    CHECK(row.at("highest") == 4);
    CHECK(row.at("rank of the highest") == 3);
    CHECK(row.at("mean") == 2.5);
    REQUIRE(row.at("outliers").size() == 1);
    CHECK(row.at("outliers")[0].at("rank") == 3);
    CHECK(std::filesystem::is_empty(at + "/tmp"));

    auto const told = launch(at, {metrics + program(), metrics + program(), metrics + program("blocks")});
    CHECK(has(told[0].told, "embedded GPU: not hardware\n3 ranks, 2 of which did the same work\n"));
    CHECK(has(told[0].told, "\nscale\n  smsp__warps_launched.sum "));
    CHECK(has(told[0].told, "outlier: rank 2, 4"));
    CHECK(has(told[0].told, "\nexact: smsp__warps_launched.sum\n"));
    CHECK(told[1].told.empty());
    CHECK(told[2].told.empty());
    CHECK(std::filesystem::is_empty(at + "/tmp"));
}

TEST_CASE("gpuprof run names the rank that fails and passes each rank's exit status on") {
    scratch_directory const scratch;
    std::string const run = "run --metrics smsp__warps_launched.sum ";
    auto const of = launch(scratch.path(), {run + program(), run + program("fault"), run + program()});
    CHECK(of[0].status == 0);
    CHECK(of[1].status == 1);
    CHECK(of[2].status == 0);
    CHECK(has(of[1].told, "gpuprof: rank 1: "));
    CHECK(has(of[1].told, " ended with exit status 1\n"));
    CHECK(has(of[0].told, "3 ranks"));
    CHECK(has(of[0].told, "missing: not collected: rank 1: "));
    CHECK(of[2].told.empty());
    CHECK(std::filesystem::is_empty(scratch.path() + "/tmp"));
}

TEST_CASE("a rank that waits for one that failed is ended in time and a rank that is never there is named") {
    scratch_directory const scratch;
    std::string const run = "run --ranks-wait 1 ";
    // Rank 0 waits as for a collective.
    auto const of = launch(scratch.path(), {run + "-- sleep 1000", run + "-- sh -c 'kill -9 $$'", run + program()});
    CHECK(of[0].status == 128 + 15);
    CHECK(of[1].status == 128 + 9);
    CHECK(of[2].status == 0);
    CHECK(has(of[0].told, "3 ranks"));
    CHECK(has(of[0].told, "rank 0: sleep was ended"));
    CHECK(has(of[0].told, "rank 1: sh was ended by signal 9"));
    CHECK(has(of[0].told, "\nscale\n"));
    CHECK(std::filesystem::is_empty(scratch.path() + "/tmp"));

    auto const absent = launch(scratch.path(), {run + program(), "", run + program()});
    CHECK(absent[0].status == 0);
    CHECK(has(absent[0].told, "2 of 3 ranks"));
    CHECK(has(absent[0].told, "nothing was heard of rank 1 before"));
    CHECK(absent[2].status == 0);
}

TEST_CASE("ranks whose rank 0 is never there say so and end") {
    scratch_directory const scratch;
    auto const nobody = launch(scratch.path(), {"", "run --ranks-wait 1" + program()}); // rank 0 is the one that prints
    CHECK(nobody[1].status == 0);
    CHECK(has(nobody[1].told, "gpuprof: rank 1: nothing was heard of rank 0"));
}

TEST_CASE("gpuprof explain writes one page and one JSON of all ranks and says of findings on which ranks they hold") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    std::string const explain = "explain --on embedded --page all.html --json all.json --csv all.csv --keep kept.json ";
    std::string const same = explain + program();
    auto const of = launch(at, {same, same, same, explain + program("strided")}); // which launches another kernel alone
    for (std::size_t i = 0; i < of.size(); ++i) {
        CAPTURE(i);
        CHECK(of[i].status == 0);
        if (i != 0) CHECK(of[i].told.empty());
        CHECK(std::filesystem::exists(at + "/kept-rank" + std::to_string(i) + ".json"));
    }
    CHECK_FALSE(std::filesystem::exists(at + "/kept.json"));
    CHECK(has(of[0].told, "4 ranks, 3 of which did the same work\n"));
    CHECK(has(of[0].told, "[small_grid] on ranks 0, 1 and 2 of 4"));
    CHECK(has(of[0].told, "\nstrided\n"));
    CHECK(has(of[0].told, "[small_grid] on rank 3 of 4"));
    json const all = json::parse(text_of(at + "/all.json"));
    CHECK(all.at("ranks").at("heard") == 4);
    CHECK(all.at("rank 0").at("ranges").size() == 1);
    // The gain is that of the rank's own explanation.
    double own = -1;
    for (json const& each : all.at("rank 0").at("findings"))
        if (each.at("id") == "small_grid") own = each.at("gain").at("likely").get<double>();
    std::size_t found = 0;
    for (json const& each : all.at("ranks").at("rows"))
        if (each.at("metric") == "finding.small_grid" && each.at("range") == "scale") {
            ++found;
            CHECK(each.at("ranks") == 3);
            CHECK(each.at("least") == own);
            CHECK(each.at("highest") == own);
        }
    CHECK(found == 1);
    std::string const page = text_of(at + "/all.html");
    CHECK(has(page, "<h2 id=\"ranks\">Ranks</h2>"));
    CHECK(has(page, "<h2 id=\"rankfindings\">Findings on ranks</h2>"));
    CHECK(has(page, "<dt>Ranks</dt><dd>on ranks 0, 1 and 2 of 4"));
    CHECK(has(text_of(at + "/all.csv"), "range,metric,unit,ranks,"));
    CHECK(std::filesystem::is_empty(at + "/tmp"));
}

TEST_CASE("ranks that stand alone each write their own file named by rank") {
    scratch_directory const scratch;
    std::string const at = scratch.path(), run = "run --ranks alone --kernels csv --output k.csv" + program();
    auto const of = launch(at, {run, run});
    for (char const* const file : {"/k-rank0.csv", "/k-rank1.csv"}) CHECK(has(text_of(at + file), "scale"));
    CHECK_FALSE(std::filesystem::exists(at + "/k.csv"));
    CHECK(of[1].status == 0);
    std::string const explain = "explain --ranks alone --on embedded --json e.json" + program();
    auto const told = launch(at, {explain, explain});
    CHECK(has(told[1].told, "[small_grid]"));
    CHECK(has(text_of(at + "/e-rank1.json"), "small_grid"));
}

TEST_CASE("a folder of ranks that cannot be written and a wrong wait are refused before the program runs") {
    scratch_directory const scratch;
    std::string const at = scratch.path();
    std::ofstream{at + "/file"} << "no folder\n";
    std::pair<std::string, char const*> const cases[]{
        {"run --ranks-folder file/in" + program(), "can neither be made nor read"},
        {"explain --on embedded --ranks-folder file/in" + program(), "can neither be made nor read"},
        {"run --ranks-folder /proc/self" + program(), "cannot be written"},
        {"run --ranks-wait 0" + program(), "--ranks-wait is a number from 1 to 1000000"},
        {"run --ranks apart" + program(), "--ranks is together or alone, not "},
    };
    for (auto const& each : cases) {
        CAPTURE(each.first);
        auto const of = launch(at, {each.first, each.first});
        for (outcome const& rank : of) {
            CHECK(rank.status == 2);
            CHECK(has(rank.told, each.second));
            CHECK(rank.printed.empty());
        }
    }
}

} // namespace ranks_command_test
