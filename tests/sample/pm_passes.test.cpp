// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on one time line: by arithmetic, and on the embedded GPU.
#include <gpuprof/sample/pm_passes.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include <gpuprof/sim.hpp>

namespace pm_passes_test {

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;
using gpuprof::errc;
using gpuprof::metric;
using gpuprof::pm_alignment;
using gpuprof::pm_pass;
using gpuprof::pm_series;
using gpuprof::sampling_interval;

namespace {

constexpr auto sectors = metric<"lts__t_sectors.sum">;
constexpr auto warps = metric<"smsp__warps_launched.sum">;
constexpr auto busy = metric<"lts__throughput.avg.pct_of_peak_sustained_elapsed">;

template <class Metric>
pm_pass pass_of(Metric of, std::uint64_t first_sample, std::vector<double> const& values, std::uint64_t begin,
                std::uint64_t end, double deviation = 0) {
    pm_series series{{gpuprof::metric_info{of}}, sampling_interval::nanoseconds(100), gpuprof::device_source::hardware};
    for (double const each : values) {
        series.push({{first_sample}, {first_sample + 100}}, std::vector<double>{each});
        first_sample += 100;
    }
    return {std::move(series), {{begin}, {end}}, deviation};
}

double sum(pm_series const& of, std::string_view name) { return of.try_value(name).value().value; }

} // namespace

TEST_CASE("passes: another pass's samples come to where its work was, and counts keep their sum") {
    // The first pass's work runs from 1,000 to 1,400; the second's from 5,050 to 5,450, half a sample off its samples.
    std::vector<pm_pass> const passes{pass_of(sectors, 900, {0, 1, 2, 3, 4, 0}, 1000, 1400, 30),
                                      pass_of(warps, 5000, {10, 20, 40, 60, 30, 0}, 5050, 5450, 40)};
    auto const made = pm_alignment::try_align(passes);
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    REQUIRE(made->series.size() == 4);
    CHECK(made->series.time(0).start.ticks == 1000);
    CHECK(made->series.try_values("lts__t_sectors.sum").value() == std::vector<double>{1, 2, 3, 4});
    auto const counted = made->series.try_values("smsp__warps_launched.sum").value();
    CHECK(counted == std::vector<double>{5 + 10, 10 + 20, 20 + 30, 30 + 15}); // halves of two samples
    CHECK(made->series.passes() == 2);
    CHECK(made->deviation_ns == 50);
    CHECK(made->length_difference_ns == 0);
    CHECK(made->worst_ns() == 50);
}

TEST_CASE("passes: work that took longer is stretched to the first pass's, and the difference is told") {
    std::vector<pm_pass> const passes{pass_of(sectors, 1000, {1, 2}, 1000, 1200),
                                      pass_of(busy, 5000, {10, 20, 30}, 5000, 5300)};
    auto const made = pm_alignment::try_align(passes);
    REQUIRE(made);
    CHECK(made->length_difference_ns == 100);
    auto const share = made->series.try_values(busy.name()).value();
    REQUIRE(share.size() == 2); // 150 of its ns for 100 here
    CHECK(share[0] == doctest::Approx((10 * 100 + 20 * 50) / 150.0));
    CHECK(share[1] == doctest::Approx((20 * 50 + 30 * 100) / 150.0));
}

TEST_CASE("passes: where a pass lacks samples there is no value, not 0") {
    std::vector<pm_pass> const passes{pass_of(sectors, 1000, {1, 2, 3}, 1000, 1300),
                                      pass_of(warps, 5000, {7, 8}, 5000, 5300)};
    auto const made = pm_alignment::try_align(passes);
    REQUIRE(made);
    auto const counted = made->series.try_values("smsp__warps_launched.sum").value();
    CHECK(counted[0] == 7);
    CHECK(counted[1] == 8);
    CHECK(std::isnan(counted[2]));
    CHECK(made->series.try_value("smsp__warps_launched.sum").error().code == errc::not_collected);
}

TEST_CASE("passes: what cannot be aligned is refused") {
    CHECK(pm_alignment::try_align({}).error().code == errc::invalid_argument);
    std::vector<pm_pass> unknown{pass_of(sectors, 1000, {1}, 1000, 1100), pass_of(warps, 5000, {1}, 0, 5300)};
    CHECK(pm_alignment::try_align(unknown).error().cause.find("when it ran") != std::string::npos);
    unknown[1].work = {{5300}, {5000}};
    CHECK_FALSE(pm_alignment::try_align(unknown));
    std::vector<pm_pass> const different{pass_of(sectors, 1000, {1}, 1000, 1100),
                                         pass_of(warps, 5000, {1, 1}, 5000, 5200)};
    CHECK(pm_alignment::try_align(different).error().what.find("different work") != std::string::npos);
}

TEST_CASE("passes: the embedded GPU's passes fall together, with the counts of one run in each metric") {
    auto opened = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::in_passes);
    REQUIRE(opened);
    std::vector<gpuprof::metric_info> many;
    for (char const* const name :
         {"lts__t_sectors.sum", "lts__t_requests.sum", "smsp__inst_executed.sum", "smsp__inst_issued.sum",
          "smsp__warps_active.sum", "smsp__warps_eligible.sum", "smsp__warps_launched.sum", "smsp__issue_active.sum",
          "smsp__warps_issue_stalled_wait.sum", "smsp__warps_issue_stalled_barrier.sum", "dram__bytes_read.sum",
          "dram__bytes_write.sum", "smsp__warps_issue_stalled_long_scoreboard.sum", "l1tex__t_sectors.sum",
          "lts__t_sectors_op_write.sum"}) {
        auto one = gpuprof::try_metric(name);
        REQUIRE(one);
        many.push_back(*std::move(one));
    }
    auto made = gpuprof::pm_sampler::try_create(
        *opened, {.interval = sampling_interval::nanoseconds(500), .several_passes = true}, many);
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    REQUIRE(made->passes() > 1);
    constexpr std::size_t bytes = std::size_t{16} << 20;
    abi::driver_table const& driver = opened->driver();
    abi::CUdeviceptr memory = 0;
    gpuprof::detail::current_context const here{*opened};
    REQUIRE(driver.MemAlloc(&memory, bytes) == abi::CUDA_SUCCESS);
    std::size_t runs = 0;
    auto const found = gpuprof::try_sample_passes(*made, *opened, [&] {
        ++runs;
        REQUIRE(driver.MemsetD8Async(memory, 1, bytes, nullptr) == abi::CUDA_SUCCESS);
    });
    REQUIRE_MESSAGE(found, (found ? std::string{} : found.error().message()));
    CHECK(runs == made->passes());
    CHECK(found->series.metrics().size() == many.size());
    CHECK(found->series.size() > 4);
    // All that the fill writes, a sector of 32 bytes once, in whichever pass it was counted.
    CHECK(sum(found->series, "lts__t_sectors.sum") == doctest::Approx(bytes / 32.0).epsilon(0.01));
    CHECK(sum(found->series, "lts__t_sectors_op_write.sum") == doctest::Approx(bytes / 32.0).epsilon(0.01));
    CHECK(found->worst_ns() >= 0);
    CHECK(driver.MemFree(memory) == abi::CUDA_SUCCESS);
}

} // namespace pm_passes_test
