// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps: the 128 bytes that cuTensorMapEncodeTiled makes, and how a tile of them lies in shared memory.
#ifndef GPUPROF_SRC_SIM_OPS_TENSOR_MAP_HPP
#define GPUPROF_SRC_SIM_OPS_TENSOR_MAP_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include "../ptx/type.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// How 16-byte pieces of a tile are mixed within as many bytes, so that columns have no bank conflicts.
enum class tensor_swizzle : std::uint8_t { none, bytes_32, bytes_64, bytes_128 };

// NVIDIA keeps the layout to itself; this is the embedded GPU's. Lists are from the innermost dimension on.
struct tensor_map {
    static constexpr std::uint32_t made_here = 0x6d61'7074; // what else would be there
    static constexpr std::size_t most_dimensions = 5;

    std::uint32_t mark = 0;
    ptx::type element = ptx::type::u8;
    std::uint8_t dimensions = 0;
    tensor_swizzle swizzle = tensor_swizzle::none;
    bool fills_with_nan = false;                       // what lies outside; else with zeros
    std::uint64_t address = 0;                         // in global memory
    std::array<std::uint64_t, 4> stride{};             // bytes, from the second dimension on
    std::array<std::uint32_t, most_dimensions> last{}; // the highest coordinate that there is
    std::array<std::uint16_t, most_dimensions> box{};  // elements of a tile, gaps included
    std::array<std::uint8_t, most_dimensions>
        step{}; // from one element of a tile to the next; the innermost's is not looked at

    [[nodiscard]] unsigned element_bytes() const noexcept { return ptx::size_of(element); }
    // Elements of a tile along a dimension.
    [[nodiscard]] std::uint32_t count(std::size_t dimension) const noexcept {
        if (dimension == 0) return box[0];
        return (std::uint32_t{box[dimension]} + step[dimension] - 1) / step[dimension];
    }
    [[nodiscard]] std::uint32_t row_bytes() const noexcept { return box[0] * element_bytes(); }
    [[nodiscard]] std::uint32_t rows() const noexcept {
        std::uint32_t all = 1;
        for (std::size_t d = 1; d < dimensions; ++d) all *= count(d);
        return all;
    }
    // What completes on an mbarrier, elements outside of the tensor included.
    [[nodiscard]] std::uint32_t bytes() const noexcept { return rows() * row_bytes(); }
    // From one row of a tile in shared memory to the next: a row has the whole width of its swizzle.
    [[nodiscard]] std::uint32_t pitch() const noexcept {
        return swizzle == tensor_swizzle::none ? row_bytes() : 16u << static_cast<unsigned>(swizzle);
    }
    // Where the byte goes that would be at that offset in shared memory.
    [[nodiscard]] std::uint64_t swizzled(std::uint64_t offset) const noexcept {
        auto const bits = static_cast<unsigned>(swizzle);
        std::uint64_t const rows_of_128 = offset >> 7 & ((std::uint64_t{1} << bits) - 1);
        return offset ^ rows_of_128 << 4;
    }
    [[nodiscard]] std::uint64_t filling() const noexcept {
        if (!fills_with_nan) return 0;
        switch (element) {
            case ptx::type::f16:
            case ptx::type::bf16: return 0x7fff;
            case ptx::type::f32: return 0x7fff'ffff;
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

// Checks what the driver's documentation of cuTensorMapEncodeTiled demands. Unsupported: interleaved layouts, types that
// change values on their way (FTZ, TF32) and those of less than a byte, swizzles of atoms.
[[nodiscard]] inline tensor_map_status encode_tiled(tiled_tensor const& of, tensor_map& out) noexcept {
    using enum ptx::type;
    constexpr std::array types{u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16};
    constexpr int most_types = 16, most_swizzles = 7;
    if (of.data_type < 0 || of.data_type >= most_types || of.rank == 0 || of.rank > tensor_map::most_dimensions ||
        of.sizes == nullptr || (of.strides == nullptr && of.rank > 1) || of.box == nullptr ||
        of.element_steps == nullptr || of.interleave < 0 || of.interleave > 2 || of.swizzle < 0 ||
        of.swizzle >= most_swizzles || of.l2_promotion < 0 || of.l2_promotion > 3 || of.fill < 0 || of.fill > 1 ||
        of.address % 16 != 0 || of.address == 0)
        return tensor_map_status::invalid;
    if (of.data_type >= static_cast<int>(types.size()) || of.interleave != 0 || of.swizzle > 3)
        return tensor_map_status::unsupported;
    tensor_map map;
    map.mark = tensor_map::made_here;
    map.element = types[static_cast<std::size_t>(of.data_type)];
    map.dimensions = static_cast<std::uint8_t>(of.rank);
    map.swizzle = static_cast<tensor_swizzle>(of.swizzle);
    map.fills_with_nan = of.fill != 0;
    map.address = of.address;
    if (map.fills_with_nan && !ptx::is_floating(map.element)) return tensor_map_status::invalid;
    for (std::size_t d = 0; d < of.rank; ++d) {
        constexpr std::uint64_t most_size = std::uint64_t{1} << 32, most_stride = std::uint64_t{1} << 40;
        if (of.sizes[d] == 0 || of.sizes[d] > most_size || of.box[d] == 0 || of.box[d] > 256 ||
            of.element_steps[d] == 0 || of.element_steps[d] > 8)
            return tensor_map_status::invalid;
        if (d != 0 && (of.strides[d - 1] % 16 != 0 || of.strides[d - 1] >= most_stride))
            return tensor_map_status::invalid;
        map.last[d] = static_cast<std::uint32_t>(of.sizes[d] - 1);
        map.box[d] = static_cast<std::uint16_t>(of.box[d]);
        map.step[d] = static_cast<std::uint8_t>(of.element_steps[d]);
        if (d != 0) map.stride[d - 1] = of.strides[d - 1];
    }
    if (map.row_bytes() % 16 != 0 || map.row_bytes() > map.pitch()) return tensor_map_status::invalid;
    out = map;
    return tensor_map_status::good;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_TENSOR_MAP_HPP
