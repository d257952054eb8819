// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether any chip is known to have a base metric, by its name alone.
#ifndef GPUPROF_METRIC_LISTED_HPP
#define GPUPROF_METRIC_LISTED_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../detail/config.hpp"
#include "decoder.hpp"
#include "listed_names.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The names stand in groups by their hash, so that a compiler that checks a name reads six of them. Written by
// tools/generate_catalogues.cpp.
inline constexpr std::size_t listed_groups = 1024;

// The length of the listed name whose two digits begin at `row`.
[[nodiscard]] constexpr std::size_t listed_length(char const* row) noexcept {
    return static_cast<std::size_t>(row[0] - '0') * 10 + static_cast<std::size_t>(row[1] - '0');
}

// Whether a chip of `all_chips` has a base metric of exactly this name. The name itself is compared, not its hash alone: no
// other name passes. Loops over characters, since string_view's functions are many times slower when constant-evaluated.
[[nodiscard]] constexpr bool is_listed(std::string_view base) noexcept {
    char const* const text = base.data();
    std::size_t const size = base.size();
    std::uint32_t hash = hash_seed;
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(text[i])) * hash_prime;
    for (char const* row = listed_names[hash % listed_groups]; *row != '\0';) {
        std::size_t const length = listed_length(row);
        row += 2;
        if (length == size) {
            std::size_t i = 0;
            while (i < size && row[i] == text[i]) ++i;
            if (i == size) return true;
        }
        row += length;
    }
    return false;
}

// The listed name of the same unit that differs from `base` in the shortest stretch: what lies between the longest common
// beginning and the longest common end. Made for a compiler that stops with an error; `nearest` judges better. Empty if no
// listed name has that unit.
[[nodiscard]] constexpr std::string_view nearest_listed(std::string_view base) noexcept {
    char const* const text = base.data();
    std::size_t const size = base.size();
    std::size_t unit = 0; // characters of "unit__"
    while (unit + 1 < size && !(text[unit] == '_' && text[unit + 1] == '_')) ++unit;
    unit += 2;

    std::string_view best;
    std::size_t least = 0;
    for (char const* row : listed_names) {
        while (*row != '\0') {
            std::size_t const length = listed_length(row);
            row += 2;
            std::size_t const shorter = length < size ? length : size;
            std::size_t begin = 0;
            while (begin < shorter && row[begin] == text[begin]) ++begin;
            if (begin >= unit) {
                std::size_t end = 0;
                while (end + begin < shorter && row[length - 1 - end] == text[size - 1 - end]) ++end;
                std::size_t const stretch = (length < size ? size : length) - begin - end;
                std::string_view const name{row, length};
                if (best.empty() || stretch < least || (stretch == least && name < best)) {
                    best = name;
                    least = stretch;
                }
            }
            row += length;
        }
    }
    return best;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_LISTED_HPP
