// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_CHECK and its like without a test framework.
//
//     int main() { ...; GPUPROF_CHECK(m.ratio(0, 1) <= 4.0); return gpuprof::judge::plain_status(); }
//
// Checks that do not pass are told on stderr: file, line, expression, outcome. GPUPROF_REQUIRE ends the program. The status is
// 1 if a check failed, 77 if none failed and one was inconclusive under GPUPROF_INCONCLUSIVE=skip (CTest's SKIP_RETURN_CODE and
// Automake's), else 0.
#ifndef GPUPROF_JUDGE_ADAPTOR_PLAIN_HPP
#define GPUPROF_JUDGE_ADAPTOR_PLAIN_HPP

#if defined(GPUPROF_TELL)
#error "gpuprof: one adaptor a file"
#endif

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "../outcome.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// How many checks ended so. Any thread may check.
struct plain_counts {
    std::atomic<unsigned> passed{0};
    std::atomic<unsigned> failed{0};
    std::atomic<unsigned> skipped{0};
};
inline plain_counts plain{};

// What main() is to return.
[[nodiscard]] inline int plain_status() noexcept { return plain.failed != 0 ? 1 : plain.skipped != 0 ? 77 : 0; }

inline void tell_plain(outcome const& found, bool required, char const* file, int line, char const* macro,
                       char const* expression, inconclusive_policy chosen) {
    if (found) {
        ++plain.passed;
        return;
    }
    bool const inconclusive = found.verdict == verdict::inconclusive;
    inconclusive_policy const how = inconclusive ? policy(chosen) : inconclusive_policy::fail;
    std::fprintf(stderr, "%s:%d: %s: %s(%s)\n%s\n", file, line, inconclusive ? "inconclusive" : "failed", macro,
                 expression, found.text().c_str());
    if (how == inconclusive_policy::warn) return;
    ++(how == inconclusive_policy::skip ? plain.skipped : plain.failed);
    if (required) std::exit(plain_status());
}

} // namespace judge
GPUPROF_NAMESPACE_END

#define GPUPROF_TELL(outcome, required, macro, text)                                                                   \
    ::gpuprof::judge::tell_plain(outcome, required, __FILE__, __LINE__, macro, text,                                   \
                                 ::gpuprof::inconclusive_policy::GPUPROF_INCONCLUSIVE)

#include "../checks.hpp"

#endif // GPUPROF_JUDGE_ADAPTOR_PLAIN_HPP
