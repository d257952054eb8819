// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_CHECK, GPUPROF_REQUIRE, GPUPROF_EXPECT: what adaptors of test frameworks share.
//
// Include an adaptor (gpuprof/judge/adaptor/), not this file. An adaptor defines GPUPROF_TELL(outcome, required, macro, text)
// before: a statement that tells its framework.
#ifndef GPUPROF_JUDGE_CHECKS_HPP
#define GPUPROF_JUDGE_CHECKS_HPP

#include "../detail/config.hpp"

#include "../gpuprof.hpp" // an adaptor is all that a test file includes
#include "../judge.hpp"

#if !defined(GPUPROF_TELL)
#error "gpuprof: include the adaptor of your test framework, for example gpuprof/judge/adaptor/doctest.hpp"
#endif

// What an inconclusive check does to the test: skip, fail or warn. See inconclusive_policy.
#ifndef GPUPROF_INCONCLUSIVE
#define GPUPROF_INCONCLUSIVE skip
#endif

// << binds stronger than comparisons, which is meant.
#if defined(__clang__)
#define GPUPROF_QUIETLY_BEGIN                                                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Woverloaded-shift-op-parentheses\"")
#define GPUPROF_QUIETLY_END _Pragma("clang diagnostic pop")
#else
#define GPUPROF_QUIETLY_BEGIN
#define GPUPROF_QUIETLY_END
#endif

// A measurement that throws answers nothing; what the tested code throws is the framework's.
#if GPUPROF_EXCEPTIONS
#define GPUPROF_OUTCOME_OF(result, ...)                                                                                \
    try {                                                                                                              \
        result = __VA_ARGS__;                                                                                          \
    } catch (::gpuprof::exception const& gpuprof_thrown) {                                                             \
        result = ::gpuprof::judge::not_answered(gpuprof_thrown.error());                                               \
    }
#else
#define GPUPROF_OUTCOME_OF(result, ...) result = __VA_ARGS__;
#endif

// Compiled out, a check is inconclusive whatever its expression came to.
#if GPUPROF_ENABLED
#define GPUPROF_ANSWER(...) __VA_ARGS__
#else
#define GPUPROF_ANSWER(...)                                                                                            \
    (static_cast<void>(__VA_ARGS__), ::gpuprof::judge::not_answered(::gpuprof::detail::compiled_out()))
#endif

#define GPUPROF_JUDGE(required, macro, text, ...)                                                                      \
    do {                                                                                                               \
        GPUPROF_QUIETLY_BEGIN                                                                                          \
        ::gpuprof::outcome gpuprof_outcome;                                                                            \
        GPUPROF_OUTCOME_OF(gpuprof_outcome, GPUPROF_ANSWER(__VA_ARGS__))                                               \
        GPUPROF_TELL(gpuprof_outcome, required, "GPUPROF_" #macro, text);                                              \
        GPUPROF_QUIETLY_END                                                                                            \
    } while (false)

// GPUPROF_CHECK(m.ratio(0, 1) <= 4.0); the test goes on if it does not pass.
#define GPUPROF_CHECK(...)                                                                                             \
    GPUPROF_JUDGE(false, CHECK, #__VA_ARGS__, ::gpuprof::judge::settled(::gpuprof::judge::decomposer{} << __VA_ARGS__))
// The same; the test ends if it does not pass.
#define GPUPROF_REQUIRE(...)                                                                                           \
    GPUPROF_JUDGE(true, REQUIRE, #__VA_ARGS__, ::gpuprof::judge::settled(::gpuprof::judge::decomposer{} << __VA_ARGS__))
// GPUPROF_EXPECT(m, expect::coalesced_global_loads()), GPUPROF_EXPECT(m[metric], near(4096_sectors, 2_percent)): an
// observation, a range of a report or a value, and what is expected of it. The test goes on.
#define GPUPROF_EXPECT(...) GPUPROF_JUDGE(false, EXPECT, #__VA_ARGS__, ::gpuprof::judge::expected(__VA_ARGS__))

#endif // GPUPROF_JUDGE_CHECKS_HPP
