// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copy.hpp"

#include <cstdint>
#include <optional>

#include "operation.hpp"
#include "run.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

[[nodiscard]] static place_of_rows rows_on_device(CUdeviceptr address) noexcept { return {address, 0, true}; }

[[nodiscard]] static place_of_rows rows_on_host(void const* address) noexcept {
    return {reinterpret_cast<std::uintptr_t>(address), 0, false};
}

[[nodiscard]] static place_of_rows rows_anywhere(CUdeviceptr address) noexcept { return {address, 0, false}; }

CUresult detail::copy(CUstream stream, bool wait, copy_operation const& work) {
    auto in = enter_context();
    return in.ready() ? enqueue(in, stream, work, wait) : in.status;
}

CUresult detail::fill(CUstream stream, fill_operation const& work) {
    auto in = enter_context();
    return in.ready() ? enqueue(in, stream, work) : in.status;
}

// Turns an array's side of a 2D copy into rows of device memory, those of its first slice. False if
// the array is not of this context, or if the rows go beyond it.
[[nodiscard]] static bool flatten_array(call const& in, CUmemorytype& type, CUarray array, CUdeviceptr& address,
                                        std::size_t& pitch, std::size_t x, std::size_t y, CUDA_MEMCPY2D const& copy) {
    if (type != CU_MEMORYTYPE_ARRAY) return true;
    array_state const* const found = in.driver.arrays.find(array);
    if (found == nullptr || found->context != in.context->handle) return false;
    std::uint64_t const width = found->shape.row;
    if (x > width || copy.WidthInBytes > width - x || y > found->shape.size[1] ||
        copy.Height > found->shape.size[1] - y)
        return false;
    type = CU_MEMORYTYPE_DEVICE;
    address = found->shape.address;
    pitch = static_cast<std::size_t>(found->shape.row);
    return true;
}

std::optional<place_of_rows> detail::rows_of(CUmemorytype type, std::uint64_t base, std::size_t pitch, std::size_t x,
                                             std::size_t row, std::size_t width) {
    if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_UNIFIED)
        return std::nullopt;
    constexpr std::size_t most = std::size_t{1} << 40;
    if (base == 0 || x > most || row > most || pitch > most || width > most) return std::nullopt;
    if (pitch == 0) pitch = x + width;
    if (width > pitch || x > pitch - width) return std::nullopt;
    if (row != 0 && pitch > (std::size_t{1} << 60) / row) return std::nullopt;
    return place_of_rows{base + row * pitch + x, pitch, type == CU_MEMORYTYPE_DEVICE};
}

std::optional<std::size_t> detail::rows_before(std::size_t z, std::size_t height, std::size_t y) noexcept {
    constexpr std::size_t most = std::size_t{1} << 40;
    if (z > most || y > most || (z != 0 && height > most / z)) return std::nullopt;
    return z * height + y;
}

[[nodiscard]] static CUresult enqueue_2d_copy(CUDA_MEMCPY2D const* copy, CUstream stream, bool wait) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY2D flat = *copy; // with arrays as rows of device memory
    if (!flatten_array(in, flat.srcMemoryType, flat.srcArray, flat.srcDevice, flat.srcPitch, flat.srcXInBytes,
                       flat.srcY, flat) ||
        !flatten_array(in, flat.dstMemoryType, flat.dstArray, flat.dstDevice, flat.dstPitch, flat.dstXInBytes,
                       flat.dstY, flat))
        return CUDA_ERROR_INVALID_VALUE;
    copy = &flat;
    auto const base = [](CUmemorytype type, void const* host, CUdeviceptr device) -> std::uint64_t {
        return type == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uintptr_t>(host) : device;
    };
    auto const to = detail::rows_of(copy->dstMemoryType, base(copy->dstMemoryType, copy->dstHost, copy->dstDevice),
                                    copy->dstPitch, copy->dstXInBytes, copy->dstY, copy->WidthInBytes);
    auto const from = detail::rows_of(copy->srcMemoryType, base(copy->srcMemoryType, copy->srcHost, copy->srcDevice),
                                      copy->srcPitch, copy->srcXInBytes, copy->srcY, copy->WidthInBytes);
    if (!to || !from) return CUDA_ERROR_INVALID_VALUE;
    return enqueue(in, stream, copy_operation{*to, *from, copy->WidthInBytes, copy->Height}, wait);
}

CUresult memcpy_unified_async(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return detail::copy(stream, false, {rows_anywhere(to), rows_anywhere(from), bytes});
}
CUresult memcpy_unified(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return detail::copy(nullptr, true, {rows_anywhere(to), rows_anywhere(from), bytes});
}
CUresult memcpy_htod_async(CUdeviceptr to, void const* from, std::size_t bytes, CUstream stream) {
    return detail::copy(stream, false, {rows_on_device(to), rows_on_host(from), bytes});
}
CUresult memcpy_htod(CUdeviceptr to, void const* from, std::size_t bytes) {
    return detail::copy(nullptr, true, {rows_on_device(to), rows_on_host(from), bytes});
}
CUresult memcpy_dtoh_async(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return detail::copy(stream, false, {rows_on_host(to), rows_on_device(from), bytes});
}
CUresult memcpy_dtoh(void* to, CUdeviceptr from, std::size_t bytes) {
    return detail::copy(nullptr, true, {rows_on_host(to), rows_on_device(from), bytes});
}
CUresult memcpy_dtod_async(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return detail::copy(stream, false, {rows_on_device(to), rows_on_device(from), bytes});
}
CUresult memcpy_dtod(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return detail::copy(nullptr, false, {rows_on_device(to), rows_on_device(from), bytes});
}
CUresult memcpy_2d(CUDA_MEMCPY2D const* copy) { return enqueue_2d_copy(copy, nullptr, true); }
CUresult memcpy_2d_async(CUDA_MEMCPY2D const* copy, CUstream stream) { return enqueue_2d_copy(copy, stream, false); }

CUresult memset_d8_async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
    return detail::fill(stream, {to, 0, value, 1, count});
}
CUresult memset_d16_async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
    return detail::fill(stream, {to, 0, value, 2, count});
}
CUresult memset_d32_async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
    return detail::fill(stream, {to, 0, value, 4, count});
}
CUresult memset_d8(CUdeviceptr to, unsigned char value, std::size_t count) {
    return memset_d8_async(to, value, count, nullptr);
}
CUresult memset_d16(CUdeviceptr to, unsigned short value, std::size_t count) {
    return memset_d16_async(to, value, count, nullptr);
}
CUresult memset_d32(CUdeviceptr to, unsigned value, std::size_t count) {
    return memset_d32_async(to, value, count, nullptr);
}
CUresult memset_d2d8(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
    if (height > 1 && pitch < width) return CUDA_ERROR_INVALID_VALUE;
    return detail::fill(nullptr, {to, pitch, value, 1, width, height});
}
CUresult memset_d2d32(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
    if (height > 1 && pitch / 4 < width) return CUDA_ERROR_INVALID_VALUE;
    return detail::fill(nullptr, {to, pitch, value, 4, width, height});
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
