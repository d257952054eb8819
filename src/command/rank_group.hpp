// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks of a launcher's job, each of which runs this command around its program.
#ifndef GPUPROF_SRC_COMMAND_RANK_GROUP_HPP
#define GPUPROF_SRC_COMMAND_RANK_GROUP_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gpuprof/measure/report.hpp>
#include <gpuprof/ranks/folder_communicator.hpp>
#include <gpuprof/ranks/rank_report.hpp>

namespace gpuprof::command {

class arguments;

// The rank in the names of files: of one of several ranks with --ranks alone, and without it for a file of each rank.
[[nodiscard]] std::optional<std::size_t> rank_in_names(arguments const& given, bool each_rank_has_one = false);

// Whether this is a rank of several that leaves what is written to rank 0.
[[nodiscard]] bool is_other_rank(arguments const& given);

// "kernels-rank3.csv" with a rank, else the name as it is.
[[nodiscard]] std::string named_by_rank(std::string const& file, std::optional<std::size_t> rank);

// Ranks find each other by files of a folder, which is there from the first rank's beginning to the last one's end. Beside the
// messages it has "begun.R" of each rank that is at work, "failed.R" of each whose program failed, and "told" once rank 0 has
// printed: a rank whose exit status is not 0 waits for that, since launchers end all ranks when one fails.
class rank_group {
public:
    // Nothing where no launcher says that there are several ranks, and with --ranks alone. Refuses a folder that cannot be written.
    [[nodiscard]] static std::optional<rank_group> try_join(arguments const& given);

    [[nodiscard]] std::size_t rank() const noexcept { return all_.rank(); }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    [[nodiscard]] bool is_first() const noexcept { return all_.rank() == 0; }
    [[nodiscard]] unsigned deadline_ms() const noexcept { return deadline_ms_; }
    [[nodiscard]] ranks::folder_communicator& communicator() noexcept { return all_; }

    // Runs the program to its end; or ends it, if another rank's program has failed and this one goes on for a deadline after that,
    // since it may wait for the other. @return its exit status, as run_to_end(); one that is not 0 is told at once
    [[nodiscard]] int run(std::vector<std::string> const& words);

    // The rank's report from what its processes saved: their ranges one after the other, and what went wrong with the program.
    [[nodiscard]] report report_of(std::vector<std::string> const& files) const;

    // Sums up the reports of all ranks. Only rank 0's answer is of all of them; an answer is missing where this rank could not send.
    [[nodiscard]] std::optional<ranks::rank_report> gather(report const& mine);

    // To be called when rank 0 has printed, with nothing to do afterwards. @return the status
    [[nodiscard]] int leave(int status);

private:
    rank_group(ranks::folder_communicator all, unsigned deadline_ms) noexcept
        : all_{std::move(all)}, deadline_ms_{deadline_ms} {}
    [[nodiscard]] std::string file(std::string const& name) const { return all_.folder() + '/' + name; }
    [[nodiscard]] std::string file_of_rank(char const* what) const;
    [[nodiscard]] std::size_t files_that_begin(char const* what) const;
    void let_others_go_first() const;

    ranks::folder_communicator all_;
    unsigned deadline_ms_;
    std::size_t silent_ = 0;
    bool is_ended_ = false;          // the program, since another rank's had failed
    std::optional<error> problem_{}; // of the program
};

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_RANK_GROUP_HPP
