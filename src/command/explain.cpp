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
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/io/explanation_csv.hpp>
#include <gpuprof/io/explanation_json.hpp>
#include <gpuprof/io/findings.hpp>
#include <gpuprof/io/page.hpp>
#include <gpuprof/recording/saved_report.hpp>
#include <gpuprof/text/printable.hpp>

#include "../injection/measuring_settings.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "injected.hpp"
#include "program_lines.hpp"
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

void write(std::string const& text, std::string const& file) {
    std::ofstream out{file, std::ios::binary};
    out << text;
    out.close();
    if (!out) refuse(file + " cannot be written: " + std::strerror(errno));
}

void write_page(explain::explanation const& why, io::page_options options, std::string const& file,
                arguments const& given) {
    for (std::string const& each : given.each("--baseline"))
        options.baselines.push_back({files::path{each}.stem().string(), {measurement_in(each), set_of(given)}});
    if (auto written = io::try_write_page(file, why, options); !written) refuse(written.error().message());
}

// @param from the program, or the file @param at which of several measurements it is, from 0
void tell(arguments const& given, std::string const& measured, std::string const& from, std::size_t at,
          measured_lines const& lines, std::FILE* to) {
    explain::explanation why{measurement_in(measured), set_of(given)};
    io::page_options page;
    page.facts.emplace_back("Of", from);
    lines.add_to(why, page);
    if (auto const file = given.find("--page")) write_page(why, std::move(page), numbered(*file, at), given);
    if (auto const file = given.find("--json")) write(io::json(why), numbered(*file, at));
    if (auto const file = given.find("--csv")) write(io::csv(why), numbered(*file, at));
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
    for (char const* const option : {"--page", "--json", "--csv", "--keep"})
        if (auto const file = given.find(option)) empty_file(absolute(*file));
    static scratch_folder const folder; // refuse() ends the process
    static program_lines lines{given.word("--lines"), set_injected(given)};
    set_measuring_variables(given, folder.pattern());
    int const status = run_to_end(operands);
    std::vector<std::string> const measured = folder.files_in_order();
    if (measured.empty()) std::fputs("gpuprof: no kernel was measured\n", stderr);
    else lines.run_again(operands);
    for (std::size_t at = 0; at < measured.size(); ++at) {
        measured_lines const of_this = lines.of(measured[at]);
        if (auto const kept = given.find("--keep")) {
            copy(measured[at], numbered(*kept, at));
            of_this.keep_beside(numbered(*kept, at));
        }
        tell(given, measured[at], operands.front(), at, of_this, stderr);
    }
    return status;
}

} // namespace gpuprof::command
