// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lines of source a kernel's time goes to: instructions that are sampled and counted, joined with findings. Opt-in; a
// list, nothing else. With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_EXPLAIN_LINES_HPP
#define GPUPROF_EXPLAIN_LINES_HPP

#include "detail/config.hpp"

#include "explain.hpp"
#include "explain/finding_lines.hpp"
#include "explain/measure_lines.hpp"
#include "explain/source_view.hpp"
#include "io/source_part.hpp"
#include "io/source_view.hpp"
#include "io/source_view_json.hpp"
#include "sample/instruction_values.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_explain_lines_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_EXPLAIN_LINES_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "pc_sampling.inl.hpp"
#include "explain_lines.inl.hpp"
#endif
