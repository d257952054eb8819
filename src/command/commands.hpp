// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of commands: the one description of what `gpuprof` does. A new command is a file with its function, and a row here.
#ifndef GPUPROF_SRC_COMMAND_COMMANDS_HPP
#define GPUPROF_SRC_COMMAND_COMMANDS_HPP

#include <string_view>

#include "command_row.hpp"

namespace gpuprof::command {

[[nodiscard]] int run(arguments const& given);
[[nodiscard]] int trace(arguments const& given);
[[nodiscard]] int explain(arguments const& given);
[[nodiscard]] int replay(arguments const& given);
[[nodiscard]] int sample(arguments const& given);
[[nodiscard]] int doctor(arguments const& given);
[[nodiscard]] int query(arguments const& given);
[[nodiscard]] int compare(arguments const& given);
[[nodiscard]] int help(arguments const& given);
[[nodiscard]] int completion(arguments const& given);

// Of every command.
inline constexpr option_row help_option{"--help", "", "prints this, and ends; -h is the same"};

// Of commands that give one answer for all ranks of a job.
inline constexpr option_row ranks_option{
    "--ranks", "HOW",
    "under mpirun, srun or torchrun: together if nothing is said, one answer for all "
    "ranks; alone, each its own, with files named by rank",
    "together alone"};
inline constexpr option_row ranks_folder_option{
    "--ranks-folder", "FOLDER",
    "where ranks find each other, seen by all of them: if nothing is said, a new one among temporary files, or in this "
    "folder where ranks are on several machines"};
inline constexpr option_row ranks_wait_option{
    "--ranks-wait", "SECONDS", "how long ranks wait for one that is late, hangs or has failed: 60 if nothing is said"};

inline constexpr std::string_view programs_description = "The program must have been built with nvcc -cudart shared, "
                                                         "with PTX in it (nvcc -arch=compute_80), or call the driver's "
                                                         "API. gpuprof doctor PROGRAM says whether it can run.";

inline constexpr option_row run_options[]{
    {"--chip", "CHIP", "the GPU that is embedded: gh100 if nothing is said, gv100, 9.0, ..."},
    {"--devices", "N", "how many of them, 1 to 16, side by side; 1 if nothing is said"},
    {"--kernels", "FORMAT", "what is told of kernels when the program ends: text if nothing is said",
     "text csv json none"},
    {"--output", "FILE", "where that goes; if nothing is said, to the standard error output"},
    {"--metrics", "NAMES",
     "other columns: names of metrics, or of sets such as memory, with commas between them; gpuprof query names lists "
     "them",
     "", "memory compute occupancy coalescing shared_memory flaws"},
    {"--wide", "", "all columns of the table, however wide its lines are; without it, those that fit the terminal"},
    {"--rows", "ROWS",
     "kernels if nothing is said; launches: a line for each, in their order; ranges: a line for each range of NVTX, "
     "with "
     "all that was launched within",
     "kernels launches ranges"},
    {"--caches", "HOW",
     "as each kernel finds them: leave if nothing is said, as the one before did; flush, as ncu does", "leave flush"},
    {"--machine-code", "HOW",
     "how many instructions kernels have: estimate if nothing is said; binary, as in the machine code beside the PTX; "
     "compile, else as ptxas makes it; both need nvdisasm",
     "estimate binary compile"},
    {"--check", "WHAT",
     "looks for errors of kernels: all, or some of memory,initialised,races,barriers,copies,leaks,exits", "",
     "all memory initialised races barriers copies leaks exits"},
    {"--check-exit-code", "N", "the exit status, 1 to 255, if a check found something"},
    ranks_option,
    ranks_folder_option,
    ranks_wait_option,
    {"--print-libraries", "", "prints the folder of libcuda.so.1 and libcudart, to put into LD_LIBRARY_PATH, and ends"},
};
inline constexpr status_row program_statuses[]{
    {"the program's", "the program ran"},
    {"2", "wrong options, or a missing part of gpuprof; the program was not started"},
    {"126", "the program cannot be run"},
    {"127", "there is no such program"},
};
inline constexpr status_row run_statuses[]{
    program_statuses[0], {"N", "of --check-exit-code N: a check found something"},
    program_statuses[1], program_statuses[2],
    program_statuses[3],
};

inline constexpr option_row trace_options[]{
    {"--output", "FILE",
     "where the trace goes: .json for viewers, .ndjson or .csv; %p is the number of the process, %h the computer; "
     "gpuprof-%p.json if nothing is said"},
    {"--kinds", "NAMES", "what is recorded: default, or kinds such as kernel,memcpy,driver with commas between them"},
    {"--buffers", "N", "the number of buffers of 4 MiB: 32 if nothing is said"},
    {"--flush", "MS", "how often the file is brought up to date, in milliseconds: 1000 if nothing is said"},
    {"--no-table", "", "prints no table of kernels and copies when the program ends"},
    {"--on", "DEVICE", "the machine's GPU, or the embedded one; auto if nothing is said: the machine's if it has one",
     "auto gpu embedded"},
    {"--chip", "CHIP", "the GPU that is embedded; means --on embedded"},
};

inline constexpr option_row explain_options[]{
    {"--set", "SET", "what is measured and shown: basic if nothing is said, detailed, full, roofline or links",
     "basic detailed full roofline links"},
    {"--kernels", "REGEX", "the kernels that are measured: those whose names, as c++filt shows them, have such a part"},
    {"--launch", "WHICH", "of each kernel: first if nothing is said, a number from 1, or all"},
    {"--most", "N", "the number of launches that are measured at most: 256 if nothing is said"},
    {"--one-pass", "REGEX",
     "the kernels that are not replayed, since they wait for others: each is measured once, from its launch to the "
     "next one, by the counters that fit one pass"},
    {"--longest-kernel", "SECONDS",
     "how long measuring one launch may take; then the program is ended, and the kernel is named. 120 on a GPU, and no "
     "limit on the embedded one, if nothing is said"},
    {"--lines", "HOW",
     "the lines of source: auto if nothing is said, those that need no other run, as on the embedded GPU; sampled: the "
     "program runs once more for them; counted: and once more, slowly, with each instruction counted; none",
     "auto sampled counted none"},
    {"--top", "N", "the number of findings that are printed: 10 if nothing is said"},
    {"--all", "", "prints all findings, and the values of all sections"},
    {"--page", "FILE", "writes one HTML file of it all"},
    {"--json", "FILE", "writes it all as JSON"},
    {"--csv", "FILE", "writes it all as CSV"},
    {"--baseline", "FILE",
     "a measurement that was kept, for the page to show beside this one; may be given several times"},
    {"--keep", "FILE", "keeps the measurement, to explain it again; of several ranks each its own, named by rank"},
    {"--on", "DEVICE", "the machine's GPU, or the embedded one; auto if nothing is said: the machine's if it has one",
     "auto gpu embedded"},
    {"--chip", "CHIP", "the GPU that is embedded; means --on embedded"},
    ranks_option,
    ranks_folder_option,
    ranks_wait_option,
};
inline constexpr status_row explain_statuses[]{
    program_statuses[0],
    {"0", "of files: they are explained"},
    {"124", "measuring a launch took longer than --longest-kernel says; what was measured before is explained"},
    {"2", "wrong options, a file that cannot be read or written, or a missing part of gpuprof"},
    program_statuses[2],
    program_statuses[3],
};

inline constexpr option_row replay_options[]{
    {"--mode", "MODE",
     "what is repeated once a pass: the application if nothing is said; in one run of it each kernel, by CUPTI; each "
     "launch, by gpuprof; each range, by gpuprof",
     "application kernel launch range"},
    {"--range", "MARK",
     "with --mode range, what marks ranges: the program if nothing is said, by either of nvtx, its NVTX ranges, and "
     "profiler, cuProfilerStart and cuProfilerStop; or waits: from a launch to where the program waits for it",
     "program nvtx profiler waits"},
    {"--nvtx", "REGEX",
     "with --mode range, the NVTX ranges that are measured, by their names; domain:name in a domain"},
    {"--metrics", "NAMES",
     "what is measured: names of metrics, or of sets such as memory, with commas between them; gpuprof query names "
     "lists "
     "them",
     "", "memory compute occupancy coalescing shared_memory flaws"},
    {"--set", "SET", "without --metrics: the metrics of a set of sections, basic if nothing is said",
     "basic detailed full roofline links"},
    {"--kernels", "REGEX", "the kernels that are measured: those whose names, as c++filt shows them, have such a part"},
    {"--most", "N", "the number of launches or ranges that there is room for: 256 if nothing is said"},
    {"--match", "HOW",
     "which launches of two runs are one: of a kernel and grid if nothing is said; name, of a kernel; all, of a "
     "kernel, "
     "grid, block, shared memory and stream. Equal ones are matched in their order",
     "grid name all"},
    {"--kernels-wait", "",
     "kernels wait for what the program does after it launched them: a launch is then measured until the next one"},
    {"--state", "FOLDER",
     "where passes are kept until all are there; gpuprof-replay-PROGRAM in this folder if nothing is said"},
    {"--fresh", "", "begins anew, whatever passes are kept there"},
    {"--runs", "N", "how often the program is run at most: as often as is needed if nothing is said"},
    {"--json", "FILE", "writes the report as JSON"},
    {"--csv", "FILE", "writes the report as CSV"},
    {"--keep", "FILE", "saves the report, for gpuprof explain and programs"},
    {"--on", "DEVICE", "the machine's GPU, or the embedded one; auto if nothing is said: the machine's if it has one",
     "auto gpu embedded"},
    {"--chip", "CHIP", "the GPU that is embedded; means --on embedded"},
    {"--passes", "", "the embedded GPU counts in as many passes as the hardware does, not in one"},
};
inline constexpr status_row replay_statuses[]{
    {"0", "every pass is measured, and the report is printed"},
    {"the program's", "a run failed; what was measured is kept"},
    {"1", "a run measured no pass, or --runs was reached"},
    {"2", "wrong options, passes of another program, device or options, or a missing part of gpuprof"},
    program_statuses[2],
    program_statuses[3],
};

inline constexpr option_row sample_options[]{
    {"--output", "FILE",
     "where the samples go: .json, which can be merged, .csv, a line an instruction, or .html, the source with its "
     "samples; %p is the number of the process, %h the computer; gpuprof-samples-%p.json if nothing is said"},
    {"--period", "POWER", "a sample every 2 to that power cycles, 5 to 31: CUPTI chooses if nothing is said"},
    {"--one-at-a-time", "", "kernels run one after the other, so that each record is of one launch"},
    {"--no-table", "", "prints no tables of kernels and lines when the program ends"},
    {"--on", "DEVICE", "the machine's GPU, or the embedded one; auto if nothing is said: the machine's if it has one",
     "auto gpu embedded"},
    {"--chip", "CHIP", "the GPU that is embedded; means --on embedded"},
};

inline constexpr option_row doctor_options[]{
    {"--all", "", "also what is always so with such a device or system"},
    {"--json", "", "prints JSON"},
    {"--chip", "CHIP", "of a program: the GPU that would be embedded; gh100 if nothing is said"},
};
inline constexpr status_row doctor_statuses[]{
    {"0", "measuring will work; or the program can run, on this machine's GPU or on the embedded one"},
    {"1", "an obstacle stands in the way"},
    {"2", "wrong options, or a program that cannot be read"},
};

inline constexpr option_row query_options[]{
    {"--describe", "", "says of each metric what it is, in words"},
    {"--cupti", "", "of chips and metrics: asks this machine's CUPTI, and not the lists that gpuprof has"},
    {"--chip", "CHIP", "of domains, events and derived: asks the embedded GPU of that chip or capability, such as 5.2"},
};
inline constexpr status_row query_statuses[]{
    {"0", "it was told"},
    {"1", "there is no such chip, metric, device or library"},
    {"2", "wrong options or words"},
};

inline constexpr option_row compare_options[]{
    {"--all", "", "also values that did not change"},
    {"--tolerance", "PERCENT", "how much values that are not exact may differ: 2 if nothing is said"},
    {"--across-devices", "", "compares also baselines of different devices"},
    {"--across-fidelities", "", "compares also values that came about in different ways"},
};
inline constexpr status_row compare_statuses[]{
    {"0", "no value got worse"},
    {"1", "a value got worse"},
    {"2", "wrong options, or files that cannot be compared"},
};

inline constexpr option_row help_options[]{
    {"--man", "", "prints the man page"},
};
inline constexpr status_row help_statuses[]{
    {"0", "it was told"},
    {"2", "there is no such command"},
};

inline constexpr command_row commands[]{
    {"run", "[--] PROGRAM [ARGUMENTS]", operand_kind::program,
     "runs a CUDA program on the embedded GPU, and tells of its kernels", programs_description, run_options,
     run_statuses, "", run},
    {"trace", "[--] PROGRAM [ARGUMENTS]", operand_kind::program,
     "traces a CUDA program, on a GPU or on the embedded one",
     "The trace opens in https://ui.perfetto.dev. On the embedded GPU, a program must be built as for gpuprof run.",
     trace_options, program_statuses, "", trace},
    {"explain", "[--] PROGRAM [ARGUMENTS] | FILE...", operand_kind::program,
     "says why a program's kernels take as long as they do",
     "Measures the kernels of a program, and explains them when it has ended; or explains measurements that were kept, "
     "with another set. On the embedded GPU, a program must be built as for gpuprof run.",
     explain_options, explain_statuses, "", explain},
    {"replay", "[--] PROGRAM [ARGUMENTS]", operand_kind::program,
     "measures a program's kernels or ranges by running it, or them, once a pass",
     "Runs an unchanged program as often as the counters need, one pass a run, and prints one report of all its "
     "kernels. The program must do the same in every run, and with --kernels-wait kernels may wait for the host. If it "
     "is interrupted, the same command goes on with the first pass that is missing. With --mode kernel, launch or "
     "range "
     "the program runs once, and memory is put back before what is repeated.",
     replay_options, replay_statuses, "", replay},
    {"sample", "[--] PROGRAM [ARGUMENTS]", operand_kind::program,
     "samples a program's instructions: which lines take the time, and what they wait for",
     "Lines need nvcc -lineinfo, and the text of instructions the toolkit's nvdisasm. One context is sampled, that of "
     "the "
     "first launch. On the embedded GPU, a program must be built as for gpuprof run, and its samples are estimates.",
     sample_options, program_statuses, "", sample},
    {"doctor", "[PROGRAM]", operand_kind::files, "says what keeps you from measuring here, or a program from running",
     "", doctor_options, doctor_statuses, "", doctor},
    {"query", "WHAT [CHIP] [NAME...]", operand_kind::words, "says what can be measured",
     "  chips                    the chips that gpuprof knows\n"
     "  names [TEXT]             short names, as in the namespace gpuprof::metrics\n"
     "  metrics CHIP [TEXT]      metrics whose name, short name or description has TEXT\n"
     "  metric CHIP NAME         what may follow its name, and what each means\n"
     "  passes CHIP NAME...      how many passes these metrics take together; needs CUPTI\n"
     "  embedded [CHIP [TEXT]]   what the embedded GPU models, and how well\n"
     "  domains                  event domains of the device at hand\n"
     "  events [TEXT]            its events\n"
     "  derived [TEXT]           the metrics that CUPTI derives from them\n"
     "  legacy [TEXT]            metrics of capability 2.x to 7.x, and what each is made of",
     query_options, query_statuses, "chips names metrics metric passes embedded domains events derived legacy", query},
    {"compare", "BEFORE AFTER", operand_kind::files, "compares baselines: two files, or two folders of files",
     "Prints a Markdown table for a pull request: gpuprof compare main/ pr/ >>$GITHUB_STEP_SUMMARY", compare_options,
     compare_statuses, "", compare},
    {"completion",
     "SHELL",
     operand_kind::words,
     "prints the completion of bash or zsh",
     "For bash: source <(gpuprof completion bash)",
     {},
     help_statuses,
     "bash zsh",
     completion},
    {"help", "[COMMAND]", operand_kind::commands, "prints help", "", help_options, help_statuses, "", help},
};

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_COMMANDS_HPP
