// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// src/sim/counters/metric_rows.hpp: what a row must have, and that peaks which differ by chip are the chip's.
#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/counters/metric_rows.hpp"
#include "sim/counters/metric_table.hpp"

namespace metric_rows_test {

namespace sim = gpuprof::sim;

namespace {

using gpuprof::fidelity;
using gpuprof::metric_kind;
using sim::counter_sum;
using sim::hardware_unit;
using sim::metric_row;

constexpr counter_sum counted = sim::sum(sim::raw_counter::warps_launched);
constexpr char const* parts[]{"dram__bytes"};
constexpr char const* stray[]{"dram__bites"};
constexpr char const* nested[]{"dram__throughput"};

constexpr metric_row row(metric_kind kind, counter_sum value, counter_sum against,
                         std::span<char const* const> breakdown, char const* description = "Something.") {
    return {"sm__something", kind, hardware_unit::sm, "", fidelity::exact, 1, value, against, breakdown, description};
}

// A row that ends early does not compile.
template <class... Parts>
concept a_row = requires(Parts... each) {
    metric_row{each...};
};
static_assert(a_row<char const*, metric_kind, hardware_unit, char const*, fidelity, int, counter_sum, counter_sum,
                    std::span<char const* const>, char const*>);
static_assert(!a_row<char const*, metric_kind, hardware_unit, char const*, fidelity, int, counter_sum, counter_sum,
                     std::span<char const* const>>);
static_assert(!a_row<char const*, metric_kind, hardware_unit, char const*, fidelity>);

// What the rows' own assertion asks of a row.
static_assert(sim::detail::is_well_formed(row(metric_kind::counter, counted, {}, {})));
static_assert(!sim::detail::is_well_formed(row(metric_kind::counter, {}, {}, {})));
static_assert(sim::detail::is_well_formed(row(metric_kind::counter, counted, counted, {}))); // of the busiest instance
static_assert(!sim::detail::is_well_formed(row(metric_kind::counter, counted, {}, parts)));
static_assert(!sim::detail::is_well_formed(row(metric_kind::counter, counted, {}, {}, "")));
static_assert(sim::detail::is_well_formed(row(metric_kind::ratio, counted, counted, {})));
static_assert(!sim::detail::is_well_formed(row(metric_kind::ratio, counted, {}, {})));
static_assert(sim::detail::is_well_formed(row(metric_kind::throughput, {}, {}, parts)));
static_assert(!sim::detail::is_well_formed(row(metric_kind::throughput, {}, {}, {})));
static_assert(!sim::detail::is_well_formed(row(metric_kind::throughput, {}, {}, stray)));
static_assert(!sim::detail::is_well_formed(row(metric_kind::throughput, {}, {}, nested)));
static_assert(!sim::detail::is_well_formed(row(metric_kind::number, counted, {}, {})));

double peak(sim::chip_model const& chip, char const* base) {
    auto const found = sim::find_row(chip, base);
    return found ? sim::metric_rows[*found].peak(chip) : sim::absent;
}

} // namespace

TEST_CASE("peaks that differ by chip are the chip's") {
    // An H200 under CUPTI 13.0 (.avg.peak_sustained); a V100 has half of its fused multiply-adds, and no uniform datapath.
    CHECK(peak(sim::gh100, "dram__bytes") == 31.3333333);
    CHECK(peak(sim::gv100, "dram__bytes") == 32);
    CHECK(peak(sim::gh100, "dram__sectors") == 0.979166667);
    CHECK(peak(sim::gv100, "dram__sectors") == 1);
    CHECK(peak(sim::gh100, "sm__inst_executed_pipe_fma") == 4);
    CHECK(peak(sim::gv100, "sm__inst_executed_pipe_fma") == 2);
    CHECK(peak(sim::gh100, "sm__pipe_fma_cycles_active") == 8);
    CHECK(peak(sim::gv100, "sm__pipe_fma_cycles_active") == 4);
    CHECK(peak(sim::gh100, "smsp__inst_executed_pipe_fma") == 1);
    CHECK(peak(sim::gv100, "smsp__inst_executed_pipe_fma") == 0.5);
    CHECK(peak(sim::gh100, "smsp__pipe_fma_cycles_active") == 2);
    CHECK(peak(sim::gv100, "smsp__pipe_fma_cycles_active") == 1);
    CHECK(peak(sim::gh100, "sm__inst_executed_pipe_uniform") == 2);
    CHECK(peak(sim::gh100, "smsp__inst_executed_pipe_uniform") == 0.5);
    CHECK(peak(sim::gh100, "smsp__average_inst_executed_pipe_uniform_per_warp") == 1);
    for (char const* const base : {"sm__inst_executed_pipe_uniform", "smsp__inst_executed_pipe_uniform",
                                   "smsp__average_inst_executed_pipe_uniform_per_warp", "smsp__inst_executed_op_ldgsts",
                                   "sm__sass_inst_executed_op_ldsm"}) {
        CAPTURE(base);
        CHECK(sim::find_row(sim::gh100, base));
        CHECK_FALSE(sim::find_row(sim::gv100, base));
    }
    CHECK(peak(sim::gv100, "sm__warps_active") == peak(sim::gh100, "sm__warps_active"));
}

TEST_CASE("the highest instance of a counter is an even share of all, or what its row knows of the busiest") {
    sim::counter_values values;
    values[sim::raw_counter::l2_sectors_tex_red] = 9400;
    values[sim::raw_counter::l2_atomics_busiest] = 5000;
    values[sim::raw_counter::l2_cycles_elapsed] = 20000;
    auto const value_of = [&](char const* name) {
        auto const wanted = sim::find_metric(sim::gh100, name);
        REQUIRE(wanted);
        auto counted = sim::read(sim::gh100, wanted->row, values);
        counted.replay_passes = 1;
        return sim::derive(sim::gh100, *wanted, counted);
    };
    CHECK(value_of("lts__t_sectors_srcunit_tex_op_red.max") == 100); // of 94 slices
    CHECK(value_of("lts__d_atomic_input_cycles_active.sum") == doctest::Approx(1.2 * 9400));
    CHECK(value_of("lts__d_atomic_input_cycles_active.avg") == doctest::Approx(120));
    CHECK(value_of("lts__d_atomic_input_cycles_active.max") == 5000);
    CHECK(value_of("lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed") == doctest::Approx(25));
    values[sim::raw_counter::l2_atomics_busiest] = 0; // never less than the mean
    CHECK(value_of("lts__d_atomic_input_cycles_active.max") == doctest::Approx(120));
}

} // namespace metric_rows_test
