// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of saved.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_SAVED_INL_HPP
#define GPUPROF_SAVED_INL_HPP

#include "saved.hpp"

#include "measure/evaluate.inl.hpp"
#include "measure/replay_file.inl.hpp"
#include "recording/saved_report.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_saved_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_SAVED_INL_HPP
