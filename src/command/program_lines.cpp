// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_lines.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <gpuprof/explain/finding_lines.hpp>
#include <gpuprof/io/source_part.hpp>
#include <gpuprof/io/source_view.hpp>
#include <gpuprof/io/source_view_json.hpp>
#include <gpuprof/text/printable.hpp>
#include <gpuprof/text/wrapped.hpp>

#include "arguments.hpp"
#include "start.hpp"

namespace gpuprof::command {
namespace {

namespace files = std::filesystem;

std::string name_beside(std::string const& measurement) { return measurement + ".lines"; }

// The embedded GPU takes the lines of the PTX where a program has no others.
bool has_only_ptx(explain::source_view const& of) {
    return of.source == device_source::embedded && !of.files.empty() &&
           std::ranges::all_of(of.files, [](explain::source_file const& each) {
               return each.path.ends_with(".ptx") && each.path.find('/') == each.path.npos;
           });
}

// @param where the counts were made, if it is to be said
std::string how_of(explain::source_view const& of, std::string_view where = {}) {
    bool const counted = !of.metrics.empty(), sampled = !of.reasons.empty();
    std::string how = counted && sampled ? "instructions of all launches, sampled and counted"
                      : counted          ? "instructions of all launches, counted"
                                         : "instructions of all launches, sampled";
    how += where;
    if (has_only_ptx(of)) how += "; these are lines of PTX, since the program has no others: nvcc -lineinfo";
    if (of.files.empty() && !of.unplaced.empty()) how += "; the program has no lines: nvcc -lineinfo";
    return how;
}

// The lines that are a tenth as hot as the hottest, the ten hottest at most.
explain::source_view hottest_of(explain::source_view view) {
    constexpr std::size_t most = 10;
    std::vector<double> heats;
    for (explain::source_file const& file : view.files)
        for (explain::source_line const& line : file.lines) heats.push_back(view.heat(line.counts));
    std::ranges::sort(heats, std::greater<>{});
    double const least = heats.size() > most ? std::max(heats[most - 1], 0.1) : 0.1;
    for (explain::source_file& file : view.files)
        std::erase_if(file.lines, [&](explain::source_line const& line) { return view.heat(line.counts) < least; });
    std::erase_if(view.files, [](explain::source_file const& file) { return file.lines.empty(); });
    return view;
}

} // namespace

void measured_lines::add_to(explain::explanation& why, io::page_options& page) const {
    page.facts.emplace_back("Lines of source", how);
    if (!view) return;
    why.locate(*view);
    page.parts.push_back(io::source_part(*view));
}

std::string measured_lines::text(explain::explanation const& why, std::size_t columns, bool all) const {
    constexpr std::size_t most_kernels = 3;
    std::string shown = "\n";
    gpuprof::detail::append_wrapped(shown, "Lines of source: " + how, 0, 0, columns);
    shown += '\n';
    if (!view) return shown;
    std::vector<explain::explained_range> ranges = why.ranges();
    std::ranges::stable_sort(
        ranges, [](auto const& a, auto const& b) { return a.nanoseconds.value_or(0) > b.nanoseconds.value_or(0); });
    io::source_view_text_options options;
    options.columns = columns;
    if (!all) options.instructions_from = 2; // of no line
    std::set<std::string> names;
    for (explain::explained_range const& each : ranges) {
        std::string const name{why.report().at(each.range).name()};
        if (!names.insert(name).second) continue; // lines are of all its launches
        if (!all && names.size() > most_kernels) continue;
        explain::source_view part = explain::lines_of_range(*view, why.report(), each.range);
        if (!all) part = hottest_of(std::move(part));
        shown += '\n' + gpuprof::detail::printable(name) + '\n' + io::table(part, options);
    }
    if (!all && names.size() > most_kernels) shown += "\nOther kernels have their lines on the page, and with --all.\n";
    return shown;
}

void measured_lines::keep_beside(std::string const& measurement) const {
    std::string const file = name_beside(measurement);
    if (!view) { // those of an earlier measurement are not these
        std::error_code ignored;
        files::remove(file, ignored);
        return;
    }
    std::ofstream out{file, std::ios::binary};
    out << io::json(*view);
    out.close();
    if (!out) refuse(file + " cannot be written");
}

measured_lines measured_lines_of(std::string const& measurement) {
    std::string const file = name_beside(measurement);
    std::error_code ignored;
    if (!files::exists(file, ignored))
        return {{}, "none were kept with the measurement, which would be " + files::path{file}.filename().string()};
    auto view = io::try_read_source_view(file);
    if (!view) return {{}, "none: " + view.error().message()};
    std::string how = how_of(*view);
    return {*std::move(view), std::move(how)};
}

program_lines::program_lines(std::string how, bool is_embedded)
    : how_{std::move(how)}, is_embedded_{is_embedded}, input_at_{::lseek(0, 0, SEEK_CUR)} {
    if (how_ == "none" || (how_ == "auto" && !is_embedded)) return;
    folder_.emplace();
    if (is_embedded) set_variable("GPUPROF_SAMPLE_PERIOD", "5"); // kernels are short there, and samples cost nothing
    if (runs_again()) return;
    set_variable("GPUPROF_SAMPLE_FILE", folder_->pattern() + ".json");
    set_variable("GPUPROF_SAMPLE_LINES", "both");
}

void program_lines::run_again(std::vector<std::string> const& words) {
    if (!runs_again()) return;
    unset_variable("GPUPROF_EXPLAIN_FILE");
    run_for("samples", words);
    // The first run tells whether instructions can be counted at all.
    bool const can_count = again_.view && again_.view->no_counts && again_.view->no_counts->code == errc::not_collected;
    if (how_ == "counted" && can_count) run_for("counts", words);
    if (again_.view) again_.how.insert(0, how_of(*again_.view, ", in another run"));
    else if (again_.how.empty()) again_.how = "none: the program launched no kernel when it was run again";
}

void program_lines::run_for(char const* told, std::vector<std::string> const& words) {
    bool const counts = std::string_view{told} == "counts";
    set_variable("GPUPROF_SAMPLE_FILE", folder_->pattern() + '-' + told + ".json");
    set_variable("GPUPROF_SAMPLE_LINES", told);
    std::fprintf(stderr, "gpuprof: the program runs once more, %s\n",
                 counts ? "each instruction counted" : "its instructions sampled");
    int const status = run_to_end(words, {}, input_at_);
    std::string why;
    for (std::string const& file : folder_->files_in_order()) {
        if (!file.ends_with(std::string{told} + ".json")) continue;
        auto view = io::try_read_source_view(file);
        if (!view) why = view.error().message();
        else if (!again_.view) again_.view.emplace(*std::move(view));
        else if (auto merged = again_.view->try_merge(*view); !merged) why = merged.error().message();
    }
    if (status != 0) why = "it ended with status " + std::to_string(status);
    if (!why.empty())
        again_.how += (again_.view ? "; that run was not whole: " : "none: when the program was run again, ") + why;
}

measured_lines program_lines::of(std::string const& measurement) const {
    if (how_ == "none") return {{}, "none were asked for"};
    if (runs_again())
        return again_.view || !again_.how.empty()
                   ? again_
                   : measured_lines{{}, "none: ranks of a launcher cannot be run once more by one of them"};
    if (!is_embedded_) return {{}, "none: they take another run of the program; --lines sampled runs it once more"};
    files::path const file{measurement};
    std::string lines;
    for (std::string const& each : folder_->files_in_order())
        if (files::path{each}.stem() == file.filename()) lines = each;
    if (lines.empty()) return {{}, "none: the program ended before it had written them"};
    auto view = io::try_read_source_view(lines);
    if (!view) return {{}, "none: " + view.error().message()};
    std::string how = how_of(*view);
    return {*std::move(view), std::move(how)};
}

} // namespace gpuprof::command
