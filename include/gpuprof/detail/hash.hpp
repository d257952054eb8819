// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FNV-1a, 64 bits: to find and to compare, not to resist an attacker.
#ifndef GPUPROF_DETAIL_HASH_HPP
#define GPUPROF_DETAIL_HASH_HPP

#include <cstdint>
#include <string_view>

#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325;

// Hashes a value or a text after an earlier hash.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::uint64_t hash, std::uint64_t value) noexcept {
    return (hash ^ value) * 0x100000001b3;
}
[[nodiscard]] constexpr std::uint64_t fnv1a(std::uint64_t hash, std::string_view text) noexcept {
    for (char const c : text) hash = fnv1a(hash, std::uint64_t{static_cast<unsigned char>(c)});
    return hash;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_HASH_HPP
