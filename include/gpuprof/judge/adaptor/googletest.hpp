// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_CHECK and its like in GoogleTest.
//
// GPUPROF_REQUIRE returns from the function, as ASSERT_ does: the function returns void. Under GPUPROF_INCONCLUSIVE=skip an
// inconclusive check marks the test as skipped, unless it has failed. With GoogleTest 1.10 and later.
#ifndef GPUPROF_JUDGE_ADAPTOR_GOOGLETEST_HPP
#define GPUPROF_JUDGE_ADAPTOR_GOOGLETEST_HPP

#if defined(GPUPROF_TELL)
#error "gpuprof: one adaptor a file"
#endif

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "../../recording/test_name.hpp"
#include "../outcome.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// Whether the test goes on.
[[nodiscard]] inline bool tell_googletest(outcome const& found, bool required, char const* file, int line,
                                          char const* macro, char const* expression, inconclusive_policy chosen) {
    using kind = ::testing::TestPartResult;
    if (found) return true;
    bool const inconclusive = found.verdict == verdict::inconclusive;
    inconclusive_policy const how = inconclusive ? policy(chosen) : inconclusive_policy::fail;
    std::string const text = std::string{macro} + '(' + expression + ")\n" + found.text();
    if (how == inconclusive_policy::warn) {
        std::printf("%s:%d: %s\n", file, line, text.c_str());
        return true;
    }
    kind::Type const type = how == inconclusive_policy::skip ? kind::kSkip
                            : required                       ? kind::kFatalFailure
                                                             : kind::kNonFatalFailure;
    ::testing::internal::AssertHelper(type, file, line, text.c_str()) = ::testing::Message();
    return !required;
}

inline bool const googletest_names_recordings = (
    gpuprof::detail::test_at_hand =
        [] {
            auto const* const test = ::testing::UnitTest::GetInstance()->current_test_info();
            return test == nullptr ? std::string{} : std::string{test->test_suite_name()} + '.' + test->name();
        },
    true);

} // namespace judge
GPUPROF_NAMESPACE_END

#define GPUPROF_TELL(outcome, required, macro, text)                                                                   \
    if (!::gpuprof::judge::tell_googletest(outcome, required, __FILE__, __LINE__, macro, text,                         \
                                           ::gpuprof::inconclusive_policy::GPUPROF_INCONCLUSIVE))                      \
    GPUPROF_RETURN_IF(required)
#define GPUPROF_RETURN_IF(required) GPUPROF_RETURN_IF_##required
#define GPUPROF_RETURN_IF_true return
#define GPUPROF_RETURN_IF_false static_cast<void>(0)

#include "../checks.hpp"

#endif // GPUPROF_JUDGE_ADAPTOR_GOOGLETEST_HPP
