// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// doctest's implementation and main(), compiled once and linked into every test program. A build for another platform leaves
// the cases out that tests/platforms names.
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
