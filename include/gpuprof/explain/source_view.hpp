// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table by source line: what its instructions counted, where warps stalled, and the instructions below it.
#ifndef GPUPROF_EXPLAIN_SOURCE_VIEW_HPP
#define GPUPROF_EXPLAIN_SOURCE_VIEW_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/samplers/module_code.hpp"
#include "../hw/samplers/pc_samples.hpp"
#include "../hw/samplers/sass_counts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// What an instruction, or all instructions of a line, counted.
struct source_counts {
    std::uint64_t instructions = 0; // that warps executed
    std::uint64_t threads = 0;      // that executed them, predicated off included
    std::uint64_t threads_on = 0;   // whose predicate was true
    std::uint64_t divergent_branches = 0;
    std::uint64_t global_instructions = 0; // loads, stores, atomics, reductions
    std::uint64_t global_atomics = 0;      // among them, atomics whose result is used
    std::uint64_t global_reductions = 0;   // and those whose result nobody wants
    std::uint64_t global_sectors = 0;      // of 32 bytes, that their addresses touch
    std::uint64_t global_ideal = 0;        // that would do if threads lay side by side
    std::uint64_t shared_wavefronts = 0;
    std::uint64_t shared_ideal = 0; // that the bytes would need without bank conflicts
    std::uint64_t local_sectors = 0;
    std::uint64_t samples = 0;
    std::uint64_t latency_samples = 0; // in cycles in which no other warp issued either
    std::vector<stall_count> stalls{}; // most samples first

    source_counts& operator+=(source_counts const& more);
};

// A number of source_counts. (An alias, since nvcc 13.0 writes the type out in a way that its host compiler warns of.)
using source_count_member = std::uint64_t source_counts::*;

// A metric of sass_counter that a member of source_counts has. All of them make one list, as CUPTI wants it.
struct source_metric {
    std::string_view name;
    source_count_member counts;
};
// All of them.
inline constexpr source_metric source_metrics[]{
    {"smsp__sass_inst_executed", &source_counts::instructions},
    {"smsp__sass_thread_inst_executed", &source_counts::threads},
    {"smsp__sass_thread_inst_executed_pred_on", &source_counts::threads_on},
    {"smsp__sass_branch_targets_threads_divergent", &source_counts::divergent_branches},
    {"smsp__sass_inst_executed_op_global", &source_counts::global_instructions},
    {"smsp__sass_inst_executed_op_global_atom", &source_counts::global_atomics},
    {"smsp__sass_inst_executed_op_global_red", &source_counts::global_reductions},
    {"smsp__sass_sectors_mem_global", &source_counts::global_sectors},
    {"smsp__sass_sectors_mem_global_ideal", &source_counts::global_ideal},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", &source_counts::shared_wavefronts},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", &source_counts::shared_ideal},
    {"smsp__sass_sectors_mem_local", &source_counts::local_sectors},
};

// A column: how it is called, and its value. `metric` must have been counted; of samples it is empty.
struct source_column {
    std::string_view id;    // for programs, and in JSON and CSV
    std::string_view title; // for people, short
    std::string_view meaning;
    std::string_view metric;
    std::uint64_t (*of)(source_counts const&);
};
namespace detail {
template <source_count_member Member>
[[nodiscard]] constexpr std::uint64_t member_of(source_counts const& counts) {
    return counts.*Member;
}
[[nodiscard]] constexpr std::uint64_t excess(std::uint64_t actual, std::uint64_t enough) noexcept {
    return actual > enough ? actual - enough : 0;
}
} // namespace detail
// All of them, in the order of the view.
inline constexpr source_column source_columns[]{
    {"samples", "samples", "samples of warps at the line", "", detail::member_of<&source_counts::samples>},
    {"latency_samples", "not hidden", "samples in cycles in which no other warp issued either", "",
     detail::member_of<&source_counts::latency_samples>},
    {"instructions", "instructions", "instructions that warps executed", "smsp__sass_inst_executed",
     detail::member_of<&source_counts::instructions>},
    {"threads", "threads", "threads that executed them", "smsp__sass_thread_inst_executed",
     detail::member_of<&source_counts::threads>},
    {"threads_on", "threads on", "threads whose predicate was true", "smsp__sass_thread_inst_executed_pred_on",
     detail::member_of<&source_counts::threads_on>},
    {"idle_threads", "idle threads",
     "places of warps without a thread that executes: 32 an instruction, less the threads",
     "smsp__sass_thread_inst_executed",
     [](source_counts const& of) { return detail::excess(32 * of.instructions, of.threads); }},
    {"predicated_off", "threads off", "threads whose predicate was false", "smsp__sass_thread_inst_executed_pred_on",
     [](source_counts const& of) { return detail::excess(of.threads, of.threads_on); }},
    {"divergent_branches", "divergent", "branches that parted the threads of a warp",
     "smsp__sass_branch_targets_threads_divergent", detail::member_of<&source_counts::divergent_branches>},
    {"global_instructions", "global", "instructions for global memory", "smsp__sass_inst_executed_op_global",
     detail::member_of<&source_counts::global_instructions>},
    {"global_atomics", "atomics", "atomic operations and reductions on global memory",
     "smsp__sass_inst_executed_op_global_atom",
     [](source_counts const& of) { return of.global_atomics + of.global_reductions; }},
    {"global_sectors", "sectors", "sectors of global memory that were touched", "smsp__sass_sectors_mem_global",
     detail::member_of<&source_counts::global_sectors>},
    {"global_ideal_sectors", "ideal sectors", "sectors that would do if threads lay side by side",
     "smsp__sass_sectors_mem_global_ideal", detail::member_of<&source_counts::global_ideal>},
    {"global_excess_sectors", "excess sectors", "sectors beyond the ideal", "smsp__sass_sectors_mem_global_ideal",
     [](source_counts const& of) { return detail::excess(of.global_sectors, of.global_ideal); }},
    {"shared_wavefronts", "wavefronts", "wavefronts of shared memory",
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", detail::member_of<&source_counts::shared_wavefronts>},
    {"shared_ideal_wavefronts", "ideal wavefronts", "wavefronts that would do without bank conflicts",
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", detail::member_of<&source_counts::shared_ideal>},
    {"shared_excess_wavefronts", "excess wavefronts", "wavefronts beyond the ideal",
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
     [](source_counts const& of) { return detail::excess(of.shared_wavefronts, of.shared_ideal); }},
    {"local_sectors", "local sectors", "sectors of local memory", "smsp__sass_sectors_mem_local",
     detail::member_of<&source_counts::local_sectors>},
};
// Null if there is no column of that id.
[[nodiscard]] constexpr source_column const* find_source_column(std::string_view id) noexcept {
    for (source_column const& each : source_columns)
        if (each.id == id) return &each;
    return nullptr;
}

// An instruction of a line.
struct source_instruction {
    std::string function;                      // mangled, as the driver has it
    std::uint64_t module = 0;                  // CUPTI's CRC of its code
    std::uint64_t pc_offset = 0;               // bytes from the beginning of the function
    std::string text{};                        // SASS, PTX on the embedded GPU; empty if it is not known
    std::vector<source_location> inlined_at{}; // where the line's function was called, that call's caller, and so on
    source_counts counts{};
};

// A line that has instructions.
struct source_line {
    std::uint32_t line = 0; // from 1
    std::string text{};     // empty if the file could not be read
    source_counts counts{};
    std::vector<source_instruction> instructions{}; // by function and place
};

// A file that has lines.
struct source_file {
    std::string path{};
    bool could_be_read = false;
    source_counts counts{};
    std::vector<source_line> lines{}; // in the order of the file
};

// Instructions of a function without a line, and why.
struct unplaced_counts {
    std::string function;
    std::string why;
    source_counts counts{};
};

// The lines of all kernels that were counted or sampled. A value: it needs neither device nor files.
struct source_view {
    std::string device{};
    std::string chip{};
    device_source source = device_source::hardware;
    fidelity how = fidelity::exact;
    std::vector<std::string> metrics{};    // that were counted, of source_metrics
    std::vector<sampled_reason> reasons{}; // of stalls; empty unless it was sampled
    std::optional<error> no_counts{};      // why nothing was counted, if so
    std::optional<error> no_samples{};     // why nothing was sampled, if so
    std::optional<error> no_text{};        // why instructions of some module have no text, if so
    std::vector<source_file> files{};      // the hottest first
    std::vector<unplaced_counts> unplaced{};
    source_counts counts{};    // of all of them
    std::uint64_t hottest = 0; // what heat_column() has at the hottest line
    bool complete = true;      // whether no sample and no count was lost

    // Whether a column has values.
    [[nodiscard]] bool has(source_column const& column) const noexcept {
        if (column.metric.empty()) return !reasons.empty();
        for (std::string const& each : metrics)
            if (each == column.metric) return true;
        return false;
    }
    // What heat is of: samples if there are any, else executed instructions.
    [[nodiscard]] source_column const& heat_column() const noexcept {
        return *find_source_column(counts.samples != 0 ? "samples" : "instructions");
    }
    // The share of the hottest line's, 0 to 1.
    [[nodiscard]] double heat(source_counts const& of) const noexcept {
        return hottest == 0 ? 0 : static_cast<double>(heat_column().of(of)) / static_cast<double>(hottest);
    }

    // Adds a view of another run or process, instruction by instruction: counts of one run to samples of another. What either has
    // is no longer missing. Errors: invalid_argument if chip or source differ; nothing has changed then.
    [[nodiscard]] result<void> try_merge(source_view const& other);
    // Makes the counts of lines, files and the view, the hottest line and the order of files those of `instructions` and
    // `unplaced`, after a change of these. Lines and files without instructions go.
    void add_up();
};

// Options of view_source().
struct source_view_options {
    bool with_text = true;                           // of instructions; SASS costs a process a module
    std::size_t largest_file = std::size_t{4} << 20; // bytes; lines of larger files have no text
};

// Joins counts and samples of instructions by their lines. Either may be missing, with the reason. Never fails: what has no
// line is in `unplaced`. On the embedded GPU, whose code is PTX, lines are those of the PTX if it names no others.
// Cost: two look-ups of an instruction in CUPTI, and for SASS try_disassemble() of each module.
[[nodiscard]] source_view view_source(result<sass_counts> const& counts, result<pc_samples> const& samples,
                                      module_code const& code, source_view_options const& options = {});

#if !GPUPROF_ENABLED
inline source_counts& source_counts::operator+=(source_counts const&) { return *this; }
inline result<void> source_view::try_merge(source_view const&) { return {}; }
inline void source_view::add_up() {}
inline source_view view_source(result<sass_counts> const&, result<pc_samples> const&, module_code const&,
                               source_view_options const&) {
    return {};
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "source_view.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_SOURCE_VIEW_HPP
