// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of texture and surface instructions, as a decoded instruction keeps them.
#ifndef GPUPROF_SRC_SIM_TEXTURE_FORM_HPP
#define GPUPROF_SRC_SIM_TEXTURE_FORM_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// decoded::mode. `gather` reads the channel that the form names.
enum class texture_operation : std::uint8_t { fetch, gather, load_surface, store_surface, query };

// A surface instruction beyond the surface: the kernel is stopped, the nearest place is taken, or
// zeros are read and nothing is written.
enum class surface_bounds : std::uint8_t { trap, clamp, zero };

// The properties that txq and suq ask for, except those answered by numbers of the hardware.
enum class texture_query : std::uint8_t {
    width,
    height,
    depth,
    array_size,
    num_mipmap_levels,
    num_samples,
    normalized_coords
};

// decoded::immediate. `detail` is the channel of a gather, the surface_bounds, or the
// texture_query.
struct texture_form {
    std::uint8_t dimensions = 0; // coordinates without the layer; of a cube three
    bool is_layered = false;
    bool is_cube = false;
    std::uint8_t detail = 0;

    [[nodiscard]] constexpr std::uint32_t packed() const noexcept {
        return dimensions | std::uint32_t{is_layered} << 4 | std::uint32_t{is_cube} << 5 | std::uint32_t{detail} << 8;
    }
    [[nodiscard]] static constexpr texture_form of(std::uint32_t bits) noexcept {
        return {static_cast<std::uint8_t>(bits & 0xf), (bits >> 4 & 1) != 0, (bits >> 5 & 1) != 0,
                static_cast<std::uint8_t>(bits >> 8)};
    }
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_TEXTURE_FORM_HPP
