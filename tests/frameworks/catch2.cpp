// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check that fails, for what it prints.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include <gpuprof/gpuprof.hpp>

TEST_CASE("more sectors than expected") { CHECK(gpuprof::sectors{5000} <= gpuprof::sectors{4096}); }
