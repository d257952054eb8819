// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why kernels take as long as they do: sections, findings with a gain and an interval. Opt-in; a list, nothing else. What
// findings cost at lines of source is in explain_lines.hpp. With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_EXPLAIN_HPP
#define GPUPROF_EXPLAIN_HPP

#include "detail/config.hpp"

// in every build
#include "explain/finding.hpp"
#include "explain/memory_chart_metrics.hpp"
#include "explain/memory_tables.hpp"
#include "explain/metric_groups.hpp"
#include "explain/roofline_metrics.hpp"
#include "explain/section.hpp"
#include "explain/sections.hpp"
#include "explain/series_advice.hpp"

#include "bottleneck.hpp"
#include "explain/explanation.hpp"
#include "explain/link_chart.hpp"
#include "explain/measure.hpp"
#include "explain/memory_chart.hpp"
#include "explain/memory_table_values.hpp"
#include "explain/occupancy_curves.hpp"
#include "explain/roofline.hpp"
#include "explain/rule.hpp"
#include "explain/rules.hpp"
#include "explain/time_model.hpp"
#include "io/explanation_csv.hpp"
#include "io/explanation_json.hpp"
#include "io/findings.hpp"
#include "io/link_chart_svg.hpp"
#include "io/memory_chart_svg.hpp"
#include "io/memory_table_text.hpp"
#include "io/occupancy_svg.hpp"
#include "io/roofline_svg.hpp"
#include "io/section_text.hpp"
#include "io/page.hpp"
#include "io/time_lines.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_explain_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_EXPLAIN_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "bottleneck.inl.hpp"
#include "explain.inl.hpp"
#endif
