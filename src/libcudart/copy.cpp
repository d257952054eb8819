// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills of the runtime: lines, rows, boxes, symbols.
#include <algorithm>
#include <cstddef>

#include "runtime.hpp"
#include "texture.hpp"

extern "C" { // of libcuda.so.1, beside its table
gpuprof::abi::CUresult cuMemcpy3D_v2(gpuprof::driver_library::copy_node_parameters const*);
gpuprof::abi::CUresult cuMemcpy3DAsync_v2(gpuprof::driver_library::copy_node_parameters const*, gpuprof::abi::CUstream);
}

namespace gpuprof::runtime {
namespace {

using table = abi::driver_table;

// The stream that a synchronous call works in, by the number that the application could not give.
struct how {
    bool waits;
    abi::CUstream stream;
};
constexpr how at_once{true, nullptr};

abi::CUresult copy_line(void* to, void const* from, std::size_t bytes, int kind, how way) {
    table const& calls = driver();
    abi::CUdeviceptr const there = device_address(to);
    abi::CUdeviceptr const here = device_address(from);
    switch (kind) {
        case host_to_device:
            return way.waits ? calls.MemcpyHtoD(there, from, bytes)
                             : calls.MemcpyHtoDAsync(there, from, bytes, way.stream);
        case device_to_host:
            return way.waits ? calls.MemcpyDtoH(to, here, bytes) : calls.MemcpyDtoHAsync(to, here, bytes, way.stream);
        case device_to_device:
            return way.waits ? calls.MemcpyDtoD(there, here, bytes)
                             : calls.MemcpyDtoDAsync(there, here, bytes, way.stream);
        default: // where the pointers say
            return way.waits ? calls.Memcpy(there, here, bytes) : calls.MemcpyAsync(there, here, bytes, way.stream);
    }
}

cuda_error copy(void* to, void const* from, std::size_t bytes, int kind, how way) {
    if (kind < host_to_host || kind > any_to_any) return keep(cudaErrorInvalidMemcpyDirection);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return bytes == 0 ? cudaSuccess : keep(copy_line(to, from, bytes, kind, way));
}
cuda_error copy_now(void* to, void const* from, std::size_t bytes, int kind) {
    return copy(to, from, bytes, kind, at_once);
}
cuda_error copy_async(void* to, void const* from, std::size_t bytes, int kind, abi::CUstream stream) {
    return copy(to, from, bytes, kind, {false, stream});
}
// Between devices, or within one: the contexts are those of the devices that are named.
cuda_error copy_between(void* to, int to_device, void const* from, int from_device, std::size_t bytes, how way) {
    abi::CUcontext there = nullptr, here = nullptr;
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    if (abi::CUresult const status = primary_context(to_device, there)) return keep(status);
    if (abi::CUresult const status = primary_context(from_device, here)) return keep(status);
    if (bytes == 0) return cudaSuccess;
    abi::CUdeviceptr const target = device_address(to), source = device_address(from);
    return keep(way.waits ? driver().MemcpyPeer(target, there, source, here, bytes)
                          : driver().MemcpyPeerAsync(target, there, source, here, bytes, way.stream));
}
cuda_error copy_peer(void* to, int to_device, void const* from, int from_device, std::size_t bytes) {
    return copy_between(to, to_device, from, from_device, bytes, at_once);
}
cuda_error copy_peer_async(void* to, int to_device, void const* from, int from_device, std::size_t bytes,
                           abi::CUstream stream) {
    return copy_between(to, to_device, from, from_device, bytes, {false, stream});
}

// Rows of both sides: a pitch is the distance between their beginnings in bytes.
struct rows {
    void* pointer;
    std::size_t pitch;
};
cuda_error copy_rows(rows to, rows from, std::size_t width, std::size_t height, int kind, how way) {
    if (kind < host_to_host || kind > any_to_any) return keep(cudaErrorInvalidMemcpyDirection);
    if (width > to.pitch || width > from.pitch) return keep(cudaErrorInvalidPitchValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    if (width == 0 || height == 0) return cudaSuccess;
    abi::CUDA_MEMCPY2D what;
    direction const along = direction_of(kind);
    what.srcMemoryType = along.from;
    what.srcHost = from.pointer;
    what.srcDevice = device_address(from.pointer);
    what.srcPitch = from.pitch;
    what.dstMemoryType = along.to;
    what.dstHost = to.pointer;
    what.dstDevice = device_address(to.pointer);
    what.dstPitch = to.pitch;
    what.WidthInBytes = width;
    what.Height = height;
    return keep(way.waits ? driver().Memcpy2D(&what) : driver().Memcpy2DAsync(&what, way.stream));
}
cuda_error copy_2d(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch, std::size_t width,
                   std::size_t height, int kind) {
    return copy_rows({to, to_pitch}, {const_cast<void*>(from), from_pitch}, width, height, kind, at_once);
}
cuda_error copy_2d_async(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, int kind, abi::CUstream stream) {
    return copy_rows({to, to_pitch}, {const_cast<void*>(from), from_pitch}, width, height, kind, {false, stream});
}

// Whether a box fits into the pitch and, if it has several layers, into their rows. As an H100's driver (580.159) answers.
cuda_error check_side(void const* in_array, pitched_pointer const& memory, position const& at, extent const& size) {
    if (in_array != nullptr) return cudaSuccess;
    bool const has_layers = size.depth > 1;
    if (size.width > memory.pitch || (has_layers && size.height > memory.ysize)) return cudaErrorInvalidPitchValue;
    bool const fits = at.x <= memory.pitch - size.width && (!has_layers || at.y <= memory.ysize - size.height);
    return fits ? cudaSuccess : cudaErrorInvalidValue;
}

cuda_error copy_box(memcpy_3d_parameters const* what, how way) {
    if (what == nullptr) return keep(cudaErrorInvalidValue);
    if (what->kind < host_to_host || what->kind > any_to_any) return keep(cudaErrorInvalidMemcpyDirection);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    if (what->extent.width == 0 || what->extent.height == 0 || what->extent.depth == 0) return cudaSuccess;
    for (cuda_error const error : {check_side(what->srcArray, what->srcPtr, what->srcPos, what->extent),
                                   check_side(what->dstArray, what->dstPtr, what->dstPos, what->extent)})
        if (error != cudaSuccess) return keep(error);
    driver_library::copy_node_parameters box{};
    if (cuda_error const error = box_of(*what, box); error != cudaSuccess) return keep(error);
    return keep(way.waits ? cuMemcpy3D_v2(&box) : cuMemcpy3DAsync_v2(&box, way.stream));
}
cuda_error copy_3d(memcpy_3d_parameters const* what) { return copy_box(what, at_once); }
cuda_error copy_3d_async(memcpy_3d_parameters const* what, abi::CUstream stream) {
    return copy_box(what, {false, stream});
}

// The place in a variable, if it has so many bytes there.
cuda_error place_of(void const* symbol, std::size_t offset, std::size_t bytes, void*& place) {
    if (cuda_error const error = enter(); error != cudaSuccess) return error;
    found_variable found;
    if (cuda_error const error = find_variable(symbol, found); error != cudaSuccess) return error;
    if (offset > found.bytes || bytes > found.bytes - offset) return cudaErrorInvalidValue;
    place = pointer_to(found.address + offset);
    return cudaSuccess;
}
cuda_error copy_to_symbol(void const* symbol, void const* from, std::size_t bytes, std::size_t offset, int kind,
                          how way) {
    void* place = nullptr;
    if (cuda_error const error = place_of(symbol, offset, bytes, place); error != cudaSuccess) return keep(error);
    return copy(place, from, bytes, kind, way);
}
cuda_error copy_from_symbol(void* to, void const* symbol, std::size_t bytes, std::size_t offset, int kind, how way) {
    void* place = nullptr;
    if (cuda_error const error = place_of(symbol, offset, bytes, place); error != cudaSuccess) return keep(error);
    return copy(to, place, bytes, kind, way);
}
cuda_error copy_to_symbol_now(void const* symbol, void const* from, std::size_t bytes, std::size_t offset, int kind) {
    return copy_to_symbol(symbol, from, bytes, offset, kind, at_once);
}
cuda_error copy_to_symbol_async(void const* symbol, void const* from, std::size_t bytes, std::size_t offset, int kind,
                                abi::CUstream stream) {
    return copy_to_symbol(symbol, from, bytes, offset, kind, {false, stream});
}
cuda_error copy_from_symbol_now(void* to, void const* symbol, std::size_t bytes, std::size_t offset, int kind) {
    return copy_from_symbol(to, symbol, bytes, offset, kind, at_once);
}
cuda_error copy_from_symbol_async(void* to, void const* symbol, std::size_t bytes, std::size_t offset, int kind,
                                  abi::CUstream stream) {
    return copy_from_symbol(to, symbol, bytes, offset, kind, {false, stream});
}

cuda_error fill_async(void* to, int value, std::size_t bytes, abi::CUstream stream) {
    if (bytes == 0) return keep(enter());
    return forward(&table::MemsetD8Async, device_address(to), value, bytes, stream);
}
cuda_error fill(void* to, int value, std::size_t bytes) { return fill_async(to, value, bytes, nullptr); }

// Rows one after the other: the driver's table has no fill of rows in a stream.
cuda_error fill_2d_async(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                         abi::CUstream stream) {
    if (height > 1 && pitch < width) return keep(cudaErrorInvalidPitchValue);
    if (width == 0) height = 0; // however many rows of nothing
    for (std::size_t y = 0; y < height; ++y) {
        cuda_error const error = fill_async(static_cast<std::byte*>(to) + y * pitch, value, width, stream);
        if (error != cudaSuccess) return error;
    }
    return keep(enter());
}
cuda_error fill_2d(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return fill_2d_async(to, pitch, value, width, height, nullptr);
}
cuda_error fill_3d_async(pitched_pointer to, int value, extent size, abi::CUstream stream) {
    if (size.width == 0 || size.height == 0) size.depth = 0;
    for (std::size_t z = 0; z < size.depth; ++z) {
        auto* const layer = static_cast<std::byte*>(to.ptr) + z * to.pitch * to.ysize;
        cuda_error const error = fill_2d_async(layer, to.pitch, value, size.width, size.height, stream);
        if (error != cudaSuccess) return error;
    }
    return keep(enter());
}
cuda_error fill_3d(pitched_pointer to, int value, extent size) { return fill_3d_async(to, value, size, nullptr); }

} // namespace

std::span<call const> copy_calls() {
    static call const calls[]{call::of<&copy_now>("cudaMemcpy"),
                              call::of<&copy_async>("cudaMemcpyAsync"),
                              call::of<&copy_peer>("cudaMemcpyPeer"),
                              call::of<&copy_peer_async>("cudaMemcpyPeerAsync"),
                              call::of<&copy_2d>("cudaMemcpy2D"),
                              call::of<&copy_2d_async>("cudaMemcpy2DAsync"),
                              call::of<&copy_3d>("cudaMemcpy3D"),
                              call::of<&copy_3d_async>("cudaMemcpy3DAsync"),
                              call::of<&copy_to_symbol_now>("cudaMemcpyToSymbol"),
                              call::of<&copy_to_symbol_async>("cudaMemcpyToSymbolAsync"),
                              call::of<&copy_from_symbol_now>("cudaMemcpyFromSymbol"),
                              call::of<&copy_from_symbol_async>("cudaMemcpyFromSymbolAsync"),
                              call::of<&fill>("cudaMemset"),
                              call::of<&fill_async>("cudaMemsetAsync"),
                              call::of<&fill_2d>("cudaMemset2D"),
                              call::of<&fill_2d_async>("cudaMemset2DAsync"),
                              call::of<&fill_3d>("cudaMemset3D"),
                              call::of<&fill_3d_async>("cudaMemset3DAsync")};
    return calls;
}

} // namespace gpuprof::runtime
