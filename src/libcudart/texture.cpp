// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, texture objects and surface objects of the runtime, over the driver's.
#include <cstddef>
#include <cstring>

#include "../libcuda/node_parameters.hpp"
#include "../libcuda/texture_types.hpp"
#include "runtime.hpp"
#include "texture.hpp"

extern "C" { // of libcuda.so.1, beside its table
gpuprof::abi::CUresult cuArray3DCreate_v2(gpuprof::abi::CUarray*, gpuprof::driver_library::array_descriptor_3d const*);
gpuprof::abi::CUresult cuArray3DGetDescriptor_v2(gpuprof::driver_library::array_descriptor_3d*, gpuprof::abi::CUarray);
gpuprof::abi::CUresult cuArrayDestroy(gpuprof::abi::CUarray);
gpuprof::abi::CUresult cuMemcpy3D_v2(gpuprof::driver_library::copy_node_parameters const*);
gpuprof::abi::CUresult cuMemcpy3DAsync_v2(gpuprof::driver_library::copy_node_parameters const*, gpuprof::abi::CUstream);
gpuprof::abi::CUresult cuMemcpyHtoA_v2(gpuprof::abi::CUarray, std::size_t, void const*, std::size_t);
gpuprof::abi::CUresult cuTexObjectCreate(gpuprof::driver_library::texture_handle*,
                                         gpuprof::driver_library::resource_description const*,
                                         gpuprof::driver_library::texture_description const*, void const*);
gpuprof::abi::CUresult cuTexObjectDestroy(gpuprof::driver_library::texture_handle);
gpuprof::abi::CUresult cuTexObjectGetResourceDesc(gpuprof::driver_library::resource_description*,
                                                  gpuprof::driver_library::texture_handle);
gpuprof::abi::CUresult cuTexObjectGetTextureDesc(gpuprof::driver_library::texture_description*,
                                                 gpuprof::driver_library::texture_handle);
gpuprof::abi::CUresult cuSurfObjectCreate(gpuprof::driver_library::texture_handle*,
                                          gpuprof::driver_library::resource_description const*);
gpuprof::abi::CUresult cuSurfObjectDestroy(gpuprof::driver_library::texture_handle);
gpuprof::abi::CUresult cuSurfObjectGetResourceDesc(gpuprof::driver_library::resource_description*,
                                                   gpuprof::driver_library::texture_handle);
}

namespace gpuprof::runtime {

using namespace driver_library;

namespace {

using array = abi::CUarray;

// A channel format as the driver's: bits of the first channel, how many channels are as wide. False where it has no such format.
bool read_format(channel_format const& from, int& format, unsigned& channels) {
    int const bits[]{from.x, from.y, from.z, from.w};
    channels = 0;
    while (channels < 4 && bits[channels] != 0) ++channels;
    for (unsigned i = 0; i < channels; ++i)
        if (bits[i] != from.x) return false;
    enum : int { is_signed, is_unsigned, is_float }; // cudaChannelFormatKind
    switch (from.x) {
        case 8:
            format = from.kind == is_signed ? format_s8 : format_u8;
            return channels != 0 && from.kind <= is_unsigned;
        case 16:
            format = from.kind == is_signed ? format_s16 : from.kind == is_unsigned ? format_u16 : format_half;
            break;
        case 32:
            format = from.kind == is_signed ? format_s32 : from.kind == is_unsigned ? format_u32 : format_float;
            break;
        default: return false;
    }
    return from.kind <= is_float;
}
channel_format write_format(int format, unsigned channels) {
    int const bits = format == format_u8 || format == format_s8                              ? 8
                     : format == format_u16 || format == format_s16 || format == format_half ? 16
                                                                                             : 32;
    int const kind = format >= format_half ? 2 : format >= format_s8 ? 0 : 1;
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind};
}
std::size_t texel_bytes(int format, unsigned channels) {
    channel_format const one = write_format(format, 1);
    return static_cast<std::size_t>(one.x) / 8 * channels;
}

// Arrays.
cuda_error allocate_3d(array* made, channel_format const* format, extent size, unsigned flags) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    array_descriptor_3d of{size.width, size.height, size.depth, 0, 0, flags};
    if (made == nullptr || format == nullptr || !read_format(*format, of.format, of.channels))
        return keep(cudaErrorInvalidValue);
    return keep(cuArray3DCreate_v2(made, &of));
}
cuda_error allocate(array* made, channel_format const* format, std::size_t width, std::size_t height, unsigned flags) {
    return allocate_3d(made, format, {width, height, 0}, flags);
}
cuda_error release(array gone) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return gone == nullptr ? cudaSuccess : keep(cuArrayDestroy(gone));
}
cuda_error describe(channel_format* format, extent* size, unsigned* flags, array of) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    array_descriptor_3d all{};
    if (abi::CUresult const status = cuArray3DGetDescriptor_v2(&all, of)) return keep(status);
    if (format != nullptr) *format = write_format(all.format, all.channels);
    if (size != nullptr) *size = {all.width, all.height, all.depth};
    if (flags != nullptr) *flags = all.flags;
    return cudaSuccess;
}
cuda_error channel_format_of(channel_format* to, array of) {
    return to == nullptr ? keep(cudaErrorInvalidValue) : describe(to, nullptr, nullptr, of);
}

// Copies.
struct side { // of a copy: an array, or memory
    array in_array;
    void* memory;
    std::size_t pitch;
    std::size_t x, y; // bytes, rows
};
void put(copy_node_parameters& box, side const& to, side const& from, int kind) {
    direction const along = direction_of(kind);
    box.src_type = from.in_array != nullptr ? abi::CU_MEMORYTYPE_ARRAY : along.from;
    box.src_array = from.in_array;
    box.src_host = from.memory;
    box.src_device = device_address(from.memory);
    box.src_pitch = from.pitch;
    box.src_x = from.x;
    box.src_y = from.y;
    box.dst_type = to.in_array != nullptr ? abi::CU_MEMORYTYPE_ARRAY : along.to;
    box.dst_array = to.in_array;
    box.dst_host = to.memory;
    box.dst_device = device_address(to.memory);
    box.dst_pitch = to.pitch;
    box.dst_x = to.x;
    box.dst_y = to.y;
}
cuda_error copy_sides(side const& to, side const& from, std::size_t width, std::size_t height, int kind,
                      abi::CUstream stream, bool waits) {
    if (kind < host_to_host || kind > any_to_any) return keep(cudaErrorInvalidMemcpyDirection);
    if ((to.in_array == nullptr && width > to.pitch) || (from.in_array == nullptr && width > from.pitch))
        return keep(cudaErrorInvalidPitchValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    if (width == 0 || height == 0) return cudaSuccess;
    copy_node_parameters box{};
    put(box, to, from, kind);
    box.width = width;
    box.height = height;
    box.depth = 1;
    return keep(waits ? cuMemcpy3D_v2(&box) : cuMemcpy3DAsync_v2(&box, stream));
}
cuda_error copy_2d_in(array to, std::size_t x, std::size_t y, void const* from, std::size_t pitch, std::size_t width,
                      std::size_t height, int kind) {
    return copy_sides({to, nullptr, 0, x, y}, {nullptr, const_cast<void*>(from), pitch, 0, 0}, width, height, kind,
                      nullptr, true);
}
cuda_error copy_2d_in_async(array to, std::size_t x, std::size_t y, void const* from, std::size_t pitch,
                            std::size_t width, std::size_t height, int kind, abi::CUstream stream) {
    return copy_sides({to, nullptr, 0, x, y}, {nullptr, const_cast<void*>(from), pitch, 0, 0}, width, height, kind,
                      stream, false);
}
cuda_error copy_2d_out(void* to, std::size_t pitch, array from, std::size_t x, std::size_t y, std::size_t width,
                       std::size_t height, int kind) {
    return copy_sides({nullptr, to, pitch, 0, 0}, {from, nullptr, 0, x, y}, width, height, kind, nullptr, true);
}
cuda_error copy_2d_out_async(void* to, std::size_t pitch, array from, std::size_t x, std::size_t y, std::size_t width,
                             std::size_t height, int kind, abi::CUstream stream) {
    return copy_sides({nullptr, to, pitch, 0, 0}, {from, nullptr, 0, x, y}, width, height, kind, stream, false);
}
cuda_error copy_2d_between(array to, std::size_t to_x, std::size_t to_y, array from, std::size_t from_x,
                           std::size_t from_y, std::size_t width, std::size_t height, int kind) {
    return copy_sides({to, nullptr, 0, to_x, to_y}, {from, nullptr, 0, from_x, from_y}, width, height, kind, nullptr,
                      true);
}

// Bytes one after the other, from a row to the next: the rest of the first row, whole rows, what is left.
cuda_error copy_line(array in_array, std::size_t x, std::size_t y, void* memory, std::size_t bytes, bool into, int kind,
                     abi::CUstream stream, bool waits) {
    array_descriptor_3d of{};
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    if (abi::CUresult const status = cuArray3DGetDescriptor_v2(&of, in_array)) return keep(status);
    std::size_t const row = of.width * texel_bytes(of.format, of.channels);
    if (x >= row) return keep(cudaErrorInvalidValue);
    auto const part = [&](std::size_t width, std::size_t height) {
        side const shaped{in_array, nullptr, 0, x, y};
        side const flat{nullptr, memory, width, 0, 0};
        cuda_error const error = into ? copy_sides(shaped, flat, width, height, kind, stream, waits)
                                      : copy_sides(flat, shaped, width, height, kind, stream, waits);
        memory = static_cast<std::byte*>(memory) + width * height;
        bytes -= width * height;
        y += height;
        x = 0;
        return error;
    };
    if (x != 0 || bytes < row)
        if (cuda_error const error = part(bytes < row - x ? bytes : row - x, 1); error != cudaSuccess) return error;
    if (bytes >= row)
        if (cuda_error const error = part(row, bytes / row); error != cudaSuccess) return error;
    return bytes == 0 ? cudaSuccess : part(bytes, 1);
}
cuda_error copy_in(array to, std::size_t x, std::size_t y, void const* from, std::size_t bytes, int kind) {
    return copy_line(to, x, y, const_cast<void*>(from), bytes, true, kind, nullptr, true);
}
cuda_error copy_in_async(array to, std::size_t x, std::size_t y, void const* from, std::size_t bytes, int kind,
                         abi::CUstream stream) {
    return copy_line(to, x, y, const_cast<void*>(from), bytes, true, kind, stream, false);
}
cuda_error copy_out(void* to, array from, std::size_t x, std::size_t y, std::size_t bytes, int kind) {
    return copy_line(from, x, y, to, bytes, false, kind, nullptr, true);
}
cuda_error copy_out_async(void* to, array from, std::size_t x, std::size_t y, std::size_t bytes, int kind,
                          abi::CUstream stream) {
    return copy_line(from, x, y, to, bytes, false, kind, stream, false);
}

// Texture and surface objects. The runtime's structures say the same as the driver's in other words.
cuda_error read(resource_descriptor const* from, resource_description& to) {
    if (from == nullptr) return cudaErrorInvalidValue;
    to.type = from->type;
    switch (from->type) {
        case resource_array: to.array = from->array; return cudaSuccess;
        case resource_mipmapped_array: return cudaErrorNotSupported;
        case resource_linear:
            to.linear = {device_address(from->linear.pointer), 0, 0, from->linear.bytes};
            return read_format(from->linear.format, to.linear.format, to.linear.channels)
                       ? cudaSuccess
                       : cudaErrorInvalidChannelDescriptor;
        case resource_pitched:
            to.pitched = {device_address(from->pitched.pointer),
                          0,
                          0,
                          from->pitched.width,
                          from->pitched.height,
                          from->pitched.pitch};
            return read_format(from->pitched.format, to.pitched.format, to.pitched.channels)
                       ? cudaSuccess
                       : cudaErrorInvalidChannelDescriptor;
        default: return cudaErrorInvalidValue;
    }
}
cuda_error create_texture(texture_handle* made, resource_descriptor const* from, texture_descriptor const* how,
                          void const* view) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    resource_description memory{};
    if (how == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = read(from, memory); error != cudaSuccess) return keep(error);
    texture_description of{};
    for (int d = 0; d < 3; ++d) of.modes[d] = how->modes[d];
    for (int c = 0; c < 4; ++c) of.border[c] = how->border[c];
    of.filter = how->filter;
    of.flags = (how->read_mode == 0 ? texture_reads_integers : 0u) |
               (how->is_normalized != 0 ? texture_is_normalized : 0u) | (how->is_srgb != 0 ? texture_is_srgb : 0u);
    if (toolkit >= 12 && how->is_seamless != 0) of.flags |= texture_is_seamless;
    of.anisotropy = how->anisotropy;
    of.mipmap_filter = how->mipmap_filter;
    of.mipmap_bias = how->mipmap_bias;
    of.mipmap_least = how->mipmap_least;
    of.mipmap_most = how->mipmap_most;
    return keep(cuTexObjectCreate(made, &memory, &of, view));
}
cuda_error destroy_texture(texture_handle handle) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep(cuTexObjectDestroy(handle));
}
cuda_error create_surface(texture_handle* made, resource_descriptor const* from) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    resource_description memory{};
    if (cuda_error const error = read(from, memory); error != cudaSuccess) return keep(error);
    return keep(cuSurfObjectCreate(made, &memory));
}
cuda_error destroy_surface(texture_handle handle) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep(cuSurfObjectDestroy(handle));
}

cuda_error write(resource_description const& from, resource_descriptor* to) {
    resource_descriptor all{};
    all.type = from.type;
    if (from.type == resource_array) all.array = from.array;
    if (from.type == resource_linear)
        all.linear = {pointer_to(from.linear.address), write_format(from.linear.format, from.linear.channels),
                      from.linear.bytes};
    if (from.type == resource_pitched)
        all.pitched = {pointer_to(from.pitched.address), write_format(from.pitched.format, from.pitched.channels),
                       from.pitched.width, from.pitched.height, from.pitched.pitch};
    std::memcpy(to, &all, toolkit >= 13 ? sizeof all : offsetof(resource_descriptor, flags));
    return cudaSuccess;
}
template <auto Get>
cuda_error resource_of(resource_descriptor* to, texture_handle handle) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    resource_description all{};
    if (to == nullptr) return keep(cudaErrorInvalidValue);
    if (abi::CUresult const status = Get(&all, handle)) return keep(status);
    return write(all, to);
}
cuda_error texture_of(texture_descriptor* to, texture_handle handle) {
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    texture_description of{};
    if (to == nullptr) return keep(cudaErrorInvalidValue);
    if (abi::CUresult const status = cuTexObjectGetTextureDesc(&of, handle)) return keep(status);
    texture_descriptor all{};
    for (int d = 0; d < 3; ++d) all.modes[d] = of.modes[d];
    for (int c = 0; c < 4; ++c) all.border[c] = of.border[c];
    all.filter = of.filter;
    all.read_mode = (of.flags & texture_reads_integers) != 0 ? 0 : 1;
    all.is_srgb = (of.flags & texture_is_srgb) != 0 ? 1 : 0;
    all.is_normalized = (of.flags & texture_is_normalized) != 0 ? 1 : 0;
    all.anisotropy = of.anisotropy;
    all.mipmap_filter = of.mipmap_filter;
    all.mipmap_bias = of.mipmap_bias;
    all.mipmap_least = of.mipmap_least;
    all.mipmap_most = of.mipmap_most;
    std::memcpy(to, &all, toolkit >= 12 ? sizeof all : offsetof(texture_descriptor, is_seamless));
    return cudaSuccess;
}

} // namespace

cuda_error box_of(memcpy_3d_parameters const& from, copy_node_parameters& box) {
    std::size_t texel = 1; // bytes of what the extent counts: texels of the array, if there is one
    for (void* const one : {from.srcArray, from.dstArray}) {
        if (one == nullptr) continue;
        array_descriptor_3d of{};
        if (abi::CUresult const status = cuArray3DGetDescriptor_v2(&of, static_cast<array>(one)))
            return error_of(status);
        texel = texel_bytes(of.format, of.channels);
    }
    std::size_t const most = ~std::size_t{0} / texel;
    if (from.extent.width > most || from.srcPos.x > most || from.dstPos.x > most) return cudaErrorInvalidValue;
    auto const place = [&](void* in_array, position const& at, pitched_pointer const& memory) {
        return side{static_cast<array>(in_array), memory.ptr, memory.pitch, at.x * (in_array != nullptr ? texel : 1),
                    at.y};
    };
    put(box, place(from.dstArray, from.dstPos, from.dstPtr), place(from.srcArray, from.srcPos, from.srcPtr), from.kind);
    box.src_z = from.srcPos.z;
    box.dst_z = from.dstPos.z;
    box.src_height = from.srcPtr.ysize;
    box.dst_height = from.dstPtr.ysize;
    box.width = from.extent.width * texel;
    box.height = from.extent.height;
    box.depth = from.extent.depth;
    return cudaSuccess;
}

std::span<call const> texture_calls() {
    static call const calls[]{call::of<&allocate>("cudaMallocArray"),
                              call::of<&allocate_3d>("cudaMalloc3DArray"),
                              call::of<&release>("cudaFreeArray"),
                              call::of<&describe>("cudaArrayGetInfo"),
                              call::of<&channel_format_of>("cudaGetChannelDesc"),
                              call::of<&copy_2d_in>("cudaMemcpy2DToArray"),
                              call::of<&copy_2d_in_async>("cudaMemcpy2DToArrayAsync"),
                              call::of<&copy_2d_out>("cudaMemcpy2DFromArray"),
                              call::of<&copy_2d_out_async>("cudaMemcpy2DFromArrayAsync"),
                              call::of<&copy_2d_between>("cudaMemcpy2DArrayToArray"),
                              call::of<&copy_in>("cudaMemcpyToArray"),
                              call::of<&copy_in_async>("cudaMemcpyToArrayAsync"),
                              call::of<&copy_out>("cudaMemcpyFromArray"),
                              call::of<&copy_out_async>("cudaMemcpyFromArrayAsync"),
                              call::of<&create_texture>("cudaCreateTextureObject"),
                              call::of<&create_texture>("cudaCreateTextureObject_v2"),
                              call::of<&destroy_texture>("cudaDestroyTextureObject"),
                              call::of<&resource_of<&cuTexObjectGetResourceDesc>>("cudaGetTextureObjectResourceDesc"),
                              call::of<&texture_of>("cudaGetTextureObjectTextureDesc"),
                              call::of<&texture_of>("cudaGetTextureObjectTextureDesc_v2"),
                              call::of<&create_surface>("cudaCreateSurfaceObject"),
                              call::of<&destroy_surface>("cudaDestroySurfaceObject"),
                              call::of<&resource_of<&cuSurfObjectGetResourceDesc>>("cudaGetSurfaceObjectResourceDesc")};
    return calls;
}

} // namespace gpuprof::runtime
