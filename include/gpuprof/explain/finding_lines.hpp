// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lines of a source view a finding is about.
#ifndef GPUPROF_EXPLAIN_FINDING_LINES_HPP
#define GPUPROF_EXPLAIN_FINDING_LINES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "explanation.hpp"
#include "source_view.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// What a finding costs at a line: the value of a column; for one of warps that wait, or where that column was not counted, the
// samples with a stall reason.
struct finding_column {
    std::string_view finding; // its id
    std::string_view column;  // of source_columns; empty for a stall reason
    std::string_view stall{}; // empty: nothing that is sampled tells
};
// A finding that is not here belongs to no line: it is of a launch, or of all of a kernel.
inline constexpr finding_column finding_columns[]{
    {"uncoalesced_global_access", "global_excess_sectors", "long_scoreboard"},
    {"narrow_access", "global_instructions", "lg_throttle"},
    {"redundant_loads", "global_instructions", "long_scoreboard"},
    {"no_tiling", "global_instructions", "long_scoreboard"},
    {"global_atomics", "global_atomics", "long_scoreboard"},
    {"far_memory", "global_sectors", "long_scoreboard"},
    {"shared_bank_conflicts", "shared_excess_wavefronts", "short_scoreboard"},
    {"shared_atomics", "shared_excess_wavefronts", "short_scoreboard"},
    {"narrow_shared_access", "shared_wavefronts", "mio_throttle"},
    {"local_memory", "local_sectors", "long_scoreboard"},
    {"thread_divergence", "idle_threads"},
    {"predicated_off", "predicated_off"},
    {"waiting_at_barriers", "", "barrier"},
    {"waiting_for_fences", "", "membar"},
    {"sleeping", "", "sleeping"},
    {"instruction_cache", "", "no_instructions"},
    {"constant_cache", "", "imc_miss"},
    {"texture_queue", "", "tex_throttle"},
    {"memory_latency", "", "long_scoreboard"},
    {"dependent_instructions", "", "wait"},
};

// Whose instructions count.
struct line_filter {
    std::string_view kernel{};              // this function's, mangled or as in the source; empty: all
    std::vector<std::string_view> others{}; // not those of these kernels; other functions may be called by any
};

// The lines that cost most by the finding's column, at most `most`, each with a tenth of the whole or more: "saxpy.cu:12", or
// "vector.hpp:30 inlined at saxpy.cu:12" with the outermost call. Without counts, "saxpy.cu:13 (where warps wait)": the
// instructions that use what others load. Empty if the finding belongs to no line, or the view has nothing that tells.
[[nodiscard]] std::vector<std::string> costliest_lines(std::string_view finding, source_view const& view,
                                                       line_filter const& filter = {}, std::size_t most = 3);

// The part of a view that belongs to the kernel which a range of the report is named after; all of it, if the range has a name
// of its own. Heat is of the hottest line of that part.
[[nodiscard]] source_view lines_of_range(source_view const& view, gpuprof::report const& of, std::size_t range);

#if !GPUPROF_ENABLED
inline source_view lines_of_range(source_view const& view, gpuprof::report const&, std::size_t) { return view; }
inline std::vector<std::string> costliest_lines(std::string_view, source_view const&, line_filter const&, std::size_t) {
    return {};
}
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "finding_lines.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_FINDING_LINES_HPP
