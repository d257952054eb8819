// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// metric_property.hpp: properties have CUPTI's numbers and units.
#include <doctest/doctest.h>

#include <gpuprof/legacy/metric_property.hpp>

namespace metric_property_test {

using gpuprof::dimension;
using gpuprof::metric_property;
using gpuprof::unit_of;

namespace properties = gpuprof::properties;

// CUpti_MetricPropertyID of CUPTI 12.0.
TEST_CASE("properties that CUPTI has are numbered as there") {
    CHECK(static_cast<int>(metric_property::multiprocessor_count) == 0);
    CHECK(static_cast<int>(metric_property::warps_per_multiprocessor) == 1);
    CHECK(static_cast<int>(metric_property::kernel_gpu_time) == 2);
    CHECK(static_cast<int>(metric_property::clock_rate) == 3);
    CHECK(static_cast<int>(metric_property::frame_buffer_count) == 4);
    CHECK(static_cast<int>(metric_property::global_memory_bandwidth) == 5);
    CHECK(static_cast<int>(metric_property::flop_sp_per_cycle) == 10);
    CHECK(static_cast<int>(metric_property::flop_dp_per_cycle) == 11);
    CHECK(static_cast<int>(metric_property::l2_units) == 12);
    CHECK(static_cast<int>(metric_property::ecc_enabled) == 13);
    CHECK(static_cast<int>(metric_property::flop_hp_per_cycle) == 14);
}

TEST_CASE("a clock's rate times a time is a number of its cycles") {
    gpuprof::unit const cycles = properties::clock_rate.of * properties::gpu_time.of;
    CHECK(same_dimension(cycles, unit_of(dimension::cycle_gpc)));
    CHECK(cycles.power_of_ten == -6); // kHz and ns
    CHECK(properties::memory_bandwidth.of == unit_of(dimension::byte, 3) / unit_of(dimension::second));
}

} // namespace metric_property_test
