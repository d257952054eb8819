// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks measured, as a section of the page of an explanation.
#ifndef GPUPROF_IO_RANKS_PAGE_HPP
#define GPUPROF_IO_RANKS_PAGE_HPP

#include "../detail/config.hpp"
#include "../ranks/rank_report.hpp"
#include "../ranks/straggler.hpp"
#include "page_section.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A table of the ranks: a line a range and metric with least, mean and highest value, spread, where it is highest, outliers, and
// a strip from 0 to the highest value with a mark a rank, of many those of the four lowest and the four highest. Above it what is
// missing, and the stragglers where they were looked for. Numbers are those of io::json(). Thread-safe.
//
//     gpuprof::io::page_options options;
//     options.sections.push_back(gpuprof::io::ranks_section(report));
//
// @param slower null: nobody looked for stragglers @param rule which ranks are outliers; it is told
[[nodiscard]] page_section ranks_section(ranks::rank_report const& of, ranks::straggler_report const* slower = nullptr,
                                         ranks::outlier_rule const& rule = {});

#if !GPUPROF_ENABLED
inline page_section ranks_section(ranks::rank_report const&, ranks::straggler_report const*,
                                  ranks::outlier_rule const&) {
    return {};
}
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "ranks_page.inl.hpp"
#endif

#endif // GPUPROF_IO_RANKS_PAGE_HPP
