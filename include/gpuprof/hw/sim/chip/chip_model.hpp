// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of an embedded GPU: how many units of each kind, their clocks and what their counters can hold. Layer:
// hw/sim.
#ifndef GPUPROF_HW_SIM_CHIP_CHIP_MODEL_HPP
#define GPUPROF_HW_SIM_CHIP_CHIP_MODEL_HPP

#include <array>       // one entry a hardware unit
#include <cstddef>     // std::size_t
#include <string_view> // names

#include "../../../core/chip.hpp"
#include "../../../core/compute_capability.hpp"
#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The units that count (Nsight Compute guide 2023.3, 3.1): the whole chip, a cluster of SMs, an SM, one of its
// sub-partitions, its L1 cache, a slice of L2, a channel of device memory.
enum class hardware_unit : unsigned char { gpu, gpc, sm, smsp, l1tex, lts, dram };
inline constexpr std::size_t hardware_units = 7;

[[nodiscard]] constexpr std::string_view name(hardware_unit unit) noexcept {
    constexpr std::string_view names[]{"gpu", "gpc", "sm", "smsp", "l1tex", "lts", "dram"};
    return names[static_cast<std::size_t>(unit)];
}

// One chip. Counts of units and limits on resident work are those of the product named; clocks are its boost clocks, so
// that modelled times come out in the right range, not exact.
struct chip_model {
    chip which;            // meaningless for one that is `before_range_profiling`
    char const* chip_name; // as CUPTI spells it
    char const* device_name;
    std::array<int, hardware_units> instances;         // of each hardware unit
    std::array<int, hardware_units> counters_per_pass; // that the instances of a unit hold at once

    int threads_per_sm;
    int ctas_per_sm;
    int registers_per_sm; // of 32 bits
    std::size_t shared_bytes_per_sm;
    std::size_t shared_bytes_per_cta; // at most, opted in
    std::size_t l1_bytes;             // a SM's, shared memory included
    std::size_t l2_bytes;
    std::size_t memory_bytes;

    double sys_hz; // the clocks of the units: gpu
    double gpc_hz; // gpc, sm, smsp, l1tex
    double l2_hz;  // lts
    double dram_hz;

    compute_capability before_range_profiling{}; // of a chip that has no range hardware, and so none of `chip`'s names

    [[nodiscard]] constexpr bool has_range_profiling() const noexcept { return before_range_profiling.generation == 0; }
    [[nodiscard]] constexpr int count(hardware_unit unit) const noexcept {
        return instances[static_cast<std::size_t>(unit)];
    }
    [[nodiscard]] constexpr compute_capability capability() const noexcept {
        return has_range_profiling() ? gpuprof::capability(which) : before_range_profiling;
    }
};

// An H200: unit counts, and counters a pass, as an H200 under CUPTI 13.0 reported them.
inline constexpr chip_model gh100{
    .which = chip::gh100,
    .chip_name = "GH100",
    .device_name = "gpuprof embedded GPU (GH100)",
    .instances = {1, 8, 132, 528, 132, 94, 48},
    .counters_per_pass = {8, 4, 4, 4, 2, 5, 6},
    .threads_per_sm = 2048,
    .ctas_per_sm = 32,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 233472,
    .shared_bytes_per_cta = 232448,
    .l1_bytes = 262144,
    .l2_bytes = 62914560,
    .memory_bytes = std::size_t{141} << 30,
    .sys_hz = 1.6e9,
    .gpc_hz = 1.98e9,
    .l2_hz = 1.755e9,
    .dram_hz = 3.201e9,
};

// A V100. Counters a pass as CUPTI 13.0 plans them for the chip.
inline constexpr chip_model gv100{
    .which = chip::gv100,
    .chip_name = "GV100",
    .device_name = "gpuprof embedded GPU (GV100)",
    .instances = {1, 6, 80, 320, 80, 64, 32},
    .counters_per_pass = {8, 4, 4, 4, 1, 1, 6},
    .threads_per_sm = 2048,
    .ctas_per_sm = 32,
    .registers_per_sm = 65536,
    .shared_bytes_per_sm = 98304,
    .shared_bytes_per_cta = 98304,
    .l1_bytes = 131072,
    .l2_bytes = 6291456,
    .memory_bytes = std::size_t{16} << 30,
    .sys_hz = 1.2e9,
    .gpc_hz = 1.53e9,
    .l2_hz = 1.3e9,
    .dram_hz = 877e6,
};

// The chips with range profiling, oldest first; legacy_chips.hpp has those before them.
inline constexpr std::array<chip_model const*, 2> chip_models{&gv100, &gh100};

// The model of that chip, spelled as CUPTI does ("GH100"); null when there is none.
[[nodiscard]] constexpr chip_model const* find_chip_model(std::string_view name) noexcept {
    for (chip_model const* model : chip_models)
        if (model->chip_name == name) return model;
    return nullptr;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CHIP_CHIP_MODEL_HPP
