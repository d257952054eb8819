// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof explain: lets the injection library measure a program, and explains what it leaves when the program has ended.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/io/explanation_csv.hpp>
#include <gpuprof/io/explanation_json.hpp>
#include <gpuprof/io/findings.hpp>
#include <gpuprof/io/page.hpp>
#include <gpuprof/io/ranks_page.hpp>
#include <gpuprof/io/ranks_table.hpp>
#include <gpuprof/ranks/straggler.hpp>
#include <gpuprof/recording/saved_report.hpp>
#include <gpuprof/text/printable.hpp>

#include "../injection/measuring_settings.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "injected.hpp"
#include "program_lines.hpp"
#include "rank_findings.hpp"
#include "rank_group.hpp"
#include "scratch_folder.hpp"
#include "start.hpp"
#include "terminal.hpp"

namespace gpuprof::command {
namespace {

namespace files = std::filesystem;

// Saved measurements are JSON, programs are not.
bool is_measurement(std::string const& file) {
    std::error_code ignored;
    if (!files::is_regular_file(file, ignored)) return false;
    return std::ifstream{file}.peek() == '{';
}

report measurement_in(std::string const& file) {
    auto loaded = try_load_report(file);
    if (!loaded) refuse(loaded.error().message());
    return *std::move(loaded);
}

explain::set const& set_of(arguments const& given) { return *explain::find_set(given.word("--set")); }

// What can be found out before anything runs, is.
void check(arguments const& given) {
    if (auto const kernels = program::name_pattern::try_make(given.word("--kernels")); !kernels)
        refuse("--kernels: " + kernels.error().message());
    if (std::string const word = given.word("--launch"); !injection::launch_of(word))
        refuse("--launch is first, all or a number from 1, not " + gpuprof::detail::printable(word));
    if (auto const kernels = program::name_pattern::try_make(given.word("--one-pass")); !kernels)
        refuse("--one-pass: " + kernels.error().message());
    static_cast<void>(given.number("--longest-kernel", 1, 1'000'000));
    static_cast<void>(given.number("--most", 1, 65536));
    static_cast<void>(given.number("--top", 0, 1'000'000));
    if (given.has("--baseline") && !given.has("--page"))
        refuse("--baseline is shown by the page: name its file, --page FILE");
    for (std::string const& each : given.each("--baseline")) static_cast<void>(measurement_in(each));
}

// Options of another process's measurement, as the library will read them.
void set_measuring_variables(arguments const& given, std::string const& file) {
    set_variable("GPUPROF_EXPLAIN_FILE", file);
    set_variable("GPUPROF_EXPLAIN_SET", given.word("--set"));
    set_variable("GPUPROF_EXPLAIN_KERNELS", given.word("--kernels"));
    set_variable("GPUPROF_EXPLAIN_LAUNCH", given.word("--launch"));
    set_variable("GPUPROF_EXPLAIN_MOST", given.word("--most"));
    set_variable("GPUPROF_EXPLAIN_ONE_PASS", given.word("--one-pass"));
    set_variable("GPUPROF_EXPLAIN_LONGEST", given.word("--longest-kernel"));
}

void copy(std::string const& from, std::string const& to) {
    std::error_code failed;
    if (!files::copy_file(from, to, files::copy_options::overwrite_existing, failed))
        refuse(to + " cannot be written: " + failed.message());
}

// For a rank, which must not end before the others know.
void say_error(std::string const& text) { std::fputs(("gpuprof: " + text + '\n').c_str(), stderr); }
void write_or_say(std::string const& text, std::string const& file) {
    if (!platform::write_file(file, text)) say_error(file + " cannot be written");
}

void write(std::string const& text, std::string const& file) {
    std::ofstream out{file, std::ios::binary};
    out << text;
    out.close();
    if (!out) refuse(file + " cannot be written: " + std::strerror(errno));
}

io::page_options options_of_page(std::string const& from, arguments const& given) {
    io::page_options options;
    options.facts.emplace_back("Of", from);
    for (std::string const& each : given.each("--baseline"))
        options.baselines.push_back({files::path{each}.stem().string(), {measurement_in(each), set_of(given)}});
    return options;
}

// @param from the program, or the file @param at which of several measurements it is, from 0
void tell(arguments const& given, std::string const& measured, std::string const& from, std::size_t at,
          measured_lines const& lines, std::FILE* to) {
    explain::explanation why{measurement_in(measured), set_of(given)};
    io::page_options page = options_of_page(from, given);
    lines.add_to(why, page);
    auto const named = [&](std::string const& file) { return numbered(named_by_rank(file, rank_in_names(given)), at); };
    if (auto const file = given.find("--page"))
        if (auto written = io::try_write_page(named(*file), why, page); !written) refuse(written.error().message());
    if (auto const file = given.find("--json")) write(io::json(why), named(*file));
    if (auto const file = given.find("--csv")) write(io::csv(why), named(*file));
    constexpr std::size_t all = static_cast<std::size_t>(-1);
    io::text_options options;
    options.columns = columns(::fileno(to));
    options.colour = has_colours(::fileno(to));
    options.silences = given.has("--all");
    options.ranges = given.has("--all") ? all : 0;
    options.findings = given.number("--top", 0, 1'000'000).value_or(given.has("--all") ? all : 10);
    std::fputs(((at == 0 ? "" : "\n") + io::table(why, options)).c_str(), to);
    std::fputs(lines.text(why, options.columns, given.has("--all")).c_str(), to);
}

// ---- one answer of all ranks --------------------------------------------------------------------

std::string duration_lines(ranks::rank_report values) {
    std::erase_if(values.rows, [](auto const& row) { return row.metric.name != duration_metric; });
    return io::table(values);
}

// What rank 0 prints and writes. Values and texts of single findings are its own; the page says so.
void tell_together(arguments const& given, explain::explanation why, measured_lines const& lines,
                   ranks::rank_report const& all, ranks::straggler_report const* slower) {
    ranked_findings const of = split_findings(all);
    io::page_options options = options_of_page(given.operands().front(), given);
    lines.add_to(why, options);
    if (auto const file = given.find("--page")) {
        options.facts.emplace_back("Ranks", std::to_string(all.heard) + " of " + std::to_string(all.size));
        options.facts.emplace_back("Shown range by range", "rank 0");
        options.sections.push_back(findings_section(of.findings, all.heard));
        options.sections.push_back(io::ranks_section(of.values, slower));
        for (rank_finding const& each : of.findings)
            options.ranks_of_findings.push_back({each.range, each.rule->id, where_it_holds(each, all.heard)});
        if (auto written = io::try_write_page(*file, why, options); !written) say_error(written.error().message());
    }
    if (auto const file = given.find("--json"))
        write_or_say("{\"ranks\":" + io::json(all) +
                         (slower != nullptr ? ",\"stragglers\":" + io::json(*slower) : std::string{}) +
                         ",\"rank 0\":" + io::json(why) + "}\n",
                     *file);
    if (auto const file = given.find("--csv")) write_or_say(io::csv(all), *file);
    std::size_t const width = columns(STDERR_FILENO);
    std::size_t const most =
        given.number("--top", 0, 1'000'000).value_or(given.has("--all") ? static_cast<std::size_t>(-1) : 10);
    std::string text = given.has("--all") ? io::table(of.values) : duration_lines(of.values);
    text += '\n' + findings_text(of.findings, all.heard, most, width);
    if (slower != nullptr && (!slower->found.empty() || slower->problems.empty())) text += '\n' + io::table(*slower);
    std::fputs(text.c_str(), stderr);
}

int explain_together(arguments const& given, rank_group& ranks, scratch_folder const& folder,
                     program_lines const& lines) {
    set_variable("GPUPROF_RANK", ranks.is_first() ? "first" : "other");
    int const status = ranks.run(given.operands());
    std::vector<std::string> const measured = folder.files_in_order();
    report const mine = ranks.report_of(measured);
    if (auto const kept = given.find("--keep"))
        if (auto saved = try_save(mine, named_by_rank(*kept, ranks.rank())); !saved) say_error(saved.error().message());
    explain::explanation const why{mine, set_of(given)};
    auto const all = ranks.gather(with_findings(why));
    std::optional<ranks::straggler_report> slower;
    if (all && ranks.size() >= 3) { // of two nobody knows which one is slow
        ranks::straggler_options options;
        options.deadline_ms = all->silent.empty() ? ranks.deadline_ms() : 1000;
        if (auto found = ranks::try_find_stragglers(ranks.communicator(), mine, options)) slower = *std::move(found);
    }
    if (all && ranks.is_first())
        tell_together(given, why, measured.empty() ? measured_lines{} : lines.of(measured.front()), *all,
                      slower ? &*slower : nullptr);
    return ranks.leave(status);
}

} // namespace

int explain(arguments const& given) {
    std::vector<std::string> const& operands = given.operands();
    if (operands.empty())
        refuse("name the program: gpuprof explain -- PROGRAM [ARGUMENTS]; or a measurement: gpuprof explain FILE");
    check(given);
    if (is_measurement(operands.front())) {
        for (std::string const& each : operands)
            if (each.starts_with("--")) refuse("options stand before the files: " + each);
        for (std::size_t at = 0; at < operands.size(); ++at)
            tell(given, operands[at], operands[at], at, measured_lines_of(operands[at]), stdout);
        return 0;
    }
    check_program(operands, "explain");
    for (char const* const option : {"--page", "--json", "--csv"})
        if (auto const file = given.find(option); file && !is_other_rank(given))
            empty_file(absolute(named_by_rank(*file, rank_in_names(given))));
    auto const rank_kept = rank_in_names(given, true);
    if (auto const file = given.find("--keep")) empty_file(absolute(named_by_rank(*file, rank_kept)));
    static scratch_folder const folder; // refuse() ends the process
    static program_lines lines{given.word("--lines"), set_injected(given)};
    set_measuring_variables(given, folder.pattern());
    if (auto ranks = rank_group::try_join(given)) return explain_together(given, *ranks, folder, lines);
    int const status = run_to_end(operands);
    std::vector<std::string> const measured = folder.files_in_order();
    if (measured.empty()) std::fputs("gpuprof: no kernel was measured\n", stderr);
    else lines.run_again(operands);
    for (std::size_t at = 0; at < measured.size(); ++at) {
        measured_lines const of_this = lines.of(measured[at]);
        if (auto const kept = given.find("--keep")) {
            std::string const file = numbered(named_by_rank(*kept, rank_kept), at);
            copy(measured[at], file);
            of_this.keep_beside(file);
        }
        tell(given, measured[at], operands.front(), at, of_this, stderr);
    }
    return status;
}

} // namespace gpuprof::command
