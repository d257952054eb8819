// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of explain.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_EXPLAIN_INL_HPP
#define GPUPROF_EXPLAIN_INL_HPP

#include "explain.hpp"

#include "explain/arithmetic_rules.inl.hpp"
#include "explain/explanation.inl.hpp"
#include "explain/launch_rules.inl.hpp"
#include "explain/link_chart.inl.hpp"
#include "explain/memory_chart.inl.hpp"
#include "explain/memory_rules.inl.hpp"
#include "explain/memory_table_values.inl.hpp"
#include "explain/occupancy_curves.inl.hpp"
#include "explain/reuse_rules.inl.hpp"
#include "explain/roofline.inl.hpp"
#include "explain/rule.inl.hpp"
#include "explain/rules.inl.hpp"
#include "explain/time_model.inl.hpp"
#include "explain/waiting_rules.inl.hpp"
#include "io/explanation_csv.inl.hpp"
#include "io/explanation_json.inl.hpp"
#include "io/findings.inl.hpp"
#include "io/link_chart_svg.inl.hpp"
#include "io/memory_chart_svg.inl.hpp"
#include "io/memory_table_text.inl.hpp"
#include "io/occupancy_svg.inl.hpp"
#include "io/page.inl.hpp"
#include "io/roofline_svg.inl.hpp"
#include "io/section_text.inl.hpp"
#include "io/time_lines.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_explain_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_EXPLAIN_INL_HPP
