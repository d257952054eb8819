// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// measure/experiment_compiled_out.hpp and sim/compiled_out.hpp: experiments and the embedded GPU without gpuprof. Linked beside
// files in which it is not compiled out.
#define GPUPROF_ENABLED 0
#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include <gpuprof/hw/machine/machine.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <sstream>
#include <type_traits>

namespace compiled_out_bottleneck_test {

namespace explain = gpuprof::explain;
namespace metrics = gpuprof::metrics;
namespace sim = gpuprof::sim;

static_assert(!std::is_default_constructible_v<gpuprof::experiment>, "what does not compile enabled, must not compile");
static_assert(!std::is_copy_constructible_v<gpuprof::experiment>);

TEST_CASE("compiled out: an experiment has one pass, whose calls answer ok") {
    auto const gpu = *gpuprof::try_open_device();
    auto frozen = gpuprof::experiment::try_create(gpu);
    REQUIRE(frozen);
    CHECK(frozen->enable(gpuprof::metric_info{metrics::inst_executed}).is_ok());
    CHECK(frozen->enable(*explain::try_bottleneck_metrics(gpu)).is_ok());
    CHECK(frozen->reserve_objects(2).is_ok());
    int draws = 0;
    REQUIRE(frozen->begin());
    for (std::size_t pass = 0; pass < frozen->passes(); ++pass) {
        CHECK(frozen->begin_pass(pass).is_ok());
        for (std::size_t id = 0; id < 2; ++id) {
            CHECK(frozen->begin_object(id).is_ok());
            ++draws;
            CHECK(frozen->end_object(id).is_ok());
        }
        CHECK(frozen->end_pass(pass).is_ok());
    }
    CHECK(frozen->end().is_ok());
    CHECK(draws == 2);
    CHECK(frozen->run([&] { ++draws; }).is_ok());
    CHECK(draws == 3);
    CHECK(frozen->mistakes().empty());
    CHECK_FALSE(frozen->refusal().has_value());
    CHECK(frozen->try_object(1).error().what == "gpuprof is compiled out");
    CHECK(frozen->try_value("sm__inst_executed.sum").error().what == "gpuprof is compiled out");
    CHECK(frozen->try_get(metrics::inst_executed).error().what == "gpuprof is compiled out");
    CHECK(frozen->try_cycles("sm__inst_executed.sum").error().what == "gpuprof is compiled out");
    CHECK(frozen->try_report()->size() == 0);
}

TEST_CASE("compiled out: work whose bottleneck is asked for runs once, and nothing can be said of it") {
    auto const gpu = *gpuprof::try_open_device();
    int runs = 0;
    auto const of = *explain::try_bottleneck(gpu, [&] { ++runs; });
    CHECK(runs == 1);
    CHECK(of.verdict() == "cannot be said");
    CHECK(of.why == "gpuprof is compiled out");
    CHECK(explain::find_bottleneck(gpuprof::report{}.at(0)).why == "gpuprof is compiled out");
    CHECK(gpuprof::io::table(of).empty());
    std::ostringstream text;
    text << of;
    CHECK(text.str().empty());
    CHECK(explain::name(explain::gpu_unit::dram) == "DRAM");
    CHECK(of.hint().empty());
    auto const sol = explain::find_simplified_experiment("DRAM SOL");
    REQUIRE(sol);
    CHECK(explain::metric_names(*sol).empty());
    CHECK(explain::try_metrics(gpu, *sol)->empty());
    CHECK(explain::try_value(*sol, gpuprof::report{}.at(0)).error().what == "gpuprof is compiled out");
}

TEST_CASE("compiled out: a series runs its work once, with the first value of each axis, and has no row") {
    auto const gpu = *gpuprof::try_open_device();
    auto const kernels = explain::register_variants::try_load(gpu, "", "work", {32, 64});
    REQUIRE(kernels);
    CHECK((*kernels)[32] == nullptr);
    auto sweep = explain::series::try_create(
        gpu, {{"block", {64, 128}}, explain::carveout_axis(kernels->kernels(), {50, 100}), kernels->limits()},
        metrics::inst_executed);
    REQUIRE(sweep);
    CHECK(sweep->runs() == 1);
    int runs = 0;
    auto const found = *sweep->try_measure([&](explain::parameters const& with) {
        ++runs;
        CHECK(with["block"] == 64);
        CHECK(with["carveout"] == 50);
        CHECK(with.get<unsigned>("registers") == 32);
        return 1;
    });
    CHECK(runs == 1);
    CHECK(found.rows.empty());
    CHECK_FALSE(found.try_best());
    CHECK(gpuprof::io::table(found).empty());
    CHECK(gpuprof::io::csv(found).empty());
    CHECK(gpuprof::io::json(found).empty());
    std::ostringstream text;
    text << found;
    CHECK(text.str().empty());
}

TEST_CASE("compiled out: the embedded GPU is a device that is none, and finds nothing") {
    CHECK(sim::open_embedded("gh100"));
    CHECK(sim::open_embedded("5.2", sim::collection::in_passes));
    sim::set_execution({.threads = 1, .checks = sim::all_checks});
    sim::set_cold_caches(true);
    sim::find_leaks();
    sim::forget_findings();
    sim::listen_to_failures(nullptr);
    sim::listen_to_findings(nullptr);
    CHECK(sim::findings().empty());
    CHECK_FALSE(sim::last_launch_error(nullptr).has_value());
    CHECK(sim::embedded_chip_names().empty());
    CHECK(sim::try_embedded_metrics("gh100").error().what == "gpuprof is compiled out");
    CHECK_FALSE(sim::checks_named("races")->any());
    CHECK(sim::embedded_machine().driver.CtxSynchronize() == gpuprof::abi::CUDA_ERROR_NO_DEVICE);
    CHECK(sim::embedded_legacy_machine().driver.CtxSynchronize() == gpuprof::abi::CUDA_ERROR_NO_DEVICE);
}

} // namespace compiled_out_bottleneck_test
