// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about a device or a run that formulas need beside counts.
#ifndef GPUPROF_LEGACY_METRIC_PROPERTY_HPP
#define GPUPROF_LEGACY_METRIC_PROPERTY_HPP

#include "../detail/config.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

// Which fact. Up to flop_hp_per_cycle the values are CUpti_MetricPropertyID's, and so are the units; the rest is what
// formulas need and CUPTI has built in.
enum class metric_property : unsigned char {
    multiprocessor_count = 0,
    warps_per_multiprocessor = 1,
    kernel_gpu_time = 2,         // of what was counted, in nanoseconds
    clock_rate = 3,              // of the multiprocessors, in kHz
    frame_buffer_count = 4,      // memory partitions
    global_memory_bandwidth = 5, // in kilobytes (1000 bytes) a second
    flop_sp_per_cycle = 10,      // of the whole device, as are the next
    flop_dp_per_cycle = 11,
    l2_units = 12,
    ecc_enabled = 13, // 1 where device memory has error correction and uses it, else 0
    flop_hp_per_cycle = 14,
    warp_size = 100,
    schedulers_per_multiprocessor = 101 // warp schedulers, each issuing for one warp a cycle
};

// A property as the operand of a formula. `of` is the unit that its value is given in.
struct metric_property_descriptor {
    char const* name;
    metric_property id;
    unit of;
};

namespace properties {
using enum dimension;
inline constexpr metric_property_descriptor multiprocessor_count{"multiprocessor_count",
                                                                 metric_property::multiprocessor_count, one};
inline constexpr metric_property_descriptor max_warps_per_multiprocessor{
    "max_warps_per_multiprocessor", metric_property::warps_per_multiprocessor, unit_of(warp)};
inline constexpr metric_property_descriptor gpu_time{"gpu_time", metric_property::kernel_gpu_time, unit_of(second, -9)};
inline constexpr metric_property_descriptor clock_rate{"clock_rate", metric_property::clock_rate,
                                                       unit_of(cycle_gpc) / unit_of(second, -3)};
inline constexpr metric_property_descriptor frame_buffer_count{"frame_buffer_count",
                                                               metric_property::frame_buffer_count, one};
inline constexpr metric_property_descriptor memory_bandwidth{
    "memory_bandwidth", metric_property::global_memory_bandwidth, unit_of(byte, 3) / unit_of(second)};
inline constexpr metric_property_descriptor flop_sp_per_cycle{"flop_sp_per_cycle", metric_property::flop_sp_per_cycle,
                                                              unit_of(operation) / unit_of(cycle_gpc)};
inline constexpr metric_property_descriptor flop_dp_per_cycle{"flop_dp_per_cycle", metric_property::flop_dp_per_cycle,
                                                              unit_of(operation) / unit_of(cycle_gpc)};
inline constexpr metric_property_descriptor flop_hp_per_cycle{"flop_hp_per_cycle", metric_property::flop_hp_per_cycle,
                                                              unit_of(operation) / unit_of(cycle_gpc)};
inline constexpr metric_property_descriptor l2_units{"l2_units", metric_property::l2_units, one};
inline constexpr metric_property_descriptor ecc_enabled{"ecc_enabled", metric_property::ecc_enabled, one};
// Thread instructions per warp instruction with all threads active: a plain number.
inline constexpr metric_property_descriptor warp_size{"warp_size", metric_property::warp_size, one};
inline constexpr metric_property_descriptor schedulers_per_multiprocessor{
    "schedulers_per_multiprocessor", metric_property::schedulers_per_multiprocessor,
    unit_of(instruction) / unit_of(cycle_gpc)};
} // namespace properties

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_METRIC_PROPERTY_HPP
