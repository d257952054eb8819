// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// zstd frames, by libzstd where gpuprof was built with it.
#ifndef GPUPROF_SRC_LIBCUDA_ZSTD_HPP
#define GPUPROF_SRC_LIBCUDA_ZSTD_HPP

#include "../sim/image/zstd.hpp"

namespace gpuprof::driver_library {

// Null without libzstd.
[[nodiscard]] sim::image::zstd_decoder zstd_decoder() noexcept;

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_ZSTD_HPP
