// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test of each framework by single files alone: a check that passes, and one that has no answer.
#if defined(OF_DOCTEST)
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <gpuprof/judge/adaptor/doctest.hpp>
#define GPUPROF_TEST_OF_FRAMEWORK TEST_CASE("by single files")
#elif defined(OF_CATCH2)
#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN
#endif
#include <gpuprof/judge/adaptor/catch2.hpp>
#define GPUPROF_TEST_OF_FRAMEWORK TEST_CASE("by single files")
#elif defined(OF_GOOGLETEST)
#include <gpuprof/judge/adaptor/googletest.hpp>
#define GPUPROF_TEST_OF_FRAMEWORK TEST(single, files)
#else
#include <gpuprof/judge/adaptor/plain.hpp>
#define GPUPROF_TEST_OF_FRAMEWORK static void checks()
#endif

#include <gpuprof/judge/traced_work.hpp>

GPUPROF_TEST_OF_FRAMEWORK {
    gpuprof::observation const nothing{gpuprof::error{gpuprof::errc::not_collected, 0, "no single range"}};
    GPUPROF_CHECK(1 + 1 == 2);
    GPUPROF_CHECK(nothing[gpuprof::metrics::warps_launched] >= gpuprof::warps{1});
    GPUPROF_EXPECT(nothing, gpuprof::expect::launch_count(1));
}

#if defined(OF_PLAIN)
int main() {
    checks();
    return gpuprof::judge::plain_status();
}
#endif
