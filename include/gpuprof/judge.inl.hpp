// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of judge.hpp. Compiled once in a program: see GPUPROF_HEADER_ONLY.
#ifndef GPUPROF_JUDGE_INL_HPP
#define GPUPROF_JUDGE_INL_HPP

#include "judge.hpp"

#include "judge/baseline.inl.hpp"
#include "judge/comparison.inl.hpp"
#include "judge/evidence.inl.hpp"
#include "judge/expectations.inl.hpp"
#include "judge/flaws.inl.hpp"
#include "judge/outcome.inl.hpp"
#include "judge/traced_work.inl.hpp"
#include "text/json_value.inl.hpp"
#include "io/verdicts.inl.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_HERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_judge_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_JUDGE_INL_HPP
