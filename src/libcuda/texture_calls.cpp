// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, texture objects and surface objects: cuArray…, cuTexObject…, cuSurfObject…, and copies of lines into arrays. What there is
// not answers CUDA_ERROR_NOT_SUPPORTED: mipmapped arrays, views, references, seamless cubes.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "../sim/driver/copy.hpp"
#include "../sim/driver/memory.hpp"
#include "../sim/driver/state.hpp"
#include "../sim/texture/texel.hpp"

#include "call.hpp"
#include "texture_types.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;
using sim::texture_object;

std::optional<sim::channel_format> format_of(int format) noexcept {
    switch (format) {
        case format_u8: return sim::channel_format::u8;
        case format_u16: return sim::channel_format::u16;
        case format_u32: return sim::channel_format::u32;
        case format_s8: return sim::channel_format::s8;
        case format_s16: return sim::channel_format::s16;
        case format_s32: return sim::channel_format::s32;
        case format_half: return sim::channel_format::f16;
        case format_float: return sim::channel_format::f32;
        default: return std::nullopt;
    }
}
int number_of(sim::channel_format format) noexcept {
    constexpr int numbers[]{format_u8,  format_u16, format_u32,  format_s8,
                            format_s16, format_s32, format_half, format_float};
    return numbers[static_cast<int>(format)];
}

// Sets the texels of a shape. Formats of video and of compressed blocks are not there.
CUresult set_texel(texture_object& shape, int format, unsigned channels) {
    if (channels != 1 && channels != 2 && channels != 4) return CUDA_ERROR_INVALID_VALUE;
    auto const known = format_of(format);
    if (!known) return format <= 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
    shape.format = *known;
    shape.channels = static_cast<std::uint8_t>(channels);
    return CUDA_SUCCESS;
}

// The sizes of an array, as CUDA's documentation of cuArray3DCreate tells them apart: what is layered has its layers as the depth.
CUresult set_size(texture_object& shape, array_descriptor_3d const& of) {
    constexpr std::size_t most = 131072; // the most of any dimension
    bool const layered = (of.flags & array_layered) != 0;
    bool const cube = (of.flags & array_cubemap) != 0;
    if (of.width == 0 || of.width > most || of.height > most || of.depth > most) return CUDA_ERROR_INVALID_VALUE;
    if (layered && of.depth == 0) return CUDA_ERROR_INVALID_VALUE;
    if (cube && (of.width != of.height || (layered ? of.depth % 6 != 0 : of.depth != 6)))
        return CUDA_ERROR_INVALID_VALUE;
    if (!layered && of.depth != 0 && of.height == 0) return CUDA_ERROR_INVALID_VALUE;
    auto const number = [](std::size_t n) { return static_cast<std::uint32_t>(n == 0 ? 1 : n); };
    bool const has_depth = of.depth != 0 && !layered && !cube;
    shape.size = {number(of.width), number(of.height), has_depth ? number(of.depth) : 1};
    shape.layers = layered || cube ? number(of.depth) : 1;
    shape.dimensions = static_cast<std::uint8_t>(has_depth ? 3 : of.height != 0 ? 2 : 1);
    shape.is_layered = layered;
    shape.is_cube = cube;
    shape.row = std::uint64_t{shape.size[0]} * shape.texel_bytes();
    shape.slice = shape.row * shape.size[1];
    return CUDA_SUCCESS;
}

CUresult create_array_3d(CUarray* made, array_descriptor_3d const* of) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (made == nullptr || of == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if ((of->flags & (array_sparse | array_deferred)) != 0) return CUDA_ERROR_NOT_SUPPORTED;
    auto array = std::make_unique<driver::array_state>();
    if (CUresult const status = set_texel(array->shape, of->format, of->channels)) return status;
    if (CUresult const status = set_size(array->shape, *of)) return status;
    std::uint64_t const bytes = array->shape.slice * array->shape.size[2] * array->shape.layers;
    if (bytes > in.context->chip->memory_bytes - driver::detail::used_bytes(in.driver, in.context->device))
        return CUDA_ERROR_OUT_OF_MEMORY;
    auto const at = in.context->memory.allocate(bytes);
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    array->context = in.context->handle;
    array->shape.address = *at;
    array->extent = {of->width, of->height, of->depth};
    array->flags = of->flags;
    *made = in.driver.arrays.add(std::move(array));
    return CUDA_SUCCESS;
}
CUresult create_array(CUarray* made, array_descriptor const* of) {
    if (of == nullptr) return CUDA_ERROR_INVALID_VALUE;
    array_descriptor_3d const same{of->width, of->height, 0, of->format, of->channels, 0};
    return create_array_3d(made, &same);
}

// The array of the current context with that handle, or null.
driver::array_state const* find_array(driver::call const& in, CUarray handle) {
    driver::array_state const* const found = in.driver.arrays.find(handle);
    return found != nullptr && found->context == in.context->handle ? found : nullptr;
}

CUresult destroy_array(CUarray array) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::array_state const* const found = find_array(in, array);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    static_cast<void>(in.context->memory.free(found->shape.address).has_value());
    in.driver.arrays.remove(array);
    return CUDA_SUCCESS;
}

CUresult describe_array_3d(array_descriptor_3d* to, CUarray array) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::array_state const* const found = find_array(in, array);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *to = {found->extent[0],      found->extent[1], found->extent[2], number_of(found->shape.format),
           found->shape.channels, found->flags};
    return CUDA_SUCCESS;
}
CUresult describe_array(array_descriptor* to, CUarray array) {
    array_descriptor_3d all{};
    if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUresult const status = describe_array_3d(&all, array);
    if (status == CUDA_SUCCESS) *to = {all.width, all.height, all.format, all.channels};
    return status;
}

// Whether a resource's memory is there, and what a texture makes of it.
CUresult set_resource(driver::call const& in, resource_description const& of, texture_object& shape) {
    auto const begins_at = [&](CUdeviceptr address, std::size_t bytes) {
        constexpr std::uint64_t alignment = 512; // CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT
        return address % alignment == 0 && in.context->memory.translate(address, bytes) != nullptr;
    };
    switch (of.type) {
        case resource_array: {
            driver::array_state const* const found = find_array(in, of.array);
            if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
            shape = found->shape;
            return CUDA_SUCCESS;
        }
        case resource_linear: {
            if (CUresult const status = set_texel(shape, of.linear.format, of.linear.channels)) return status;
            std::size_t const texels = of.linear.bytes / shape.texel_bytes();
            constexpr std::size_t most = std::size_t{1} << 28; // CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH
            if (texels == 0 || texels > most || !begins_at(of.linear.address, of.linear.bytes))
                return CUDA_ERROR_INVALID_VALUE;
            shape.address = of.linear.address;
            shape.size[0] = static_cast<std::uint32_t>(texels);
            shape.row = shape.slice = texels * shape.texel_bytes();
            shape.is_linear = true;
            return CUDA_SUCCESS;
        }
        case resource_pitched: {
            if (CUresult const status = set_texel(shape, of.pitched.format, of.pitched.channels)) return status;
            constexpr std::size_t most = 131072, pitch_alignment = 32;
            auto const& rows = of.pitched;
            if (rows.width == 0 || rows.width > most || rows.height == 0 || rows.height > most ||
                rows.pitch % pitch_alignment != 0 || rows.pitch < rows.width * shape.texel_bytes() ||
                !begins_at(rows.address, (rows.height - 1) * rows.pitch + rows.width * shape.texel_bytes()))
                return CUDA_ERROR_INVALID_VALUE;
            shape.address = rows.address;
            shape.size = {static_cast<std::uint32_t>(rows.width), static_cast<std::uint32_t>(rows.height), 1};
            shape.row = rows.pitch;
            shape.slice = rows.pitch * rows.height;
            shape.dimensions = 2;
            return CUDA_SUCCESS;
        }
        case resource_mipmapped_array: return CUDA_ERROR_NOT_SUPPORTED;
        default: return CUDA_ERROR_INVALID_VALUE;
    }
}

template <class T>
std::vector<std::byte> bytes_of(T const& value) {
    std::vector<std::byte> all(sizeof value);
    std::memcpy(all.data(), &value, sizeof value);
    return all;
}

// Puts an object into constant memory; its address is the handle.
CUresult keep_object(driver::call& in, texture_handle* made, texture_object const& object,
                     driver::texture_state state) {
    auto const at = in.context->memory.allocate(sizeof object, 512, sim::device_memory::area::constant);
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    std::memcpy(in.context->memory.translate(*at, sizeof object), &object, sizeof object);
    in.context->textures.emplace(*at, std::move(state));
    *made = *at;
    return CUDA_SUCCESS;
}

CUresult create_texture(texture_handle* made, resource_description const* resource, texture_description const* texture,
                        void const* view) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (made == nullptr || resource == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (view != nullptr || (texture->flags & texture_is_seamless) != 0) return CUDA_ERROR_NOT_SUPPORTED;
    texture_object object;
    if (CUresult const status = set_resource(in, *resource, object)) return status;
    object.tag = texture_object::texture_tag;
    for (unsigned d = 0; d < 3; ++d) {
        if (texture->modes[d] < 0 || texture->modes[d] > 3) return CUDA_ERROR_INVALID_VALUE;
        object.modes[d] = static_cast<sim::address_mode>(texture->modes[d]);
        object.border[d] = texture->border[d];
    }
    object.border[3] = texture->border[3];
    if (texture->filter != 0 && texture->filter != 1) return CUDA_ERROR_INVALID_VALUE;
    object.filters = texture->filter == 1;
    object.reads_normalized = (texture->flags & texture_reads_integers) == 0;
    object.is_normalized = (texture->flags & texture_is_normalized) != 0;
    object.is_srgb = (texture->flags & texture_is_srgb) != 0;
    // Integers that are read as such cannot be filtered.
    bool const reads_reals = sim::reads_reals(object);
    if (object.filters && !reads_reals && !object.is_linear) return CUDA_ERROR_INVALID_VALUE;
    return keep_object(in, made, object, {bytes_of(*resource), bytes_of(*texture)});
}
CUresult create_surface(texture_handle* made, resource_description const* resource) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (made == nullptr || resource == nullptr || resource->type != resource_array) return CUDA_ERROR_INVALID_VALUE;
    texture_object object;
    if (CUresult const status = set_resource(in, *resource, object)) return status;
    if ((find_array(in, resource->array)->flags & array_surface) == 0) return CUDA_ERROR_INVALID_VALUE;
    object.tag = texture_object::surface_tag;
    return keep_object(in, made, object, {bytes_of(*resource), {}});
}

driver::texture_state const* find_object(driver::call const& in, texture_handle handle, bool is_texture) {
    auto const found = in.context->textures.find(handle);
    return found != in.context->textures.end() && found->second.texture.empty() != is_texture ? &found->second
                                                                                              : nullptr;
}
template <bool IsTexture>
CUresult destroy_object(texture_handle handle) {
    auto in = driver::enter_context();
    if (!in.ready()) return in.status;
    if (handle == 0) return CUDA_SUCCESS;
    if (find_object(in, handle, IsTexture) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    in.context->textures.erase(handle);
    static_cast<void>(in.context->memory.free(handle).has_value());
    return CUDA_SUCCESS;
}
template <bool IsTexture>
CUresult resource_of(resource_description* to, texture_handle handle) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::texture_state const* const found = find_object(in, handle, IsTexture);
    if (to == nullptr || found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(to, found->resource.data(), found->resource.size());
    return CUDA_SUCCESS;
}
CUresult texture_of(texture_description* to, texture_handle handle) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    driver::texture_state const* const found = find_object(in, handle, true);
    if (to == nullptr || found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(to, found->texture.data(), found->texture.size());
    return CUDA_SUCCESS;
}

// Lines of bytes: an array's rows follow each other.
CUresult copy_line(CUarray to_array, CUdeviceptr to, CUarray from_array, CUdeviceptr from, std::size_t bytes,
                   bool on_host, CUstream stream, bool waits) {
    {
        auto const in = driver::enter_context();
        if (!in.ready()) return in.status;
        auto const place = [&](CUarray array, CUdeviceptr& offset) {
            if (array == nullptr) return true;
            driver::array_state const* const found = find_array(in, array);
            if (found == nullptr) return false;
            std::uint64_t const all = found->shape.slice * found->shape.size[2] * found->shape.layers;
            if (offset > all || bytes > all - offset) return false;
            offset += found->shape.address;
            return true;
        };
        if (!place(to_array, to) || !place(from_array, from)) return CUDA_ERROR_INVALID_VALUE;
    }
    auto const side = [&](CUarray array, CUdeviceptr address) {
        return driver::place_of_rows{address, 0, array != nullptr || !on_host};
    };
    return driver::detail::copy(stream, waits, {side(to_array, to), side(from_array, from), bytes});
}
CUdeviceptr number(void const* host) { return static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(host)); }
CUresult host_to_array(CUarray to, std::size_t at, void const* from, std::size_t bytes) {
    return copy_line(to, at, nullptr, number(from), bytes, true, nullptr, true);
}
CUresult host_to_array_async(CUarray to, std::size_t at, void const* from, std::size_t bytes, CUstream stream) {
    return copy_line(to, at, nullptr, number(from), bytes, true, stream, false);
}
CUresult array_to_host(void* to, CUarray from, std::size_t at, std::size_t bytes) {
    return copy_line(nullptr, number(to), from, at, bytes, true, nullptr, true);
}
CUresult array_to_host_async(void* to, CUarray from, std::size_t at, std::size_t bytes, CUstream stream) {
    return copy_line(nullptr, number(to), from, at, bytes, true, stream, false);
}
CUresult device_to_array(CUarray to, std::size_t at, CUdeviceptr from, std::size_t bytes) {
    return copy_line(to, at, nullptr, from, bytes, false, nullptr, true);
}
CUresult array_to_device(CUdeviceptr to, CUarray from, std::size_t at, std::size_t bytes) {
    return copy_line(nullptr, to, from, at, bytes, false, nullptr, true);
}
CUresult array_to_array(CUarray to, std::size_t to_at, CUarray from, std::size_t from_at, std::size_t bytes) {
    return copy_line(to, to_at, from, from_at, bytes, false, nullptr, true);
}

} // namespace

std::span<call const> texture_calls() {
    static call const calls[]{call::of<&create_array_3d>("cuArray3DCreate_v2"),
                              call::of<&create_array>("cuArrayCreate_v2"),
                              call::of<&destroy_array>("cuArrayDestroy"),
                              call::of<&describe_array_3d>("cuArray3DGetDescriptor_v2"),
                              call::of<&describe_array>("cuArrayGetDescriptor_v2"),
                              call::of<&create_texture>("cuTexObjectCreate"),
                              call::of<&destroy_object<true>>("cuTexObjectDestroy"),
                              call::of<&resource_of<true>>("cuTexObjectGetResourceDesc"),
                              call::of<&texture_of>("cuTexObjectGetTextureDesc"),
                              call::of<&create_surface>("cuSurfObjectCreate"),
                              call::of<&destroy_object<false>>("cuSurfObjectDestroy"),
                              call::of<&resource_of<false>>("cuSurfObjectGetResourceDesc"),
                              call::of<&host_to_array>("cuMemcpyHtoA_v2"),
                              call::of<&host_to_array_async>("cuMemcpyHtoAAsync_v2"),
                              call::of<&array_to_host>("cuMemcpyAtoH_v2"),
                              call::of<&array_to_host_async>("cuMemcpyAtoHAsync_v2"),
                              call::of<&device_to_array>("cuMemcpyDtoA_v2"),
                              call::of<&array_to_device>("cuMemcpyAtoD_v2"),
                              call::of<&array_to_array>("cuMemcpyAtoA_v2")};
    return calls;
}

} // namespace gpuprof::driver_library
