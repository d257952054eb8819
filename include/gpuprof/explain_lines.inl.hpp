// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of explain_lines.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_EXPLAIN_LINES_INL_HPP
#define GPUPROF_EXPLAIN_LINES_INL_HPP

#include "explain_lines.hpp"

#include "explain/finding_lines.inl.hpp"
#include "explain/source_view.inl.hpp"
#include "io/source_view.inl.hpp"
#include "io/source_view_json.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_explain_lines_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_EXPLAIN_LINES_INL_HPP
