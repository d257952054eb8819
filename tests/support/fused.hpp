// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::fma for what tests expect: that of the C library where it rounds once, else by integers, which a test compares with the
// C library of Linux (src/sim/ops/fused.test.cpp). Test support.
#ifndef GPUPROF_TESTS_SUPPORT_FUSED_HPP
#define GPUPROF_TESTS_SUPPORT_FUSED_HPP

#include "sim/ops/fused.hpp"

template <class T>
[[nodiscard]] inline T fused(T a, T b, T c) {
    return gpuprof::sim::multiply_and_add(a, b, c);
}

#endif // GPUPROF_TESTS_SUPPORT_FUSED_HPP
