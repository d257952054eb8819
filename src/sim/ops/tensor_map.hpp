// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps: the 128 bytes that cuTensorMapEncodeTiled makes, and how a tile of them lies in shared memory.
#ifndef GPUPROF_SRC_SIM_OPS_TENSOR_MAP_HPP
#define GPUPROF_SRC_SIM_OPS_TENSOR_MAP_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <gpuprof/detail/config.hpp>
#include "../ptx/type.hpp"
#include "float_format.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// How 16-byte pieces of a tile are mixed within as many bytes, so that columns have no bank conflicts.
enum class tensor_swizzle : std::uint8_t { none, bytes_32, bytes_64, bytes_128 };

// What tensormap.replace changes; its names are in decode/memory.cpp.
enum class tensor_map_field : std::uint8_t { address, rank, box, size, stride, step, type, interleave, swizzle, fill };

// The types of elements by the numbers of cuTensorMapEncodeTiled. Those with FTZ are as those without: an H200 keeps subnormal
// numbers (tests/hardware/tensor_types.cu).
inline constexpr std::array<ptx::type, 13> tensor_types{
    ptx::type::u8,  ptx::type::u16, ptx::type::u32,  ptx::type::s32, ptx::type::u64,  ptx::type::s64, ptx::type::f16,
    ptx::type::f32, ptx::type::f64, ptx::type::bf16, ptx::type::f32, ptx::type::tf32, ptx::type::tf32};

// NVIDIA keeps the layout to itself; this is the embedded GPU's. Lists are from the innermost dimension on.
struct tensor_map {
    using map_bytes = std::array<std::byte, 128>;           // where it lies at the beginning
    static constexpr std::uint32_t made_here = 0x6d61'7074; // what else would be there
    static constexpr std::size_t most_dimensions = 5;
    static constexpr unsigned most_box = 256, most_step = 8;
    static constexpr std::uint64_t most_stride = std::uint64_t{1} << 40; // bytes; strides are less

    std::uint32_t mark = 0;
    ptx::type element = ptx::type::u8;
    std::uint8_t dimensions = 0;
    tensor_swizzle swizzle = tensor_swizzle::none;
    bool fills_with_nan = false; // what lies outside; else with zeros
    std::uint8_t slice = 0;      // bytes of a slice of channels where they are interleaved, else 0: see unit_bytes()
    std::uint64_t address = 0;   // in global memory
    std::array<std::uint64_t, 4> stride{};                         // bytes, from the second dimension on
    std::array<std::uint32_t, most_dimensions> last{};             // the highest coordinate that there is
    std::array<std::uint16_t, most_dimensions> box{1, 1, 1, 1, 1}; // elements of a tile, gaps included
    // Of an image (im2col): columns of so many pixels, whose channels are box[0]; else 0. They come from the bounding box,
    // which begins at `lower` and ends `upper` after the tensor's last pixel. Width, height, depth.
    std::uint16_t pixels = 0;
    std::array<std::int16_t, 3> lower{}, upper{};
    // From one element of a tile to the next; the innermost's is not looked at.
    std::array<std::uint8_t, most_dimensions> step{1, 1, 1, 1, 1};

    [[nodiscard]] unsigned element_bytes() const noexcept { return ptx::size_of(element); }
    // What a step along the innermost dimension is. Interleaved channels are in slices, each of which has a place of its
    // own for all pixels: the innermost dimension then is a row of slices, and the last but one names the slice, of which
    // a tile has one (H200, tests/hardware/tensor_maps.cu).
    [[nodiscard]] unsigned unit_bytes() const noexcept { return slice != 0 ? slice : element_bytes(); }
    // Units or rows of a tile along a dimension.
    [[nodiscard]] std::uint32_t count(std::size_t dimension) const noexcept {
        if (slice != 0 && dimension + 2 == dimensions) return 1;
        if (dimension == 0 && slice == 0) return box[0];
        return (std::uint32_t{box[dimension]} + step[dimension] - 1) / step[dimension];
    }
    [[nodiscard]] std::uint32_t row_bytes() const noexcept { return count(0) * unit_bytes(); }
    [[nodiscard]] std::uint32_t rows() const noexcept {
        if (pixels != 0) return pixels;
        std::uint32_t all = 1;
        for (std::size_t d = 1; d < dimensions; ++d) all *= count(d);
        return all;
    }
    // What completes on an mbarrier, elements outside of the tensor included.
    [[nodiscard]] std::uint32_t bytes() const noexcept { return rows() * row_bytes(); }
    // From one row of a tile in shared memory to the next: a row has the whole width of its swizzle.
    [[nodiscard]] std::uint32_t pitch() const noexcept {
        return swizzle == tensor_swizzle::none || slice != 0 ? row_bytes() : 16u << static_cast<unsigned>(swizzle);
    }
    // Where the byte goes that would be at that offset in shared memory.
    [[nodiscard]] std::uint64_t swizzled(std::uint64_t offset) const noexcept {
        auto const bits = static_cast<unsigned>(swizzle);
        std::uint64_t const rows_of_128 = offset >> 7 & ((std::uint64_t{1} << bits) - 1);
        return offset ^ rows_of_128 << 4;
    }
    [[nodiscard]] bool changes_values() const noexcept { return element == ptx::type::tf32; }
    // What a value of 4 bytes becomes when it is loaded: TF32, rounded to even. @pre changes_values()
    [[nodiscard]] static std::uint32_t changed(std::uint32_t bits) noexcept {
        constexpr unsigned dropped = f32_format.mantissa - tf32_format.mantissa;
        return narrow(widen(bits, f32_format), tf32_format) << dropped;
    }
    // Whether it can be used: kernels may have written it.
    [[nodiscard]] bool is_sound() const noexcept {
        return mark == made_here && dimensions != 0 && dimensions <= most_dimensions &&
               std::find(box.begin(), box.end(), 0) == box.end() &&
               std::find(step.begin(), step.end(), 0) == step.end() && swizzle <= tensor_swizzle::bytes_128 &&
               element_bytes() != 0 && element_bytes() <= 8 && box[0] * element_bytes() % 16 == 0 &&
               row_bytes() <= pitch() && (slice == 0 || (dimensions >= 3 && pixels == 0 && slice % 16 == 0));
    }
    // What tensormap.replace begins with. Zeros are a map of which kernels give the fields one by one.
    [[nodiscard]] static tensor_map to_be_changed(map_bytes const& bytes) noexcept {
        tensor_map map;
        map.mark = made_here;
        if (bytes != map_bytes{}) std::memcpy(&map, bytes.data(), sizeof map);
        return map;
    }
    // tensormap.replace: false when there is no such value. @pre ordinal < most_dimensions
    [[nodiscard]] bool replace(tensor_map_field field, std::size_t ordinal, std::uint64_t value) noexcept {
        // By the numbers of the instruction, of which three are not those of cuTensorMapEncodeTiled.
        constexpr std::array<std::uint8_t, 13> types{0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12};
        switch (field) {
            case tensor_map_field::address: return address = value, value != 0 && value % 16 == 0;
            case tensor_map_field::rank: // less one
                return dimensions = static_cast<std::uint8_t>(value + 1), value < most_dimensions;
            case tensor_map_field::box:
                return box[ordinal] = static_cast<std::uint16_t>(value), value != 0 && value <= most_box;
            case tensor_map_field::size: return last[ordinal] = static_cast<std::uint32_t>(value - 1), value != 0;
            case tensor_map_field::stride:
                if (ordinal >= stride.size()) return false;
                return stride[ordinal] = value, value % 16 == 0 && value < most_stride;
            case tensor_map_field::step:
                return step[ordinal] = static_cast<std::uint8_t>(value), value != 0 && value <= most_step;
            case tensor_map_field::type:
                if (value >= types.size()) return false;
                return element = tensor_types[types[value]], true;
            case tensor_map_field::interleave: return slice = static_cast<std::uint8_t>(16 * value), value <= 2;
            case tensor_map_field::swizzle: return swizzle = static_cast<tensor_swizzle>(value), value <= 3;
            case tensor_map_field::fill: return fills_with_nan = value != 0, value <= 1;
        }
        return false;
    }
    [[nodiscard]] std::uint64_t filling() const noexcept {
        if (!fills_with_nan) return 0;
        switch (element) {
            case ptx::type::f16:
            case ptx::type::bf16: return 0x7fff;
            case ptx::type::f32:
            case ptx::type::tf32: return 0x7fff'ffff;
            default: return 0x7fff'ffff'ffff'ffff;
        }
    }
};
static_assert(sizeof(tensor_map) <= 128);

// What is asked of cuTensorMapEncodeTiled, with its numbers.
struct tiled_tensor {
    int data_type = 0;
    std::uint32_t rank = 0;
    std::uint64_t address = 0;
    std::uint64_t const* sizes = nullptr;         // `rank` elements
    std::uint64_t const* strides = nullptr;       // rank - 1: bytes
    std::uint32_t const* box = nullptr;           // rank
    std::uint32_t const* element_steps = nullptr; // rank
    int interleave = 0;
    int swizzle = 0;
    int l2_promotion = 0;
    int fill = 0;
};

enum class tensor_map_status : std::uint8_t { good, invalid, unsupported };

// What cuTensorMapEncodeIm2col asks for besides.
struct image_columns {
    int const* lower = nullptr; // rank - 2: the corners of the bounding box
    int const* upper = nullptr;
    std::uint32_t channels = 0; // of a pixel
    std::uint32_t pixels = 0;   // of a column
};

// Checks what the driver's documentation of cuTensorMapEncodeTiled demands. Swizzles of atoms and types of less than a byte
// are invalid, as an H200's driver answers.
[[nodiscard]] inline tensor_map_status encode_tiled(tiled_tensor const& of, tensor_map& out) noexcept {
    constexpr int most_types = 13, most_swizzles = 4;
    if (of.data_type < 0 || of.data_type >= most_types || of.rank == 0 || of.rank > tensor_map::most_dimensions ||
        of.sizes == nullptr || (of.strides == nullptr && of.rank > 1) || of.box == nullptr ||
        of.element_steps == nullptr || of.interleave < 0 || of.interleave > 2 || of.swizzle < 0 ||
        of.swizzle >= most_swizzles || (of.interleave != 0 && of.rank < 3) ||
        (of.interleave == 2 && of.address % 32 != 0) || of.l2_promotion < 0 || of.l2_promotion > 3 || of.fill < 0 ||
        of.fill > 1 || of.address % 16 != 0 || of.address == 0)
        return tensor_map_status::invalid;
    tensor_map map;
    map.mark = tensor_map::made_here;
    map.element = tensor_types[static_cast<std::size_t>(of.data_type)];
    map.dimensions = static_cast<std::uint8_t>(of.rank);
    map.swizzle = static_cast<tensor_swizzle>(of.swizzle);
    map.slice = static_cast<std::uint8_t>(16 * of.interleave);
    map.fills_with_nan = of.fill != 0;
    map.address = of.address;
    if (map.fills_with_nan && !ptx::is_floating(map.element)) return tensor_map_status::invalid;
    for (std::size_t d = 0; d < of.rank; ++d) {
        constexpr std::uint64_t most_size = std::uint64_t{1} << 32;
        if (of.sizes[d] == 0 || of.sizes[d] > most_size || of.box[d] == 0 || of.box[d] > tensor_map::most_box ||
            of.element_steps[d] == 0 || of.element_steps[d] > tensor_map::most_step)
            return tensor_map_status::invalid;
        if (d != 0 &&
            (of.strides[d - 1] % (of.interleave == 2 ? 32 : 16) != 0 || of.strides[d - 1] >= tensor_map::most_stride))
            return tensor_map_status::invalid;
        map.last[d] = static_cast<std::uint32_t>(of.sizes[d] - 1);
        map.box[d] = static_cast<std::uint16_t>(of.box[d]);
        map.step[d] = static_cast<std::uint8_t>(of.element_steps[d]);
        if (d != 0) map.stride[d - 1] = of.strides[d - 1];
    }
    if (!map.is_sound()) return tensor_map_status::invalid;
    out = map;
    return tensor_map_status::good;
}

// The same of cuTensorMapEncodeIm2col. `of` needs no box.
[[nodiscard]] inline tensor_map_status encode_image(tiled_tensor of, image_columns const& columns,
                                                    tensor_map& out) noexcept {
    constexpr std::uint32_t most_pixels = 1024;
    std::array<std::uint32_t, tensor_map::most_dimensions> const box{columns.channels, 1, 1, 1, 1};
    of.box = box.data();
    if (of.rank < 3 || columns.lower == nullptr || columns.upper == nullptr || columns.pixels == 0 ||
        columns.pixels > most_pixels)
        return tensor_map_status::invalid;
    tensor_map map;
    if (of.interleave != 0) return tensor_map_status::unsupported;
    if (auto const status = encode_tiled(of, map); status != tensor_map_status::good) return status;
    map.pixels = static_cast<std::uint16_t>(columns.pixels);
    int const end = of.rank == 3 ? 1 << 15 : of.rank == 4 ? 1 << 7 : 1 << 4; // of the corners
    for (std::size_t d = 0; d + 2 < of.rank; ++d) {
        for (int const corner : {columns.lower[d], columns.upper[d]})
            if (corner < -end || corner >= end) return tensor_map_status::invalid;
        map.lower[d] = static_cast<std::int16_t>(columns.lower[d]);
        map.upper[d] = static_cast<std::int16_t>(columns.upper[d]);
    }
    out = map;
    return tensor_map_status::good;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_TENSOR_MAP_HPP
