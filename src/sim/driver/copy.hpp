// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver calls that copy and fill memory.
#ifndef GPUPROF_SRC_SIM_DRIVER_COPY_HPP
#define GPUPROF_SRC_SIM_DRIVER_COPY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace detail {
// Gives a copy or a fill to a stream of the current context. @param wait returns only after the
// copy
[[nodiscard]] abi::CUresult copy(abi::CUstream stream, bool wait, copy_operation const& work);
[[nodiscard]] abi::CUresult fill(abi::CUstream stream, fill_operation const& work);

// One side of a copy of rows of `width` bytes, which begins `row` rows and `x` bytes after `base`. A pitch of 0: rows without
// gaps. Nothing for a kind of memory that has no address, a row that is longer than the pitch, and numbers out of range.
[[nodiscard]] std::optional<place_of_rows> rows_of(abi::CUmemorytype type, std::uint64_t base, std::size_t pitch,
                                                   std::size_t x, std::size_t row, std::size_t width);
// How many rows of a box, whose layers have `height` rows, come before row `y` of layer `z`. Nothing if they are too many.
[[nodiscard]] std::optional<std::size_t> rows_before(std::size_t z, std::size_t height, std::size_t y) noexcept;
} // namespace detail

abi::CUresult memcpy_unified_async(abi::CUdeviceptr to, abi::CUdeviceptr from, std::size_t bytes, abi::CUstream stream);
abi::CUresult memcpy_unified(abi::CUdeviceptr to, abi::CUdeviceptr from, std::size_t bytes);
abi::CUresult memcpy_htod_async(abi::CUdeviceptr to, void const* from, std::size_t bytes, abi::CUstream stream);
abi::CUresult memcpy_htod(abi::CUdeviceptr to, void const* from, std::size_t bytes);
abi::CUresult memcpy_dtoh_async(void* to, abi::CUdeviceptr from, std::size_t bytes, abi::CUstream stream);
abi::CUresult memcpy_dtoh(void* to, abi::CUdeviceptr from, std::size_t bytes);
abi::CUresult memcpy_dtod_async(abi::CUdeviceptr to, abi::CUdeviceptr from, std::size_t bytes, abi::CUstream stream);
abi::CUresult memcpy_dtod(abi::CUdeviceptr to, abi::CUdeviceptr from, std::size_t bytes);
abi::CUresult memcpy_2d(abi::CUDA_MEMCPY2D const* copy);
abi::CUresult memcpy_2d_async(abi::CUDA_MEMCPY2D const* copy, abi::CUstream stream);
abi::CUresult memcpy_3d(abi::CUDA_MEMCPY3D const* copy);
abi::CUresult memcpy_3d_async(abi::CUDA_MEMCPY3D const* copy, abi::CUstream stream);

// All fills return before they are done, as on a device, whatever their names say.
abi::CUresult memset_d8_async(abi::CUdeviceptr to, unsigned char value, std::size_t count, abi::CUstream stream);
abi::CUresult memset_d16_async(abi::CUdeviceptr to, unsigned short value, std::size_t count, abi::CUstream stream);
abi::CUresult memset_d32_async(abi::CUdeviceptr to, unsigned value, std::size_t count, abi::CUstream stream);
abi::CUresult memset_d8(abi::CUdeviceptr to, unsigned char value, std::size_t count);
abi::CUresult memset_d16(abi::CUdeviceptr to, unsigned short value, std::size_t count);
abi::CUresult memset_d32(abi::CUdeviceptr to, unsigned value, std::size_t count);
abi::CUresult memset_d2d8(abi::CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                          std::size_t height);
abi::CUresult memset_d2d8_async(abi::CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                                std::size_t height, abi::CUstream stream);
abi::CUresult memset_d2d16(abi::CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                           std::size_t height);
abi::CUresult memset_d2d16_async(abi::CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                                 std::size_t height, abi::CUstream stream);
abi::CUresult memset_d2d32(abi::CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                           std::size_t height);
abi::CUresult memset_d2d32_async(abi::CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                                 std::size_t height, abi::CUstream stream);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_COPY_HPP
