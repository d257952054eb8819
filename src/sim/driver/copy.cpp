// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copy.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "operation.hpp"
#include "peer.hpp"
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
    if (in.ready()) enter_stream(in, stream);
    return in.ready() ? enqueue(in, stream, work, wait) : in.status;
}

CUresult detail::fill(CUstream stream, fill_operation const& work) {
    auto in = enter_context();
    if (in.ready()) enter_stream(in, stream);
    return in.ready() ? enqueue(in, stream, work) : in.status;
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

// One side of a copy of a box, and where it begins.
struct box_side {
    CUmemorytype type = CU_MEMORYTYPE_HOST;
    void const* host = nullptr;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    std::size_t pitch = 0, height = 0;
    std::size_t x = 0, y = 0, z = 0;
};

// The rows of its layer `z`; arrays are device memory. Nothing where the array is not of this context, and for rows beyond it.
[[nodiscard]] static std::optional<place_of_rows> rows_of_layer(call const& in, box_side const& side, std::size_t z,
                                                                std::size_t width, std::size_t height) {
    if (side.type != CU_MEMORYTYPE_ARRAY) {
        auto const row = detail::rows_before(z, side.height, side.y);
        std::uint64_t const base =
            side.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uintptr_t>(side.host) : side.device;
        return row ? detail::rows_of(side.type, base, side.pitch, side.x, *row, width) : std::nullopt;
    }
    array_state const* const found = in.driver.arrays.find(side.array);
    if (found == nullptr || found->context != in.context->handle) return std::nullopt;
    auto const& shape = found->shape;
    bool const fits = side.x <= shape.row && width <= shape.row - side.x && side.y <= shape.size[1] &&
                      height <= shape.size[1] - side.y && z < (std::max)(shape.size[2], shape.layers);
    if (!fits) return std::nullopt;
    return detail::rows_of(CU_MEMORYTYPE_DEVICE, shape.address + z * shape.slice, static_cast<std::size_t>(shape.row),
                           side.x, side.y, width);
}

// A layer after the other.
[[nodiscard]] static CUresult enqueue_box(box_side const& to, box_side const& from, std::size_t width,
                                          std::size_t height, std::size_t depth, CUstream stream, bool wait) {
    constexpr std::size_t most = std::size_t{1} << 40;
    if (to.z > most || from.z > most || depth > most) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t z = depth; z-- > 0;) { // from the last on, so that a box beyond its memory copies nothing
        auto in = enter_context();
        if (!in.ready()) return in.status;
        auto const target = rows_of_layer(in, to, to.z + z, width, height);
        auto const source = rows_of_layer(in, from, from.z + z, width, height);
        if (!target || !source) return CUDA_ERROR_INVALID_VALUE;
        if (auto const status = enqueue(in, stream, copy_operation{*target, *source, width, height}, wait))
            return status;
    }
    return CUDA_SUCCESS;
}

[[nodiscard]] static CUresult enqueue_2d_copy(CUDA_MEMCPY2D const* copy, CUstream stream, bool wait) {
    if (auto const in = enter_context(); !in.ready()) return in.status;
    if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    box_side const to{copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray, copy->dstPitch, 0,
                      copy->dstXInBytes,   copy->dstY};
    box_side const from{copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray, copy->srcPitch, 0,
                        copy->srcXInBytes,   copy->srcY};
    return enqueue_box(to, from, copy->WidthInBytes, copy->Height, 1, stream, wait);
}

[[nodiscard]] static CUresult enqueue_3d_copy(CUDA_MEMCPY3D const* copy, CUstream stream, bool wait) {
    if (auto const in = enter_context(); !in.ready()) return in.status;
    if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (copy->WidthInBytes == 0 || copy->Height == 0 || copy->Depth == 0) return CUDA_SUCCESS;
    box_side const to{copy->dstMemoryType, copy->dstHost,     copy->dstDevice, copy->dstArray, copy->dstPitch,
                      copy->dstHeight,     copy->dstXInBytes, copy->dstY,      copy->dstZ};
    box_side const from{copy->srcMemoryType, copy->srcHost,     copy->srcDevice, copy->srcArray, copy->srcPitch,
                        copy->srcHeight,     copy->srcXInBytes, copy->srcY,      copy->srcZ};
    return enqueue_box(to, from, copy->WidthInBytes, copy->Height, copy->Depth, stream, wait);
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
CUresult memcpy_3d(CUDA_MEMCPY3D const* copy) { return enqueue_3d_copy(copy, nullptr, true); }
CUresult memcpy_3d_async(CUDA_MEMCPY3D const* copy, CUstream stream) { return enqueue_3d_copy(copy, stream, false); }

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
template <class T>
[[nodiscard]] static CUresult fill_rows(CUdeviceptr to, std::size_t pitch, T value, std::size_t width,
                                        std::size_t height, CUstream stream) {
    if (height > 1 && pitch / sizeof value < width) return CUDA_ERROR_INVALID_VALUE;
    return detail::fill(stream, {to, pitch, value, sizeof value, width, height});
}
CUresult memset_d2d8(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
    return fill_rows(to, pitch, value, width, height, nullptr);
}
CUresult memset_d2d8_async(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                           std::size_t height, CUstream stream) {
    return fill_rows(to, pitch, value, width, height, stream);
}
CUresult memset_d2d16(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
    return fill_rows(to, pitch, value, width, height, nullptr);
}
CUresult memset_d2d16_async(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                            std::size_t height, CUstream stream) {
    return fill_rows(to, pitch, value, width, height, stream);
}
CUresult memset_d2d32(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
    return fill_rows(to, pitch, value, width, height, nullptr);
}
CUresult memset_d2d32_async(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height,
                            CUstream stream) {
    return fill_rows(to, pitch, value, width, height, stream);
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
