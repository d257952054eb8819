// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check that fails, for what it prints.
#include <gtest/gtest.h>

#include <gpuprof/gpuprof.hpp>

TEST(sectors, more_than_expected) { EXPECT_LE(gpuprof::sectors{5000}, gpuprof::sectors{4096}); }
