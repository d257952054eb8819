// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From raw counters to the values of sub-metrics, and the images that carry them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/cupti/counter_image.hpp"
#include "sim/counters/metric_table.hpp"
#include "sim/chip/chips.hpp"

namespace values_test {

using namespace gpuprof;
using sim::raw_counter;

namespace {

double value(char const* name, sim::counter_values const& counters, sim::chip_model const& model = sim::gh100) {
    auto const wanted = sim::find_metric(model, name);
    REQUIRE(wanted);
    auto one = sim::read(model, wanted->row, counters);
    one.replay_passes = 1;
    return sim::derive(model, *wanted, one);
}

} // namespace

TEST_CASE("sub-metrics derive from sums, clocks and time as an H200 derived them") {
    // 7 CTAs of 96 threads on an H200: what it gave for .sum, cycles and time goes in, the rest has to come out.
    sim::counter_values c;
    c[raw_counter::inst_executed] = 189;
    c[raw_counter::sm_cycles_active] = 10326;
    c[raw_counter::sm_cycles_elapsed] = 76900; // 10150788 over 132 SMs is 76899.9
    c[raw_counter::gpu_time_ns] = 38880;
    auto const near = [](double expected) { return doctest::Approx(expected).epsilon(1e-5); };
    CHECK(value("smsp__inst_executed.sum", c) == 189);
    CHECK(value("smsp__inst_executed.avg", c) == near(0.357954545455));
    CHECK(value("sm__inst_executed.sum.per_cycle_active", c) == near(2.41603718768));
    CHECK(value("sm__inst_executed.avg.per_cycle_active", c) == near(0.0183033120279));
    CHECK(value("sm__inst_executed.sum.per_cycle_elapsed", c) == near(0.00245774022667));
    CHECK(value("sm__inst_executed.sum.pct_of_peak_sustained_active", c) == near(0.457582800697));
    CHECK(value("sm__inst_executed.avg.pct_of_peak_sustained_active", c) == near(0.457582800697));
    CHECK(value("sm__inst_executed.sum.peak_sustained", c) == 528);
    CHECK(value("sm__inst_executed.avg.peak_sustained", c) == 4);
    CHECK(value("sm__inst_executed.sum.peak_sustained_active", c) == near(41304));
    CHECK(value("sm__inst_executed.avg.peak_sustained_active", c) == near(312.909090909));
    CHECK(value("sm__inst_executed.avg.peak_sustained_active.per_second", c) == near(8048073.32585));
    CHECK(value("sm__inst_executed.sum.peak_sustained_elapsed", c) == near(40603152));
    CHECK(value("sm__inst_executed.sum.per_second", c) == near(4861111.11111));
    CHECK(value("sm__cycles_active.avg", c) == near(78.2272727273));
    CHECK(value("sm__cycles_elapsed.sum", c) == near(10150788));
    CHECK(value("sm__cycles_elapsed.max", c) == 76900); // a clock is the same everywhere
    CHECK(value("gpu__time_duration.avg", c) == 38880);
    CHECK(value("smsp__cycles_active.sum", c) == 4 * 10326);
}

TEST_CASE("nothing over nothing is 0, as CUPTI 13.0 has it") {
    sim::counter_values const none;
    CHECK(value("l1tex__t_sector_hit_rate.pct", none) == 0);
    CHECK(value("l1tex__t_sector_hit_rate.ratio", none) == 0);
    CHECK(value("l1tex__t_sector_hit_rate.max_rate", none) == 1);
    CHECK(value("sm__warps_active.avg.pct_of_peak_sustained_active", none) == 0);
    CHECK(value("sm__inst_executed.sum.per_second", none) == 0);
}

TEST_CASE("ratios divide sums, and misses are what is not a hit") {
    sim::counter_values c;
    c[raw_counter::l1_requests_global_ld] = 10;
    c[raw_counter::l1_sectors_global_ld] = 40;
    c[raw_counter::l1_hits_global_ld] = 10;
    CHECK(value("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", c) == 4);
    CHECK(value("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.pct", c) == 12.5); // of 32
    CHECK(value("l1tex__t_sector_hit_rate.pct", c) == 25);
    CHECK(value("l1tex__t_sectors_lookup_miss.sum", c) == 30);
    CHECK(value("l1tex__t_bytes_pipe_lsu_mem_global_op_ld_lookup_hit.sum", c) == 10 * 32);
}

TEST_CASE("the least and the most of an even spread stand on both sides of the mean") {
    sim::counter_values c;
    c[raw_counter::warps_launched] = 133;
    CHECK(value("sm__warps_launched.min", c) == 1);
    CHECK(value("sm__warps_launched.max", c) == 2);
    CHECK(value("sm__warps_launched.min", c, sim::gv100) == 1); // 80 SMs
    CHECK(value("smsp__warps_launched.min", c) == 0);
}

TEST_CASE("metric rows are sorted and a throughput's counters are on one of its chips") {
    for (std::size_t i = 1; i < std::size(sim::metric_rows); ++i)
        CHECK(std::string{sim::metric_rows[i - 1].name} < sim::metric_rows[i].name);
    for (sim::metric_row const& row : sim::metric_rows) {
        CAPTURE(row.name);
        CHECK((row.kind == metric_kind::throughput) == !row.breakdown.empty());
        for (char const* const part : row.breakdown)
            CHECK(std::any_of(std::begin(sim::chip_models), std::end(sim::chip_models), [&](auto const* model) {
                return row.is_on(*model) && sim::find_row(*model, part).has_value();
            }));
    }
}

TEST_CASE("a counter data image tells ranges apart, adds up and says when it is full") {
    sim::row_number const row = *sim::find_row(sim::gh100, "smsp__warps_launched");
    auto const size = sim::counter_image::size(1, 2, 3);
    REQUIRE(size);
    std::vector<std::uint8_t> bytes(*size + 1);
    std::span<std::uint8_t> const unaligned{bytes.data() + 1, *size};
    CHECK_FALSE(sim::counter_image::initialize(unaligned.first(*size - 1), chip::gh100, {&row, 1}, 2, 3));
    REQUIRE(sim::counter_image::initialize(unaligned, chip::gh100, {&row, 1}, 2, 3));
    auto image = sim::counter_image::open(unaligned);
    REQUIRE(image);
    std::vector<std::string> const outer{"a"};
    std::vector<std::string> const inner{"a", "b"};
    std::vector<std::string> const beyond{"a", "c"};
    auto ranges = sim::range_finder::make(*image);
    REQUIRE(ranges);
    CHECK(ranges->find_or_add(inner) == std::optional<std::size_t>{0});
    CHECK(ranges->find_or_add(outer) == std::optional<std::size_t>{1});
    CHECK(ranges->find_or_add(beyond) == std::nullopt);
    CHECK(ranges->find_or_add(inner) == std::optional<std::size_t>{0});
    CHECK(ranges->find_or_add({}) == std::nullopt);
    CHECK(sim::range_finder::make(*image)->find_or_add(outer) == std::optional<std::size_t>{1}); // read again
    CHECK(image->ranges() == 2);
    CHECK(image->name(0, "/") == std::optional<std::string>{"a/b"});
    sim::counted three;
    three.value = 3;
    std::uint16_t const place = image->places()[row];
    CHECK(place == 0);
    image->add(0, place, three, true);
    image->add(0, place, three, false);
    CHECK(image->value(0, place).value == 6);
    CHECK(image->value(0, place).replay_passes == 1);
    CHECK(image->value(1, place).replay_passes == 0);
    sim::row_number const other = *sim::find_row(sim::gh100, "sm__inst_executed"); // there is no room for it
    CHECK(image->places()[other] == sim::row_places::none);
    image->add(0, sim::row_places::none, three, true);
    CHECK(image->value(0, sim::row_places::none).replay_passes == 0);
    CHECK(sim::const_counter_image::open({bytes.data() + 1, *size})->ranges() == 2); // written through
}

TEST_CASE("a damaged counter data image is refused or harmless, whichever byte is wrong") {
    sim::row_number const row = *sim::find_row(sim::gh100, "smsp__warps_launched");
    std::vector<std::uint8_t> good(*sim::counter_image::size(1, 2, 2));
    REQUIRE(sim::counter_image::initialize(good, chip::gh100, {&row, 1}, 2, 2));
    std::vector<std::string> const stack{"a", "b"};
    auto good_image = sim::counter_image::open(good);
    REQUIRE(good_image);
    REQUIRE(sim::range_finder::make(*good_image)->find_or_add(stack));
    std::size_t refused = 0, nameless = 0, unreadable = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (std::uint8_t const flip : {std::uint8_t{1}, std::uint8_t{0x80}, std::uint8_t{0xff}}) {
            auto bad = good;
            bad[i] ^= flip;
            auto image = sim::counter_image::open(bad);
            refused += !image;
            if (!image) continue;
            for (std::size_t range = 0; range < image->ranges(); ++range) {
                auto const name = image->name(range, "/");
                nameless += !name;
                if (name) CHECK(name->size() < 200); // and the sanitizers have nothing to say
                (void)image->value(range, image->places()[row]);
            }
            auto ranges = sim::range_finder::make(*image);
            unreadable += !ranges;
            if (ranges) (void)ranges->find_or_add(stack);
        }
    }
    CHECK(refused >= 3 * 8);    // the magic number alone
    CHECK(nameless >= 3 * 4);   // the number of the range's name
    CHECK(unreadable >= 3 * 8); // the same, and the parent of a name
    CHECK_FALSE(sim::const_counter_image::open({good.data(), good.size() - 1}));
    CHECK_FALSE(sim::const_counter_image::open({}));
    CHECK_FALSE(sim::counter_image::size(1, std::size_t{1} << 40, 1));
}

} // namespace values_test
