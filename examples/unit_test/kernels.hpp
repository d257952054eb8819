// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels under test.
#ifndef UNIT_TEST_KERNELS_HPP
#define UNIT_TEST_KERNELS_HPP

#include <gpuprof/gpuprof.hpp>

inline constexpr unsigned saxpy_elements = 4096;

// y = 2 x + y over saxpy_elements floats.
void saxpy(gpuprof::device const& gpu);
// Transposes a tile of 32 by 32 words through shared memory; rows of the tile have one word more, so that columns are free of
// bank conflicts.
void transpose(gpuprof::device const& gpu);
// The same, and somebody forgot the padding.
void transpose_unpadded(gpuprof::device const& gpu);

#endif // UNIT_TEST_KERNELS_HPP
