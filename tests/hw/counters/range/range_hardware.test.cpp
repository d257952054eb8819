// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planning for every chip against CUPTI's own host calls, where a libcupti is found, and the policy on a test machine.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/counters/range/range_hardware.hpp>

#include "support/system.hpp"

#include "support/measured.hpp"
#include "support/sanitized.hpp"
#include "support/scratch_directory.hpp"

namespace range_hardware_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace platform = gpuprof::platform;
using gpuprof::errc;

static_assert(hw::counter_hardware<hw::range_hardware>);

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

TEST_CASE("range_hardware: for every chip of this CUPTI, a plan has as many passes as the host API says, by the better "
          "order") {
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
         "lts__t_sectors.sum", "lts__t_requests.sum"},
        {"smsp__warps_issue_stalled_barrier.sum", "smsp__warps_issue_stalled_branch_resolving.sum",
         "smsp__warps_issue_stalled_dispatch_stall.sum", "smsp__warps_issue_stalled_drain.sum",
         "smsp__warps_issue_stalled_gmma.sum", "smsp__warps_issue_stalled_imc_miss.sum",
         "smsp__warps_issue_stalled_lg_throttle.sum", "smsp__warps_issue_stalled_long_scoreboard.sum",
         "smsp__warps_issue_stalled_math_pipe_throttle.sum", "smsp__warps_issue_stalled_membar.sum",
         "smsp__warps_issue_stalled_mio_throttle.sum", "smsp__warps_issue_stalled_misc.sum",
         "smsp__warps_issue_stalled_no_instruction.sum", "smsp__warps_issue_stalled_not_selected.sum",
         "smsp__warps_issue_stalled_short_scoreboard.sum", "smsp__warps_issue_stalled_sleeping.sum",
         "smsp__warps_issue_stalled_tex_throttle.sum", "smsp__warps_issue_stalled_wait.sum"}};
    std::size_t planned = 0;
    std::size_t many = 0;
    std::size_t better = 0; // backwards
    for (std::string const& chip : *chips) {
        for (auto const& set : sets) {
            CAPTURE(chip);
            CAPTURE(set.front());
            hw::config_cache cache;
            std::vector<std::string> const names(set.begin(), set.end());
            std::size_t const forwards = passes_by_hand(machine.cupti, chip, set);
            std::size_t const backwards = passes_by_hand(machine.cupti, chip, {set.rbegin(), set.rend()});
            std::size_t const expected = std::min(forwards, backwards);
            auto const plan = hw::range_hardware::try_plan(machine.cupti, chip, names, {}, cache);
            CHECK((plan ? plan->passes() : 0) == expected);
            auto const again = hw::range_hardware::try_plan(machine.cupti, chip, names, {}, cache);
            CHECK((again ? again->passes() : 0) == expected);
            if (plan) CHECK((!plan->remembered() && again->remembered() && again->config.image == plan->config.image));
            planned += expected > 0 ? 1 : 0;
            many += expected > 1 ? 1 : 0;
            better += backwards < forwards ? 1 : 0;
        }
    }
    MESSAGE(chips->size() << " chips, " << planned << " plans, " << many << " of them in several passes, " << better
                          << " in fewer backwards");
    CHECK(planned > chips->size());
    CHECK(many > 0);
    if (hw::cupti_version_text(machine.cupti_library.version) == "13.0") CHECK(better > 0);
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

namespace {

// FNV-1a by its definition, to write entries of the cache that are wrong in everything but the checksum.
std::uint64_t fnv(std::string const& text) {
    std::uint64_t value = 14695981039346656037u;
    for (char const c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return value;
}
std::string as_bytes(std::uint64_t value) { return {reinterpret_cast<char const*>(&value), sizeof value}; }

// Replaces pass count and blob in every file of the cache whose key begins so. Returns how many there were.
int forge(scratch_directory const& in, std::string const& kind, std::uint64_t number, std::string const& blob) {
    int forged = 0;
    for (auto const& file : std::filesystem::directory_iterator{in.path()}) {
        std::string const whole = platform::read_file(file.path().string()).value();
        std::uint64_t key_size = 0;
        std::memcpy(&key_size, whole.data() + 8, sizeof key_size);
        std::string const key = whole.substr(32, key_size);
        if (!key.starts_with(kind)) continue;
        std::string made =
            whole.substr(0, 8) + as_bytes(key_size) + as_bytes(number) + as_bytes(blob.size()) + key + blob;
        made += as_bytes(fnv(made));
        REQUIRE(platform::write_file(file.path().string(), made));
        ++forged;
    }
    return forged;
}

std::vector<std::string> const one_metric{"smsp__warps_launched.sum"};

} // namespace

TEST_CASE("range_hardware: an image of the cache that CUPTI refuses is asked for anew, once, and replaced") {
    test::measured_device machine;
    auto const gpu = machine.open();
    scratch_directory const here;
    {
        hw::config_cache cache{here.path()};
        REQUIRE(hw::range_hardware::try_plan(gpu, one_metric, cache));
    }
    for (std::string const& wrong : {std::string(1, 'x'), std::string(20, '\0'), std::string(100'000, 'x')}) {
        CAPTURE(wrong.size());
        REQUIRE(forge(here, "availability", 0, wrong) == 1);
        test::fault_injection const watch{machine.tables().cupti};
        hw::config_cache cache{here.path()};
        auto const plan = hw::range_hardware::try_plan(gpu, one_metric, cache);
        REQUIRE_MESSAGE(plan, (plan ? std::string{} : plan.error().message()));
        CHECK(plan->passes() == 1);
        CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2);
        hw::config_cache later{here.path()}; // of the next process, which does not ask
        CHECK(hw::range_hardware::try_plan(gpu, one_metric, later)->remembered());
        CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2);
    }
    for (std::string const& senseless : {std::string{}, std::string((std::size_t{16} << 20) + 1, 'x')}) {
        REQUIRE(forge(here, "availability", 0, senseless) == 1);
        test::fault_injection const watch{machine.tables().cupti};
        hw::config_cache cache{here.path()};
        CHECK(hw::range_hardware::try_plan(gpu, one_metric, cache));
        CHECK(watch.calls("cuptiProfilerHostInitialize") == 0); // the configuration was right
        CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2);
    }
}

TEST_CASE("range_hardware: an unknown metric asks the device at most once about what the cache says of it") {
    test::measured_device machine;
    auto const gpu = machine.open();
    scratch_directory const here;
    {
        hw::config_cache cache{here.path()};
        REQUIRE(hw::range_hardware::try_plan(gpu, one_metric, cache));
    }
    hw::config_cache cache{here.path()};
    test::fault_injection const watch{machine.tables().cupti};
    for (int i = 0; i < 3; ++i) {
        auto const plan = hw::range_hardware::try_plan(gpu, std::vector<std::string>{"smsp__warps_lunched.sum"}, cache);
        REQUIRE_FALSE(plan);
        CHECK(plan.error().code == errc::unknown_metric);
    }
    CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2); // its size, the image
}

TEST_CASE("range_hardware: a pass count that no configuration has is not believed") {
    test::measured_device machine;
    auto const gpu = machine.open();
    scratch_directory const here;
    std::string image;
    {
        hw::config_cache cache{here.path()};
        auto const plan = hw::range_hardware::try_plan(gpu, one_metric, cache);
        REQUIRE(plan);
        image.assign(plan->config.image.begin(), plan->config.image.end());
    }
    for (std::uint64_t const forged : {std::uint64_t{0}, std::uint64_t{65'536}, ~std::uint64_t{0}}) {
        CAPTURE(forged);
        REQUIRE(forge(here, "config", forged, image) == 1);
        hw::config_cache cache{here.path()};
        auto const plan = hw::range_hardware::try_plan(gpu, one_metric, cache);
        REQUIRE(plan);
        CHECK(plan->passes() == 1);
    }
    REQUIRE(forge(here, "config", 1, "") == 1);
    hw::config_cache cache{here.path()};
    CHECK_FALSE(hw::range_hardware::try_plan(gpu, one_metric, cache)->config.image.empty());
}

TEST_CASE("range_hardware: what is remembered of a device says for which user") {
    test::measured_device machine;
    auto const gpu = machine.open();
    scratch_directory const here;
    hw::config_cache cache{here.path()};
    auto const plan = hw::range_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE(plan);
    bool found = false;
    for (std::string const& each : plan->cache_keys)
        found = found || (each.starts_with("availability\n") &&
                          each.find('\n' + std::to_string(::geteuid()) + '\n') != std::string::npos);
    CHECK(found);
}

TEST_CASE("range_hardware: once a device is lost everything says so") {
    test::measured_device machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::range_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE(plan);
    machine.machine().lose_context();
    CHECK(machine.tables().driver.CtxSetCurrent(nullptr) == abi::CUDA_SUCCESS); // whatever is current
    auto const session = hw::range_hardware::session::try_open(gpu, *plan);
    REQUIRE_FALSE(session);
    CHECK(session.error().code == errc::device_lost);
    CHECK(session.error().what.find("cuptiRangeProfilerEnable") == 0);
    hw::config_cache empty;
    test::fault_injection faults{machine.tables().cupti};
    faults.fail_always("cuptiProfilerGetCounterAvailability", abi::CUPTI_ERROR_UNKNOWN);
    auto const planned = hw::range_hardware::try_plan(gpu, one_metric, empty);
    REQUIRE_FALSE(planned);
    CHECK(planned.error().code == errc::device_lost);
    abi::CUcontext current = gpu.context();
    CHECK(machine.tables().driver.CtxGetCurrent(&current) == abi::CUDA_SUCCESS);
    CHECK(current == nullptr); // as it was
}

TEST_CASE("range_hardware: a device whose chip CUPTI would not name says which call failed") {
    for (char const* const call : {"cuptiProfilerInitialize", "cuptiDeviceGetChipName"}) {
        CAPTURE(std::string{call});
        test::measured_device machine;
        test::fault_injection faults{machine.tables().cupti};
        faults.fail(call, 1, abi::CUPTI_ERROR_HARDWARE_BUSY);
        auto const gpu = machine.open(); // it may do without range profiling
        hw::config_cache cache;
        auto const plan = hw::range_hardware::try_plan(gpu, one_metric, cache);
        REQUIRE_FALSE(plan);
        CHECK(plan.error().code == errc::busy);
        CHECK(plan.error().what == std::string{call} + ": CUPTI_ERROR_HARDWARE_BUSY (26)");
    }
}

TEST_CASE("range_hardware: a device that was moved from is refused by that name") {
    test::measured_device machine;
    auto first = machine.open();
    hw::config_cache cache;
    auto const plan = hw::range_hardware::try_plan(first, one_metric, cache);
    REQUIRE(plan);
    auto const second = std::move(first);
    auto const none = hw::range_hardware::session::try_open(first, *plan);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::invalid_argument);
    CHECK(none.error().cause == "the device was moved from");
    CHECK(hw::range_hardware::session::try_open(second, *plan));
}

} // namespace range_hardware_test
