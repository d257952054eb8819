// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/target/target_hardware.hpp: the policy on a test machine whose CUPTI has no range profiler, each of its calls
// failing in turn, and the choice between the two policies.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/hw/counters/registry.hpp>
#include <gpuprof/hw/counters/target/target_hardware.hpp>

#include "sim/cupti/cupti.hpp"
#include "sim/cupti/nvperf.hpp"
#include "support/measured.hpp"

namespace target_hardware_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;

static_assert(hw::counter_hardware<hw::target_hardware>);
static_assert(hw::target_hardware::supports({7, 0}) && hw::target_hardware::supports({9, 0}));
static_assert(!hw::target_hardware::supports({6, 1}));

namespace {

std::vector<std::string> const one_metric{"smsp__warps_launched.sum"};

// A test machine with CUPTI 12.5.
class older_machine : public test::measured_device {
public:
    explicit older_machine(gpuprof::sim::chip_model const& model = gpuprof::sim::gh100) : test::measured_device{model} {
        machine().cupti = gpuprof::sim::cupti::target_table();
        tables().cupti = machine().cupti;
        tables().nvperf = &gpuprof::sim::cupti::nvperf_calls();
        tables().cupti_library.version = 23;
    }
};

} // namespace

TEST_CASE("target_hardware: nested user ranges of several passes have the values of the range profiler") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::target_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE_MESSAGE(plan, (plan ? std::string{} : plan.error().message()));
    CHECK(plan->passes() == 1);
    CHECK_FALSE(plan->remembered());
    auto session = hw::target_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    for (int collection = 0; collection < 2; ++collection) { // the second begins anew
        REQUIRE(session->try_prepare({3, 2}));
        bool last = false;
        int replay_passes = 0;
        while (!last) {
            ++replay_passes;
            REQUIRE(session->try_begin_replay_pass());
            REQUIRE(session->try_push(7));
            machine.launch(1);
            for (std::uint32_t const id : {8u, 4'294'967'295u}) {
                REQUIRE(session->try_push(id));
                machine.launch(id == 8 ? 2 : 4);
                REQUIRE(session->try_pop());
            }
            REQUIRE(session->try_pop());
            auto const progress = session->try_end_replay_pass();
            REQUIRE(progress);
            last = progress->last;
        }
        CHECK(replay_passes == 2); // one pass, two levels
        auto const ranges = session->try_read();
        REQUIRE_MESSAGE(ranges, (ranges ? std::string{} : ranges.error().message()));
        REQUIRE(ranges->size() == 3);
        for (hw::range_values const& each : *ranges)
            CHECK(each.values.front() == (each.id == 7 ? 7 : each.id == 8 ? 2 : 4));
        auto const again = session->try_read(); // the image stays
        REQUIRE(again);
        CHECK(again->size() == 3);
    }
}

} // namespace target_hardware_test
