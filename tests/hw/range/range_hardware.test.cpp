// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planning for every chip against CUPTI's own host calls, where a libcupti is found, and the policy on a test machine.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <gpuprof/hw/built_in/policies.hpp>
#include <gpuprof/hw/range/range_hardware.hpp>

#include "support/measured.hpp"
#include "support/sanitized.hpp"

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;

static_assert(hw::counter_hardware<hw::range_hardware>);
static_assert(hw::counter_hardware<hw::any_hardware>);

// Pass count by the plainest sequence of CUPTI's calls; 0 if the chip refuses one of the names.
static std::size_t passes_by_hand(abi::cupti_table const& cupti, std::string const& chip,
                                  std::vector<char const*> names) {
    abi::CUpti_Profiler_Host_Initialize_Params open;
    open.profilerType = abi::CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    open.pChipName = chip.c_str();
    if (cupti.ProfilerHostInitialize(&open)) return 0;
    std::size_t passes = 0;
    abi::CUpti_Profiler_Host_ConfigAddMetrics_Params add;
    add.pHostObject = open.pHostObject;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    abi::CUpti_Profiler_Host_GetConfigImageSize_Params size;
    size.pHostObject = open.pHostObject;
    if (!cupti.ProfilerHostConfigAddMetrics(&add) && !cupti.ProfilerHostGetConfigImageSize(&size)) {
        std::vector<std::uint8_t> image(size.configImageSize);
        abi::CUpti_Profiler_Host_GetConfigImage_Params get;
        get.pHostObject = open.pHostObject;
        get.configImageSize = image.size();
        get.pConfigImage = image.data();
        abi::CUpti_Profiler_Host_GetNumOfPasses_Params count;
        count.configImageSize = image.size();
        count.pConfigImage = image.data();
        if (!cupti.ProfilerHostGetConfigImage(&get) && !cupti.ProfilerHostGetNumOfPasses(&count))
            passes = count.numOfPasses;
    }
    abi::CUpti_Profiler_Host_Deinitialize_Params close;
    close.pHostObject = open.pHostObject;
    CHECK(cupti.ProfilerHostDeinitialize(&close) == abi::CUPTI_SUCCESS);
    return passes;
}

TEST_CASE("range_hardware: for every chip of this CUPTI, a plan has as many passes as the host API says") {
    hw::machine const& machine = hw::real_machine();
    // Sanitizers end the process when CUPTI opens its libraries with RTLD_DEEPBIND.
    if (sanitized || machine.cupti_error || machine.cupti.ProfilerHostInitialize == nullptr) {
        MESSAGE("skipped: no CUPTI 12.6 or later to ask");
        return;
    }
    hw::open_companion(machine.cupti_library, "libnvperf_host.so");
    auto const chips = hw::metric_host::try_chips(machine.cupti);
    REQUIRE(chips);
    std::vector<std::vector<char const*>> const sets{
        {"sm__inst_executed.sum"},
        {"gpu__time_duration.sum", "smsp__warps_launched.sum"},
        {"sm__inst_executed.sum", "dram__bytes_read.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
         "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"smsp__warps_issue_stalled_barrier.sum", "smsp__warps_issue_stalled_wait.sum",
         "smsp__warps_issue_stalled_membar.sum", "smsp__warps_issue_stalled_math_pipe_throttle.sum",
         "smsp__warps_issue_stalled_long_scoreboard.sum", "smsp__warps_issue_stalled_short_scoreboard.sum",
         "lts__t_sectors.sum", "lts__t_requests.sum"}};
    std::size_t planned = 0;
    std::size_t many = 0;
    for (std::string const& chip : *chips) {
        for (auto const& set : sets) {
            CAPTURE(chip);
            CAPTURE(set.front());
            hw::config_cache cache;
            std::vector<std::string> const names(set.begin(), set.end());
            std::size_t const expected = passes_by_hand(machine.cupti, chip, set);
            auto const plan = hw::range_hardware::try_plan(machine.cupti, chip, names, {}, cache);
            CHECK((plan ? plan->passes() : 0) == expected);
            auto const again = hw::range_hardware::try_plan(machine.cupti, chip, names, {}, cache);
            CHECK((again ? again->passes() : 0) == expected);
            if (plan) CHECK((!plan->remembered() && again->remembered() && again->config.image == plan->config.image));
            planned += expected > 0 ? 1 : 0;
            many += expected > 1 ? 1 : 0;
        }
    }
    MESSAGE(chips->size() << " chips, " << planned << " plans, " << many << " of them in several passes");
    CHECK(planned > chips->size());
    CHECK(many > 0);
}

TEST_CASE("range_hardware: a plan that is remembered asks CUPTI nothing but its state") {
    test::measured_device machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    test::fault_injection watch{machine.tables().cupti};
    std::vector<std::string> const names{"smsp__warps_launched.sum"};
    auto const first = hw::range_hardware::try_plan(gpu, names, cache);
    REQUIRE(first);
    CHECK_FALSE(first->remembered());
    CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2);
    CHECK(watch.calls("cuptiProfilerHostConfigAddMetrics") == 1);
    auto const second = hw::range_hardware::try_plan(gpu, names, cache);
    REQUIRE(second);
    CHECK(second->remembered());
    CHECK(second->config.image == first->config.image);
    CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2);
    CHECK(watch.calls("cuptiProfilerHostConfigAddMetrics") == 1);
    hw::range_hardware::forget(*second, cache);
    CHECK_FALSE(hw::range_hardware::try_plan(gpu, names, cache)->remembered());
}

TEST_CASE("range_hardware: an older CUPTI is refused with the version it lacks") {
    test::measured_device machine;
    auto const gpu = machine.open();
    machine.tables().cupti.RangeProfilerEnable = nullptr;
    machine.tables().cupti_library.version = 18;
    hw::config_cache cache;
    auto const plan = hw::range_hardware::try_plan(gpu, std::vector<std::string>{"smsp__warps_launched.sum"}, cache);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == errc::unavailable);
    CHECK(plan.error().cause.find("11.8") != std::string::npos);
    CHECK(plan.error().remedy.find("12.6") != std::string::npos);
}

TEST_CASE("range_hardware: policies are chosen by capability, when compiling and at run time") {
    static_assert(hw::range_hardware::supports({7, 0}) && hw::range_hardware::supports({9, 0}) &&
                  hw::range_hardware::supports({12, 0}));
    static_assert(!hw::range_hardware::supports({6, 1}) && !hw::range_hardware::supports({2, 0}));
    test::measured_device machine;
    static decltype(abi::driver_table::DeviceGetAttribute) asked = nullptr;
    asked = machine.tables().driver.DeviceGetAttribute;
    machine.tables().driver.DeviceGetAttribute = [](int* value, abi::CUdevice_attribute which, abi::CUdevice of) {
        if (which == abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) return *value = 6, abi::CUDA_SUCCESS;
        return asked(value, which, of);
    };
    auto const gpu = machine.open();
    auto const refused = gpuprof::profiler::try_create(gpu, {}, gpuprof::metrics::warps_launched);
    machine.tables().driver.DeviceGetAttribute = asked;
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().what.find("6.0") != std::string::npos);
}

TEST_CASE("range_hardware: a session's room of nothing or too much is refused") {
    test::measured_device machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::range_hardware::try_plan(gpu, std::vector<std::string>{"smsp__warps_launched.sum"}, cache);
    REQUIRE(plan);
    auto session = hw::range_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    CHECK(hw::range_hardware::session::try_open(gpu, *plan).error().code == errc::busy);
    hw::session_shape shape;
    shape.max_ranges = 0;
    CHECK(session->try_prepare(shape).error().code == errc::invalid_argument);
    shape = {};
    shape.nesting_levels = 70'000;
    CHECK(session->try_prepare(shape).error().code == errc::invalid_argument);
    CHECK(session->try_prepare({}));
}
