// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the lines of source come from that gpuprof explain shows of a program.
#ifndef GPUPROF_SRC_COMMAND_PROGRAM_LINES_HPP
#define GPUPROF_SRC_COMMAND_PROGRAM_LINES_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/source_view.hpp>
#include <gpuprof/io/page_options.hpp>

#include "scratch_folder.hpp"

namespace gpuprof::command {

// The lines of a measurement, if there are any.
struct measured_lines {
    std::optional<explain::source_view> view{};
    std::string how{}; // they came about; or why there are none

    // Gives findings their lines, and the page the source of each kernel. @pre it outlives the page
    void add_to(explain::explanation& why, io::page_options& page) const;
    // For a terminal: the hottest lines of the kernels that took the longest; or, if `all`, all lines of all kernels.
    [[nodiscard]] std::string text(explain::explanation const& why, std::size_t columns, bool all) const;
    // Writes them beside a measurement that is kept, for measured_lines_of() to find.
    void keep_beside(std::string const& measurement) const;
};

// Of a measurement that was kept.
[[nodiscard]] measured_lines measured_lines_of(std::string const& measurement);

// The lines of a program that is run.
class program_lines {
public:
    // Prepares the first run. On the embedded GPU, instructions are counted while kernels are measured; a GPU cannot do both.
    // @param how the word of --lines
    program_lines(std::string how, bool is_embedded);
    // Runs the program once more for them, or twice, or not at all. @pre the first run has ended
    void run_again(std::vector<std::string> const& words);
    // @param measurement what the process left in the first run
    [[nodiscard]] measured_lines of(std::string const& measurement) const;

private:
    [[nodiscard]] bool runs_again() const { return how_ == "sampled" || how_ == "counted"; }
    void run_for(char const* told, std::vector<std::string> const& words);

    std::string how_;
    bool is_embedded_;
    long input_at_; // where the program begins to read; -1: it cannot be read again
    std::optional<scratch_folder> folder_{};
    measured_lines again_{}; // of all processes
};

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_PROGRAM_LINES_HPP
