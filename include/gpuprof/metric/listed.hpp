// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether any chip is known to have a base metric, by its name alone. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_METRIC_LISTED_HPP
#define GPUPROF_METRIC_LISTED_HPP

#include <cstddef>     // std::size_t
#include <string_view> // names

#include "../detail/config.hpp"
#include "listed_names.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Loops over characters: string_view's functions are many times slower when constant-evaluated. A listed name ends at a
// space or at the NUL of its group.
[[nodiscard]] constexpr bool ends_listed(char c) noexcept { return c == ' ' || c == '\0'; }

// The last group whose first name does not sort after `name`; the first group if there is none.
[[nodiscard]] constexpr std::size_t listed_group(std::string_view name) noexcept {
    char const* const text = name.data();
    std::size_t const size = name.size();
    std::size_t first = 0;
    std::size_t count = sizeof listed_names / sizeof *listed_names;
    // What the groups on both sides share with the name, those between them share, too.
    std::size_t shared_before = 0;
    std::size_t shared_after = 0;
    while (count > 1) {
        std::size_t const half = count / 2;
        char const* const row = listed_names[first + half];
        std::size_t i = shared_before < shared_after ? shared_before : shared_after;
        while (i < size && row[i] == text[i]) ++i;
        bool const after = i < size ? !ends_listed(row[i]) && row[i] > text[i] : !ends_listed(row[i]);
        if (after) {
            count = half;
            shared_after = i;
        } else {
            first += half;
            count -= half;
            shared_before = i;
        }
    }
    return first;
}

// Whether a chip of `all_chips` has a base metric of exactly this name: a binary search in the list, no hash, so that no
// other name passes. @pre `base` has no space, as no metric's name has. g++ 12 takes about 0.1 ms for a name when constant-evaluated.
[[nodiscard]] constexpr bool is_listed(std::string_view base) noexcept {
    char const* const text = base.data();
    std::size_t const size = base.size();
    for (char const* row = listed_names[listed_group(base)];; ++row) {
        std::size_t i = 0;
        while (i < size && row[i] == text[i]) ++i;
        if (i == size && ends_listed(row[i])) return size != 0;
        row += i;
        while (!ends_listed(*row)) ++row;
        if (*row == '\0') return false;
    }
}

// The listed name of the same unit that differs from `base` in the shortest stretch: what lies between the longest common
// beginning and the longest common end. Made to be evaluated by a compiler that stops with an error; `nearest` judges
// better. Empty if no listed name has that unit.
[[nodiscard]] constexpr std::string_view nearest_listed(std::string_view base) noexcept {
    char const* const text = base.data();
    std::size_t const size = base.size();
    std::size_t unit = 0; // characters up to the end of "unit__"
    while (unit + 1 < size && !(text[unit] == '_' && text[unit + 1] == '_')) ++unit;
    unit += 2;
    if (unit > size) return {};

    std::string_view best;
    std::size_t least = size;
    bool passed = false;
    for (std::size_t group = listed_group(base.substr(0, unit)); !passed; ++group) {
        if (group == sizeof listed_names / sizeof *listed_names) break;
        for (char const* row = listed_names[group]; !passed; ++row) {
            std::size_t begin = 0;
            while (begin < size && row[begin] == text[begin]) ++begin;
            std::size_t length = begin;
            while (!ends_listed(row[length])) ++length;
            if (begin >= unit) {
                std::size_t const shorter = length < size ? length : size;
                std::size_t end = 0;
                while (end + begin < shorter && row[length - 1 - end] == text[size - 1 - end]) ++end;
                std::size_t const stretch = (length < size ? size : length) - begin - end;
                if (best.empty() || stretch < least) {
                    best = {row, length};
                    least = stretch;
                }
            } else {
                passed = !best.empty(); // sorted: the unit's names are over
            }
            row += length;
            if (*row == '\0') break;
        }
    }
    return best;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_LISTED_HPP
