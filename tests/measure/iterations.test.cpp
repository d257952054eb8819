// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iterations: counters spread over iterations that differ, with means and intervals that are computed here anew.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace iterations_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::iterations;
constexpr auto multiplied = gpuprof::metrics::ffma_thread_inst; // takes a pass of its own
constexpr auto warps = gpuprof::metric<"sm__warps_launched.sum">;

namespace {

// Multiplies `count` times, in one thread.
constexpr char work_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry work(.param .u32 count) {
    .reg .u32 %n; .reg .f32 %f; .reg .pred %p;
    ld.param.u32 %n, [count]; mov.f32 %f, 0f3F800000;
more:
    fma.rn.f32 %f, %f, %f, %f; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0;
    @%p bra more;
    ret;
}
.visible .entry other() { ret; }
)";

class worker {
public:
    explicit worker(gpuprof::device const& gpu) : driver_{gpu.driver()} {
        REQUIRE(driver_.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.ModuleLoadData(&module_, work_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.ModuleGetFunction(&work_, module_, "work") == abi::CUDA_SUCCESS);
        REQUIRE(driver_.ModuleGetFunction(&other_, module_, "other") == abi::CUDA_SUCCESS);
    }
    worker(worker const&) = delete;
    worker& operator=(worker const&) = delete;
    ~worker() {
        driver_.ModuleUnload(module_);
        abi::CUcontext popped = nullptr;
        driver_.CtxPopCurrent(&popped);
    }
    void operator()(std::uint32_t count) const {
        void* arguments[]{&count};
        REQUIRE(driver_.LaunchKernel(work_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == abi::CUDA_SUCCESS);
    }
    void other() const {
        REQUIRE(driver_.LaunchKernel(other_, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == abi::CUDA_SUCCESS);
    }

private:
    abi::driver_table const& driver_;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction work_ = nullptr;
    abi::CUfunction other_ = nullptr;
};

} // namespace

TEST_CASE("iterations: each runs once, and a metric of one pass has a value of each round, with its interval") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    worker const work{gpu};
    iterations steps{gpu, warps, multiplied};
    REQUIRE(steps.passes_needed() == 2);
    std::vector<double> counts;
    for (std::uint32_t i = 0; i < 12; ++i) {
        auto const now = steps.next();
        CHECK(now.measured());
        std::uint32_t const count = 10 + i * i % 7;
        counts.push_back(count);
        work(count);
    }
    CHECK(steps.rounds() == 6);
    CHECK(steps.left_out() == 0);
    CHECK(steps.problems().empty());
    auto const launched = steps.try_value("sm__warps_launched.sum").value();
    CHECK(launched.mean == 1);
    CHECK(launched.half_width == 0);
    CHECK(launched.rounds == 6);

    // The multiplications of every second iteration, in one of the two passes.
    auto const value = steps.try_value(multiplied.name()).value();
    int found = 0;
    for (std::size_t const pass : {0u, 1u}) {
        double sum = 0, squares = 0;
        for (std::size_t i = pass; i < 12; i += 2) sum += counts[i];
        double const mean = sum / 6;
        for (std::size_t i = pass; i < 12; i += 2) squares += (counts[i] - mean) * (counts[i] - mean);
        double const half = 2.5706 * std::sqrt(squares / 5 / 6); // Student's t, 5 degrees of freedom
        found += std::fabs(value.mean - mean) < 1e-9 && std::fabs(value.half_width - half) < 1e-9;
    }
    CHECK(found == 1);
    CHECK(value.rounds == 6);
    CHECK(value.least >= 10);
    CHECK(value.most <= 16);
    CHECK(value.least < value.most);
}

TEST_CASE("iterations: a round of other kernels, or one that is not over, gives no value and says so") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    worker const work{gpu};
    iterations steps{gpu, warps, multiplied};
    auto none = steps.try_value("sm__warps_launched.sum");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == gpuprof::errc::not_collected);
    {
        auto const now = steps.next();
        work(5);
    }
    CHECK_FALSE(steps.try_value("sm__warps_launched.sum").has_value());
    {
        auto const now = steps.next();
        work.other();
        work(5);
    }
    CHECK(steps.rounds() == 0);
    CHECK(steps.left_out() == 1);
    REQUIRE(steps.problems().size() == 1);
    CHECK(steps.problems()[0].code == gpuprof::errc::replay_mismatch);
    none = steps.try_value(multiplied.name());
    REQUIRE_FALSE(none);
    CHECK(none.error().cause.find(steps.problems()[0].what) != std::string::npos);

    for (int i = 0; i < 4; ++i) {
        auto const now = steps.next();
        work(5);
    }
    CHECK(steps.rounds() == 2);
    CHECK(steps.left_out() == 1);
    CHECK(steps.try_value(multiplied.name()).value().mean == 5);
    auto const unasked = steps.try_value("dram__bytes_read.sum");
    REQUIRE_FALSE(unasked);
    CHECK(unasked.error().code == gpuprof::errc::invalid_argument);
}

TEST_CASE("iterations: one within another measures nothing, scopes within one are ranges, and moving goes on") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    worker const work{gpu};
    gpuprof::profiler_options options;
    options.max_ranges = 3;
    options.nesting_levels = 2;
    gpuprof::metric_info const list[]{multiplied};
    iterations steps = iterations::try_create(gpu, options, list).value();
    for (int i = 0; i < 8; ++i) {
        auto outer = steps.next();
        auto const now = std::move(outer);
        CHECK(now.measured());
        auto const inner = steps.next();
        CHECK_FALSE(inner.measured());
        {
            gpuprof::scope const part{steps.counters(), "forward"};
            work(3);
        }
        gpuprof::scope const part{steps.counters(), "backward"};
        work(4);
    }
    iterations const moved{std::move(steps)};
    CHECK(moved.rounds() == 4);
    CHECK(moved.try_value(multiplied.name()).value().mean == 7);
    CHECK(moved.try_value(multiplied.name(), "iteration/forward").value().mean == 3);
    CHECK(moved.try_value(multiplied.name(), "iteration/backward").value().mean == 4);
    CHECK(moved.try_value(multiplied.name(), "iteration/backward").value().rounds == 4);
    CHECK_FALSE(moved.try_value(multiplied.name(), "iteration/sideward").has_value());
}

TEST_CASE("iterations: one round has no interval, and modes that cannot be are refused") {
    gpuprof::device const gpu = sim::open_embedded("gv100").value(); // all in one pass
    worker const work{gpu};
    iterations steps{gpu, warps};
    {
        auto const now = steps.next();
        work(1);
    }
    auto const value = steps.try_value("sm__warps_launched.sum").value();
    CHECK(value.rounds == 1);
    CHECK(std::isnan(value.half_width));
    gpuprof::metric_info const list[]{warps};
    gpuprof::profiler_options automatic, restored;
    automatic.ranges = gpuprof::range_mode::auto_range;
    restored.memory = gpuprof::memory_control::restore;
    CHECK(iterations::try_create(gpu, automatic, list).error().code == gpuprof::errc::invalid_argument);
    CHECK(iterations::try_create(gpu, restored, list).error().code == gpuprof::errc::invalid_argument);
}

TEST_CASE("iterations: where the hardware is held by another, the program goes on and it is asked for once") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    worker const work{gpu};
    gpuprof::profiler_options armed;
    armed.stay_armed = true;
    armed.max_ranges = 1;
    gpuprof::profiler other{gpu, armed, warps};
    for ([[maybe_unused]] auto const& pass : other.passes()) {
        gpuprof::scope const range{other, "range"};
        work(1);
    }
    iterations steps{gpu, warps, multiplied};
    for (int i = 0; i < 5; ++i) {
        auto const now = steps.next();
        CHECK_FALSE(now.measured());
        work(1);
    }
    CHECK(steps.rounds() == 0);
    CHECK(steps.left_out() == 1);
    REQUIRE(steps.problems().size() == 1);
    CHECK(steps.problems()[0].code == gpuprof::errc::busy);
}

} // namespace iterations_test

#endif // GPUPROF_EXCEPTIONS
