// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a check ends: pass, fail, or inconclusive.
#ifndef GPUPROF_JUDGE_OUTCOME_HPP
#define GPUPROF_JUDGE_OUTCOME_HPP

#include <string>
#include <string_view>
#include <utility>

#include "../core/error.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

enum class verdict : unsigned char {
    pass,
    fail,        // the values say no
    inconclusive // the values cannot say: they are missing, or not good enough for what was asked. Never a pass
};

[[nodiscard]] constexpr std::string_view name(verdict of) noexcept {
    return of == verdict::pass ? "pass" : of == verdict::fail ? "fail" : "inconclusive";
}

// What a check found. Texts have no line end at their end.
struct outcome {
    gpuprof::verdict verdict = gpuprof::verdict::pass;
    std::string expanded{}; // both sides: "4.5 sector/request <= 4"
    std::string reason{};   // why it is inconclusive; empty otherwise
    std::string details{};  // where the values are from, in lines that begin with two blanks; may be empty

    [[nodiscard]] explicit operator bool() const noexcept { return verdict == gpuprof::verdict::pass; }

    // Everything in lines of at most 100 columns, if no word is longer: what a framework shows.
    [[nodiscard]] std::string text() const;
};

// What an inconclusive check does to the test. The project decides: by the macro GPUPROF_INCONCLUSIVE (skip, fail or warn,
// before the adaptor is included), and the environment variable of the same name, which wins.
enum class inconclusive_policy : unsigned char {
    skip, // the framework's own way to skip; where it has none (doctest, Catch2 v2), as fail. What holds if nothing is said
    fail, // as a check that failed
    warn  // a message; the test goes on
};

namespace judge {

// @param chosen the macro's choice. Reads the environment at each call; checks that pass do not ask.
[[nodiscard]] inconclusive_policy policy(inconclusive_policy chosen);

// The outcome of a check that met an error instead of a value.
[[nodiscard]] outcome not_answered(error const& why);

} // namespace judge

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "outcome.inl.hpp"
#endif

#endif // GPUPROF_JUDGE_OUTCOME_HPP
