// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The row of a throughput in the generated list of what throughputs are made of.
#ifndef GPUPROF_METRIC_THROUGHPUT_ROW_HPP
#define GPUPROF_METRIC_THROUGHPUT_ROW_HPP

#include <cstdint>

#include "../core/chip.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A throughput and its constituents, on the chips where it has these.
struct throughput_row {
    char const* name;    // "sm__throughput"
    char const* parts;   // base names, a space between two, counters first; empty where CUPTI tells of none
    std::uint32_t chips; // bit i: chip i of all_chips

    [[nodiscard]] constexpr bool is_on(chip which) const noexcept {
        return (chips >> static_cast<unsigned>(which) & 1u) != 0;
    }
};

static_assert(all_chips.size() <= 32, "gpuprof: a row of throughputs has a bit for each of 32 chips");

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_THROUGHPUT_ROW_HPP
