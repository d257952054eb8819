// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rank_group.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <unistd.h>

#include <gpuprof/hw/machine/platform/directory.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/recording/saved_report.hpp>

#include "../injection/measured_launches.hpp"
#include "arguments.hpp"
#include "launched_rank.hpp"
#include "start.hpp"

namespace gpuprof::command {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::optional<launched_rank> rank_of_several() {
    auto found = find_launched_rank();
    return found && found->size > 1 ? std::move(found) : std::nullopt;
}

// Of ranks on one machine the folder is among the temporary ones, else in the working directory, which launchers give all of them.
std::string folder_of(launched_rank const& here, arguments const& given) {
    if (auto const named = given.find("--ranks-folder")) return absolute(*named);
    std::string job = here.job;
    if (job.empty() && here.one_machine) job = "p" + std::to_string(::getppid()); // the launcher's, on this machine
    if (job.empty())
        refuse("the ranks of " + std::string{here.launcher} +
               " cannot find each other: it does not name its job; name a folder that all of them see: --ranks-folder");
    std::string const name = "gpuprof-ranks-" + std::to_string(platform::user_id()) + '-' + job;
    std::error_code failed;
    auto const temporary = std::filesystem::temp_directory_path(failed);
    return here.one_machine && !failed ? (temporary / name).string() : absolute(name);
}

template <class Condition>
bool wait_until(clock::time_point until, Condition const& is_met) {
    while (!is_met()) {
        if (clock::now() >= until) return false;
        std::this_thread::sleep_for(milliseconds{5});
    }
    return true;
}

std::string text_of_status(int status) {
    constexpr int first_signal = 128; // as run_to_end() tells it
    return status > first_signal ? "was ended by signal " + std::to_string(status - first_signal)
                                 : "ended with exit status " + std::to_string(status);
}

} // namespace

std::optional<std::size_t> rank_in_names(arguments const& given, bool each_rank_has_one) {
    auto const found = rank_of_several();
    if (!found || (given.word("--ranks") != "alone" && !each_rank_has_one)) return {};
    return found->rank;
}

bool is_other_rank(arguments const& given) {
    auto const found = rank_of_several();
    return found && found->rank != 0 && given.word("--ranks") != "alone";
}

std::string named_by_rank(std::string const& file, std::optional<std::size_t> rank) {
    if (!rank) return file;
    std::filesystem::path const whole{file};
    std::string const name = whole.stem().string() + "-rank" + std::to_string(*rank) + whole.extension().string();
    return (whole.parent_path() / name).string();
}

std::optional<rank_group> rank_group::try_join(arguments const& given) {
    auto const seconds = given.number("--ranks-wait", 1, 1'000'000).value_or(60);
    auto const here = rank_of_several();
    if (!here || given.word("--ranks") == "alone") return {};
    std::string const folder = folder_of(*here, given);
    auto all = ranks::folder_communicator::try_create(folder, here->rank, here->size);
    if (!all) refuse("rank " + std::to_string(here->rank) + ": " + all.error().message());
    rank_group joined{*std::move(all), static_cast<unsigned>(seconds * 1000)};
    platform::remove_file(joined.file_of_rank("failed")); // of an earlier run that was killed
    if (joined.is_first()) platform::remove_file(joined.file("told"));
    if (!platform::write_file(joined.file_of_rank("begun"), ""))
        refuse("rank " + std::to_string(here->rank) +
               ": the folder in which ranks find each other cannot be written: " + folder +
               "; --ranks-folder names another one");
    return joined;
}

std::string rank_group::file_of_rank(char const* what) const {
    return file(std::string{what} + '.' + std::to_string(rank()));
}

std::size_t rank_group::files_that_begin(char const* what) const {
    std::size_t count = 0;
    static_cast<void>(platform::for_each_entry(all_.folder(), [&](std::string_view name) {
        count += name.starts_with(what) && name.find(".to.") == name.npos;
    }));
    return count;
}

int rank_group::run(std::vector<std::string> const& words) {
    std::optional<clock::time_point> since; // another rank's program failed
    int const status = run_to_end(words, [&] {
        if (files_that_begin("failed.") == 0) since.reset();
        else if (!since) since = clock::now();
        return is_ended_ = since && clock::now() - *since >= milliseconds{deadline_ms_};
    });
    if (is_ended_) {
        problem_ =
            error{errc::not_collected, 0, words.front() + " was ended",
                  "it still ran " + std::to_string(deadline_ms_ / 1000) + " s after another rank's program had failed",
                  "look at the rank that failed; --ranks-wait gives the others more time"};
    } else if (status != 0) {
        problem_ = error{errc::not_collected, 0, words.front() + ' ' + text_of_status(status),
                         "the program or a library of it ended it so", "run that rank by itself"};
        static_cast<void>(platform::write_file(file_of_rank("failed"), std::to_string(status)));
        std::fputs(("gpuprof: rank " + std::to_string(rank()) + ": " + problem_->what + '\n').c_str(), stderr);
    }
    return status;
}

report rank_group::report_of(std::vector<std::string> const& files) const {
    injection::measured_launches all;
    std::vector<error> problems;
    if (problem_) problems.push_back(*problem_);
    std::vector<metric_info> const* metrics = nullptr;
    std::vector<report> loaded; // what `metrics` is of
    loaded.reserve(files.size());
    for (std::string const& each : files) {
        auto one = try_load_report(each);
        if (!one) problems.push_back(one.error());
        else loaded.push_back(*std::move(one));
    }
    auto const alike = [&](report const& one) {
        if (metrics->size() != one.metrics().size()) return false;
        for (std::size_t i = 0; i < metrics->size(); ++i)
            if ((*metrics)[i].name != one.metrics()[i].name) return false;
        return true;
    };
    for (report const& each : loaded) {
        if (metrics == nullptr) metrics = &each.metrics();
        if (alike(each)) all.add(each, 1);
        else
            problems.push_back({errc::not_collected, 0, "a process of this rank is left out",
                                "it measured other metrics than the first one",
                                "give each program a command of its own"});
    }
    return all.whole(problems);
}

std::optional<ranks::rank_report> rank_group::gather(report const& mine) {
    ranks::gather_options options;
    options.deadline_ms = deadline_ms_;
    auto gathered = ranks::try_gather(all_, mine, options);
    if (gathered) {
        silent_ = gathered->silent.size();
        return *std::move(gathered);
    }
    std::fputs(("gpuprof: rank " + std::to_string(rank()) + ": " + gathered.error().message() + '\n').c_str(), stderr);
    return {};
}

// A launcher tells the status of the process that fails first: that is to be the rank whose program failed by itself.
void rank_group::let_others_go_first() const {
    if (is_ended_) std::this_thread::sleep_for(milliseconds{500});
}

int rank_group::leave(int status) {
    constexpr std::chrono::seconds others_need{5};
    std::string const folder = all_.folder();
    if (is_first()) {
        std::fflush(nullptr);
        static_cast<void>(platform::write_file(file("told"), ""));
        wait_until(clock::now() + others_need, [&] { return files_that_begin("begun.") <= 1 + silent_; });
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
        let_others_go_first();
        return status;
    }
    // Rank 0 waits a deadline for the end of its program, and one for each of two answers.
    auto const until = clock::now() + 3 * milliseconds{deadline_ms_} + std::chrono::seconds{2};
    if (!wait_until(until, [&] { return platform::is_there(file("told")) || !platform::is_there(folder); }))
        std::fputs(
            ("gpuprof: rank " + std::to_string(rank()) + ": nothing was heard of rank 0, which prints\n").c_str(),
            stderr);
    platform::remove_file(file_of_rank("failed"));
    platform::remove_file(file_of_rank("begun"));
    if (status != 0) wait_until(clock::now() + others_need, [&] { return !platform::is_there(folder); });
    let_others_go_first();
    return status;
}

} // namespace gpuprof::command
