// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// doctest's implementation and main(), compiled once and linked into every test program. A build for another platform leaves
// the cases out that tests/platforms names.
#include <cstdlib>

#if defined(_WIN32)
#define GPUPROF_TEST_PUTENV ::_putenv
#else
#define GPUPROF_TEST_PUTENV ::putenv
#endif
// Times of the embedded GPU's traces are the same in every run, unless a test's environment says otherwise. Read later than this.
static char model_clock[] = "GPUPROF_SIM_CLOCK=model";
[[maybe_unused]] static int const clock_is_set =
    std::getenv("GPUPROF_SIM_CLOCK") == nullptr ? GPUPROF_TEST_PUTENV(model_clock) : 0;

#if defined(GPUPROF_TEST_LEFT_OUT)

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

int main(int count, char** arguments) {
    doctest::Context tests;
    tests.addFilter("test-case-exclude",
#include GPUPROF_TEST_LEFT_OUT
    );
    tests.applyCommandLine(count, arguments);
    return tests.run();
}

#else

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#endif
