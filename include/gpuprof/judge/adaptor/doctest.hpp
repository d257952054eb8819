// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_CHECK and its like in doctest. Include after doctest, or alone.
//
// doctest cannot skip a test that runs: under GPUPROF_INCONCLUSIVE=skip an inconclusive check fails. With doctest 2.4.
#ifndef GPUPROF_JUDGE_ADAPTOR_DOCTEST_HPP
#define GPUPROF_JUDGE_ADAPTOR_DOCTEST_HPP

#if defined(GPUPROF_TELL)
#error "gpuprof: one adaptor a file"
#endif

#include <doctest/doctest.h>

#include <string>

#include "../../recording/test_name.hpp"
#include "../outcome.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// As an assertion of doctest's own, with its place and expression.
inline void tell_doctest(outcome const& found, bool required, char const* file, int line, char const* expression,
                         inconclusive_policy chosen) {
    using namespace ::doctest; // names of enumerators
    bool const warns = found.verdict == verdict::inconclusive && policy(chosen) == inconclusive_policy::warn;
    auto const type = warns ? assertType::DT_WARN : required ? assertType::DT_REQUIRE : assertType::DT_CHECK;
    ::doctest::detail::ResultBuilder builder(type, file, line, expression);
    builder.setResult(::doctest::detail::Result(static_cast<bool>(found), found.text().c_str()));
    if (builder.log()) DOCTEST_BREAK_INTO_DEBUGGER();
    builder.react();
}

inline bool const doctest_names_recordings = (
    gpuprof::detail::test_at_hand =
        [] {
            auto const* const options = ::doctest::getContextOptions();
            bool const runs = options != nullptr && options->currentTest != nullptr;
            return runs ? std::string{options->currentTest->m_name} : std::string{};
        },
    true);

} // namespace judge
GPUPROF_NAMESPACE_END

#define GPUPROF_TELL(outcome, required, macro, text)                                                                   \
    ::gpuprof::judge::tell_doctest(outcome, required, __FILE__, __LINE__, text,                                        \
                                   ::gpuprof::inconclusive_policy::GPUPROF_INCONCLUSIVE)

#include "../checks.hpp"

#endif // GPUPROF_JUDGE_ADAPTOR_DOCTEST_HPP
