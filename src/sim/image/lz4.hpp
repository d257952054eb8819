// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unpacks an LZ4 block.
#ifndef GPUPROF_SRC_SIM_IMAGE_LZ4_HPP
#define GPUPROF_SRC_SIM_IMAGE_LZ4_HPP

#include <cstddef>
#include <span>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// Unpacks `packed` into `to`, which it must fill exactly ("LZ4 Block Format Description"). False
// for bytes that are no LZ4 block of that size; `to` may be written in part then. Reads and writes
// nothing else. Linear; thread-safe.
[[nodiscard]] bool unpack_lz4(std::span<std::byte const> packed, std::span<std::byte> to) noexcept;

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_IMAGE_LZ4_HPP
