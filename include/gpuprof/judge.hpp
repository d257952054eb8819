// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters in unit tests: observations, bounds, expectations, baselines. Opt-in; a list, nothing else. The macros
// (GPUPROF_CHECK, ...) come with the adaptor of a test framework, in gpuprof/judge/adaptor/.
#ifndef GPUPROF_JUDGE_HPP
#define GPUPROF_JUDGE_HPP

#include "detail/config.hpp"

#if !GPUPROF_ENABLED // every check is inconclusive
#include "judge/compiled_out.hpp"
#else

#include "core/json_value.hpp"
#include "judge/baseline.hpp"
#include "judge/bound.hpp"
#include "judge/comparison.hpp"
#include "judge/decomposition.hpp"
#include "judge/evidence.hpp"
#include "judge/expectations.hpp"
#include "judge/observation.hpp"
#include "judge/observe.hpp"
#include "judge/observe_for.hpp"
#include "judge/outcome.hpp"

#endif

#endif // GPUPROF_JUDGE_HPP
