// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the numbers in a texel.
#ifndef GPUPROF_SRC_SIM_TEXTURE_TEXEL_HPP
#define GPUPROF_SRC_SIM_TEXTURE_TEXEL_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../ops/float_format.hpp"
#include "object.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

using texel_bits = std::array<std::uint32_t, 4>; // as registers get them
using texel_reals = std::array<double, 4>;

// A channel as an integer: sign-extended where the format is signed, the bits of a float otherwise.
[[nodiscard]] inline std::uint32_t channel_bits(std::byte const* from, channel_format f) noexcept {
    std::uint32_t value = 0;
    std::memcpy(&value, from, channel_bytes(f));
    switch (f) {
        case channel_format::s8:
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int8_t>(value)));
        case channel_format::s16:
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(value)));
        case channel_format::f16: return std::bit_cast<std::uint32_t>(static_cast<float>(widen(value, f16_format)));
        default: return value;
    }
}

// The same as the number that filtering works on. Normalised: 255 and 65535 (127 and 32767) are 1,
// and the lowest signed numbers are -1.
[[nodiscard]] inline double channel_real(std::uint32_t bits, channel_format f, bool is_srgb) noexcept {
    auto const number = static_cast<std::int32_t>(bits);
    switch (f) {
        case channel_format::u8: {
            double const v = bits / 255.0;
            if (!is_srgb) return v;
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        }
        case channel_format::u16: return bits / 65535.0;
        case channel_format::s8: return (std::max)(number / 127.0, -1.0);
        case channel_format::s16: return (std::max)(number / 32767.0, -1.0);
        default: return double{std::bit_cast<float>(bits)};
    }
}

// Channels that a texel does not have are zero.
[[nodiscard]] inline texel_bits bits_of(std::byte const* texel, texture_object const& from) noexcept {
    texel_bits all{};
    for (unsigned c = 0; c < from.channels; ++c)
        all[c] = channel_bits(texel + std::size_t{c} * channel_bytes(from.format), from.format);
    return all;
}
[[nodiscard]] inline texel_reals reals_of(texel_bits const& bits, texture_object const& from) noexcept {
    texel_reals all{};
    for (unsigned c = 0; c < from.channels; ++c)
        all[c] = channel_real(bits[c], from.format, from.is_srgb && c < 3); // the fourth is no colour
    return all;
}

// Whether reading gives real numbers, which may be filtered.
[[nodiscard]] constexpr bool reads_reals(texture_object const& from) noexcept {
    return is_floating(from.format) || (from.reads_normalized && channel_bytes(from.format) < 4);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_TEXTURE_TEXEL_HPP
