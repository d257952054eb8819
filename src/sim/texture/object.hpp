// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects: the format of the texels, the sizes, the modes of addressing.
#ifndef GPUPROF_SRC_SIM_TEXTURE_OBJECT_HPP
#define GPUPROF_SRC_SIM_TEXTURE_OBJECT_HPP

#include <array>
#include <cstdint>
#include <type_traits>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One channel of a texel: CUarray_format without what is packed.
enum class channel_format : std::uint8_t { u8, u16, u32, s8, s16, s32, f16, f32 };
[[nodiscard]] constexpr unsigned channel_bytes(channel_format f) noexcept {
    switch (f) {
        case channel_format::u8:
        case channel_format::s8: return 1;
        case channel_format::u16:
        case channel_format::s16:
        case channel_format::f16: return 2;
        default: return 4;
    }
}
[[nodiscard]] constexpr bool is_floating(channel_format f) noexcept {
    return f == channel_format::f16 || f == channel_format::f32;
}

// What replaces a coordinate that lies outside (CUDA C++ programming guide, "Texture Fetching").
enum class address_mode : std::uint8_t { wrap, clamp, mirror, border };

// A texture or surface object. It lies as bytes in constant memory of the GPU, and its address is
// the object's handle: a kernel that is given another number is stopped. Texels lie in plain rows,
// whatever hardware does; that decides which sectors are counted, and nothing else.
struct texture_object {
    static constexpr std::uint64_t texture_tag = 0x7465'7874'7572'6521; // no other memory begins so by chance
    static constexpr std::uint64_t surface_tag = 0x7375'7266'6163'6521;

    std::uint64_t tag = texture_tag;
    std::uint64_t address = 0;                  // of the first texel
    std::uint64_t row = 0;                      // bytes from a row to the next
    std::uint64_t slice = 0;                    // bytes from a slice, layer or face to the next
    std::array<std::uint32_t, 3> size{1, 1, 1}; // texels; 1 where there is no such dimension
    std::uint32_t layers = 1;                   // of layered ones; of cubes six times as many
    channel_format format = channel_format::f32;
    std::uint8_t channels = 1; // 1, 2 or 4
    std::uint8_t dimensions = 1;
    bool is_layered = false;
    bool is_cube = false;
    bool is_linear = false; // memory without a shape, which integer coordinates alone address
    // Of textures.
    std::array<address_mode, 3> modes{address_mode::clamp, address_mode::clamp, address_mode::clamp};
    bool filters = false;          // linear filtering
    bool reads_normalized = false; // integers as numbers from 0 or -1 to 1
    bool is_normalized = false;    // coordinates go from 0 to 1
    bool is_srgb = false;          // of 8-bit channels that are read normalised
    std::array<float, 4> border{}; // what lies around it, in border mode

    [[nodiscard]] constexpr unsigned texel_bytes() const noexcept { return channel_bytes(format) * channels; }
    [[nodiscard]] constexpr std::uint64_t at(std::uint64_t x, std::uint64_t y, std::uint64_t z) const noexcept {
        return address + z * slice + y * row + x * texel_bytes();
    }
};
static_assert(std::is_trivially_copyable_v<texture_object>);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_TEXTURE_OBJECT_HPP
