// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member types that several activity records share.
#ifndef GPUPROF_HW_ACTIVITY_FIELD_TYPES_HPP
#define GPUPROF_HW_ACTIVITY_FIELD_TYPES_HPP

#include <bit>
#include <cstdint>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The sizes of a grid or a block.
struct dimensions {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    friend constexpr bool operator==(dimensions const&, dimensions const&) = default;
};

// The 16 bytes that identify a device.
struct uuid {
    std::uint8_t bytes[16]{};
    friend constexpr bool operator==(uuid const&, uuid const&) = default;
};

// The requested and the effective preference for L1 cache or shared memory, as the driver's
// CUfunc_cache.
struct cache_preference {
    std::uint8_t both = 0;
    [[nodiscard]] constexpr std::uint8_t requested() const noexcept { return both & 15; }
    [[nodiscard]] constexpr std::uint8_t executed() const noexcept { return both >> 4; }
    friend constexpr bool operator==(cache_preference, cache_preference) = default;
};

// A number whose type another member says.
struct tagged_value {
    std::uint64_t bits = 0;
    [[nodiscard]] constexpr double as_double() const noexcept { return std::bit_cast<double>(bits); }
    [[nodiscard]] constexpr std::uint64_t as_unsigned() const noexcept { return bits; }
    [[nodiscard]] constexpr std::int64_t as_signed() const noexcept { return static_cast<std::int64_t>(bits); }
    friend constexpr bool operator==(tagged_value, tagged_value) = default;
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_FIELD_TYPES_HPP
