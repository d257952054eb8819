// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The injection library as it measures for gpuprof explain, in a program that was built without gpuprof: what is in the report
// that it leaves, and that the program never suffers. The driver and CUPTI are the embedded GPU, as a library.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <gpuprof/explain.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace measuring_test {

namespace explain = gpuprof::explain;

namespace {

struct outcome {
    int status = -1; // as waitpid gives it
    std::string printed;
};

// Runs the program in `directory` on the library of a driver; `set` is put before the command: "A=1 B=2".
outcome run_on(std::string const& library, std::string const& directory, std::string const& how,
               std::string const& set = {}) {
    std::string const command = "cd " + directory + " && GPUPROF_CUDA_PATH=" + library +
                                " GPUPROF_CUPTI_PATH=" + library + " CUDA_INJECTION64_PATH=" + GPUPROF_TEST_INJECTION +
                                " GPUPROF_EXPLAIN_FILE=kept.json " + set + " timeout 120 " + GPUPROF_TEST_PROGRAM +
                                " " + library + " " + how + " 2>&1";
    outcome all;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    char part[4096];
    while (auto const count = std::fread(part, 1, sizeof part, pipe)) all.printed.append(part, count);
    all.status = ::pclose(pipe);
    return all;
}

// On a library that is as a GPU's, and can fail.
outcome run(std::string const& directory, std::string const& how, std::string const& set = {}) {
    return run_on(GPUPROF_TEST_CUDA, directory, how, "GPUPROF_FAULT_OF_CUDA_13=yes " + set);
}

bool ended_well(outcome const& of) {
    return WIFEXITED(of.status) && WEXITSTATUS(of.status) == 0 && of.printed.find("done\n") != std::string::npos;
}

gpuprof::report read(std::string const& directory) {
    auto loaded = gpuprof::try_load_report(directory + "/kept.json");
    REQUIRE(loaded);
    return *std::move(loaded);
}

std::vector<std::string> names_of(gpuprof::report const& whole) {
    std::vector<std::string> names;
    for (auto const& range : whole) names.emplace_back(range.name());
    return names;
}

using names = std::vector<std::string>;

} // namespace

TEST_CASE("a program without gpuprof is measured: the first launch of each kernel") {
    scratch_directory const scratch;
    auto const ran = run_on(GPUPROF_TEST_EMBEDDED, scratch.path(), "exit");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    CHECK(ran.printed == "gpuprof: 2 of 5 launches measured\ndone\n");
    auto const whole = read(scratch.path());
    CHECK(whole.source() == gpuprof::device_source::embedded);
    CHECK(whole.complete());
    CHECK(names_of(whole) == names{"first", "second"});
    for (auto const& range : whole) { // 4 blocks of a warp each
        CHECK(range.count() == 1);
        CHECK(range.launches().kernels == 1);
        CHECK(range.launches().kernel.ends_with("<<<(4, 1, 1), (32, 1, 1)>>>"));
        CHECK(range.try_value("launch__grid_size").value().value == 4);
        CHECK(range.try_value("launch__block_size").value().value == 32);
        CHECK(range.try_value("launch__thread_count").value().value == 128);
    }
}

TEST_CASE("what is measured of a program is what explain::measure has of the same kernel") {
    scratch_directory const scratch;
    auto const ran = run_on(GPUPROF_TEST_EMBEDDED, scratch.path(), "exit", "GPUPROF_EXPLAIN_SET=full");
    REQUIRE(ended_well(ran));
    auto const whole = read(scratch.path());
    auto const gpu = gpuprof::try_open_device("sim:" + std::string{whole.chip()});
    REQUIRE(gpu);
    constexpr char kernels[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry first() { ret; }\n";
    gpuprof::abi::CUmodule module = nullptr;
    gpuprof::abi::CUfunction function = nullptr;
    REQUIRE(gpu->driver().ModuleLoadData(&module, kernels) == gpuprof::abi::CUDA_SUCCESS);
    REQUIRE(gpu->driver().ModuleGetFunction(&function, module, "first") == gpuprof::abi::CUDA_SUCCESS);
    auto const here = explain::try_measure(*gpu, explain::set::full, [&] {
        CHECK(gpu->driver().LaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr) ==
              gpuprof::abi::CUDA_SUCCESS);
    });
    REQUIRE(here);
    auto const& metrics = here->report().metrics();
    REQUIRE(metrics.size() > 100);
    REQUIRE(whole.metrics().size() == metrics.size());
    std::size_t with_value = 0;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        std::string const& name = metrics[i].name;
        CAPTURE(name);
        CHECK(whole.metrics()[i].name == name);
        CHECK(whole.fidelity_of(i) == here->report().fidelity_of(i));
        auto const expected = here->report().at(0).try_value(name), found = whole.at(0).try_value(name);
        CHECK(found.has_value() == expected.has_value());
        if (!found || !expected) continue;
        ++with_value;
        CHECK(found->value == expected->value);
    }
    CHECK(with_value > 100);
}

TEST_CASE("kernels are chosen by their names and launches by their number") {
    std::pair<char const*, names> const cases[]{
        {"GPUPROF_EXPLAIN_KERNELS=^sec", {"second"}},
        {"GPUPROF_EXPLAIN_KERNELS='fir|sec'", {"first", "second"}},
        {"GPUPROF_EXPLAIN_LAUNCH=3", {"first (launch 3)"}},
        {"GPUPROF_EXPLAIN_LAUNCH=2", {"first (launch 2)", "second (launch 2)"}},
        {"GPUPROF_EXPLAIN_LAUNCH=all",
         {"first", "first (launch 2)", "first (launch 3)", "second", "second (launch 2)"}},
        {"GPUPROF_EXPLAIN_LAUNCH=all GPUPROF_EXPLAIN_KERNELS=second", {"second", "second (launch 2)"}},
    };
    for (auto const& each : cases) {
        scratch_directory const scratch;
        auto const ran = run(scratch.path(), "exit", each.first);
        INFO(each.first, ran.printed);
        REQUIRE(ended_well(ran));
        CHECK(names_of(read(scratch.path())) == each.second);
    }
    scratch_directory const scratch;
    auto const none = run(scratch.path(), "exit", "GPUPROF_EXPLAIN_KERNELS=third");
    CHECK(none.printed == "done\n");
    CHECK(scratch.files() == 0);
}

TEST_CASE("of more launches than are to be measured the first are kept and the report says how many are not") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "exit", "GPUPROF_EXPLAIN_LAUNCH=all GPUPROF_EXPLAIN_MOST=2");
    REQUIRE(ended_well(ran));
    auto const whole = read(scratch.path());
    CHECK(names_of(whole) == names{"first", "first (launch 2)"});
    auto const& problems = whole.completeness().problems;
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.back().code == gpuprof::errc::too_many_ranges);
    CHECK(problems.back().what == "3 launches were not measured");
}

TEST_CASE(
    "kernels that wait for other GPUs are measured in one pass and the report says how many and what measures more") {
    for (char const* const library : {GPUPROF_TEST_CUDA, GPUPROF_TEST_EMBEDDED}) {
        scratch_directory const scratch;
        auto const ran =
            run_on(library, scratch.path(), "nccl", "GPUPROF_FAULT_OF_CUDA_13=yes GPUPROF_EXPLAIN_LAUNCH=all");
        INFO(ran.printed);
        REQUIRE(ended_well(ran));
        auto const whole = read(scratch.path());
        CHECK(names_of(whole) == names{"first", "first (launch 2)", "first (launch 3)", "second", "second (launch 2)",
                                       "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                                       "ncclDevKernel_AllReduce_Sum_f32_RING_LL (launch 2)"});
        for (auto const& range : whole) { // 4 blocks of a warp each
            CHECK(range.try_value("launch__grid_size").value().value == 4);
            CHECK(range.try_value("gpu__time_duration.sum").value().value > 0);
        }
        auto const& problems = whole.completeness().problems;
        REQUIRE_FALSE(problems.empty());
        CHECK(problems.back().code == gpuprof::errc::not_collected);
        CHECK(problems.back().what == "2 launches were measured in one pass, not replayed");
        CHECK(problems.back().cause.find("wait for other GPUs") != std::string::npos);
        CHECK(problems.back().cause.find("ncclDevKernel_AllReduce") != std::string::npos);
        CHECK(problems.back().remedy.find("gpuprof replay --kernels-wait --kernels 'ncclDevKernel_AllReduce") == 0);
    }
}

TEST_CASE("in one pass there are values of what fits it, and what was replayed has them all") {
    scratch_directory const scratch;
    auto const ran = run_on(GPUPROF_TEST_EMBEDDED, scratch.path(), "exit",
                            "GPUPROF_COLLECTION=passes GPUPROF_EXPLAIN_SET=full GPUPROF_EXPLAIN_ONE_PASS=^second$");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const whole = read(scratch.path());
    REQUIRE(names_of(whole) == names{"first", "second"});
    auto const &replayed = whole.at(0), &once = whole.at(1);
    std::size_t both = 0, one = 0;
    for (auto const& metric : whole.metrics()) {
        CAPTURE(metric.name);
        auto const full = replayed.try_value(metric.name), part = once.try_value(metric.name);
        if (part && part->value == part->value) CHECK(full.has_value());
        if (!full || full->value != full->value) continue;
        bool const has_part = part && part->value == part->value;
        ++(has_part ? both : one);
        // The two kernels do the same.
        if (has_part && metric.name == "smsp__warps_launched.sum") CHECK(part->value == 4);
    }
    CHECK(both > 10);
    CHECK(one > 10); // they need other passes
    auto const& problems = whole.completeness().problems;
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.back().what == "1 launch was measured in one pass, not replayed");
    CHECK(problems.back().cause == "--one-pass names them: second; metrics that need another pass have no value");
}

TEST_CASE("what runs while a stream is captured is left alone and said and measured again when the capture is over") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "capture", "GPUPROF_EXPLAIN_LAUNCH=all");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    auto const whole = read(scratch.path());
    auto const found = names_of(whole);
    CHECK(std::count(found.begin(), found.end(), "takes") +
              std::count(found.begin(), found.end(), "takes (launch 2)") ==
          1);
    auto const& problems = whole.completeness().problems;
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.back().what == "1 launch was not measured");
    CHECK(problems.back().cause.find("a stream was being captured") != std::string::npos);
    CHECK(problems.back().remedy.find("--launch") != std::string::npos); // replay would be no remedy
}

TEST_CASE("a kernel that waits for a thread of the host is measured and one that never ends ends the program in time") {
    scratch_directory const scratch;
    auto const answered = run_on(GPUPROF_TEST_EMBEDDED, scratch.path(), "answered", "GPUPROF_EXPLAIN_LONGEST=60");
    INFO(answered.printed);
    REQUIRE(ended_well(answered));
    CHECK(names_of(read(scratch.path())) == names{"first", "second", "polls"});
    CHECK(read(scratch.path()).complete());

    auto const begin = std::chrono::steady_clock::now();
    auto const late = run_on(GPUPROF_TEST_EMBEDDED, scratch.path(), "polls",
                             "GPUPROF_EXPLAIN_LONGEST=1 GPUPROF_SIM_STEPS=1000000000000");
    INFO(late.printed);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{60});
    REQUIRE(WIFEXITED(late.status));
    CHECK(WEXITSTATUS(late.status) == 124);
    CHECK(late.printed.find("gpuprof: not collected: polls did not end in 1 s while it was replayed") !=
          std::string::npos);
    CHECK(late.printed.find("it reaches memory of the host") != std::string::npos);
    CHECK(late.printed.find("gpuprof explain --one-pass 'polls'") != std::string::npos);
    CHECK(late.printed.find("gpuprof replay --kernels-wait --kernels 'polls'") != std::string::npos);
    auto const whole = read(scratch.path()); // what was measured before is kept
    CHECK(names_of(whole) == names{"first", "second"});
    REQUIRE(whole.completeness().problems.size() == 1);
    CHECK(whole.completeness().problems[0].what ==
          "polls did not end in 1 s while it was replayed, and the program was ended");

    auto const again =
        run_on(GPUPROF_TEST_EMBEDDED, scratch.path(), "polls",
               "GPUPROF_EXPLAIN_LONGEST=1 GPUPROF_EXPLAIN_ONE_PASS=polls GPUPROF_SIM_STEPS=1000000000000");
    INFO(again.printed);
    CHECK(WEXITSTATUS(again.status) == 124); // here the launching call itself waits
    CHECK(again.printed.find("while it was measured in one pass") != std::string::npos);
}

TEST_CASE("gpuprof explain ends a program that hangs in replay and explains what was measured before") {
    scratch_directory const scratch;
    std::string const command =
        "cd " + scratch.path() +
        " && env -u GPUPROF_CHIP -u GPUPROF_DEVICE GPUPROF_SIM_STEPS=1000000000000 timeout 120 " +
        GPUPROF_TEST_COMMAND + " explain --on embedded --longest-kernel 1 -- " + GPUPROF_TEST_PROGRAM + ' ' +
        GPUPROF_TEST_EMBEDDED + " polls 2>&1";
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string told;
    char part[4096];
    while (auto const count = std::fread(part, 1, sizeof part, pipe)) told.append(part, count);
    int const status = ::pclose(pipe);
    INFO(told);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 124);
    CHECK(told.starts_with("gpuprof: not collected: polls did not end in 1 s while it was replayed"));
    CHECK(told.find("\nfirst") != std::string::npos);
    std::string words; // of the table, whose lines are broken
    for (char const c : told.substr(told.find('\n'))) words += c == '\n' ? ' ' : c;
    CHECK(words.find("polls did not end in 1 s") != std::string::npos);
}

TEST_CASE("launches that are not asked for cost little and threads may launch at once") {
    scratch_directory const scratch;
    auto const many = run(scratch.path(), "many");
    REQUIRE(ended_well(many));
    std::string const launches = std::to_string(GPUPROF_MANY_LAUNCHES / 1000) + ",002"; // `second` ran twice
    CHECK(many.printed == "gpuprof: 2 of " + launches + " launches measured\ndone\n");
    auto const threads = run(scratch.path(), "threads", "GPUPROF_EXPLAIN_LAUNCH=all GPUPROF_EXPLAIN_MOST=2000");
    INFO(threads.printed);
    REQUIRE(ended_well(threads));
    auto const whole = read(scratch.path());
    CHECK(whole.size() == 805); // eight threads of 100
    std::map<std::string, int> seen;
    for (std::string const& name : names_of(whole)) ++seen[name];
    CHECK(seen.size() == whole.size()); // each launch once
    CHECK(seen.count("first (launch 803)") == 1);
    for (auto const& range : whole) CHECK(range.try_value("launch__grid_size").value().value == 4);
}

TEST_CASE("a program that is killed or ends without its exit handlers leaves what was measured") {
    for (char const* const how : {"_exit", "kill"}) {
        CAPTURE(how);
        scratch_directory const scratch;
        static_cast<void>(run(scratch.path(), how, "GPUPROF_EXPLAIN_LAUNCH=3"));
        CHECK(names_of(read(scratch.path())) == names{"first (launch 3)"});
    }
}

TEST_CASE("a context that ends leaves what was measured in it and those after it are told as not measured") {
    scratch_directory const scratch;
    auto const ran = run(scratch.path(), "again", "GPUPROF_EXPLAIN_LAUNCH=all");
    INFO(ran.printed);
    REQUIRE(ended_well(ran));
    CHECK(ran.printed == "gpuprof: 5 of 6 launches measured\ndone\n");
    auto const whole = read(scratch.path());
    CHECK(whole.size() == 5);
    auto const& problems = whole.completeness().problems;
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.back().code == gpuprof::errc::not_collected);
    CHECK(problems.back().what == "1 launch was not measured");
}

TEST_CASE("launches after the exit handlers and those of a child are none of the report's") {
    for (auto const& each : {std::pair{"late", "2 of 5"}, {"fork", "2 of 9"}}) {
        auto const how = each.first, counts = each.second;
        CAPTURE(how);
        scratch_directory const scratch;
        auto const ran = run(scratch.path(), how);
        INFO(ran.printed);
        REQUIRE(ended_well(ran));
        // All that the library says; a leak checker in the child misses the watchdog's thread, and says so.
        CHECK(ran.printed.ends_with(std::string{"gpuprof: "} + counts + " launches measured\ndone\n"));
        CHECK(ran.printed.find("gpuprof: ") == ran.printed.rfind("gpuprof: "));
        CHECK(names_of(read(scratch.path())) == names{"first", "second"});
    }
}

TEST_CASE("what cannot be measured is said in one line and the program runs") {
    std::pair<char const*, char const*> const cases[] = {
        {"GPUPROF_EXPLAIN_SET=basics", "there is no set of this name"},
        {"GPUPROF_EXPLAIN_KERNELS='('", "is no regular expression"},
        {"GPUPROF_EXPLAIN_LAUNCH=0", "GPUPROF_EXPLAIN_LAUNCH"},
        {"GPUPROF_EXPLAIN_MOST=none", "GPUPROF_EXPLAIN_MOST"},
        {"GPUPROF_EXPLAIN_LONGEST=0", "GPUPROF_EXPLAIN_LONGEST"},
        {"GPUPROF_EXPLAIN_ONE_PASS='['", "is no regular expression"},
        {"GPUPROF_FAULT=cuptiSubscribe:1:39", "cuptiSubscribe"},                                // another tool
        {"GPUPROF_FAULT=cuptiRangeProfilerEnable:1:35", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"}, // closed to this user
        {"GPUPROF_FAULT=cuptiRangeProfilerStop:1:999", "cuptiRangeProfilerStop"}};
    for (auto const& each : cases) {
        auto const& set = each.first; // clang: no structured binding in a message
        auto const& words = each.second;
        scratch_directory const scratch;
        auto const ran = run(scratch.path(), "exit", set);
        INFO(set, "\n", ran.printed);
        CHECK(ended_well(ran));
        CHECK(ran.printed.find(words) != std::string::npos);
        CHECK(ran.printed.find("gpuprof: the program runs on unmeasured: ") != std::string::npos);
        CHECK(std::count(ran.printed.begin(), ran.printed.end(), '\n') == 2); // and "done"
        CHECK(scratch.files() == 0);
    }
    scratch_directory const scratch;
    auto const lost = run(scratch.path(), "exit", "GPUPROF_EXPLAIN_FILE=/nonexistent/kept.json");
    CHECK(ended_well(lost));
    CHECK(lost.printed.find("gpuprof: the measurement is lost: io") != std::string::npos);
}

} // namespace measuring_test
