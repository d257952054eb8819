// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters in unit tests: observations, bounds, expectations, baselines. Opt-in; a list, nothing
// else. The macros (GPUPROF_CHECK, ...) come with the adaptor of a test framework, in
// gpuprof/judge/adaptor/. With GPUPROF_ENABLED=0 these are the same classes; nothing is measured,
// and every check is inconclusive.
#ifndef GPUPROF_JUDGE_HPP
#define GPUPROF_JUDGE_HPP

#include "detail/config.hpp"

#include "text/json_value.hpp"
#include "judge/baseline.hpp"
#include "judge/bound.hpp"
#include "judge/comparison.hpp"
#include "judge/decomposition.hpp"
#include "judge/evidence.hpp"
#include "judge/expectations.hpp"
#include "judge/flaws.hpp"
#include "judge/observation.hpp"
#include "judge/observe.hpp"
#include "judge/observe_for.hpp"
#include "judge/outcome.hpp"
#include "io/verdicts.hpp"

#if !GPUPROF_HEADER_ONLY
GPUPROF_NAMESPACE_BEGIN
namespace detail {
GPUPROF_COMPILED_ELSEWHERE(
    define_GPUPROF_IMPLEMENTATION_in_one_file_that_includes_gpuprof_judge_hpp_or_link_gpuprof_compiled);
} // namespace detail
GPUPROF_NAMESPACE_END
#endif

#endif // GPUPROF_JUDGE_HPP

#if GPUPROF_HEADER_ONLY || defined(GPUPROF_IMPLEMENTATION)
#include "gpuprof.inl.hpp"
#if GPUPROF_ENABLED
#include "trace.inl.hpp"
#endif
#include "judge.inl.hpp"
#endif
