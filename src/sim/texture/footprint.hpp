// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns texture coordinates into texels, and texels into a value: the appendix "Texture Fetching"
// of the CUDA C++ programming guide.
#ifndef GPUPROF_SRC_SIM_TEXTURE_FOOTPRINT_HPP
#define GPUPROF_SRC_SIM_TEXTURE_FOOTPRINT_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "object.hpp"
#include "texel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The place that an instruction names. Integer coordinates are whole numbers here; a cube's three
// are a direction.
struct texture_place {
    std::array<double, 3> at{};
    std::uint32_t layer = 0;
    bool is_integer = false;
};

// The texels that a fetch reads, and the part that each has in its value. One that is not inside is
// the border.
struct texture_footprint {
    struct part {
        bool is_inside;
        std::uint64_t address;
        double weight;
    };
    std::array<part, 8> parts; // the first `count` of them
    unsigned count = 0;
};

namespace detail {

inline constexpr std::int64_t outside = -1;

// The texel of a dimension that index `i` means, or outside.
[[nodiscard]] constexpr std::int64_t address_texel(std::int64_t i, std::int64_t size, address_mode mode) noexcept {
    if (i >= 0 && i < size) return i;
    switch (mode) {
        case address_mode::wrap: return (i % size + size) % size;
        case address_mode::mirror: {
            std::int64_t const j = (i % (2 * size) + 2 * size) % (2 * size);
            return j < size ? j : 2 * size - 1 - j;
        }
        case address_mode::border: return outside;
        case address_mode::clamp: break;
    }
    return i < 0 ? 0 : size - 1;
}

// The whole part of a coordinate, and the weight of the texel after it: a fixed-point number with 8
// bits of fraction, so that 1.0 is one, too. The guide does not say how it is rounded; here to
// nearest.
struct texel_step {
    std::int64_t index;
    double weight;
};
[[nodiscard]] inline texel_step step_of(double coordinate) noexcept {
    constexpr double beyond = 1099511627776.0; // beyond any texture
    double const x = coordinate != coordinate ? 0.0 : std::clamp(coordinate, -beyond, beyond);
    auto index = static_cast<std::int64_t>(x); // to zero; std::floor is a call on most hosts
    if (static_cast<double>(index) > x) --index;
    double const half_up = (x - static_cast<double>(index)) * 256 + 0.5;
    auto const steps = static_cast<std::int64_t>(half_up);
    return {index, static_cast<double>(steps) / 256};
}

// A direction becomes a face and two coordinates of it, from 0 to 1: the guide's table of cubemaps.
[[nodiscard]] inline texture_place on_face(texture_place const& place) noexcept {
    auto const [x, y, z] = place.at;
    double const ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    std::uint32_t face = 0;
    double m = ax, s = 0, t = 0;
    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1, s = x >= 0 ? -z : z, t = -y;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
    } else {
        face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
    }
    if (m == 0) m = 1;
    return {{(s / m + 1) / 2, (t / m + 1) / 2, 0}, place.layer * 6 + face, false};
}

// Texture coordinates in texels. Cubes have a face by then.
[[nodiscard]] inline std::array<double, 3> in_texels(texture_object const& of, texture_place const& place) noexcept {
    std::array<double, 3> x = place.at;
    if ((of.is_normalized || of.is_cube) && !place.is_integer)
        for (unsigned d = 0; d < of.dimensions; ++d) x[d] *= of.size[d];
    return x;
}
// Wrap and mirror are for normalised coordinates; for others they are clamp.
[[nodiscard]] constexpr address_mode mode_of(texture_object const& of, texture_place const& place,
                                             unsigned d) noexcept {
    if (of.is_cube) return address_mode::clamp;
    if (of.is_linear) return address_mode::border;
    bool const repeats = of.modes[d] == address_mode::wrap || of.modes[d] == address_mode::mirror;
    return repeats && (!of.is_normalized || place.is_integer) ? address_mode::clamp : of.modes[d];
}

[[nodiscard]] inline texture_footprint::part part_at(texture_object const& of, texture_place const& place,
                                                     std::array<std::int64_t, 3> const& index, double weight) noexcept {
    std::array<std::uint64_t, 3> texel{};
    for (unsigned d = 0; d < of.dimensions; ++d) {
        std::int64_t const i = address_texel(index[d], of.size[d], mode_of(of, place, d));
        if (i == outside) return {false, 0, weight};
        texel[d] = static_cast<std::uint64_t>(i);
    }
    if (of.is_layered || of.is_cube)
        texel[2] = (std::min)(place.layer, of.layers - 1); // layers beyond are the last one
    return {true, of.at(texel[0], texel[1], texel[2]), weight};
}

} // namespace detail

// The texels that a fetch reads: one texel, or with linear filtering up to two a dimension. @pre
// of.dimensions coordinates are given
[[nodiscard]] inline texture_footprint footprint_of(texture_object const& of, texture_place place) noexcept {
    if (of.is_cube) place = detail::on_face(place);
    auto const x = detail::in_texels(of, place);
    texture_footprint all;
    bool const filters = of.filters && reads_reals(of) && !place.is_integer && !of.is_linear;
    if (!filters) {
        std::array<std::int64_t, 3> index{};
        for (unsigned d = 0; d < of.dimensions; ++d) index[d] = detail::step_of(x[d]).index;
        all.parts[all.count++] = detail::part_at(of, place, index, 1);
        return all;
    }
    std::array<detail::texel_step, 3> steps{};
    for (unsigned d = 0; d < of.dimensions; ++d) steps[d] = detail::step_of(x[d] - 0.5);
    for (unsigned corner = 0; corner < 1u << of.dimensions; ++corner) {
        std::array<std::int64_t, 3> index{};
        double weight = 1;
        for (unsigned d = 0; d < of.dimensions; ++d) {
            bool const after = (corner >> d & 1) != 0;
            index[d] = steps[d].index + (after ? 1 : 0);
            weight *= after ? steps[d].weight : 1 - steps[d].weight;
        }
        if (weight != 0) all.parts[all.count++] = detail::part_at(of, place, index, weight); // an H200 reads no other
    }
    return all;
}

// The four texels that linear filtering in two dimensions would read, from the lower left one
// counter-clockwise, where the second coordinate grows downwards (tld4, tex2Dgather).
[[nodiscard]] inline texture_footprint gathered(texture_object const& of, texture_place const& place) noexcept {
    auto const x = detail::in_texels(of, place);
    std::int64_t const i = detail::step_of(x[0] - 0.5).index;
    std::int64_t const j = detail::step_of(x[1] - 0.5).index;
    texture_footprint all;
    for (auto const [dx, dy] : {std::array{0, 1}, std::array{1, 1}, std::array{1, 0}, std::array{0, 0}})
        all.parts[all.count++] = detail::part_at(of, place, {i + dx, j + dy, 0}, 1);
    return all;
}

// One texel's channels as a register gets them. Null for the border.
[[nodiscard]] inline texel_bits read_texel(texture_object const& of, std::byte const* texel) noexcept {
    texel_bits bits{};
    if (texel == nullptr) {
        for (unsigned c = 0; c < of.channels; ++c) bits[c] = std::bit_cast<std::uint32_t>(of.border[c]);
        return bits; // integer borders were given as floats with the same bits
    }
    bits = bits_of(texel, of);
    if (!reads_reals(of)) return bits;
    auto const reals = reals_of(bits, of);
    for (unsigned c = 0; c < of.channels; ++c) bits[c] = std::bit_cast<std::uint32_t>(static_cast<float>(reals[c]));
    return bits;
}

// The value of a footprint of several texels. `texels` has a pointer for each part, null for the
// border.
[[nodiscard]] inline texel_bits filtered(texture_object const& of, texture_footprint const& footprint,
                                         std::array<std::byte const*, 8> const& texels) noexcept {
    texel_reals sum{};
    for (unsigned p = 0; p < footprint.count; ++p) {
        double const weight = footprint.parts[p].weight;
        texel_reals value{};
        if (texels[p] != nullptr) value = reals_of(bits_of(texels[p], of), of);
        else
            for (unsigned c = 0; c < of.channels; ++c) value[c] = double{of.border[c]};
        for (unsigned c = 0; c < of.channels; ++c) sum[c] += weight * value[c];
    }
    texel_bits bits{};
    for (unsigned c = 0; c < of.channels; ++c) bits[c] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[c]));
    return bits;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_TEXTURE_FOOTPRINT_HPP
