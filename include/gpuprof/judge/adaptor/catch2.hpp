// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_CHECK and its like in Catch2, versions 2 and 3.
//
// Include after Catch2 (also catch_amalgamated.hpp), or alone. Under GPUPROF_INCONCLUSIVE=skip an inconclusive check skips the
// rest of the test, as SKIP does, with Catch2 3.3 and later; before, which cannot skip, it fails.
#ifndef GPUPROF_JUDGE_ADAPTOR_CATCH2_HPP
#define GPUPROF_JUDGE_ADAPTOR_CATCH2_HPP

#if defined(GPUPROF_TELL)
#error "gpuprof: one adaptor a file"
#endif

#if !defined(CATCH_VERSION_MAJOR)
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_version_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif
#endif

#include <string>

#include "../../recording/test_name.hpp"
#include "../outcome.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// As an assertion of Catch2's own, with its place and expression.
inline void tell_catch2(outcome const& found, bool required, char const* file, int line, char const* macro,
                        char const* expression, inconclusive_policy chosen) {
    using was = ::Catch::ResultWas;
    was::OfType result = found ? was::Ok : was::ExplicitFailure;
    if (found.verdict == verdict::inconclusive) {
        inconclusive_policy const how = policy(chosen);
        if (how == inconclusive_policy::warn) result = was::Warning;
#if CATCH_VERSION_MAJOR > 3 || (CATCH_VERSION_MAJOR == 3 && CATCH_VERSION_MINOR >= 3)
        if (how == inconclusive_policy::skip) result = was::ExplicitSkip;
#endif
    }
    ::Catch::AssertionHandler handler{
        ::Catch::StringRef{macro}, ::Catch::SourceLineInfo{file, static_cast<std::size_t>(line)},
        ::Catch::StringRef{expression},
        required ? ::Catch::ResultDisposition::Normal : ::Catch::ResultDisposition::ContinueOnFailure};
    handler.handleMessage(result, found.text());
    handler.complete();
}

inline bool const catch2_names_recordings = (
    gpuprof::detail::test_at_hand = []() -> std::string {
#if GPUPROF_EXCEPTIONS
        try {
            return ::Catch::getResultCapture().getCurrentTestName();
        } catch (...) { // no test runs
            return {};
        }
#else
        return ::Catch::getResultCapture().getCurrentTestName();
#endif
    },
    true);

} // namespace judge
GPUPROF_NAMESPACE_END

#define GPUPROF_TELL(outcome, required, macro, text)                                                                   \
    ::gpuprof::judge::tell_catch2(outcome, required, __FILE__, __LINE__, macro, text,                                  \
                                  ::gpuprof::inconclusive_policy::GPUPROF_INCONCLUSIVE)

#include "../checks.hpp"

#endif // GPUPROF_JUDGE_ADAPTOR_CATCH2_HPP
