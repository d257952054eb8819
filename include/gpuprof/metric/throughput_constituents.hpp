// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a throughput is made of on a chip, by base names.
#ifndef GPUPROF_METRIC_THROUGHPUT_CONSTITUENTS_HPP
#define GPUPROF_METRIC_THROUGHPUT_CONSTITUENTS_HPP

#include <cstddef>
#include <string_view>

#include "../core/chip.hpp"
#include "../detail/config.hpp"
#include "listed_throughputs.hpp"
#include "throughput_row.hpp"

GPUPROF_NAMESPACE_BEGIN

// How far a breakdown goes where a constituent is a throughput itself: gpu__compute_memory_throughput has
// gpu__dram_throughput in it, and that dram__throughput.
enum class breakdown_depth : bool {
    one_level, // the constituents as CUPTI names them, throughputs among them
    all_levels // throughputs replaced by their constituents, each metric once; one of which CUPTI tells none stays
};

// Stands before the name of a throughput whose constituents are meant.
inline constexpr std::string_view breakdown_prefix = "breakdown:";

namespace detail {

// Base names of constituents, each once, in the order of the chip's list.
struct constituent_list {
    static constexpr std::size_t room = 64; // the longest of CUPTI 13.0 has 32
    std::string_view bases[room]{};
    std::size_t count = 0;

    constexpr void add(std::string_view base) noexcept {
        for (std::size_t i = 0; i < count; ++i)
            if (bases[i] == base) return;
        bases[count++] = base;
    }
    [[nodiscard]] constexpr std::string_view const* begin() const noexcept { return bases; }
    [[nodiscard]] constexpr std::string_view const* end() const noexcept { return bases + count; }
};

// The row of a throughput by its base name; null if the chip has no such throughput.
[[nodiscard]] constexpr throughput_row const* find_throughput(chip on, std::string_view base) noexcept {
    for (throughput_row const& row : throughput_rows)
        if (row.is_on(on) && base == row.name) return &row;
    return nullptr;
}

constexpr void add_constituents(constituent_list& to, chip on, throughput_row const& of,
                                breakdown_depth depth) noexcept {
    std::string_view rest = of.parts;
    while (!rest.empty()) {
        std::size_t const end = rest.find(' ');
        std::string_view const base = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
        throughput_row const* const inner = depth == breakdown_depth::all_levels ? find_throughput(on, base) : nullptr;
        if (inner == nullptr || *inner->parts == '\0') to.add(base);
        else add_constituents(to, on, *inner, depth);
    }
}

// The constituents of a throughput of the chip; none if it has no such throughput, or CUPTI tells of none.
[[nodiscard]] constexpr constituent_list constituents_of(chip on, std::string_view base,
                                                         breakdown_depth depth) noexcept {
    constituent_list all;
    if (throughput_row const* const row = find_throughput(on, base)) add_constituents(all, on, *row, depth);
    return all;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_THROUGHPUT_CONSTITUENTS_HPP
