// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Embedded GPUs from before range profiling: capability 2.0, 3.5, 5.2 and 6.0. Layer: hw/sim. Pure data.
#ifndef GPUPROF_HW_SIM_CHIP_LEGACY_CHIPS_HPP
#define GPUPROF_HW_SIM_CHIP_LEGACY_CHIPS_HPP

#include <array>       // one entry a chip
#include <cstddef>     // std::size_t
#include <string_view> // names

#include "../../../core/compute_capability.hpp"
#include "../../../detail/config.hpp"
#include "chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Shapes, limits and clocks are those of the product named. What computes is the same machine for every chip, and
// differs from these in what they could not do: it runs PTX of any target, half precision and warp shuffles included;
// its L1 keeps sectors, where the first two chips fetched whole lines of 128 bytes. There are no compilers any more that
// make PTX for most of them, so a target later than the chip is no error. A channel of device memory is 128 bits wide;
// where L1 has a memory of its own (GM200, GP100), shared memory takes from it here all the same, down to 16 KiB.

// A Tesla C2050.
inline constexpr chip_model gf100{
    .which = {},
    .chip_name = "GF100",
    .device_name = "gpuprof embedded GPU (GF100, runs any PTX)",
    .instances = {1, 4, 14, 28, 14, 12, 3},
    .counters_per_pass = {},
    .threads_per_sm = 1536,
    .ctas_per_sm = 8,
    .registers_per_sm = 32768,
    .shared_bytes_per_sm = 49152,
    .shared_bytes_per_cta = 49152,
    .l1_bytes = 65536,
    .l2_bytes = 786432,
    .memory_bytes = std::size_t{3} << 30,
    .sys_hz = 575e6,
    .gpc_hz = 1.15e9,
    .l2_hz = 575e6,
    .dram_hz = 1.5e9,
    .before_range_profiling = {2, 0},
};

// A Tesla K40.
inline constexpr chip_model gk110b{
    .which = {},
    .chip_name = "GK110B",
    .device_name = "gpuprof embedded GPU (GK110B, runs any PTX)",
    .instances = {1, 5, 15, 60, 15, 24, 3},
    .counters_per_pass = {},
    .threads_per_sm = 2048,
    .ctas_per_sm = 16,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 49152,
    .shared_bytes_per_cta = 49152,
    .l1_bytes = 65536,
    .l2_bytes = 1572864,
    .memory_bytes = std::size_t{12} << 30,
    .sys_hz = 745e6,
    .gpc_hz = 875e6,
    .l2_hz = 745e6,
    .dram_hz = 3.004e9,
    .before_range_profiling = {3, 5},
};

// A Tesla M40.
inline constexpr chip_model gm200{
    .which = {},
    .chip_name = "GM200",
    .device_name = "gpuprof embedded GPU (GM200, runs any PTX)",
    .instances = {1, 6, 24, 96, 24, 24, 3},
    .counters_per_pass = {},
    .threads_per_sm = 2048,
    .ctas_per_sm = 32,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 98304,
    .shared_bytes_per_cta = 49152,
    .l1_bytes = 49152,
    .l2_bytes = 3145728,
    .memory_bytes = std::size_t{12} << 30,
    .sys_hz = 948e6,
    .gpc_hz = 1.114e9,
    .l2_hz = 948e6,
    .dram_hz = 3.004e9,
    .before_range_profiling = {5, 2},
};

// A Tesla P100 of 16 GiB.
inline constexpr chip_model gp100{
    .which = {},
    .chip_name = "GP100",
    .device_name = "gpuprof embedded GPU (GP100, runs any PTX)",
    .instances = {1, 6, 56, 112, 56, 32, 32},
    .counters_per_pass = {},
    .threads_per_sm = 2048,
    .ctas_per_sm = 32,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 65536,
    .shared_bytes_per_cta = 49152,
    .l1_bytes = 24576,
    .l2_bytes = 4194304,
    .memory_bytes = std::size_t{16} << 30,
    .sys_hz = 1.1e9,
    .gpc_hz = 1.48e9,
    .l2_hz = 1.3e9,
    .dram_hz = 715e6,
    .before_range_profiling = {6, 0},
};

// Every embedded GPU there is, oldest first: those without range profiling, then chip_models.
inline constexpr std::array<chip_model const*, 6> embedded_chips{&gf100, &gk110b, &gm200, &gp100, &gv100, &gh100};

// The embedded GPU of that name ("gm200", in letters of any case) or capability ("5.2"); null when there is none.
[[nodiscard]] constexpr chip_model const* find_embedded_chip(std::string_view wanted) noexcept {
    auto const capital = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    for (chip_model const* const model : embedded_chips) {
        compute_capability const of = model->capability(); // of one digit each
        char const number[]{static_cast<char>('0' + of.generation), '.', static_cast<char>('0' + of.revision)};
        if (wanted == std::string_view{number, 3}) return model;
        std::string_view const name = model->chip_name;
        bool same = name.size() == wanted.size();
        for (std::size_t i = 0; same && i < name.size(); ++i) same = name[i] == capital(wanted[i]);
        if (same) return model;
    }
    return nullptr;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CHIP_LEGACY_CHIPS_HPP
