// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measurements in files: reports saved, loaded by another process, and evaluated for other metrics; passes of application
// replay. Opt-in; a list, nothing
// else. With GPUPROF_ENABLED=0 the same names do nothing.
#ifndef GPUPROF_SAVED_HPP
#define GPUPROF_SAVED_HPP

#include "detail/config.hpp"

#include "measure/evaluate.hpp"
#include "recording/saved_report.hpp"

#if GPUPROF_ENABLED
#include "measure/replay_file.hpp"
#endif

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_saved_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_SAVED_HPP

#if GPUPROF_ENABLED && (GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION))
#include "gpuprof.inl.hpp"
#include "saved.inl.hpp"
#include "text/json_value.inl.hpp"
#endif
