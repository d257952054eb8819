// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who unpacks zstd frames: headers have no decoder of their own. Layer: embedded GPU, program images.
#ifndef GPUPROF_HW_SIM_IMAGE_ZSTD_HPP
#define GPUPROF_HW_SIM_IMAGE_ZSTD_HPP

#include <atomic>  // set once, read by any thread
#include <cstddef> // std::byte
#include <span>    // bytes

#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// Unpacks a zstd frame into memory that it must fill exactly; false if it does not. Must be safe from any thread.
using zstd_decoder = bool (*)(std::span<std::byte const> packed, std::span<std::byte> to) noexcept;

namespace detail {
inline constinit std::atomic<zstd_decoder> zstd{nullptr};
} // namespace detail

// The driver library sets libzstd's here; a program that includes sim.hpp may set another. Null takes it away. Thread-safe.
inline void set_zstd_decoder(zstd_decoder decoder) noexcept { detail::zstd.store(decoder, std::memory_order_release); }

// Null if there is none. Thread-safe.
[[nodiscard]] inline zstd_decoder find_zstd_decoder() noexcept { return detail::zstd.load(std::memory_order_acquire); }

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_IMAGE_ZSTD_HPP
