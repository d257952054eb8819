// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of threads or blocks along three axes.
#ifndef GPUPROF_SIM_EXTENT_HPP
#define GPUPROF_SIM_EXTENT_HPP

#include <cstdint>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Numbers of threads or CTAs along three axes, or a place among them.
struct extent3 {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    [[nodiscard]] constexpr std::uint64_t count() const noexcept { return std::uint64_t{x} * y * z; }
    friend constexpr bool operator==(extent3 const&, extent3 const&) = default;
};

// The place of number `linear` in an extent, x running fastest.
[[nodiscard]] constexpr extent3 place(std::uint64_t linear, extent3 in) noexcept {
    return {static_cast<std::uint32_t>(linear % in.x), static_cast<std::uint32_t>(linear / in.x % in.y),
            static_cast<std::uint32_t>(linear / in.x / in.y)};
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_EXTENT_HPP
