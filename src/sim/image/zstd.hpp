// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that unpacks zstd frames. gpuprof has no decoder of its own: a program may set one.
#ifndef GPUPROF_SRC_SIM_IMAGE_ZSTD_HPP
#define GPUPROF_SRC_SIM_IMAGE_ZSTD_HPP

#include <cstddef>
#include <span>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// Unpacks a zstd frame into memory that it must fill exactly; false if it does not. Must be safe
// from any thread.
using zstd_decoder = bool (*)(std::span<std::byte const> packed, std::span<std::byte> to) noexcept;

// Sets the decoder; null takes it away. The driver library sets libzstd's, a program that includes
// sim.hpp may set another. Thread-safe.
void set_zstd_decoder(zstd_decoder decoder) noexcept;

// The decoder; null if none is set. Thread-safe.
[[nodiscard]] zstd_decoder find_zstd_decoder() noexcept;

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_IMAGE_ZSTD_HPP
