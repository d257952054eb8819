// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof run: sets the variables of docs/environment.md, and starts the program.
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <gpuprof/core/device_source.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/io/ranks_table.hpp>
#include <gpuprof/text/wrapped.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "embedded_chip.hpp"
#include "libraries.hpp"
#include "rank_group.hpp"
#include "scratch_folder.hpp"
#include "start.hpp"
#include "terminal.hpp"

namespace gpuprof::command {
namespace {

using gpuprof::detail::joined;

// What an option or, without it, a variable says; where it came from is told with what is wrong with it.
struct setting {
    std::string_view from;
    std::string word;
};
std::optional<setting> setting_of(arguments const& given, std::string_view option, char const* variable) {
    if (auto word = given.find(option)) return setting{option, *std::move(word)};
    if (auto word = platform::variable_or_empty(variable); !word.empty()) return setting{variable, std::move(word)};
    return {};
}

// Refuses words that mean nothing, before the program has run for hours.
void set_kernel_variables(arguments const& given) {
    auto const chip_name = setting_of(given, "--chip", "GPUPROF_CHIP");
    sim::chip_model const& chip = embedded_chip(chip_name ? chip_name->word : "");
    if (auto const metrics = setting_of(given, "--metrics", "GPUPROF_KERNEL_METRICS"))
        set_variable("GPUPROF_KERNEL_METRICS", embedded_metrics(metrics->from, metrics->word, chip));
    if (auto const checks = setting_of(given, "--check", "GPUPROF_CHECK")) {
        check_checks(checks->from, checks->word);
        set_variable("GPUPROF_CHECK", checks->word);
    }
    if (auto const status = given.number("--check-exit-code", 1, 255))
        set_variable("GPUPROF_CHECK_EXIT_CODE", std::to_string(*status));

    std::string const kernels = given.word("--kernels");
    std::string output = given.word("--output");
    if (!output.empty()) {
        if (kernels == "none") refuse("--output is the file of the table, which --kernels none leaves out");
        output = absolute(named_by_rank(output, rank_in_names(given)));
        // Programs append to it, for a script may run several; %p is the number of each.
        if (output.find('%') == output.npos && !is_other_rank(given)) empty_file(output);
        set_variable("GPUPROF_KERNEL_FILE", "append");
    }
    // What was asked for by name, or goes to a file, is shown whatever the width.
    if (given.has("--wide") || given.has("--metrics") || !output.empty()) unset_variable("GPUPROF_COLUMNS");
    else set_variable("GPUPROF_COLUMNS", std::to_string(columns(STDERR_FILENO)));
    if (kernels == "none") unset_variable("GPUPROF_KERNELS");
    else set_variable("GPUPROF_KERNELS", kernels + (output.empty() ? "" : ':' + output));
    std::string const rows = given.word("--rows");
    if (rows == "kernels") unset_variable("GPUPROF_KERNEL_ROWS");
    else set_variable("GPUPROF_KERNEL_ROWS", rows);
    if (rows == "ranges") set_variable("NVTX_INJECTION64_PATH", embedded_libraries() + "/libcuda.so.1");
    if (given.word("--caches") == "flush") set_variable("GPUPROF_KERNEL_CACHES", "flush");
    else unset_variable("GPUPROF_KERNEL_CACHES");
    if (std::string const use = given.word("--machine-code"); use == "estimate") unset_variable("GPUPROF_MACHINE_CODE");
    else set_variable("GPUPROF_MACHINE_CODE", use);
}

// The names of metrics by how far their values can be trusted, as the table of one process has them.
std::string trust_lines(report const& of) {
    std::string text;
    for (fidelity const how : {fidelity::exact, fidelity::modelled, fidelity::estimated, fidelity::always_zero}) {
        std::string names;
        for (std::size_t i = 0; i < of.metrics().size(); ++i)
            if (of.fidelity_of(i) == how) names += (names.empty() ? "" : ", ") + of.metrics()[i].name;
        if (!names.empty()) text += gpuprof::detail::wrapped_lines(joined({name(how), ": ", names, "\n"}), 100);
    }
    return text;
}

// One table of all ranks, which rank 0 prints.
std::string text_of(ranks::rank_report const& all, report const& mine, std::string const& format) {
    if (format == "csv") return io::csv(all);
    if (format == "json") return io::json(all);
    return joined({mine.device(), mine.device().empty() ? "" : ", embedded GPU: not hardware\n", io::table(all),
                   trust_lines(mine)});
}

int run_together(arguments const& given, rank_group& ranks) {
    std::string const output = given.find("--output") ? absolute(given.word("--output")) : std::string{};
    static scratch_folder const folder; // refuse() ends the process
    unset_variable("GPUPROF_KERNEL_FILE");
    set_variable("GPUPROF_KERNELS", "saved:" + folder.pattern());
    set_variable("GPUPROF_RANK", ranks.is_first() ? "first" : "other");
    if (!ranks.is_first()) unset_variable("GPUPROF_KERNEL_PROGRESS");
    int status = ranks.run(given.operands());
    report const mine = ranks.report_of(folder.files_in_order());
    if (auto const all = ranks.gather(mine); all && ranks.is_first()) {
        std::string const text = text_of(*all, mine, given.word("--kernels"));
        if (output.empty()) {
            std::fputs(text.c_str(), stderr);
        } else if (!platform::write_file(output, text)) {
            std::fputs(("gpuprof: " + output + " cannot be written; so it follows here\n" + text).c_str(), stderr);
            if (status == 0) status = wrong_use;
        }
    }
    return ranks.leave(status);
}

} // namespace

int run(arguments const& given) {
    if (given.has("--print-libraries")) {
        print(embedded_libraries() + '\n');
        return 0;
    }
    check_program(given.operands(), "run");
    if (auto const devices = given.number("--devices", 1, most_embedded_devices))
        set_variable("GPUPROF_SIM_DEVICES", std::to_string(*devices));
    set_kernel_variables(given);
    set_embedded(given.word("--chip"));
    if (given.word("--kernels") != "none")
        if (auto ranks = rank_group::try_join(given)) return run_together(given, *ranks);
    start(given.operands());
}

} // namespace gpuprof::command
