// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of source_table.hpp.
#ifndef GPUPROF_SAMPLE_SOURCE_TABLE_INL_HPP
#define GPUPROF_SAMPLE_SOURCE_TABLE_INL_HPP

#include <algorithm>
#include <map>
#include <utility>

#include "../hw/machine/platform/demangle.hpp"
#include "source_lines.hpp"
#include "source_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

struct lines_by_number {
    std::map<std::uint32_t, sampled_line> lines;
    std::uint64_t module = 0; // a module with lines of the file
};

} // namespace detail

GPUPROF_INLINE source_table lines_of(pc_samples const& of, module_code const& code,
                                     source_table_options const& options) {
    source_table table;
    table.device = of.device;
    table.source = of.source;
    table.how = of.how;
    table.reasons = of.reasons;
    table.lost = of.dropped;
    table.complete = of.complete();
    std::map<std::string, detail::lines_by_number> files;
    for (pc_record const& record : of.records) {
        if (!options.function.empty() && record.function != options.function &&
            platform::demangled(record.function) != options.function)
            continue;
        std::uint64_t const count = record.samples();
        table.samples += count;
        auto const place = code.try_locate(record.module, record.function, record.pc_offset);
        if (!place) {
            auto found = std::find_if(table.unplaced.begin(), table.unplaced.end(), [&](unplaced_samples const& each) {
                return each.function == record.function && each.why == place.error().cause;
            });
            if (found == table.unplaced.end())
                found = table.unplaced.insert(found, {record.function, 0, place.error().cause});
            found->samples += count;
            continue;
        }
        detail::lines_by_number& file = files[place->path()];
        file.module = record.module;
        sampled_line& line = file.lines[place->line];
        line.line = place->line;
        line.samples += count;
        line.latency_samples += record.latency_samples();
        detail::add_stalls(line.stalls, record.stalls);
    }
    for (auto& [path, found] : files) {
        sampled_file file{path, detail::source_text(path, code, found.module, options.largest_file), {}, 0};
        for (auto& [number, line] : found.lines) {
            detail::most_first(line.stalls);
            file.samples += line.samples;
            file.lines.push_back(std::move(line));
        }
        table.files.push_back(std::move(file));
    }
    std::stable_sort(table.files.begin(), table.files.end(),
                     [](sampled_file const& a, sampled_file const& b) { return a.samples > b.samples; });
    return table;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SOURCE_TABLE_INL_HPP
