// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing plain values in a caller's bytes, which may lie at any address.
#ifndef GPUPROF_SRC_SIM_CUPTI_IMAGE_BYTES_HPP
#define GPUPROF_SRC_SIM_CUPTI_IMAGE_BYTES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// @pre `from` points at sizeof(T) bytes.
template <class T>
    requires std::is_trivially_copyable_v<T>
[[nodiscard]] T load(std::uint8_t const* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// @pre `to` points at sizeof(T) bytes.
template <class T>
    requires std::is_trivially_copyable_v<T>
void store(std::uint8_t* to, T const& value) noexcept { std::memcpy(to, &value, sizeof value); }

// FNV-1a, 32 bits: tells a damaged image from a good one, no more.
[[nodiscard]] constexpr std::uint32_t checksum(std::span<std::uint8_t const> bytes) noexcept {
    std::uint32_t hash = 2166136261u;
    for (std::uint8_t const byte : bytes) hash = (hash ^ byte) * 16777619u;
    return hash;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_IMAGE_BYTES_HPP
