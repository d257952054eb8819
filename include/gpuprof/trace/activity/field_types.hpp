// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of members that several kinds of activity records have. Layer: trace.
#ifndef GPUPROF_TRACE_ACTIVITY_FIELD_TYPES_HPP
#define GPUPROF_TRACE_ACTIVITY_FIELD_TYPES_HPP

#include <bit>     // std::bit_cast
#include <cstdint> // std::uint8_t, std::uint64_t

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// Three sizes of a grid or a block.
struct dimensions {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    friend constexpr bool operator==(dimensions const&, dimensions const&) = default;
};

struct uuid {
    std::uint8_t bytes[16]{};
    friend constexpr bool operator==(uuid const&, uuid const&) = default;
};

// The preference for L1 cache or shared memory that was asked for and the one in force, as in CUfunc_cache of the driver.
struct cache_preference {
    std::uint8_t both = 0;
    [[nodiscard]] constexpr std::uint8_t requested() const noexcept { return both & 15; }
    [[nodiscard]] constexpr std::uint8_t executed() const noexcept { return both >> 4; }
    friend constexpr bool operator==(cache_preference, cache_preference) = default;
};

// A number whose type another member tells.
struct tagged_value {
    std::uint64_t bits = 0;
    [[nodiscard]] constexpr double as_double() const noexcept { return std::bit_cast<double>(bits); }
    [[nodiscard]] constexpr std::uint64_t as_unsigned() const noexcept { return bits; }
    [[nodiscard]] constexpr std::int64_t as_signed() const noexcept { return static_cast<std::int64_t>(bits); }
    friend constexpr bool operator==(tagged_value, tagged_value) = default;
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_ACTIVITY_FIELD_TYPES_HPP
