// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check that fails, for what it prints.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>

TEST_CASE("more sectors than expected") { CHECK(gpuprof::sectors{5000} <= gpuprof::sectors{4096}); }
